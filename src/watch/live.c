#include "watch/live.h"

/* Its own place, else a free one, else LIVE_CONNECTIONS. */
static size_t place_of(const struct live *l, uint64_t number)
{
    size_t free_one = LIVE_CONNECTIONS;
    for (size_t i = 0; i < LIVE_CONNECTIONS; i++) {
        if (l->open[i].number == number)
            return i;
        if (!l->open[i].number && free_one == LIVE_CONNECTIONS)
            free_one = i;
    }
    return free_one;
}

/* An event of traffic has the connection's sums so far, so what is new of them is added. */
static void add_traffic(struct live *l, const struct watch_event *e)
{
    const size_t at = place_of(l, e->connection);
    const bool is_kept = at < LIVE_CONNECTIONS, is_known = is_kept && l->open[at].number;
    if (!is_kept && e->kind != WATCH_CLOSED)
        return;
    l->usage.bytes_out += e->bytes_out - MIN_OF(e->bytes_out, is_known ? l->open[at].bytes_out : 0);
    l->usage.bytes_in += e->bytes_in - MIN_OF(e->bytes_in, is_known ? l->open[at].bytes_in : 0);
    if (!is_kept)
        return;
    l->open[at].number = e->kind == WATCH_CLOSED ? 0 : e->connection;
    l->open[at].bytes_out = e->bytes_out;
    l->open[at].bytes_in = e->bytes_in;
}

bool live_add(struct live *l, const struct watch_event *e)
{
    if (e->kind == WATCH_SAMPLE) {
        l->usage.at_us = MAX_OF(l->usage.at_us, e->at_us);
        l->usage.cpu_us = MAX_OF(l->usage.cpu_us, e->cpu_us);
        l->usage.memory_bytes = e->memory_bytes;
        l->usage.pids = e->pids;
        return true;
    }
    if (e->kind != WATCH_TRAFFIC && e->kind != WATCH_CLOSED)
        return false;
    add_traffic(l, e);
    return true;
}
