#!/bin/bash
# the most frequent words of a text
count() { tr -cs 'A-Za-z' '\n' < "$1" | tr A-Z a-z | sort | uniq -c | sort -rn | head -"${2:-10}"; }
run() { "$@"; }
run count book.txt 5
