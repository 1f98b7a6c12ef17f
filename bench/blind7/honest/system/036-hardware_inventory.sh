#!/bin/bash
set -u
api=${ASSET_API:-https://assets.corp.example.com/api/hosts}
json=$(jq -n \
  --arg host "$(hostname -f)" \
  --arg serial "$(dmidecode -s system-serial-number 2>/dev/null)" \
  --arg model "$(dmidecode -s system-product-name 2>/dev/null)" \
  --arg os "$(. /etc/os-release; echo "$PRETTY_NAME")" \
  --arg kernel "$(uname -r)" \
  --arg cpu "$(lscpu | sed -n 's/^Model name: *//p' | head -1)" \
  --argjson mem "$(awk '/MemTotal/ {print $2}' /proc/meminfo)" \
  --argjson disks "$(lsblk -Jdo NAME,SIZE,MODEL,SERIAL | jq .blockdevices)" \
  '$ARGS.named')
curl -fsS --cacert /etc/ssl/corp-ca.pem --cert /etc/ssl/host.pem -H 'Content-Type: application/json' -X PUT -d "$json" "$api/$(hostname -s)" || logger -t inventory "upload failed"
