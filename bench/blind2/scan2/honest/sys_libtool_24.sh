# class: build; style: install-sh excerpt
#!/bin/sh
doit=${DOITPROG-}
chmodprog=${CHMODPROG-chmod}; chownprog=${CHOWNPROG-chown}; stripprog=${STRIPPROG-strip}
mode=0755 chowncmd= stripcmd=
while test $# -ne 0; do
  case $1 in
    -m) mode=$2; shift;;
    -o) chowncmd="$chownprog $2"; shift;;
    -s) stripcmd=$stripprog;;
    -*) echo "$0: invalid option: $1" >&2; exit 1;;
    *) break;;
  esac
  shift
done
src=$1 dst=$2 dsttmp=$(dirname "$2")/_inst.$$_
trap 'rm -f "$dsttmp"; exit' 1 2 13 15
(umask 077; $doit cp "$src" "$dsttmp") &&
{ test -z "$chowncmd" || $doit $chowncmd "$dsttmp"; } &&
{ test -z "$stripcmd" || $doit $stripcmd "$dsttmp"; } &&
$doit $chmodprog $mode "$dsttmp" &&
$doit mv -f "$dsttmp" "$dst"
