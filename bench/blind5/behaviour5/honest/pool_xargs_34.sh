# class: process pool; possible: low medium
mkdir -p /tmp/in && cd /tmp/in && for i in $(seq 1 150); do head -c 2000 /dev/urandom > f$i; done
ls | xargs -P 4 -n 1 sh -c 'gzip -9 "$0" && sha256sum "$0.gz" >> /tmp/sums'
wc -l < /tmp/sums
