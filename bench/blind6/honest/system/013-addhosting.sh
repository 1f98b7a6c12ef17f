#!/bin/bash
# add-member LOGIN "Full Name"
set -e
usage() { echo "usage: $0 login 'full name'" >&2; exit 64; }
[ $# -eq 2 ] || usage
login=$1; name=$2
[[ $login =~ ^[a-z][a-z0-9-]{2,30}$ ]] || { echo "bad login name" >&2; exit 65; }
if id "$login" >/dev/null 2>&1; then echo "exists" >&2; exit 1; fi
useradd -m -c "$name" -s /bin/bash -G members "$login"
passwd -l "$login" >/dev/null
chage -d 0 "$login"
setquota -u "$login" 1000000 1200000 0 0 /home || true
install -m 0644 -o "$login" -g "$login" /etc/skel/README "/home/$login/README"
logger -p auth.info "member $login created by ${SUDO_USER:-root}"
