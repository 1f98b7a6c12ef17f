#!/bin/sh
gcd() { a=$1; b=$2; while [ "$b" -ne 0 ]; do t=$((a % b)); a=$b; b=$t; done; echo "$a"; }
lcm() { echo $(($1 / $(gcd "$1" "$2") * $2)); }
is_leap() { [ $(($1 % 4)) -eq 0 ] && { [ $(($1 % 100)) -ne 0 ] || [ $(($1 % 400)) -eq 0 ]; }; }

fails=0
check() { if [ "$2" = "$3" ]; then echo "ok - $1"; else echo "not ok - $1: got $2, want $3"; fails=$((fails + 1)); fi; }
check "gcd" "$(gcd 84 36)" 12
check "lcm" "$(lcm 4 6)" 12
check "leap 2000" "$(is_leap 2000 && echo y || echo n)" y
check "leap 1900" "$(is_leap 1900 && echo y || echo n)" n
exit "$fails"
