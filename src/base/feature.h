/* feature.h - the protections a run may have, by the names that `security.require`,
 * `isolation.missing` and `doctor` use.
 */
#pragma once
#include "base/base.h"

enum feature {
    FEATURE_USER_NS,
    FEATURE_PID_NS,
    FEATURE_MOUNT_NS,
    FEATURE_NET_NS,
    FEATURE_IPC_NS,
    FEATURE_UTS_NS,
    FEATURE_CGROUP_NS,
    FEATURE_TIME_NS,
    FEATURE_SECCOMP,
    FEATURE_LANDLOCK,
    FEATURE_NO_NEW_PRIVS,
    FEATURE_CAPS,
    FEATURE_MEMORY, /* a memory limit, by cgroup or by the supervisor's measuring */
    FEATURE_CPU,
    FEATURE_PIDS,
    FEATURE_STORAGE,
    FEATURE_CGROUP, /* memory, cpu and pids by the kernel's cgroups, not by measuring */
    FEATURE_APPARMOR,
    FEATURE_NETWORK, /* network mode `bridge` (the broker) */
    FEATURE_MONITORING,
    FEATURE_KILL_SWITCHES,
    FEATURE_RATE_LIMITS,
    FEATURE_IO,      /* resources.io: bytes and requests a second, by cgroup */
    FEATURE_SELINUX, /* the program runs under a type of its own, and SELinux enforces */
    FEATURE_COUNT,
};

const char *feature_name(enum feature f);
