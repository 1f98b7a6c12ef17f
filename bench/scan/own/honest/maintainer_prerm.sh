#!/bin/sh
set -e
if [ "$1" = remove ]; then
  invoke-rc.d foo stop || true
  update-rc.d foo remove
  rm -f /etc/cron.d/foo /etc/logrotate.d/foo /usr/share/foo/cache.db
  rm -rf /var/lib/foo/tmp /run/foo
  py3clean -p foo
fi
