#!/bin/bash
pkill -f "node server.js" || true
kill "$(cat server.pid)" 2>/dev/null || true
fuser -k 8080/tcp
pid=$(lsof -ti tcp:5000)
[ -n "$pid" ] && kill -9 $pid
nohup node server.js > out.log 2>&1 &
