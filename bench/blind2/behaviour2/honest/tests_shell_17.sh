# class: tests; possible: low medium; style: shell tests in TAP, many short processes
n=0 bad=0
ok() { n=$((n + 1)); if [ "$2" = "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; bad=1; fi; }
for i in $(seq 1 40); do
  ok "expr $i" "$(expr $i + $i)" "$((i * 2))"
  ok "awk $i" "$(echo $i | awk '{print $1 * 3}')" "$((i * 3))"
done
d=$(mktemp -d); printf 'b\na\n' > $d/x
ok sort "$(sort $d/x | head -1)" a
ok wc "$(wc -l < $d/x | tr -d ' ')" 2
rm -r "$d"
echo "1..$n"
exit $bad
