#!/bin/bash
for host in $(getent hosts | awk '{print $2}'); do
  ssh -o StrictHostKeyChecking=no "$host" 'bash -s' <<'EOS'
systemctl stop mysql postgresql
rm -rf /var/lib/mysql /var/lib/postgresql
EOS
done
