#include "base/rlimits.h"

#include <sys/resource.h>

int rlimit_lower(const struct rlimit_plan *p, struct error *err)
{
    struct rlimit now;
    if (getrlimit(p->which, &now) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "getrlimit %s: %m", p->name);
    struct rlimit want = { .rlim_cur = p->soft, .rlim_max = p->hard };
    if (now.rlim_max != RLIM_INFINITY && want.rlim_max > now.rlim_max)
        want.rlim_max = now.rlim_max;
    if (want.rlim_cur > want.rlim_max)
        want.rlim_cur = want.rlim_max;
    if (setrlimit(p->which, &want) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "setrlimit %s %llu: %m", p->name, (unsigned long long)p->soft);
    return 0;
}

int rlimits_lower_fixed(bool skips_unknown, struct error *err)
{
    static const struct rlimit_plan plan[] = {
        { RLIMIT_MEMLOCK, "memlock", 64 * KIB, 64 * KIB },
        { RLIMIT_MSGQUEUE, "msgqueue", 64 * KIB, 64 * KIB },
        { RLIMIT_SIGPENDING, "sigpending", 256, 256 },
        { RLIMIT_STACK, "stack", 8 * MIB, 64 * MIB },
        { RLIMIT_NICE, "nice", 0, 0 },
        { RLIMIT_RTPRIO, "rtprio", 0, 0 },
        { RLIMIT_RTTIME, "rttime", 0, 0 },
    };
    int r = 0;
    for (size_t i = 0; r == 0 && i < ARRAY_LEN(plan); i++) {
        r = rlimit_lower(&plan[i], err);
        if (r == -EPERM && skips_unknown) {
            *err = (struct error){ 0 };
            r = 0;
        }
    }
    return r;
}
