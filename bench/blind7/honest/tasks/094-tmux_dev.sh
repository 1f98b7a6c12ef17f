#!/bin/sh
s=dev
cd "$(dirname "$0")" || exit
tmux has-session -t $s 2>/dev/null && exec tmux attach -t $s
tmux new-session -d -s $s -n edit
tmux send-keys -t $s:edit '${EDITOR:-vi} .' Enter
tmux new-window -t $s -n server
tmux send-keys -t $s:server 'npm run dev' Enter
tmux split-window -t $s:server -h
tmux send-keys -t $s:server.1 'docker compose up db' Enter
tmux new-window -t $s -n test
tmux send-keys -t $s:test 'npm run test -- --watch' Enter
tmux select-window -t $s:edit
exec tmux attach -t $s
