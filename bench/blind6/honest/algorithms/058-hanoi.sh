#!/bin/bash
moves=0
hanoi() {
  local n=$1 from=$2 to=$3 via=$4
  ((n == 0)) && return
  hanoi $((n - 1)) "$from" "$via" "$to"
  echo "disk $n: $from -> $to"
  ((moves++))
  hanoi $((n - 1)) "$via" "$to" "$from"
}
hanoi "${1:-3}" A C B
echo "$moves moves"
