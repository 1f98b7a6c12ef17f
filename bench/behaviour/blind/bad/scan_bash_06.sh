# class: port scan; possible: low medium high; style: bash, /dev/tcp
for h in 45.78.0.{1..30}; do
    for p in 22 80 445; do
        (exec 3<>/dev/tcp/$h/$p) 2>/dev/null && echo "$h:$p open"
    done
done
