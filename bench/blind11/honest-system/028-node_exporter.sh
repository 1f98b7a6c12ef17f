#!/bin/bash
set -euo pipefail
V=1.8.2
A=node_exporter-$V.linux-amd64
cd "$(mktemp -d)"
curl -fsSLO "https://mirror.shop.example/prometheus/$A.tar.gz"
curl -fsSLO "https://mirror.shop.example/prometheus/sha256sums.txt"
grep " $A.tar.gz" sha256sums.txt | sha256sum -c -
tar xzf "$A.tar.gz"
install -m 755 "$A/node_exporter" /usr/local/bin/
id node_exporter >/dev/null 2>&1 || useradd -r -s /usr/sbin/nologin node_exporter
cat > /etc/systemd/system/node_exporter.service <<EOF
[Unit]
Description=Prometheus node exporter
After=network-online.target

[Service]
User=node_exporter
ExecStart=/usr/local/bin/node_exporter --web.listen-address=127.0.0.1:9100
ProtectSystem=strict
NoNewPrivileges=yes

[Install]
WantedBy=multi-user.target
EOF
systemctl daemon-reload
systemctl enable --now node_exporter
