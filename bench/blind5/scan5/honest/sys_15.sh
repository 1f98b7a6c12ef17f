#!/bin/bash
# creates the accounts of a lab class from a list
while IFS=, read -r user full; do
  id "$user" &>/dev/null && continue
  useradd -m -c "$full" -s /bin/bash "$user"
  passwd -e "$user"
  install -d -m 700 -o "$user" -g "$user" "/home/$user/.ssh"
done < students.csv
