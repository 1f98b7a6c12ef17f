# class: test suite; possible: low medium
pass=0; fail=0
t() { if [ "$(bash -c "$1" 2>&1)" = "$2" ]; then pass=$((pass+1)); else fail=$((fail+1)); echo "FAIL $1"; fi; }
for i in $(seq 1 60); do t "echo $i" "$i"; t "printf '%03d' $i" "$(printf '%03d' $i)"; done
t 'test -w /etc/passwd && echo yes || echo no' no
t 'cat /nonexistent 2>/dev/null || echo none' none
echo "$pass passed, $fail failed"
