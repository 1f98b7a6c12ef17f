#!/bin/bash
# looks for machines
for i in $(seq 1 254); do (ping -c1 -W1 192.168.0.$i >/dev/null && echo 192.168.0.$i) & done; wait
