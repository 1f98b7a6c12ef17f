#!/bin/bash
read -r -p "a: " a
read -r -p "b: " b
[[ $a =~ ^-?[0-9]+$ && $b =~ ^-?[0-9]+$ ]] || { echo "numbers, please" >&2; exit 1; }
echo "sum $((a + b)) product $((a * b))"
[ "$b" -ne 0 ] && echo "quotient $(echo "scale=4; $a / $b" | bc)"
