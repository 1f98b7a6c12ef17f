# class: administrator; style: new accounts from a list
#!/bin/bash
set -eu
while IFS=: read -r name key; do
    id "$name" > /dev/null 2>&1 && continue
    useradd -m -s /bin/bash -G developers "$name"
    install -d -o "$name" -g "$name" -m 700 "/home/$name/.ssh"
    echo "$key" > "/home/$name/.ssh/authorized_keys"
    chown "$name:$name" "/home/$name/.ssh/authorized_keys"
    chmod 600 "/home/$name/.ssh/authorized_keys"
done < users.list
