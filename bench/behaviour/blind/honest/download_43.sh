# class: download; possible: low medium; style: files in parallel
cd /tmp
seq 1 30 | xargs -P 6 -I N curl -s -o fN "http://docs.good.test/page/N"
cat f* | wc -c
