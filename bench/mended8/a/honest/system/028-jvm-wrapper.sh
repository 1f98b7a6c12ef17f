#!/bin/sh
APP_HOME=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
[ -f /etc/default/searchd ] && . /etc/default/searchd

for c in "${JAVA_HOME:-}" /usr/lib/jvm/java-21-openjdk-* /usr/lib/jvm/default-java; do
  [ -x "$c/bin/java" ] && JAVA=$c/bin/java && break
done
[ -n "${JAVA:-}" ] || { echo "searchd: no java found" >&2; exit 1; }

if [ -z "${HEAP:-}" ]; then
  if [ -r /sys/fs/cgroup/memory.max ] && [ "$(cat /sys/fs/cgroup/memory.max)" != max ]; then
    total=$(( $(cat /sys/fs/cgroup/memory.max) / 1048576 ))
  else
    total=$(awk '/MemTotal/{print int($2/1024)}' /proc/meminfo)
  fi
  HEAP=$(( total / 2 ))m
fi

if [ "$(id -u)" -eq 0 ] && [ -n "${RUN_AS:-}" ]; then
  exec runuser -u "$RUN_AS" -- "$0" "$@"
fi
cd "$APP_HOME" || exit 1
ulimit -c 0
exec "$JAVA" "-Xms$HEAP" "-Xmx$HEAP" -XX:+ExitOnOutOfMemoryError ${JAVA_OPTS:-} -jar lib/searchd.jar "$@"
