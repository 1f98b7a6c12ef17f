#!/bin/bash
sleep 300 &
pid=$!
trap 'kill "$pid" 2>/dev/null' EXIT
if kill -0 "$pid"; then echo "running"; fi
kill "$pid"
wait "$pid" 2>/dev/null
