gcd() {
  local a=$1 b=$2 t
  while ((b)); do t=$((a % b)) a=$b b=$t; done
  echo "$a"
}
for pair in "48 36" "1071 462" "17 5"; do
  set -- $pair
  echo "gcd($1, $2) = $(gcd "$1" "$2")"
done
