#!/bin/bash
# starts a server, tests it, stops it
./server --port 9000 & pid=$!
trap 'kill $pid' EXIT
sleep 1
python3 - <<'E'
import urllib.request
print(urllib.request.urlopen("http://127.0.0.1:9000/").status)
E
pkill -f "server --port 9001" || true
cmd="wc -l"; x="ls"
eval "$x" | $cmd
