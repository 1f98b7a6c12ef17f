#!/bin/bash
# load new rules; go back after 60 s unless confirmed
set -eu
NEW=${1:-/etc/nftables.conf.new}
OLD=$(mktemp)
{ echo "flush ruleset"; nft list ruleset; } > "$OLD"
nft -c -f "$NEW"
nft -f "$NEW"
if read -r -t 60 -p "still connected? type yes: " a && [ "$a" = yes ]; then
    install -m 644 "$NEW" /etc/nftables.conf
    systemctl enable nftables
    echo "saved"
else
    nft -f "$OLD"
    echo "rolled back"
fi
rm -f "$OLD"
