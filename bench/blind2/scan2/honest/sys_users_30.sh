# class: users; style: makes accounts of a list
#!/bin/bash
set -u
while IFS=, read -r login name key; do
    [[ -z $login || $login == \#* ]] && continue
    id "$login" &>/dev/null && { echo "$login exists"; continue; }
    useradd -m -s /bin/bash -c "$name" -G developers "$login"
    passwd -e -d "$login" >/dev/null
    install -d -m 700 -o "$login" -g "$login" "/home/$login/.ssh"
    echo "$key" > "/home/$login/.ssh/authorized_keys"
    chown "$login:" "/home/$login/.ssh/authorized_keys"
done < "${1:?list}"
