# class: privilege probe; possible: low medium; style: unshare and nsenter
unshare -Ur id
unshare -m true
nsenter -t 1 -m -p id
unshare --user --map-root-user --net sh -c 'ip link'
