#!/bin/sh
set -e
if [ "$1" = purge ]; then
  rm -rf /var/lib/mqd /var/log/mqd /etc/mqd
  deluser --quiet --system mqd || true
fi
