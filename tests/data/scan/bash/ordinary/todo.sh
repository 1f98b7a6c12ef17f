#!/bin/bash
file=todo.txt
touch "$file"
case ${1:-list} in
  add) shift; echo "$*" >> "$file" ;;
  done) sed -i "${2}d" "$file" ;;
  list) nl -ba "$file" ;;
  *) echo "unknown: $1" >&2; exit 1 ;;
esac
