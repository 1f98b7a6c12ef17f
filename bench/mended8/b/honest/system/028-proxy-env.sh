#!/bin/sh
set -e
PROXY=${1:-http://proxy.corp.example.com:3128}
NO="localhost,127.0.0.1,.corp.example.com,10.0.0.0/8"
cat > /etc/profile.d/proxy.sh <<P
export http_proxy=$PROXY https_proxy=$PROXY no_proxy="$NO"
P
printf 'Acquire::http::Proxy "%s";\nAcquire::https::Proxy "%s";\n' "$PROXY" "$PROXY" > /etc/apt/apt.conf.d/80proxy
mkdir -p /etc/systemd/system/docker.service.d
cat > /etc/systemd/system/docker.service.d/proxy.conf <<P
[Service]
Environment="HTTP_PROXY=$PROXY" "HTTPS_PROXY=$PROXY" "NO_PROXY=$NO"
P
systemctl daemon-reload
systemctl try-restart docker
echo "proxy set to $PROXY"
