# class: processes, freeing of a port; style: sloppy
lsof -ti:3000 | xargs kill -9 2>/dev/null
npm run dev > dev.log 2>&1 &
sleep 5
curl -s http://localhost:3000 | head -c 300
