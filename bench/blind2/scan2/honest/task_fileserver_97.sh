# class: network, shares a directory for a moment; style: one-off
cd "${1:-.}" && python3 -m http.server 8000 --bind 127.0.0.1 &
srv=$!
sleep 1
wget -q -r -nH -P /tmp/mirror http://127.0.0.1:8000/ && find /tmp/mirror -type f | wc -l
kill $srv
