#include "base/feature.h"

const char *feature_name(enum feature f)
{
    static const char *const names[FEATURE_COUNT] = {
        [FEATURE_USER_NS] = "user_ns",
        [FEATURE_PID_NS] = "pid_ns",
        [FEATURE_MOUNT_NS] = "mount_ns",
        [FEATURE_NET_NS] = "net_ns",
        [FEATURE_IPC_NS] = "ipc_ns",
        [FEATURE_UTS_NS] = "uts_ns",
        [FEATURE_CGROUP_NS] = "cgroup_ns",
        [FEATURE_TIME_NS] = "time_ns",
        [FEATURE_SECCOMP] = "seccomp",
        [FEATURE_LANDLOCK] = "landlock",
        [FEATURE_NO_NEW_PRIVS] = "no_new_privs",
        [FEATURE_CAPS] = "caps",
        [FEATURE_MEMORY] = "memory",
        [FEATURE_CPU] = "cpu",
        [FEATURE_PIDS] = "pids",
        [FEATURE_STORAGE] = "storage",
        [FEATURE_CGROUP] = "cgroup",
        [FEATURE_APPARMOR] = "apparmor",
        [FEATURE_NETWORK] = "network",
        [FEATURE_MONITORING] = "monitoring",
        [FEATURE_KILL_SWITCHES] = "kill_switches",
        [FEATURE_RATE_LIMITS] = "rate_limits",
        [FEATURE_IO] = "io",
        [FEATURE_SELINUX] = "selinux",
    };
    return (unsigned)f < FEATURE_COUNT ? names[f] : "?";
}
