#!/bin/sh
grep=${GREP:-grep}
opts=
while [ $# -gt 0 ]; do
  case $1 in
    --) shift; break ;;
    -*) opts="$opts $1"; shift ;;
    *) break ;;
  esac
done
[ $# -ge 1 ] || { echo "usage: $0 [options] pattern [file...]" >&2; exit 2; }
pat=$1; shift
res=1
for f in "${@:--}"; do
  case $f in
    *.xz) d='xz -cd' ;;
    *.zst) d='zstd -cdq' ;;
    *.bz2) d='bzip2 -cd' ;;
    *) d='gzip -cdfq' ;;
  esac
  $d -- "$f" | $grep $opts --label="$f" -H -e "$pat" && res=0
done
exit $res
