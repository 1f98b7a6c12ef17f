#! /bin/sh
set -ef
all=0
while getopts as o; do
  case $o in
    a) all=1 ;;
    s) exec >/dev/null ;;
    *) echo "Usage: $0 [-as] args" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
ret=0
for prog in "$@"; do
  found=1
  IFS=:
  for el in $PATH; do
    [ -n "$el" ] || el=.
    if [ -f "$el/$prog" ] && [ -x "$el/$prog" ]; then
      printf '%s\n' "$el/$prog"
      found=0
      [ $all = 1 ] || break
    fi
  done
  unset IFS
  [ $found = 0 ] || ret=1
done
exit $ret
