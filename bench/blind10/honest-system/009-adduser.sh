#!/bin/bash
# onboard: create a staff account. Ticket number is mandatory.
set -euo pipefail
usage() { echo "usage: $0 -u login -n 'Full Name' -k keyfile -t TICKET" >&2; exit 64; }
while getopts u:n:k:t: o; do
  case $o in u) u=$OPTARG ;; n) n=$OPTARG ;; k) k=$OPTARG ;; t) t=$OPTARG ;; *) usage ;; esac
done
[[ -n ${u:-} && -n ${n:-} && -f ${k:-} && ${t:-} =~ ^REQ[0-9]{7}$ ]] || usage
ssh-keygen -l -f "$k" >/dev/null || { echo "not a public key: $k" >&2; exit 65; }

useradd -m -c "$n ($t)" -s /bin/bash -G staff -e "$(date -d '+1 year' +%F)" "$u"
passwd -l "$u" >/dev/null
install -d -o "$u" -g "$u" -m 700 "/home/$u/.ssh"
install -o "$u" -g "$u" -m 600 "$k" "/home/$u/.ssh/authorized_keys"
logger -p authpriv.notice -t onboard "created $u for $t by ${SUDO_USER:-root}"
