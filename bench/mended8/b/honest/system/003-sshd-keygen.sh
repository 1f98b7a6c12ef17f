#!/bin/bash
# Create the missing SSH host keys before sshd starts.
set -e
umask 077
for type in rsa ecdsa ed25519; do
    key=/etc/ssh/ssh_host_${type}_key
    if [ ! -s "$key" ]; then
        rm -f "$key" "$key.pub"
        ssh-keygen -q -t "$type" -f "$key" -C '' -N ''
        chmod 600 "$key"
        chmod 644 "$key.pub"
        [ -x /sbin/restorecon ] && /sbin/restorecon "$key" "$key.pub"
        logger -t sshd-keygen "created $key"
    fi
done
