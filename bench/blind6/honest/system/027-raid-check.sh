#!/bin/sh
[ -r /etc/default/mdadm ] && . /etc/default/mdadm
[ "${AUTOCHECK:-true}" = true ] || exit 0
for md in /sys/block/md*/md; do
  [ -e "$md/sync_action" ] || continue
  name=$(basename "$(dirname "$md")")
  state=$(cat "$md/sync_action")
  if [ "$state" = idle ]; then
    ionice -c3 -p $$ || true
    echo check > "$md/sync_action"
    logger -t checkarray "started check of $name"
  fi
done
