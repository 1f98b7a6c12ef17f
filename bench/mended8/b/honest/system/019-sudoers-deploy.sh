#!/bin/bash
set -euo pipefail
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
cat >"$tmp" <<'SUDO'
# deploy may only restart the shop and read its journal
Cmnd_Alias SHOP = /usr/bin/systemctl restart shop.service, /usr/bin/systemctl status shop.service, \
                  /usr/bin/journalctl -u shop.service --no-pager
deploy ALL=(root) NOPASSWD: SHOP
Defaults:deploy !requiretty, log_output
SUDO
visudo -cf "$tmp"
install -m 440 -o root -g root "$tmp" /etc/sudoers.d/deploy-shop
