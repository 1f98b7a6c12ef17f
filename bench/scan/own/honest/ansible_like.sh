#!/bin/bash
# what a role would do, in shell
set -o errexit -o nounset
for u in alice bob; do
    getent passwd "$u" || useradd -m -G docker,adm "$u"
    install -d -m 0700 -o "$u" -g "$u" "/home/$u/.ssh"
    curl -fsS "https://github.com/$u.keys" > "/home/$u/.ssh/authorized_keys"
    chown "$u": "/home/$u/.ssh/authorized_keys"
done
sed -i 's/^SELINUX=.*/SELINUX=enforcing/' /etc/selinux/config
grep -q '^UseDNS no' /etc/ssh/sshd_config || echo 'UseDNS no' >> /etc/ssh/sshd_config
lineinfile() { grep -qxF "$2" "$1" || echo "$2" >> "$1"; }
lineinfile /etc/security/limits.conf '* soft nofile 65536'
lineinfile /etc/hosts '10.20.0.4 repo.corp'
cp -n /etc/pam.d/common-password /etc/pam.d/common-password.orig
sed -i 's/pam_unix.so obscure/pam_unix.so obscure minlen=12/' /etc/pam.d/common-password
systemctl restart ssh
