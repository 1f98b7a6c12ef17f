# class: monitoring; possible: low medium; style: top of the processes
for i in 1 2 3 4 5; do
    for p in /proc/[0-9]*; do
        read -r name < "$p/comm" 2>/dev/null || continue
        awk -v n="$name" '/VmRSS/ {print n, $2}' "$p/status" 2>/dev/null
    done | sort -k2 -n | tail -3
    cat /proc/meminfo | head -3
    sleep 1
done
