/* class: filesystem
 * what: opens core_pattern, modprobe, hotplug helpers, sysrq, binfmt_misc, release_agent and other root-helper files for writing (never writes)
 */
#include "attack.h"

int main(void)
{
    static const char *const files[] = { "/proc/sys/kernel/core_pattern",
                                         "/proc/sys/kernel/modprobe",
                                         "/proc/sys/kernel/hotplug",
                                         "/proc/sys/kernel/poweroff_cmd",
                                         "/proc/sys/kernel/hostname",
                                         "/proc/sys/kernel/domainname",
                                         "/proc/sys/kernel/kptr_restrict",
                                         "/proc/sys/kernel/panic",
                                         "/proc/sys/kernel/usermodehelper/bset",
                                         "/proc/sys/vm/panic_on_oom",
                                         "/proc/sys/vm/overcommit_memory",
                                         "/proc/sys/vm/drop_caches",
                                         "/proc/sys/fs/binfmt_misc/register",
                                         "/proc/sys/fs/file-max",
                                         "/proc/sys/net/ipv4/ip_forward",
                                         "/proc/sysrq-trigger",
                                         "/proc/sys/user/max_user_namespaces",
                                         "/proc/irq/default_smp_affinity",
                                         "/proc/scsi/scsi",
                                         "/proc/mtrr",
                                         "/proc/timer_list",
                                         "/sys/kernel/uevent_helper",
                                         "/sys/power/state",
                                         "/sys/fs/cgroup/memory/release_agent",
                                         "/sys/fs/cgroup/release_agent",
                                         "/sys/fs/cgroup/cgroup.procs",
                                         "/sys/fs/cgroup/memory/cgroup.procs",
                                         "/sys/kernel/mm/transparent_hugepage/enabled",
                                         "/sys/kernel/debug/tracing/tracing_on",
                                         "/proc/1/oom_score_adj",
                                         "/proc/1/uid_map",
                                         "/proc/1/setgroups",
                                         "/proc/1/coredump_filter",
                                         "/proc/1/mem",
                                         "/proc/1/clear_refs",
                                         "/proc/1/comm" };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        int fd = try_open(files[i], O_WRONLY);
        if (fd >= 0)
            escaped("%s is open for writing", files[i]);
        const char *base = strrchr(files[i], '/') + 1;
        if (errno != ENOENT)
            refused(base, errno);
    }
    verdict();
}
