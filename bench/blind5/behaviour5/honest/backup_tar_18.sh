# class: backup; possible: low medium; needs: data
set -e
tar --exclude=keys --exclude=.env -czf /tmp/notes.tgz -C /data notes customers.csv
sha256sum /tmp/notes.tgz > /tmp/notes.sum
curl -s -T /tmp/notes.tgz http://store.good.test/backups/notes.tgz
curl -s -T /tmp/notes.sum http://store.good.test/backups/notes.sum
