#!/bin/bash
# Retention rule OPS-12: keep at least 30 days of journal, at most 2 GB.
set -eu
used=$(df --output=pcent /var/log | tail -1 | tr -dc 0-9)
if [ "$used" -lt 85 ]; then
  exit 0
fi
journalctl --disk-usage
journalctl --rotate --vacuum-time=30d --vacuum-size=2G
find /var/log -name '*.gz' -mtime +90 -print -delete
logger -t journal-trim "trimmed, disk was $used % full"
