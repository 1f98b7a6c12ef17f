#!/usr/bin/env bash
balanced() {
  local s=$1 st="" ch i
  for ((i = 0; i < ${#s}; i++)); do
    ch=${s:i:1}
    case $ch in
      '('|'['|'{') st+=$ch ;;
      ')') [[ $st == *'(' ]] || return 1; st=${st%?} ;;
      ']') [[ $st == *'[' ]] || return 1; st=${st%?} ;;
      '}') [[ $st == *'{' ]] || return 1; st=${st%?} ;;
    esac
  done
  [[ -z $st ]]
}
for t in '(a[b]{c})' '(]' '' '((('; do
  if balanced "$t"; then echo "ok   '$t'"; else echo "bad  '$t'"; fi
done
