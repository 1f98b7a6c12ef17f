#!/bin/sh
today=$(($(date +%s) / 86400))
getent shadow | while IFS=: read -r user pw last min max warn inact expire rest; do
  [ -n "$expire" ] || continue
  if [ "$expire" -lt "$today" ]; then
    echo "$user expired $((today - expire)) days ago"
    if [ "$1" = --lock ]; then
      usermod -L -s /usr/sbin/nologin "$user"
    fi
  fi
done
