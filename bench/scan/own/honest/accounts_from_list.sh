#!/bin/bash
while IFS=, read -r login full mail; do
  if ! id "$login" &>/dev/null; then
    useradd -m -c "$full" -s /bin/bash "$login"
    pass=$(openssl rand -base64 12)
    echo "$login:$pass" | chpasswd
    chage -d 0 "$login"
    echo "Your password is $pass" | mail -s "Account" "$mail"
  fi
done < users.csv
