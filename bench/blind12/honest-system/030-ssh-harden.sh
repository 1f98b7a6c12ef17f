#!/bin/bash
set -euo pipefail
conf=/etc/ssh/sshd_config
cp -a "$conf" "$conf.$(date +%s).bak"
sed -ri 's/^#?(PermitRootLogin) .*/\1 no/; s/^#?(PasswordAuthentication) .*/\1 no/' "$conf"
if sshd -t; then
  systemctl reload ssh
else
  echo "configuration is wrong, not reloaded" >&2
  exit 1
fi
