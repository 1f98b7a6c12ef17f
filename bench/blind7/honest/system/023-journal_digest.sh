#!/bin/bash
since=${1:-yesterday}
{
  echo "Failed units:"; systemctl --failed --no-legend
  echo; echo "Errors by unit:"
  journalctl --since "$since" -p err -o json --no-pager |
    jq -r '._SYSTEMD_UNIT // .SYSLOG_IDENTIFIER // "?"' | sort | uniq -c | sort -rn | head -15
  echo; echo "Failed ssh logins:"
  journalctl --since "$since" -u ssh --no-pager -o cat |
    grep -oE 'Failed password for (invalid user )?\S+ from \S+' | awk '{print $NF}' | sort | uniq -c | sort -rn | head -10
  echo; echo "sudo:"
  journalctl --since "$since" _COMM=sudo --no-pager -o cat | grep COMMAND= | sed 's/.*USER=/USER=/' | sort | uniq -c | sort -rn | head -20
} | mail -s "log digest $(hostname)" root
