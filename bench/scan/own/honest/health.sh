#!/bin/bash
# waits for a service and looks at it
for i in $(seq 1 30); do
  if curl -fsS http://localhost:8080/health >/dev/null; then echo up; break; fi
  sleep 1
done
until (echo > /dev/tcp/localhost/5432) 2>/dev/null; do sleep 1; done
curl -s -X POST -H 'Content-Type: application/json' -d '{"a":1}' http://localhost:8080/items | jq .
ss -tln | grep 8080
