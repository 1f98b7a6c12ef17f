#!/bin/bash
set -eu
while IFS=: read -r login name; do
  id "$login" >/dev/null 2>&1 && continue
  useradd -m -c "$name" -s /bin/bash "$login"
  chage -d 0 "$login"
  echo "created $login"
done < "${1:?list of login:name}"
