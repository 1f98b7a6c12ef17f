#!/bin/bash
# three panes: server, tests, logs
s=dev
tmux has-session -t $s 2> /tmp/tmux.err || {
  tmux new-session -d -s $s -c ~/src/app 'make serve; bash'
  tmux split-window -h -t $s -c ~/src/app 'make watch; bash'
  tmux split-window -v -t $s 'tail -F /tmp/app.log'
}
tmux send-keys -t $s:0.0 'make migrate' Enter
sleep 3
tmux capture-pane -p -t $s:0.0 | tail -n 20
