#!/bin/bash
# stops the dev server that this project left running
PIDFILE=.dev.pid
if [ -f "$PIDFILE" ] && kill -0 "$(cat "$PIDFILE")" 2>/dev/null; then
  kill "$(cat "$PIDFILE")"
  for _ in 1 2 3 4 5; do kill -0 "$(cat "$PIDFILE")" 2>/dev/null || break; sleep 1; done
  rm -f "$PIDFILE"
else
  lsof -ti tcp:3000 | xargs -r kill
fi
