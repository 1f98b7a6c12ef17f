# class: crawler; possible: low medium
cd /tmp; for i in $(seq 1 20); do curl -s -o p$i.html "http://docs.good.test/page/$i"; done
grep -o '<title>[^<]*' p*.html | wc -l
