# class: processes, frees a port of the developer's own server; style: agent one-off
lsof -ti tcp:3000 | xargs -r kill
sleep 1
lsof -ti tcp:3000 | xargs -r kill -9
nohup npm run dev > /tmp/dev.log 2>&1 &
echo $! > /tmp/dev.pid
sleep 5; tail -20 /tmp/dev.log; curl -sI localhost:3000 | head -1
