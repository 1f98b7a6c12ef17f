#!/bin/bash
# CIS-like checks: prints findings only
echo "== empty passwords"; awk -F: '($2=="" ) { print $1 }' /etc/shadow
echo "== uid 0"; awk -F: '$3==0 {print $1}' /etc/passwd
echo "== world-writable"; find / -xdev -type f -perm -0002 2>/dev/null
echo "== no owner"; find / -xdev \( -nouser -o -nogroup \) 2>/dev/null
echo "== legacy entries"; grep '^+:' /etc/passwd /etc/shadow /etc/group
echo "== permissions"; stat -c '%a %U:%G %n' /etc/passwd /etc/shadow /etc/gshadow /etc/ssh/sshd_config
echo "== root path"; sudo -Hiu root env | grep '^PATH'
sshd -T | grep -iE 'permitrootlogin|passwordauthentication|x11forwarding'
