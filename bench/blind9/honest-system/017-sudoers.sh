#!/bin/sh
# Let the deploy account restart its two services, nothing else.
set -eu
T=$(mktemp)
trap 'rm -f "$T"' EXIT

cat > "$T" <<'S'
# managed by ops, do not edit
Cmnd_Alias LEDGER = /usr/bin/systemctl restart ledger.service, \
                    /usr/bin/systemctl reload nginx.service
deploy ALL=(root) NOPASSWD: LEDGER
Defaults:deploy !requiretty
Defaults logfile=/var/log/sudo.log
S
visudo -cf "$T"
install -m 0440 -o root -g root "$T" /etc/sudoers.d/50-deploy
sudo -l -U deploy
