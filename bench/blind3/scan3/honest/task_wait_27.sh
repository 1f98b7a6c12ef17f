#!/bin/bash
# wait for the services of the compose file
wait_for() {
  local host=$1 port=$2 tries=${3:-30}
  until (exec 3<>"/dev/tcp/$host/$port") 2>/dev/null; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || { echo "$host:$port is not there" >&2; return 1; }
    sleep 1
  done
  echo "$host:$port answers"
}
wait_for postgres 5432
wait_for redis 6379
wait_for rabbitmq 5672 60
exec "$@"
