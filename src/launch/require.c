/* require.c - never silently weaker: what the profile requires and cannot be had refuses the run. */
#include "launch/run.h"

const char *missing_reason(enum feature f, const char *cgroup_why)
{
    switch (f) {
    case FEATURE_LANDLOCK:
        return "this kernel offers no landlock (CONFIG_SECURITY_LANDLOCK and lsm=landlock)";
    case FEATURE_APPARMOR:
        return "AppArmor is not enabled here or the profile is not loaded";
    case FEATURE_SELINUX:
        return "SELinux does not enforce here, or its policy does not have the type";
    case FEATURE_TIME_NS:
        return "not created by this version";
    case FEATURE_NETWORK:
        return "the profile's network.mode is none";
    case FEATURE_MONITORING:
    case FEATURE_KILL_SWITCHES:
        return "the profile asks for nothing that is watched (monitoring.*, kill_switches, logging.audit_syscalls)";
    case FEATURE_RATE_LIMITS:
        return "rate limits are kept by the command line for known agents, not by the launcher";
    case FEATURE_MEMORY:
    case FEATURE_CPU:
    case FEATURE_PIDS:
    case FEATURE_CGROUP:
    case FEATURE_IO:
        return cgroup_why && cgroup_why[0] ? cgroup_why : "the cgroup controller is not available";
    default:
        return "could not be put in force";
    }
}

int require_check(uint32_t require, uint32_t scope, uint32_t have, const char *cgroup_why, struct error *err)
{
    uint32_t lacking = require & scope & ~have;
    if (!lacking)
        return 0;
    enum feature f = (enum feature)__builtin_ctz(lacking);
    (void)err_set(err, -ENOTSUP, BLAME_POLICY, "REQUIRE", "the profile requires %s: %s", feature_name(f),
                  missing_reason(f, cgroup_why));
    return err_remedy(err, "`sandbox-agent doctor` names the fix; or take %s out of the profile's security.require",
                      feature_name(f));
}

int require_check_inside(const struct init_ctx *c, struct error *err)
{
    const uint32_t scope = UINT32_C(1) << FEATURE_USER_NS | UINT32_C(1) << FEATURE_PID_NS |
                           UINT32_C(1) << FEATURE_MOUNT_NS | UINT32_C(1) << FEATURE_NET_NS |
                           UINT32_C(1) << FEATURE_IPC_NS | UINT32_C(1) << FEATURE_UTS_NS |
                           UINT32_C(1) << FEATURE_CGROUP_NS | UINT32_C(1) << FEATURE_LANDLOCK |
                           UINT32_C(1) << FEATURE_NO_NEW_PRIVS | UINT32_C(1) << FEATURE_CAPS |
                           UINT32_C(1) << FEATURE_STORAGE | UINT32_C(1) << FEATURE_APPARMOR |
                           UINT32_C(1) << FEATURE_SELINUX;
    return require_check(c->shape->require, scope, c->report.features, NULL, err);
}
