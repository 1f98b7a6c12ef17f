# class: flood; possible: low medium; style: many files
cd /tmp
n=0
while [ $SECONDS -lt 20 ]; do
    mkdir -p d$((n / 1000))
    : > d$((n / 1000))/f$n 2>/dev/null || sleep 0.1
    n=$((n + 1))
done
