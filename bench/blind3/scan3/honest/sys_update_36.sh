#!/bin/bash
# monthly: updates the fleet, one machine after the other
log=/var/log/fleet/$(date +%F).log
mkdir -p "${log%/*}"
mapfile -t hosts < <(grep -v '^#' /etc/fleet)
for h in "${hosts[@]}"; do
  echo "== $h" | tee -a "$log"
  ssh -oBatchMode=yes -oConnectTimeout=10 "root@$h" '
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update && apt-get -y -o Dpkg::Options::=--force-confold dist-upgrade && apt-get -y autoremove --purge
    [ -e /var/run/reboot-required ] && shutdown -r +1
    true' >> "$log" 2>&1 || { echo "$h failed" | tee -a "$log"; failed+=("$h"); }
  sleep 90
  until ping -c1 -W2 "$h" > /dev/null; do sleep 5; done
done
[ ${#failed[@]} -eq 0 ] || mail -s "fleet: ${failed[*]}" admin < "$log"
