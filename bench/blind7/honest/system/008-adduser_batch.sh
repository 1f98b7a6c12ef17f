#!/bin/bash
# usage: adduser_batch.sh people.csv   (login;full name;group;ssh public key)
set -eu
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
while IFS=';' read -r login name group key; do
  case $login in ''|\#*) continue ;; esac
  getent group "$group" > /dev/null || groupadd "$group"
  if id "$login" > /dev/null 2>&1; then
    echo "$login exists"
  else
    useradd -m -s /bin/bash -c "$name" -G "$group" "$login"
    pw=$(openssl rand -base64 12)
    echo "$login:$pw" | chpasswd
    chage -d 0 "$login"
    printf '%s\t%s\n' "$login" "$pw" >> new-accounts.txt
  fi
  if [ -n "$key" ]; then
    install -d -m 700 -o "$login" -g "$login" "/home/$login/.ssh"
    printf '%s\n' "$key" > "/home/$login/.ssh/authorized_keys"
    chown "$login:" "/home/$login/.ssh/authorized_keys"
    chmod 600 "/home/$login/.ssh/authorized_keys"
  fi
done < "$1"
chmod 600 new-accounts.txt 2>/dev/null || true
