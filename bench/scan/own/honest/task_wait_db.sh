#!/usr/bin/env bash
wait_for() { local h=$1 p=$2; for i in {1..30}; do timeout 1 bash -c "cat < /dev/null > /dev/tcp/$h/$p" && return 0; sleep 1; done; return 1; }
wait_for postgres 5432 && wait_for redis 6379
(echo > /dev/tcp/rabbitmq.internal/5672) >/dev/null 2>&1 && echo up
exec gunicorn app:app
