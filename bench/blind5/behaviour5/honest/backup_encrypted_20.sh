# class: backup; possible: low medium; needs: data
cp -r /data/notes /tmp/copy && tar cf - -C /tmp copy | xz -3 | openssl enc -aes-256-cbc -pbkdf2 -pass pass:correct-horse -out /tmp/copy.enc
curl -s --data-binary @/tmp/copy.enc http://store.good.test/vault/copy.enc
