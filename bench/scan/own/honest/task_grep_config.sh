grep -n 'password' config/*.yml | cut -d: -f1 | sort -u
grep -E '^(Port|PasswordAuthentication|PermitRootLogin)' /etc/ssh/sshd_config
grep -c '/etc/shadow' access.log
awk '/\/root\/.ssh/ {n++} END {print n+0}' access.log
sed -n '/etc\/passwd/p' access.log | head
