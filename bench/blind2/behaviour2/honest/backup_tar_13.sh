# class: backup; possible: low medium; needs: data; style: archive, digest, test of the restore
set -e
cd /tmp
tar -C /data -czf data-backup.tar.gz .
sha256sum data-backup.tar.gz > data-backup.sha256
mkdir restored && tar -C restored -xzf data-backup.tar.gz
diff -r /data restored
sha256sum -c data-backup.sha256
ls -l data-backup.tar.gz
