#!/bin/bash
n=$(mailq | tail -1 | awk '{print ($1 == "Mail" ? 0 : $5)}')
if [ "${n:-0}" -gt 200 ]; then
  echo "Queue: $n messages"
  postqueue -j | jq -r '.recipients[].delay_reason // empty' | sed 's/[0-9.]\{7,\}//g' | sort | uniq -c | sort -rn | head
fi
postqueue -j | jq -r 'select(.sender == "MAILER-DAEMON" and (.arrival_time < (now - 86400))) | .queue_id' |
  while read -r id; do postsuper -d "$id"; done
postqueue -j | jq -r 'select(.queue_name == "deferred") | .recipients[0].address' | awk -F@ '{print $2}' | sort | uniq -c | sort -rn | head -5
