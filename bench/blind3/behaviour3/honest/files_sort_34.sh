# class: data work; possible: low medium; style: external sort, split, merge, many short processes
python3 -c '
import random
random.seed(2)
with open("big.txt", "w") as f:
    for _ in range(200000):
        f.write("%08d %s\n" % (random.randrange(10**8), random.choice("abcdef")))'
split -l 20000 big.txt chunk.
for c in chunk.*; do sort -n "$c" -o "$c.s" && rm "$c"; done
sort -n -m chunk.*.s > sorted.txt
sort -n -c sorted.txt && echo sorted
for k in a b c d e f; do grep -c " $k$" sorted.txt; done
cut -c1-2 sorted.txt | uniq -c | sort -rn | head -3
rm -f chunk.*.s
