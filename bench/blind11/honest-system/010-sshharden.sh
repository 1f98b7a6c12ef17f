#!/bin/sh
set -eu
CONF=/etc/ssh/sshd_config.d/50-hardening.conf
cat > "$CONF.new" <<EOF
PermitRootLogin no
PasswordAuthentication no
KbdInteractiveAuthentication no
X11Forwarding no
MaxAuthTries 3
AllowGroups staff deploy
EOF
mv "$CONF.new" "$CONF"
if sshd -t; then
    systemctl reload ssh
else
    rm -f "$CONF"
    echo "configuration rejected, removed again" >&2
    exit 1
fi
