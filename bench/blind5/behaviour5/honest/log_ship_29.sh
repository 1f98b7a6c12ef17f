# class: log shipper; possible: low medium
# tail into a connection
( for i in $(seq 1 40); do echo "$(date +%T) request $i served"; sleep 0.2; done > /tmp/web.log ) &
exec 3>/dev/tcp/dash.good.test/7000
timeout 10 tail -n +1 -F /tmp/web.log 2>/dev/null >&3
exit 0
