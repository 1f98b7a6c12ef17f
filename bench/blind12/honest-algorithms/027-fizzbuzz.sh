#!/bin/bash
for ((i = 1; i <= 30; i++)); do
  out=
  ((i % 3)) || out+=Fizz
  ((i % 5)) || out+=Buzz
  echo "${out:-$i}"
done
