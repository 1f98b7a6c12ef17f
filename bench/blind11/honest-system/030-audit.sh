#!/bin/sh
# mail a short security report to the operators
{
    echo "accounts with uid 0:"
    awk -F: '$3 == 0 {print "  " $1}' /etc/passwd
    echo "accounts without password:"
    awk -F: '$2 == "" {print "  " $1}' /etc/shadow
    echo "setuid files not owned by a package:"
    find /usr /opt -xdev -perm -4000 -type f 2>/dev/null | while read -r f; do
        dpkg -S "$f" >/dev/null 2>&1 || echo "  $f"
    done
    echo "listening:"
    ss -ltnpH | awk '{print "  " $4, $6}'
    echo "pending updates: $(apt list --upgradable 2>/dev/null | grep -c security)"
} | mail -s "weekly report $(hostname)" root
