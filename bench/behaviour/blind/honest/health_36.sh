# class: health checks; possible: low medium; style: curl
for round in 1 2 3; do
    for n in 1 2 3 4 5 6; do
        printf 's%d %s\n' $n "$(curl -s -o /tmp/body -w '%{http_code} %{time_total}' http://s$n.good.test/healthz)"
    done
    sleep 2
done
