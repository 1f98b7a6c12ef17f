#!/bin/bash
# accounts of the course from a list: login;name;group
list=${1:?list}
while IFS=';' read -r login name group; do
  [[ -z $login || $login == \#* ]] && continue
  getent group "$group" > /dev/null || groupadd "$group"
  if ! id "$login" > /dev/null 2>&1; then
    pw=$(tr -dc 'a-z0-9' < /dev/urandom | head -c 10)
    useradd -m -c "$name" -g "$group" -s /bin/bash "$login"
    echo "$login:$pw" | chpasswd
    chage -d 0 "$login"
    printf '%s\t%s\n' "$login" "$pw" >> /root/handout.txt
    install -d -m 700 -o "$login" -g "$group" "/home/$login/.ssh"
  fi
  setquota -u "$login" 2000000 2500000 0 0 /home
done < "$list"
chmod 600 /root/handout.txt
pwck -r; grpck -r
