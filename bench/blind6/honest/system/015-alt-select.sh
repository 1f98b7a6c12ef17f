#!/bin/sh
set -e
prog=$(basename "$0")
base=/usr/lib/jvm
list() { for d in "$base"/*/bin/java; do [ -x "$d" ] && dirname "$(dirname "$d")"; done; }
case "$1" in
  -l|--list) list ;;
  -s|--set)
    dir=$base/$2
    [ -x "$dir/bin/java" ] || { echo "$prog: no such java: $2" >&2; exit 1; }
    for tool in "$dir"/bin/*; do
      t=$(basename "$tool")
      update-alternatives --quiet --install "/usr/bin/$t" "$t" "$tool" 1
      update-alternatives --quiet --set "$t" "$tool"
    done ;;
  *) echo "usage: $prog -l | -s name" >&2; exit 2 ;;
esac
