#!/bin/sh
PRG=$0
while [ -h "$PRG" ]; do
  l=$(readlink "$PRG"); case $l in /*) PRG=$l ;; *) PRG=$(dirname "$PRG")/$l ;; esac
done
APP_HOME=$(cd "$(dirname "$PRG")/.." && pwd)
[ -r "$APP_HOME/conf/env.sh" ] && . "$APP_HOME/conf/env.sh"
JAVA=${JAVA_HOME:+$JAVA_HOME/bin/}java
command -v "$JAVA" >/dev/null || { echo "no java found, set JAVA_HOME" >&2; exit 127; }
mem=$(awk '/MemTotal/{print int($2/1024/2)}' /proc/meminfo)
ulimit -n 65536 2>/dev/null
CP=$(find "$APP_HOME/lib" -name '*.jar' | tr '\n' ':')
exec "$JAVA" -Xmx"${HEAP_MB:-$mem}m" -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath="$APP_HOME/log" $JAVA_OPTS -cp "$CP" com.example.shop.Main "$@"
