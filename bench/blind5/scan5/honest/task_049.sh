# kill whatever of mine still holds the port of the dev server
pid=$(lsof -ti tcp:3000 || true)
[ -n "$pid" ] && kill $pid
pkill -f 'webpack-dev-server' || true
npm start &
