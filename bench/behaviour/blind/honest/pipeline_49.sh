# class: data work; possible: low medium; needs: data; style: long pipeline
cut -d, -f3 /data/customers.csv | sort | uniq -c | sort -rn | head -5
grep -c ',7' /data/customers.csv
for f in /data/notes/*.txt; do wc -w < "$f"; done | awk '{s += $1} END {print s}'
base64 /data/notes/n1.txt | base64 -d | cmp - /data/notes/n1.txt && echo same
