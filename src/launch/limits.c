/* limits.c - rlimits: the second belt beside the cgroup, and the only kernel one where there is none. */
#include "launch/launch.h"

#include <sys/resource.h>

struct rlimit_plan {
    int which;
    const char *name;
    uint64_t soft, hard;
};

/* Never raises a hard limit that is lower already: that needs CAP_SYS_RESOURCE on the host. */
static int lower_to(const struct rlimit_plan *p, struct error *err)
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
        return err_set(err, -errno, BLAME_HOST, NULL, "setrlimit %s %llu: %m", p->name,
                       (unsigned long long)p->soft);
    return 0;
}

int step_rlimits(struct init_ctx *c, struct error *err)
{
    const struct shape *s = c->shape;
    /* Ours are init and, in a slot, the keeper. Above the cgroup's number, where there is one: the kernel looks here
     * first, and only the cgroup counts its refusals (pids.events). */
    uint64_t tasks = (uint64_t)s->pids + (c->is_slot ? 2 : 1) + (c->measured ? 0 : 8);
    const struct rlimit_plan plan[] = {
        { RLIMIT_CORE, "core", 0, 0 },
        { RLIMIT_NOFILE, "nofile", s->nofile_soft, s->nofile_hard },
        { RLIMIT_FSIZE, "fsize", s->fsize_bytes, s->fsize_bytes },
        /* counted per user *namespace* and uid since 5.14, so only this sandbox's tasks */
        { RLIMIT_NPROC, "nproc", tasks, tasks },
        { RLIMIT_MEMLOCK, "memlock", 64 * KIB, 64 * KIB },
        { RLIMIT_MSGQUEUE, "msgqueue", 64 * KIB, 64 * KIB },
        { RLIMIT_SIGPENDING, "sigpending", 256, 256 },
        { RLIMIT_STACK, "stack", 8 * MIB, 64 * MIB },
        { RLIMIT_NICE, "nice", 0, 0 },
        { RLIMIT_RTPRIO, "rtprio", 0, 0 },
        { RLIMIT_RTTIME, "rttime", 0, 0 },
    };
    for (size_t i = 0; i < ARRAY_LEN(plan); i++) {
        int r = lower_to(&plan[i], err);
        if (r < 0)
            return r;
    }
    feature_set(&c->report.features, FEATURE_PIDS);
    if (!c->measured || !s->memory_bytes)
        return 0;
    /* Between two of the supervisor's samples a process could take everything: private writable memory is
     * bounded per process as well. The extra room is for thread stacks, which count whole. */
    uint64_t data = s->memory_bytes + 128 * MIB;
    const struct rlimit_plan bound = { RLIMIT_DATA, "data", data, data };
    return lower_to(&bound, err);
}
