# class: test certificates; style: openssl
mkdir -p certs && cd certs
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost -keyout key.pem -out cert.pem
chmod 600 key.pem
openssl x509 -in cert.pem -noout -dates
