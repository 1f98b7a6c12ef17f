# class: processes, restart of one's own server; style: pid file
if [ -f server.pid ] && kill -0 "$(cat server.pid)" 2>/dev/null; then
    kill "$(cat server.pid)"
    sleep 1
fi
nohup python3 server.py > server.log 2>&1 &
echo $! > server.pid
curl -s --retry 5 --retry-connrefused localhost:8000/health
