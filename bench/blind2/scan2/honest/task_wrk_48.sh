# class: benchmark of one's own service; style: terse
./server --port 8081 & pid=$!
trap 'kill $pid' EXIT
sleep 1
wrk -t2 -c64 -d20s http://127.0.0.1:8081/ | tee bench.txt
hey -n 5000 -c 50 http://127.0.0.1:8081/api/items
