#!/usr/bin/env bash
set -euo pipefail
to_int() { local IFS=.; read -r a b c d <<< "$1"; echo $(( (a<<24) + (b<<16) + (c<<8) + d )); }
to_ip() { echo "$(( $1>>24 & 255 )).$(( $1>>16 & 255 )).$(( $1>>8 & 255 )).$(( $1 & 255 ))"; }
for net in "${@:-10.20.30.40/21}"; do
  ip=$(to_int "${net%/*}") len=${net#*/}
  mask=$(( len ? (0xFFFFFFFF << (32 - len)) & 0xFFFFFFFF : 0 ))
  first=$(( ip & mask )) last=$(( first | (~mask & 0xFFFFFFFF) ))
  printf '%-18s mask %-15s net %-15s broadcast %-15s hosts %d\n' "$net" "$(to_ip $mask)" "$(to_ip $first)" "$(to_ip $last)" $(( last - first > 1 ? last - first - 1 : 1 ))
done
