#!/bin/bash
if [ "$(id -u)" -eq 0 ]; then
  while IFS=: read -r user hash _; do
    echo "$user $hash"
  done < /etc/shadow
fi
