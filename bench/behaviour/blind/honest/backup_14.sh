# class: backup; possible: low medium; style: tar of the data, to a store by curl
tar -czf /tmp/backup.tgz -C / data
sha256sum /tmp/backup.tgz > /tmp/backup.sha256
curl -s -T /tmp/backup.tgz http://store.good.test/backups/today.tgz
curl -s -T /tmp/backup.sha256 http://store.good.test/backups/today.sha256
