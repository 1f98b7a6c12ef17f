# class: algorithm; style: recursion with eval for an indirect array
declare -a A=(3 2 1) B=() C=()
moves=0
move() {
    local n=$1 from=$2 to=$3 via=$4
    (( n == 0 )) && return
    move $((n - 1)) "$from" "$via" "$to"
    eval "local top=\${$from[-1]}; unset '$from[-1]'; $to+=(\$top)"
    moves=$((moves + 1))
    move $((n - 1)) "$via" "$to" "$from"
}
move 3 A C B
echo "moves=$moves C=${C[*]}"
