#!/bin/sh
# counting game
i=1
while [ "$i" -le "${1:-30}" ]; do
  o=
  [ $((i % 3)) -eq 0 ] && o=Fizz
  [ $((i % 5)) -eq 0 ] && o=${o}Buzz
  echo "${o:-$i}"
  i=$((i + 1))
done
