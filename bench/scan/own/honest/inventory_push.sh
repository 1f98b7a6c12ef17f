#!/bin/bash
# tells the inventory about this machine
H=$(hostname -f)
J=$(jq -n --arg host "$H" --arg os "$(. /etc/os-release; echo "$PRETTY_NAME")" --arg kernel "$(uname -r)" --arg ip "$(hostname -I)" '{host:$host,os:$os,kernel:$kernel,ip:$ip}')
curl -fsS -X PUT -H "Authorization: Bearer $(cat /etc/inventory.token)" -H 'Content-Type: application/json' -d "$J" "https://inventory.corp.example/api/hosts/$H"
