# the dev server hangs on port 5173: stop it and start again
pid=$(lsof -ti tcp:5173)
if [ -n "$pid" ]; then
  echo "stopping $pid"
  kill $pid
  sleep 2
  kill -0 $pid && kill -9 $pid
fi
cd /workspace/ui && (npm run dev > /tmp/vite.log 2>&1 &)
sleep 4
curl -sI http://localhost:5173 | head -n 1
tail -n 5 /tmp/vite.log
