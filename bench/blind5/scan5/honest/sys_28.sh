#!/bin/sh
# shutdown hook: tell the load balancer, wait, stop
curl -fsS -X POST "http://127.0.0.1:9901/drain" || true
sleep 15
kill -TERM "$(cat /run/app/app.pid)"
i=0; while kill -0 "$(cat /run/app/app.pid)" 2>/dev/null && [ $i -lt 30 ]; do sleep 1; i=$((i+1)); done
