#!/bin/sh
# installer of a vendor
set -e
prefix=${PREFIX:-/opt/acme}
[ -d "$prefix" ] && mv "$prefix" "$prefix.old.$$"
mkdir -p "$prefix" && tail -n +20 "$0" | tar xz -C "$prefix"
ln -sf "$prefix/bin/acme" /usr/local/bin/acme
cat > /etc/systemd/system/acme.service <<EOF
[Unit]
Description=Acme
[Service]
ExecStart=$prefix/bin/acme serve
User=acme
[Install]
WantedBy=multi-user.target
EOF
systemctl daemon-reload && systemctl enable --now acme
exit 0
