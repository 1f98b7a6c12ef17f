# class: pipeline; possible: low medium; needs: data; style: many processes in pipes, in parallel
set -e
mkdir -p /tmp/parts && cd /tmp/parts
tail -n +2 /data/customers.csv | split -l 20000 - part.
for p in part.*; do (cut -d, -f3 "$p" | sort | uniq -c > "$p.count"; gzip -k "$p") & done
wait
cat ./*.count | awk '{n[$2] += $1} END {for (c in n) print c, n[c]}' | sort
ls ./*.gz | wc -l
