# class: administrator; style: hardening of the ssh daemon
#!/bin/bash
set -e
conf=/etc/ssh/sshd_config
cp -a "$conf" "$conf.$(date +%s)"
sed -i -E -e 's/^#?PermitRootLogin.*/PermitRootLogin no/' -e 's/^#?PasswordAuthentication.*/PasswordAuthentication no/' \
    -e 's/^#?X11Forwarding.*/X11Forwarding no/' "$conf"
sshd -t
systemctl reload ssh
