# class: benchmark; possible: low medium; style: what a process costs
start=$(date +%s%N)
for i in $(seq 1 400); do /bin/true; done
mid=$(date +%s%N)
for i in $(seq 1 200); do echo $i | cat | wc -c > /tmp/n; done
end=$(date +%s%N)
echo "true: $(((mid - start) / 400000)) us, pipe of three: $(((end - mid) / 200000)) us"
