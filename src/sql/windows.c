/* windows.c - how many runs and how much CPU time lie in the sliding windows, counted within the booking transaction.
 *
 * A time further in the future than its window is no time (the clock was set back) and does not count; one nearer
 * counts, so that setting the clock back a little gives no agent a fresh hour.
 */
#include "sql/sql.h"

/* One number of one row; 0 when there is none. */
static int ask(struct query *q, uint64_t *ret, struct error *err)
{
    *ret = query_row(q) ? query_get_u64(q, 0) : 0;
    return query_done(q, err);
}

static void bind_window(struct query *q, uint64_t window_ms, uint64_t now_ms)
{
    query_u64(q, now_ms - MIN_OF(now_ms, window_ms));
    query_u64(q, now_ms + window_ms);
}

#define OF_AGENT " FROM runs WHERE agent = ? AND level = ? AND started_ms > ? AND started_ms < ? "
/* Jobs in sessions have a limit of their own, and are told by their id (run/exec.h). A session is a run, but it does
 * not run all the time that it lives. */
#define IS_JOB "(execution_id >= 'job-' AND execution_id < 'job.') " /* compared by bytes: no call for each row */
#define RUNS   "AND NOT " IS_JOB
#define JOBS   "AND " IS_JOB

/* *ret_leaves_ms: counted from the newest, the one at place `limit`, whose leaving makes room; asked for only at the
 * limit. */
static int count_of_agent(struct sql *s, bool jobs, uint64_t agent, uint8_t level, uint64_t limit, uint64_t window_ms,
                          uint64_t now_ms, uint32_t *ret_count, uint64_t *ret_leaves_ms, struct error *err)
{
    uint64_t count = 0;
    if (!limit)
        return 0;
    struct query q = query_start(s, jobs ? "SELECT count(*)" OF_AGENT JOBS : "SELECT count(*)" OF_AGENT RUNS);
    query_u64(&q, agent);
    query_u64(&q, level);
    bind_window(&q, window_ms, now_ms);
    int e = ask(&q, &count, err);
    *ret_count = (uint32_t)count;
    if (e < 0 || count < limit)
        return e;
    q = query_start(s, jobs ? "SELECT started_ms" OF_AGENT JOBS "ORDER BY started_ms DESC LIMIT 1 OFFSET ?"
                            : "SELECT started_ms" OF_AGENT RUNS "ORDER BY started_ms DESC LIMIT 1 OFFSET ?");
    query_u64(&q, agent);
    query_u64(&q, level);
    bind_window(&q, window_ms, now_ms);
    query_u64(&q, limit - 1);
    return ask(&q, ret_leaves_ms, err);
}

#define ENDED_OF_AGENT " FROM runs WHERE state > 0 AND agent = ? AND level = ? AND ended_ms > ? AND ended_ms < ? "

/* Newest first: with the first run at which the sum reaches the limit, room comes when that one leaves. */
static int find_leaving_cpu(struct sql *s, uint64_t agent, uint8_t level, const struct limit_rules *r, uint64_t now_ms,
                            struct limit_counts *ret, struct error *err)
{
    uint64_t sum = 0;
    struct query q = query_start(s, "SELECT ended_ms, cpu_ms" ENDED_OF_AGENT "ORDER BY ended_ms DESC");
    query_u64(&q, agent);
    query_u64(&q, level);
    bind_window(&q, LIMIT_HOUR_MS, now_ms);
    while (sum < r->cpu_ms_per_hour && query_row(&q)) {
        sum += query_get_u64(&q, 1);
        ret->cpu_oldest_ms = query_get_u64(&q, 0);
    }
    return query_done(&q, err);
}

static int count_cpu(struct sql *s, uint64_t agent, uint8_t level, const struct limit_rules *r, uint64_t now_ms,
                     struct limit_counts *ret, struct error *err)
{
    if (!r->cpu_ms_per_hour)
        return 0;
    struct query q = query_start(s, "SELECT sum(cpu_ms)" ENDED_OF_AGENT);
    query_u64(&q, agent);
    query_u64(&q, level);
    bind_window(&q, LIMIT_HOUR_MS, now_ms);
    int e = ask(&q, &ret->cpu_ms_hour, err);
    return e < 0 || ret->cpu_ms_hour < r->cpu_ms_per_hour ? e : find_leaving_cpu(s, agent, level, r, now_ms, ret, err);
}

static int find_last_start(struct sql *s, uint64_t agent, uint8_t level, const struct limit_rules *r, uint64_t now_ms,
                           struct limit_counts *ret, struct error *err)
{
    if (!r->cooldown_ms)
        return 0;
    struct query q = query_start(
        s, "SELECT max(started_ms) FROM runs WHERE agent = ? AND level = ? AND started_ms < ? " RUNS);
    query_u64(&q, agent);
    query_u64(&q, level);
    query_u64(&q, now_ms + r->cooldown_ms);
    return ask(&q, &ret->last_start_ms, err);
}

#define OF_ALL " FROM runs WHERE started_ms > ? AND started_ms < ? " RUNS

static int count_global(struct sql *s, const struct limit_rules *r, uint64_t now_ms, struct limit_counts *ret,
                        struct error *err)
{
    uint64_t count = 0;
    struct query q;
    int e = r->global_concurrent || r->global_runs_per_hour ? transaction_lock(s, SQL_LOCK_ALL, "", err) : 0;
    if (e == 0 && r->global_concurrent) {
        q = query_start(s, "SELECT count(*) FROM runs WHERE state <> 1 AND state = 0 AND NOT (execution_id >= 'sess-' "
                           "AND execution_id < 'sess.')"); /* the first part names the index */
        e = ask(&q, &count, err);
        ret->global_running = (uint32_t)count;
    }
    if (e < 0 || !r->global_runs_per_hour)
        return e;
    q = query_start(s, "SELECT count(*)" OF_ALL);
    bind_window(&q, LIMIT_HOUR_MS, now_ms);
    e = ask(&q, &count, err);
    ret->global_hour = (uint32_t)count;
    if (e < 0 || count < r->global_runs_per_hour)
        return e;
    q = query_start(s, "SELECT started_ms" OF_ALL "ORDER BY started_ms DESC LIMIT 1 OFFSET ?");
    bind_window(&q, LIMIT_HOUR_MS, now_ms);
    query_u64(&q, r->global_runs_per_hour - 1);
    return ask(&q, &ret->global_oldest_ms, err);
}

static bool is_limited(const struct budget *b)
{
    for (unsigned i = 0; i < BUDGET_PARTS; i++)
        if (b->part[i])
            return true;
    return false;
}

static int count_budgets(struct sql *s, uint64_t agent, const struct reserve *r, struct limit_counts *ret,
                         struct error *err)
{
    const struct budget *b = r->limits.budgets;
    const bool has_key = r->key_id && *r->key_id; /* the command line is no key */
    int e = 0;
    if (has_key && is_limited(&b[BUDGET_OF_KEY]))
        e = transaction_lock(s, SQL_LOCK_KEY, r->key_id, err);
    if (e == 0)
        e = is_limited(&b[BUDGET_OF_AGENT]) ? meter_today(s, agent, NULL, r->now_ms, &ret->used[BUDGET_OF_AGENT], err)
                                            : 0;
    return e == 0 && has_key && is_limited(&b[BUDGET_OF_KEY])
               ? meter_today(s, 0, r->key_id, r->now_ms, &ret->used[BUDGET_OF_KEY], err)
               : e;
}

int windows_count(struct sql *s, uint64_t agent, const struct reserve *reserve, struct limit_counts *ret,
                  struct error *err)
{
    const struct limit_rules *r = &reserve->limits;
    const uint64_t now_ms = reserve->now_ms;
    const uint8_t level = reserve->level;
    struct limit_counts n = { 0 };
    int e = count_of_agent(s, false, agent, level, r->runs_per_hour, LIMIT_HOUR_MS, now_ms, &n.runs_hour,
                           &n.hour_oldest_ms, err);
    if (e == 0)
        e = count_of_agent(s, false, agent, level, r->runs_per_day, LIMIT_DAY_MS, now_ms, &n.runs_day, &n.day_oldest_ms,
                           err);
    if (e == 0)
        e = count_of_agent(s, true, agent, level, r->jobs_per_hour, LIMIT_HOUR_MS, now_ms, &n.jobs_hour,
                           &n.jobs_oldest_ms, err);
    if (e == 0)
        e = count_cpu(s, agent, level, r, now_ms, &n, err);
    if (e == 0)
        e = find_last_start(s, agent, level, r, now_ms, &n, err);
    if (e == 0)
        e = count_budgets(s, agent, reserve, &n, err);
    if (e == 0)
        e = count_global(s, r, now_ms, &n, err); /* last: its lock is every run's */
    if (e == 0)
        *ret = n;
    return e;
}
