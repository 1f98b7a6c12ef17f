/* windows.c - how many runs and how much CPU time lie in the sliding windows, counted within the booking transaction.
 *
 * A time further in the future than its window is no time (the clock was set back) and does not count; one nearer counts,
 * so that setting the clock back a little gives nobody a fresh hour.
 */
#include "store/private.h"

/* Of a list that begins with the newest: all of them, and the time of the one at place `limit`, whose leaving makes room. */
static int count_runs(struct query *q, uint64_t limit, uint32_t *ret_count, uint64_t *ret_leaves_ms, struct error *err)
{
    uint32_t n = 0;
    while (query_row(q)) {
        n++;
        if (n == limit)
            *ret_leaves_ms = query_get_u64(q, 0);
    }
    *ret_count = n;
    return query_done(q, err);
}

static int count_of_agent(struct store *s, uint64_t agent, uint8_t level, uint64_t limit, uint64_t window_ms, uint64_t now_ms,
                          uint32_t *ret_count, uint64_t *ret_leaves_ms, struct error *err)
{
    if (!limit)
        return 0;
    struct query q = query_start(s, "SELECT started_ms FROM runs WHERE agent = ? AND level = ? AND started_ms > ? "
                                    "AND started_ms < ? ORDER BY started_ms DESC");
    query_u64(&q, agent);
    query_u64(&q, level);
    query_u64(&q, now_ms - MIN_OF(now_ms, window_ms));
    query_u64(&q, now_ms + window_ms);
    return count_runs(&q, limit, ret_count, ret_leaves_ms, err);
}

/* Newest first: the first run with which the sum reaches the limit is the one that has to leave (or, if a later one
 * brings it there alone, that one: then this is it as well). */
static int count_cpu(struct store *s, uint64_t agent, uint8_t level, const struct limit_rules *r, uint64_t now_ms,
                     struct limit_counts *ret, struct error *err)
{
    if (!r->cpu_ms_per_hour)
        return 0;
    struct query q = query_start(s, "SELECT ended_ms, cpu_ms FROM runs WHERE state > 0 AND agent = ? AND level = ? "
                                    "AND ended_ms > ? AND ended_ms < ? ORDER BY ended_ms DESC");
    query_u64(&q, agent);
    query_u64(&q, level);
    query_u64(&q, now_ms - MIN_OF(now_ms, LIMIT_HOUR_MS));
    query_u64(&q, now_ms + LIMIT_HOUR_MS);
    while (query_row(&q)) {
        ret->cpu_ms_hour += query_get_u64(&q, 1);
        if (!ret->cpu_oldest_ms && ret->cpu_ms_hour >= r->cpu_ms_per_hour)
            ret->cpu_oldest_ms = query_get_u64(&q, 0);
    }
    return query_done(&q, err);
}

static int find_last_start(struct store *s, uint64_t agent, uint8_t level, const struct limit_rules *r, uint64_t now_ms,
                           struct limit_counts *ret, struct error *err)
{
    if (!r->cooldown_ms)
        return 0;
    struct query q = query_start(s, "SELECT max(started_ms) FROM runs WHERE agent = ? AND level = ? AND started_ms < ?");
    query_u64(&q, agent);
    query_u64(&q, level);
    query_u64(&q, now_ms + r->cooldown_ms);
    ret->last_start_ms = query_row(&q) ? query_get_u64(&q, 0) : 0;
    return query_done(&q, err);
}

static int count_global(struct store *s, const struct limit_rules *r, uint64_t now_ms, struct limit_counts *ret,
                        struct error *err)
{
    int e = 0;
    if (r->global_concurrent) {
        struct query q = query_start(s, "SELECT count(*) FROM runs WHERE state = 0");
        ret->global_running = query_row(&q) ? (uint32_t)query_get_u64(&q, 0) : 0;
        e = query_done(&q, err);
    }
    if (e < 0 || !r->global_runs_per_hour)
        return e;
    struct query q = query_start(s, "SELECT started_ms FROM runs WHERE started_ms > ? AND started_ms < ? "
                                    "ORDER BY started_ms DESC");
    query_u64(&q, now_ms - MIN_OF(now_ms, LIMIT_HOUR_MS));
    query_u64(&q, now_ms + LIMIT_HOUR_MS);
    return count_runs(&q, r->global_runs_per_hour, &ret->global_hour, &ret->global_oldest_ms, err);
}

int windows_count(struct store *s, uint64_t agent, uint8_t level, const struct limit_rules *r, uint64_t now_ms,
                  struct limit_counts *ret, struct error *err)
{
    struct limit_counts n = { 0 };
    int e = count_of_agent(s, agent, level, r->runs_per_hour, LIMIT_HOUR_MS, now_ms, &n.runs_hour, &n.hour_oldest_ms, err);
    if (e == 0)
        e = count_of_agent(s, agent, level, r->runs_per_day, LIMIT_DAY_MS, now_ms, &n.runs_day, &n.day_oldest_ms, err);
    if (e == 0)
        e = count_cpu(s, agent, level, r, now_ms, &n, err);
    if (e == 0)
        e = find_last_start(s, agent, level, r, now_ms, &n, err);
    if (e == 0)
        e = count_global(s, r, now_ms, &n, err);
    if (e == 0)
        *ret = n;
    return e;
}
