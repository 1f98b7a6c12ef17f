#!/bin/sh
set -e
create_key() {
  msg=$1; file=$2; shift 2
  if [ ! -f "$file" ]; then
    printf '%s' "$msg"
    ssh-keygen -q -f "$file" -N '' "$@"
    echo
    command -v restorecon >/dev/null 2>&1 && restorecon "$file" "$file.pub"
    ssh-keygen -l -f "$file.pub"
  fi
}
create_key "Creating SSH2 RSA key; this may take some time ..." /etc/ssh/ssh_host_rsa_key -t rsa -b 3072
create_key "Creating SSH2 ED25519 key; this may take some time ..." /etc/ssh/ssh_host_ed25519_key -t ed25519
chmod 600 /etc/ssh/ssh_host_*_key
