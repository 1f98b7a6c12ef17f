/* windows.c - how many runs and how much CPU time lie in the sliding windows, counted within the booking transaction.
 *
 * A time further in the future than its window is no time (the clock was set back) and does not count; one nearer
 * counts, so that setting the clock back a little gives no agent a fresh hour.
 *
 * Where there are nodes, the runs that they have leased (leases.c) are counted in the same statement as the booked
 * ones: a run that is booked from a lease meanwhile is one of either, never of both and never of none.
 */
#include "sql/sql.h"

/* Jobs in sessions have a limit of their own, and are told by their id (run/exec.h). */
#define IS_JOB "(execution_id >= 'job-' AND execution_id < 'job.') " /* compared by bytes: no call for each row */
#define RUNS   "AND NOT " IS_JOB
#define JOBS   "AND " IS_JOB

#define OF_AGENT " FROM runs WHERE agent = ?1 AND level = ?2 AND started_ms > ?3 AND started_ms < ?4 "
#define ENDED    " FROM runs WHERE state > 0 AND agent = ?1 AND level = ?2 AND ended_ms > ?3 AND ended_ms < ?4 "
#define OF_ALL   " FROM runs WHERE started_ms > ?1 AND started_ms < ?2 " RUNS

#define NONE ", 0"
#define LEASED(which, at, until)                                                                  \
    ", (SELECT coalesce(sum(available + lost), 0) FROM leases WHERE " which " AND until_ms > " at \
    " AND until_ms < " until ")"
#define LEASED_RUNS "agent = ?1 AND level = ?2 AND is_job = 0"
#define LEASED_JOBS "agent = ?1 AND level = ?2 AND is_job = 1"

/* [there are leases]. No two texts are the same: a statement is found by its address, and each is open once. */
static const char *const statements[2][WINDOWS] = {
    { [WINDOW_HOUR] = "SELECT count(*) AS hour" NONE OF_AGENT RUNS,
      [WINDOW_DAY] = "SELECT count(*) AS day" NONE OF_AGENT RUNS,
      [WINDOW_JOBS] = "SELECT count(*)" NONE OF_AGENT JOBS,
      [WINDOW_CPU] = "SELECT sum(cpu_ms)" ENDED,
      [WINDOW_LAST] = "SELECT max(started_ms) FROM runs WHERE agent = ?1 AND level = ?2 AND started_ms < ?3 " RUNS,
      [WINDOW_RUNNING] = "SELECT count(*)" NONE RUNS_RUNNING,
      [WINDOW_OF_ALL] = "SELECT count(*)" NONE OF_ALL },
    { [WINDOW_HOUR] = "SELECT count(*) AS hour" LEASED(LEASED_RUNS, "?3", "?4") OF_AGENT RUNS,
      [WINDOW_DAY] = "SELECT count(*) AS day" LEASED(LEASED_RUNS, "?3", "?4") OF_AGENT RUNS,
      [WINDOW_JOBS] = "SELECT count(*)" LEASED(LEASED_JOBS, "?3", "?4") OF_AGENT JOBS,
      [WINDOW_CPU] = "SELECT sum(cpu_ms) AS ms" ENDED,
      [WINDOW_LAST] =
          "SELECT max(started_ms) AS ms FROM runs WHERE agent = ?1 AND level = ?2 AND started_ms < ?3 " RUNS,
      [WINDOW_RUNNING] = "SELECT count(*), (SELECT coalesce(sum(greatest(0, h.slots - (SELECT count(*)" RUNS_RUNNING
                         " AND owner_pid = h.owner_pid AND owner_start = h.owner_start AND owner_place = h.owner_place"
                         "))), 0) FROM shares h WHERE h.epoch = ?1)" RUNS_RUNNING,
      [WINDOW_OF_ALL] = "SELECT count(*)" LEASED("is_job = 0", "?1", "?2") OF_ALL },
};

static void bind_window(struct query *q, uint64_t window_ms, uint64_t now_ms)
{
    query_u64(q, now_ms - MIN_OF(now_ms, window_ms));
    query_u64(q, now_ms + window_ms);
}

static struct query start(struct windows *w, enum window which)
{
    return query_start(w->store, statements[leases_are_used(w->store)][which]);
}

static void send(struct windows *w, enum window which)
{
    w->is_asked[which] = true;
    query_send(&w->asked[which]);
}

static void ask_agent(struct windows *w, enum window which, bool is_limited, uint64_t window_ms)
{
    if (!is_limited)
        return;
    struct query *q = &w->asked[which];
    *q = start(w, which);
    query_u64(q, w->agent);
    query_u64(q, w->of->level);
    if (which == WINDOW_LAST)
        query_u64(q, w->of->now_ms + window_ms);
    else
        bind_window(q, window_ms, w->of->now_ms);
    send(w, which);
}

static bool is_limited(const struct budget *b)
{
    for (unsigned i = 0; i < BUDGET_PARTS; i++)
        if (b->part[i])
            return true;
    return false;
}

static void ask_budgets(struct windows *w, struct error *err)
{
    const struct reserve *r = w->of;
    const struct budget *b = r->limits.budgets;
    if (is_limited(&b[BUDGET_OF_AGENT])) {
        w->asked[WINDOW_OF_AGENT] = meter_ask_today(w->store, w->agent, NULL, r->now_ms);
        send(w, WINDOW_OF_AGENT);
    }
    if (!r->key_id || !*r->key_id || !is_limited(&b[BUDGET_OF_KEY])) /* the command line is no key */
        return;
    w->e = transaction_lock(w->store, SQL_LOCK_KEY, r->key_id, err);
    if (w->e < 0)
        return;
    w->asked[WINDOW_OF_KEY] = meter_ask_today(w->store, 0, r->key_id, r->now_ms);
    send(w, WINDOW_OF_KEY);
}

/* Last: their lock is every run's. */
static void ask_all(struct windows *w, struct error *err)
{
    const struct limit_rules *r = &w->of->limits;
    if (w->e < 0 || !(r->global_concurrent || r->global_runs_per_hour))
        return;
    w->e = transaction_lock(w->store, SQL_LOCK_ALL, "", err);
    if (w->e < 0)
        return;
    struct query *q = &w->asked[WINDOW_RUNNING];
    if (r->global_concurrent) {
        *q = start(w, WINDOW_RUNNING);
        if (leases_are_used(w->store))
            query_u64(q, w->store->epoch);
        send(w, WINDOW_RUNNING);
    }
    q = &w->asked[WINDOW_OF_ALL];
    if (r->global_runs_per_hour) {
        *q = start(w, WINDOW_OF_ALL);
        bind_window(q, LIMIT_HOUR_MS, w->of->now_ms);
        send(w, WINDOW_OF_ALL);
    }
}

void windows_send(struct windows *w, struct sql *s, uint64_t agent, const struct reserve *r, struct error *err)
{
    *w = (struct windows){ .store = s, .of = r, .agent = agent };
    ask_agent(w, WINDOW_HOUR, r->limits.runs_per_hour, LIMIT_HOUR_MS);
    ask_agent(w, WINDOW_DAY, r->limits.runs_per_day, LIMIT_DAY_MS);
    ask_agent(w, WINDOW_JOBS, r->limits.jobs_per_hour, LIMIT_HOUR_MS);
    ask_agent(w, WINDOW_CPU, r->limits.cpu_ms_per_hour, LIMIT_HOUR_MS);
    ask_agent(w, WINDOW_LAST, r->limits.cooldown_ms, r->limits.cooldown_ms);
    ask_budgets(w, err);
    ask_all(w, err);
}

/* --- when there is room again: asked only at a limit ------------------------------------------------- */

/* Counted from the newest, the run at place `limit`, whose leaving makes room. Where leases fill the window there may
 * be fewer: then in a minute. */
static int find_leaving(struct windows *w, enum window which, uint64_t limit, uint64_t window_ms, uint64_t *ret,
                        struct error *err)
{
    static const char *const leaves[WINDOWS] = {
        [WINDOW_HOUR] = "SELECT started_ms" OF_AGENT RUNS "ORDER BY started_ms DESC LIMIT 1 OFFSET ?5",
        [WINDOW_JOBS] = "SELECT started_ms" OF_AGENT JOBS "ORDER BY started_ms DESC LIMIT 1 OFFSET ?5",
        [WINDOW_OF_ALL] = "SELECT started_ms" OF_ALL "ORDER BY started_ms DESC LIMIT 1 OFFSET ?3",
    };
    const uint64_t now_ms = w->of->now_ms;
    struct query q = query_start(w->store, leaves[which == WINDOW_DAY ? WINDOW_HOUR : which]);
    if (which != WINDOW_OF_ALL) {
        query_u64(&q, w->agent);
        query_u64(&q, w->of->level);
    }
    bind_window(&q, window_ms, now_ms);
    query_u64(&q, limit - 1);
    *ret = query_row(&q) ? query_get_u64(&q, 0) : now_ms - MIN_OF(now_ms, window_ms) + 60000;
    return query_done(&q, err);
}

/* Newest first: with the first run at which the sum reaches the limit, room comes when that one leaves. */
static int find_leaving_cpu(struct windows *w, uint64_t *ret_ms, struct error *err)
{
    uint64_t sum = 0;
    struct query q = query_start(w->store, "SELECT ended_ms, cpu_ms" ENDED "ORDER BY ended_ms DESC");
    query_u64(&q, w->agent);
    query_u64(&q, w->of->level);
    bind_window(&q, LIMIT_HOUR_MS, w->of->now_ms);
    while (sum < w->of->limits.cpu_ms_per_hour && query_row(&q)) {
        sum += query_get_u64(&q, 1);
        *ret_ms = query_get_u64(&q, 0);
    }
    return query_done(&q, err);
}

/* --- reading ----------------------------------------------------------------------------------------- */

/* All of them are read, also after a failure: none may stay open. */
static void read_one(struct windows *w, enum window which, uint64_t ret[static 2], struct error *err)
{
    struct query *q = &w->asked[which];
    ret[0] = ret[1] = 0;
    if (!w->is_asked[which])
        return;
    if (query_row(q)) {
        ret[0] = query_get_u64(q, 0);
        ret[1] = which == WINDOW_CPU || which == WINDOW_LAST ? 0 : query_get_u64(q, 1);
    }
    int e = query_done(q, w->e == 0 ? err : NULL);
    w->e = w->e == 0 ? e : w->e;
}

static void read_budget(struct windows *w, enum window which, struct budget *ret, struct error *err)
{
    int e = w->is_asked[which] ? meter_read_today(&w->asked[which], ret, w->e == 0 ? err : NULL) : 0;
    w->e = w->e == 0 ? e : w->e;
}

static void read_count(struct windows *w, enum window which, uint32_t *ret, uint32_t *ret_leased, struct error *err)
{
    uint64_t n[2];
    read_one(w, which, n, err);
    *ret = (uint32_t)MIN_OF(n[0], (uint64_t)UINT32_MAX);
    *ret_leased = (uint32_t)MIN_OF(n[1], (uint64_t)UINT32_MAX);
}

static int find_all_leaving(struct windows *w, const struct limit_counts *leased, struct limit_counts *n,
                            struct error *err)
{
    const struct limit_rules *r = &w->of->limits;
    const struct {
        enum window which;
        uint64_t used, limit, window_ms;
        uint64_t *leaves_ms;
    } full[] = {
        { WINDOW_HOUR, (uint64_t)n->runs_hour + leased->runs_hour, r->runs_per_hour, LIMIT_HOUR_MS,
          &n->hour_oldest_ms },
        { WINDOW_DAY, (uint64_t)n->runs_day + leased->runs_day, r->runs_per_day, LIMIT_DAY_MS, &n->day_oldest_ms },
        { WINDOW_JOBS, (uint64_t)n->jobs_hour + leased->jobs_hour, r->jobs_per_hour, LIMIT_HOUR_MS,
          &n->jobs_oldest_ms },
        { WINDOW_OF_ALL, (uint64_t)n->global_hour + leased->global_hour, r->global_runs_per_hour, LIMIT_HOUR_MS,
          &n->global_oldest_ms },
    };
    int e = 0;
    for (size_t i = 0; i < ARRAY_LEN(full) && e == 0; i++)
        if (w->is_asked[full[i].which] && full[i].used >= full[i].limit)
            e = find_leaving(w, full[i].which, full[i].limit, full[i].window_ms, full[i].leaves_ms, err);
    if (e == 0 && r->cpu_ms_per_hour && n->cpu_ms_hour >= r->cpu_ms_per_hour)
        e = find_leaving_cpu(w, &n->cpu_oldest_ms, err);
    return e;
}

struct limit_counts windows_sum(const struct limit_counts *booked, const struct limit_counts *leased)
{
    struct limit_counts n = *booked;
    n.runs_hour += leased->runs_hour;
    n.runs_day += leased->runs_day;
    n.jobs_hour += leased->jobs_hour;
    n.global_running += leased->global_running;
    n.global_hour += leased->global_hour;
    return n;
}

int windows_read(struct windows *w, struct limit_counts *ret, struct limit_counts *ret_leased, struct error *err)
{
    struct limit_counts n = { 0 }, leased = { 0 };
    uint64_t other[2];
    read_count(w, WINDOW_HOUR, &n.runs_hour, &leased.runs_hour, err);
    read_count(w, WINDOW_DAY, &n.runs_day, &leased.runs_day, err);
    read_count(w, WINDOW_JOBS, &n.jobs_hour, &leased.jobs_hour, err);
    read_one(w, WINDOW_CPU, other, err);
    n.cpu_ms_hour = other[0];
    read_one(w, WINDOW_LAST, other, err);
    n.last_start_ms = other[0];
    read_budget(w, WINDOW_OF_AGENT, &n.used[BUDGET_OF_AGENT], err);
    read_budget(w, WINDOW_OF_KEY, &n.used[BUDGET_OF_KEY], err);
    read_count(w, WINDOW_RUNNING, &n.global_running, &leased.global_running, err);
    read_count(w, WINDOW_OF_ALL, &n.global_hour, &leased.global_hour, err);
    if (w->e == 0)
        w->e = find_all_leaving(w, &leased, &n, err);
    if (w->e < 0)
        return w->e;
    *ret = n;
    if (ret_leased)
        *ret_leased = leased;
    return 0;
}

int windows_count(struct sql *s, uint64_t agent, const struct reserve *r, struct limit_counts *ret,
                  struct limit_counts *ret_leased, struct error *err)
{
    struct windows w;
    windows_send(&w, s, agent, r, err);
    return windows_read(&w, ret, ret_leased, err);
}
