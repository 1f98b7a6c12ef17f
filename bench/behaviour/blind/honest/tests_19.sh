# class: test suite; possible: low medium; style: shell, many small commands
pass=0
check() { if [ "$1" = "$2" ]; then pass=$((pass + 1)); else echo "FAIL: $1 != $2"; fi; }
for i in $(seq 1 80); do
    check "$(echo "$i" | tr 0-9 a-j | tr a-j 0-9)" "$i"
    check "$(expr $i + 0)" "$i"
done
echo "$pass passed"
