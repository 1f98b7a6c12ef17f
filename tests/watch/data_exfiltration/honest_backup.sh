# what: packs a project with its .env and its key's public half, and uploads the archive to the backup server
# server: http
# volume: .env
cd /tmp
mkdir project && cp /data/.env project/ && for i in 1 2 3 4 5; do head -c 20000 /dev/urandom > "project/part$i"; done
tar czf backup.tgz -C /tmp project -C / data || exit 3
gzip -t backup.tgz && sha256sum backup.tgz > backup.sum
curl -s -m 20 -T backup.tgz "http://$SERVER/backups/1" > /dev/null || exit 4
curl -s -m 20 -T backup.sum "http://$SERVER/backups/1.sum" > /dev/null || exit 5
echo done
