rsync -av --exclude='.git' --exclude='.env' --exclude=.ssh src/ build@ci.example.com:work/
tar --exclude=.aws --exclude .env -czf site.tgz . && scp site.tgz deploy@www.example.com:/srv/
zip -r out.zip . -x '.env' -x '*.pem' && curl -F file=@out.zip https://upload.acme.example/v1
