#!/bin/bash
W=${1:-15} H=${2:-8}
declare -A open seen
carve() {
  local x=$1 y=$2 d nx ny
  seen[$x,$y]=1
  for d in $(shuf -e N S E W); do
    case $d in N) nx=$x ny=$((y-1));; S) nx=$x ny=$((y+1));; E) nx=$((x+1)) ny=$y;; W) nx=$((x-1)) ny=$y;; esac
    (( nx < 0 || ny < 0 || nx >= W || ny >= H )) && continue
    [ "${seen[$nx,$ny]}" ] && continue
    case $d in N) open[$nx,$ny,S]=1;; S) open[$x,$y,S]=1;; E) open[$x,$y,E]=1;; W) open[$nx,$ny,E]=1;; esac
    carve $nx $ny
  done
}
carve 0 0
printf '+%s\n' "$(printf -- '--+%.0s' $(seq $W))"
for ((y=0; y<H; y++)); do
  a='|' b='+'
  for ((x=0; x<W; x++)); do
    [ "${open[$x,$y,E]}" ] && a+='   ' || a+='  |'
    [ "${open[$x,$y,S]}" ] && b+='  +' || b+='--+'
  done
  echo "$a"; echo "$b"
done
