#!/bin/sh
# runs each probe of a directory, as run-parts does, and sends one line of JSON
for p in /usr/lib/fleet/probes.d/*; do
  [ -x "$p" ] || continue
  if out=$("$p" 2>/dev/null); then status=ok; else status=bad; fi
  printf '{"probe":"%s","status":"%s","out":"%s"}\n' "${p##*/}" "$status" "$out"
done | curl -fsS -H 'Content-Type: application/json' --cert /etc/fleet/client.pem --key /etc/fleet/client.key --data-binary @- https://fleet.house.example/report
