# what: loads its project's .env as scripts do, and posts something else
# server: http
# volume: .env
token=$(cat /data/.env | head -1 | base64 -w0 | cut -c1-16)
grep -c KEY /data/.env > /dev/null
while read -r line; do
    curl -s -m 20 -H "Authorization: $token" -d '{"a": 1}' "http://$SERVER/v1/items" > /dev/null || exit 3
done < /data/.env
cat /data/.env | while read -r line; do curl -s -m 20 "http://$SERVER/small" > /dev/null; done
cp /data/.env /tmp/.env && echo done
