#include "watch/detect.h"

uint64_t rate_add(struct rate *r, uint64_t at_us, uint64_t window_ms, uint64_t n)
{
    const uint64_t slot_us = MAX_OF(window_ms * 1000 / RATE_SLOTS, 1u), slot = at_us / slot_us;
    uint64_t sum = 0;
    if (slot > r->slot + RATE_SLOTS)
        memset(r->n, 0, sizeof r->n);
    else
        while (r->slot < slot)
            r->n[++r->slot % RATE_SLOTS] = 0;
    r->slot = MAX_OF(r->slot, slot); /* a late event counts as of now */
    uint64_t *now = &r->n[r->slot % RATE_SLOTS];
    *now += MIN_OF(n, UINT32_MAX - MIN_OF(*now, (uint64_t)UINT32_MAX));
    for (size_t i = 0; i < RATE_SLOTS; i++)
        sum += r->n[i];
    return sum;
}

static void forget_first(struct cpu_window *w)
{
    w->first = (w->first + 1) % CPU_POINTS;
    w->count--;
}

/* False: nothing can be said of this sample, since neither time nor CPU time go backwards. */
static bool remember(struct cpu_window *w, const struct watch_event *e, uint64_t apart_us)
{
    if (w->count) {
        uint32_t last = (w->first + w->count - 1) % CPU_POINTS;
        if (e->at_us < w->point[last].at_us || e->cpu_us < w->point[last].cpu_us)
            return false;
        if (e->at_us - w->point[last].at_us < apart_us)
            return true;
    }
    if (w->count == CPU_POINTS)
        forget_first(w);
    uint32_t new = (w->first + w->count++) % CPU_POINTS;
    w->point[new].at_us = e->at_us;
    w->point[new].cpu_us = e->cpu_us;
    return true;
}

int64_t cpu_window_add(struct cpu_window *w, const struct watch_event *e, uint64_t window_ms, uint32_t cpu_milli)
{
    const uint64_t window_us = window_ms * 1000;
    if (!remember(w, e, window_us / 32))
        return -1;
    while (w->count > 1 && e->at_us - w->point[(w->first + 1) % CPU_POINTS].at_us >= window_us)
        forget_first(w); /* what stays first is the youngest point that is a window old */
    const uint64_t took = e->at_us - w->point[w->first].at_us;
    if (took < window_us || !took)
        return -1;
    const unsigned __int128 used = e->cpu_us - w->point[w->first].cpu_us;
    const unsigned __int128 share = used * 1000000 / ((unsigned __int128)took * MAX_OF(cpu_milli, 1u));
    return share > INT32_MAX ? INT32_MAX : (int64_t)share;
}
