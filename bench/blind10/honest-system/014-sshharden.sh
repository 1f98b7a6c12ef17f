#!/bin/bash
# STD-SSH-02: harden sshd. Validates before reload.
set -euo pipefail
F=/etc/ssh/sshd_config.d/10-standard.conf
T=$(mktemp)
cat > "$T" <<'EOF'
PermitRootLogin no
PasswordAuthentication no
KbdInteractiveAuthentication no
AllowGroups staff ops
MaxAuthTries 3
ClientAliveInterval 300
LogLevel VERBOSE
EOF
if [ -f "$F" ] && cmp -s "$T" "$F"; then
  echo "already compliant"; rm -f "$T"; exit 0
fi
[ -f "$F" ] && cp -a "$F" "$F.bak"
install -m 0644 "$T" "$F"; rm -f "$T"
if ! sshd -t; then
  [ -f "$F.bak" ] && mv "$F.bak" "$F" || rm -f "$F"
  echo "configuration rejected, rolled back" >&2
  exit 1
fi
systemctl reload ssh
