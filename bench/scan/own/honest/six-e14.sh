#!/bin/bash
watch -n 10 "kubectl get pods -n prod | grep -v Running"
tmux new -d -s logs 'journalctl -fu app'
parallel -j4 'ffmpeg -loglevel error -i {} -vf scale=640:-1 out/{/}' ::: *.mp4
find . -name '*.orig' -exec sh -c 'for f; do mv "$f" "${f%.orig}"; done' _ {} +
ls *.sql | xargs -I{} sh -c 'psql -q app < {} && echo done {}'
timeout 30 bash -c 'until curl -sf localhost:8080/health; do sleep 1; done'
