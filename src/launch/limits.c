/* limits.c - rlimits: the second belt beside the cgroup, and the only kernel one where there is none. */
#include "launch/launch.h"

#include <sys/resource.h>
#include "base/rlimits.h"

int step_rlimits(struct init_ctx *c, struct error *err)
{
    const struct shape *s = c->shape;
    /* Ours are init and, in a slot, the keeper. Above the cgroup's number, where there is one: the kernel looks here
     * first, and only the cgroup counts its refusals (pids.events). */
    uint64_t tasks = (uint64_t)s->pids + s->room_max + (c->is_slot ? 2 : 1) + (c->measured ? 0 : 8);
    const struct rlimit_plan plan[] = {
        { RLIMIT_CORE, "core", 0, 0 },
        { RLIMIT_NOFILE, "nofile", s->nofile_soft, s->nofile_hard },
        { RLIMIT_FSIZE, "fsize", s->fsize_bytes, s->fsize_bytes },
        /* counted per user *namespace* and uid since 5.14, so only this sandbox's tasks */
        { RLIMIT_NPROC, "nproc", tasks, tasks },
    };
    for (size_t i = 0; i < ARRAY_LEN(plan); i++) {
        int r = rlimit_lower(&plan[i], err);
        if (r < 0)
            return r;
    }
    int r = rlimits_lower_fixed(false, err);
    if (r < 0)
        return r;
    feature_set(&c->report.features, FEATURE_PIDS);
    if (!c->measured || !s->memory_bytes)
        return 0;
    /* Should the supervisor get no processor for a while, a process could take everything: private writable memory is
     * bounded per process as well. Far above the limit, since what is refused here is an error that the program gives
     * a meaning of its own to, and what the supervisor measures is told as the memory limit (measure.c). */
    uint64_t data = 8 * s->memory_bytes + GIB;
    const struct rlimit_plan bound = { RLIMIT_DATA, "data", data, data };
    return rlimit_lower(&bound, err);
}
