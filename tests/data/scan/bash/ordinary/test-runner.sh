#!/bin/bash
pass=0 fail=0
check() {
  if [ "$2" = "$3" ]; then pass=$((pass + 1)); else fail=$((fail + 1)); echo "FAIL $1: '$2' != '$3'"; fi
}
check addition "$((2 + 2))" 4
check upper "$(echo abc | tr a-z A-Z)" ABC
echo "$pass passed, $fail failed"
[ "$fail" -eq 0 ]
