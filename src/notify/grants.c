#include "notify/grants.h"

/* What has become of the grants, by the signs that there are. */
static void settle(struct grants *g, uint32_t tid, uint32_t count, uint64_t now_us, is_thread_there_fn *is_there,
                   const void *context)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->list[i].tid != tid && now_us < g->list[i].until_us && is_there(context, g->list[i].tid))
            g->list[kept++] = g->list[i];
        else
            g->base++; /* as a rule it is a process now */
    }
    g->count = count >= g->base + kept ? 0 : kept;
}

static void note(struct grants *g, uint32_t tid, uint32_t count, uint64_t now_us)
{
    if (g->count == 0)
        g->base = count;
    if (g->count == GRANTS_MAX)
        memmove(g->list, g->list + 1, (--g->count) * sizeof g->list[0]);
    g->list[g->count].tid = tid;
    g->list[g->count++].until_us = now_us + GRANT_LIMIT_US;
}

bool grants_take(struct grants *g, uint32_t tid, uint32_t count, uint32_t most, uint64_t now_us,
                 is_thread_there_fn *is_there, const void *context)
{
    settle(g, tid, count, now_us, is_there, context);
    if (count + g->count >= most)
        return false;
    note(g, tid, count, now_us);
    return true;
}

void fork_tally_refused(struct fork_tally *t, uint32_t tid)
{
    t->refused++;
    for (uint32_t i = 0; i < t->asker_count; i++)
        if (t->askers[i] == tid)
            return;
    if (t->asker_count < ARRAY_LEN(t->askers))
        t->askers[t->asker_count++] = tid;
}
