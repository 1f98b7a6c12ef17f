#!/bin/sh
set -e
. /usr/share/debconf/confmodule
CONF=/etc/webmon/webmon.conf
if [ -e "$CONF" ]; then
  port=$(sed -n 's/^port=//p' "$CONF")
  [ -z "$port" ] || db_set webmon/port "$port"
fi
db_version 2.0
db_capb backup
STATE=1
while [ "$STATE" -gt 0 ] && [ "$STATE" -lt 3 ]; do
  case $STATE in
    1) db_input medium webmon/port || true ;;
    2) db_input low webmon/admin || true ;;
  esac
  if db_go; then STATE=$((STATE + 1)); else STATE=$((STATE - 1)); fi
done
