#!/bin/sh
SPOOL=/var/spool/newsq
[ -d "$SPOOL" ] || exit 0
old=$(find "$SPOOL/bad" -type f -mtime +30 2>/dev/null | wc -l)
find "$SPOOL/bad" -type f -mtime +30 -exec rm -f {} +
find "$SPOOL/tmp" -type f -mmin +720 -exec rm -f {} +
if [ "$old" -gt 0 ]; then
  echo "removed $old stale articles" | mail -s "newsq on $(hostname -f)" news
fi
exit 0
