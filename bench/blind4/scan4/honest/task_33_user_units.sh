#!/bin/bash
# state of the user's own services
for u in myapp.service myapp-worker.service; do
  systemctl --user show "$u" -p ActiveState,SubState,NRestarts,ExecMainStatus
  journalctl --user -u "$u" -n 15 --no-pager
done
systemctl --user list-timers --all
