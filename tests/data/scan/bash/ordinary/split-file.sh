split -l 1000 big.csv chunk_
for c in chunk_*; do gzip "$c"; done
rm -f chunk_*.tmp
ls chunk_*.gz | wc -l
