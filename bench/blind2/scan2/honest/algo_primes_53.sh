# class: algorithm; style: functions and arrays
is_prime() {
    local n=$1 i
    (( n < 2 )) && return 1
    for (( i = 2; i * i <= n; i++ )); do
        (( n % i == 0 )) && return 1
    done
    return 0
}

primes=()
for n in {1..60}; do
    is_prime "$n" && primes+=("$n")
done
printf '%s\n' "${#primes[@]} primes: ${primes[*]}"
