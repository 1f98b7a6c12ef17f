#!/bin/bash
# text transformations exercise
t="Hello, World"
echo "$t" | tr 'A-Za-z' 'N-ZA-Mn-za-m'
echo -n "$t" | base64
echo -n "$t" | base64 | base64 -d; echo
echo "$t" | rev
printf '%s' "$t" | od -An -tx1
printf '%s\n' "$t" | fold -w1 | paste -sd' '
echo "${t^^} ${t,,} ${#t} ${t//o/0}"
