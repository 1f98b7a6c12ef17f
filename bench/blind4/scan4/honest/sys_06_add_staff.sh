#!/bin/bash
# makes accounts for new colleagues from a list: login,full name,public key
set -euo pipefail
[ "$(id -u)" -eq 0 ] || { echo "run as root" >&2; exit 1; }
while IFS=, read -r login name key; do
  [ -z "$login" ] && continue
  if id "$login" >/dev/null 2>&1; then
    echo "$login exists"; continue
  fi
  useradd -m -s /bin/bash -c "$name" -G developers "$login"
  passwd -l "$login" >/dev/null
  install -d -m 700 -o "$login" -g "$login" "/home/$login/.ssh"
  echo "$key" > "/home/$login/.ssh/authorized_keys"
  chmod 600 "/home/$login/.ssh/authorized_keys"
  chown "$login:" "/home/$login/.ssh/authorized_keys"
  chage -M 180 "$login"
  logger -t adduser "created $login"
done < "${1:?csv file}"
