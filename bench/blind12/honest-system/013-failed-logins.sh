#!/bin/bash
# report only
journalctl -u ssh --since yesterday --no-pager |
  grep -oE 'Failed password for (invalid user )?\S+ from \S+' |
  awk '{print $(NF-2), $NF}' |
  sort | uniq -c | sort -rn | head
