/* landlock.c - the second fence on files: what the mounts show may be read, little may be written, only some of it
 * executed. */
#include "base/landlock.h"
#include "launch/launch.h"

static uint64_t refused_net(const struct shape *s)
{
    /* in mode bridge the broker performs both, with the payload's socket or for it */
    return s->deny_tcp || s->is_brokered ? KLANDLOCK_NET_BIND | KLANDLOCK_NET_CONNECT : 0;
}

int step_landlock(struct init_ctx *c, struct error *err)
{
    const struct shape *s = c->shape;
    cleanup(landlock_close) struct landlock l = { .ruleset = -1 };
    if (landlock_abi() == 0) /* decided by `require` */
        return 0;
    int r = landlock_open(&l, LANDLOCK_FILES, refused_net(s), err);
    for (uint32_t i = 0; r == 0 && i < s->access_count; i++)
        r = landlock_allow(&l, s->access[i].path, s->access[i].access, err);
    if (r == 0)
        r = landlock_enter(&l, err);
    if (r < 0)
        return r;
    c->report.landlock_abi = l.abi;
    feature_set(&c->report.features, FEATURE_LANDLOCK);
    return 0;
}
