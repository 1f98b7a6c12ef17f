retry() {
  local n=0 max=$1; shift
  until "$@"; do
    n=$((n + 1))
    (( n >= max )) && return 1
    sleep "$n"
  done
}
retry 3 test -e ready.flag && echo ok
