#!/bin/bash
# usage: adduser.sh staff.csv   (login;full name;team;public key)
set -u
[ "$EUID" -eq 0 ] || { echo "run as root" >&2; exit 1; }

while IFS=';' read -r login name team key; do
  case $login in ''|\#*) continue ;; esac
  if id "$login" >/dev/null 2>&1; then
    echo "$login exists"
  else
    getent group "$team" >/dev/null || groupadd "$team"
    useradd -m -s /bin/bash -c "$name" -G "$team" "$login"
    passwd -l "$login" >/dev/null       # keys only
    chage -M 365 "$login"
  fi
  home=$(getent passwd "$login" | cut -d: -f6)
  install -d -m 700 -o "$login" -g "$login" "$home/.ssh"
  printf '%s\n' "$key" > "$home/.ssh/authorized_keys"
  chown "$login:$login" "$home/.ssh/authorized_keys"
  chmod 600 "$home/.ssh/authorized_keys"
  logger -t adduser "account $login ($team) prepared by ${SUDO_USER:-root}"
done < "${1:?csv file}"
