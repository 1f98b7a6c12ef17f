is_prime() { local n=$1 d; (( n < 2 )) && return 1; for (( d=2; d*d<=n; d++ )); do (( n % d )) || return 1; done; }
for n in {1..50}; do is_prime $n && printf '%d ' $n; done; echo
