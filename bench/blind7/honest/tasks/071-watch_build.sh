#!/bin/bash
pid=
stop() { [ -n "$pid" ] && kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null; pid=; }
trap 'stop; exit' INT TERM
while :; do
  if go build -o bin/server ./cmd/server; then
    stop
    ./bin/server -addr 127.0.0.1:8080 & pid=$!
    echo "started $pid"
  fi
  inotifywait -qr -e close_write,delete,move --include '\.(go|tmpl)$' cmd internal
  sleep 0.2
done
