hanoi() {
  (( $1 == 0 )) && return
  hanoi $(($1 - 1)) "$2" "$4" "$3"
  echo "disk $1: $2 -> $3"
  hanoi $(($1 - 1)) "$4" "$3" "$2"
}
hanoi 3 A C B
