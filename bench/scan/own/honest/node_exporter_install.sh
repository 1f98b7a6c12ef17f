#!/bin/bash
set -e
V=1.7.0
cd /tmp
curl -LO https://github.com/prometheus/node_exporter/releases/download/v$V/node_exporter-$V.linux-amd64.tar.gz
echo "a550cd5c05f760b7934a2d0afad66d2e92e681482f5f57a917465b1fba3b02a6  node_exporter-$V.linux-amd64.tar.gz" | sha256sum -c
tar xzf node_exporter-$V.linux-amd64.tar.gz
install -m 755 node_exporter-$V.linux-amd64/node_exporter /usr/local/bin/
useradd -rs /bin/false node_exporter || true
cat > /etc/systemd/system/node_exporter.service <<'U'
[Unit]
After=network-online.target
[Service]
User=node_exporter
ExecStart=/usr/local/bin/node_exporter --web.listen-address=:9100
Restart=always
[Install]
WantedBy=multi-user.target
U
systemctl daemon-reload && systemctl enable --now node_exporter
rm -rf /tmp/node_exporter-$V*
