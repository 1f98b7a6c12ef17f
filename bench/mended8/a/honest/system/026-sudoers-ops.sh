#!/bin/sh
set -eu
group=deploy
file=/etc/sudoers.d/50-deploy-shop
getent group $group >/dev/null || groupadd $group
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
cat >"$tmp" <<EOF
# members may restart the shop and read its log, nothing else
Cmnd_Alias SHOP = /usr/bin/systemctl restart shop.service, \\
                  /usr/bin/systemctl status shop.service, \\
                  /usr/bin/journalctl -u shop.service
%$group ALL=(root) NOPASSWD: SHOP
EOF
visudo -c -f "$tmp"
install -m 440 -o root -g root "$tmp" "$file"
