/* windows.c - how many runs and how much CPU time lie in the sliding windows, counted within the booking transaction.
 *
 * A time further in the future than its window is no time (the clock was set back) and does not count; one nearer
 * counts, so that setting the clock back a little gives no agent a fresh hour.
 *
 * Where there are nodes, the runs that they have leased (leases.c) are counted in the same statement as the booked
 * ones: a run that is booked from a lease meanwhile is one of either, never of both and never of none.
 *
 * What was counted before is not counted again: tallies.c.
 */
#include "sql/sql.h"

/* Jobs in sessions have a limit of their own, and are told by their id (run/exec.h). */
#define IS_JOB "(execution_id >= 'job-' AND execution_id < 'job.') " /* compared by bytes: no call for each row */
#define RUNS   "AND NOT " IS_JOB
#define JOBS   "AND " IS_JOB

#define OF_AGENT  " FROM runs WHERE agent = ?1 AND level = ?2 AND started_ms > ?3 AND started_ms < ?4 "
#define BEHIND    " FROM runs WHERE agent = ?1 AND level = ?2 AND started_ms > ?3 "
#define ENDED     " FROM runs WHERE state > 0 AND agent = ?1 AND level = ?2 AND ended_ms > ?3 AND ended_ms < ?4 "
#define ENDED_ALL " FROM runs WHERE state > 0 AND agent = ?1 AND level = ?2 AND ended_ms > ?3 "
#define OF_ALL    " FROM runs WHERE started_ms > ?1 AND started_ms < ?2 " RUNS

#define NONE ", 0"
#define LEASED(which, at, until)                                                                  \
    ", (SELECT coalesce(sum(available + lost), 0) FROM leases WHERE " which " AND until_ms > " at \
    " AND until_ms < " until ")"
#define LEASED_RUNS "agent = ?1 AND level = ?2 AND is_job = 0"
#define LEASED_JOBS "agent = ?1 AND level = ?2 AND is_job = 1"

/* Columns: what is in the window, what is leased, the agent's total, what is behind the edge. One statement, so that a
 * run which is booked from a lease meanwhile is in the total or among the leased. */
#define COUNTED(name, leased, kind)                                  \
    "SELECT count(*) FILTER (WHERE started_ms < ?4) AS " name leased \
    ", (SELECT runs FROM agents WHERE number = ?1), count(*)" BEHIND kind
#define CPU_COUNTED                                                                         \
    "SELECT sum(cpu_ms) FILTER (WHERE ended_ms < ?4), 0, (SELECT cpu_ms FROM agents WHERE " \
    "number = ?1), sum(cpu_ms)" ENDED_ALL
/* Where a tally is remembered: what is between the edges, what is leased, the total, what is beyond the window. */
#define MOVED(name, leased, kind)                                                                                      \
    "SELECT (SELECT count(*) FROM runs WHERE agent = ?1 AND level = ?2 AND started_ms > ?5 AND started_ms <= ?6 " kind \
    ") AS " name leased                                                                                                \
    ", runs, (SELECT count(*) FROM runs WHERE agent = ?1 AND level = ?2 AND started_ms >= ?4 " kind                    \
    ") FROM agents WHERE number = ?1"
#define CPU_MOVED                                                                                                     \
    "SELECT (SELECT sum(cpu_ms) FROM runs WHERE state > 0 AND agent = ?1 AND level = ?2 AND ended_ms > ?5 AND "       \
    "ended_ms "                                                                                                       \
    "<= ?6), 0, cpu_ms, (SELECT sum(cpu_ms) FROM runs WHERE state > 0 AND agent = ?1 AND level = ?2 AND ended_ms >= " \
    "?4) FROM agents WHERE number = ?1"

/* Of all: the number that is seen, and which transactions were under way. */
#define SNAPSHOT(of)  ", CAST(CAST(pg_snapshot_" of "(pg_current_snapshot()) AS TEXT) AS BIGINT)"
#define ONE_WRITER    ", 1, 1"
#define TRANSACTIONS  SNAPSHOT("xmin") SNAPSHOT("xmax")
#define NEWEST        ", (SELECT CASE WHEN started_ms > ?1 THEN number END FROM runs ORDER BY number DESC LIMIT 1)"
#define LEASED_OF_ALL LEASED("is_job = 0", "?1", "?2")
/* Columns: what is in the window, what is leased, the three, what is behind the edge up to the next number (?3). */
#define ALL_COUNTED(leased, transactions)                                       \
    "SELECT count(*) FILTER (WHERE started_ms < ?2)" leased NEWEST transactions \
    ", count(*) FILTER (WHERE number <= ?3)"                                    \
    " FROM runs WHERE started_ms > ?1 " RUNS
/* What is between the edges up to ?3, what is leased, the three; behind the edge from there up to the next number, and
 * all from there; what is beyond the window. The plus keeps an index from being used that is not meant. */
#define ALL_MOVED(leased, transactions)                                                                                \
    "SELECT (SELECT count(*) FROM runs WHERE started_ms > ?5 AND started_ms <= ?6 AND +number <= ?3 " RUNS             \
    ")" leased NEWEST transactions ", f.up_to_next, f.behind, (SELECT count(*) FROM runs WHERE started_ms >= ?2 " RUNS \
    ") FROM (SELECT count(*) FILTER (WHERE number <= ?4) AS up_to_next, count(*) AS behind FROM runs WHERE number > "  \
    "?3 "                                                                                                              \
    "AND +started_ms > ?1 " RUNS ") f"

/* [there are leases][a tally is remembered]. No two texts are the same: a statement is found by its address, and each
 * is open once. */
static const char *const statements[2][2][WINDOWS] = {
    { { [WINDOW_HOUR] = COUNTED("hour", NONE, RUNS),
        [WINDOW_DAY] = COUNTED("day", NONE, RUNS),
        [WINDOW_JOBS] = COUNTED("jobs", NONE, JOBS),
        [WINDOW_CPU] = CPU_COUNTED,
        [WINDOW_LAST] = "SELECT max(started_ms) FROM runs WHERE agent = ?1 AND level = ?2 AND started_ms < ?3 " RUNS,
        [WINDOW_RUNNING] = "SELECT count(*)" NONE RUNS_RUNNING,
        [WINDOW_OF_ALL] = ALL_COUNTED(NONE, ONE_WRITER) },
      { [WINDOW_HOUR] = MOVED("hour", NONE, RUNS),
        [WINDOW_DAY] = MOVED("day", NONE, RUNS),
        [WINDOW_JOBS] = MOVED("jobs", NONE, JOBS),
        [WINDOW_CPU] = CPU_MOVED,
        [WINDOW_OF_ALL] = ALL_MOVED(NONE, ONE_WRITER) } },
    { { [WINDOW_HOUR] = COUNTED("hour", LEASED(LEASED_RUNS, "?3", "?4"), RUNS),
        [WINDOW_DAY] = COUNTED("day", LEASED(LEASED_RUNS, "?3", "?4"), RUNS),
        [WINDOW_JOBS] = COUNTED("jobs", LEASED(LEASED_JOBS, "?3", "?4"), JOBS),
        [WINDOW_CPU] = CPU_COUNTED,
        [WINDOW_LAST] =
            "SELECT max(started_ms) AS ms FROM runs WHERE agent = ?1 AND level = ?2 AND started_ms < ?3 " RUNS,
        [WINDOW_RUNNING] = "SELECT count(*), (SELECT coalesce(sum(greatest(0, h.slots - (SELECT count(*)" RUNS_RUNNING
                           " AND owner_pid = h.owner_pid AND owner_start = h.owner_start AND owner_place = "
                           "h.owner_place))), 0) FROM shares h WHERE h.epoch = ?1)" RUNS_RUNNING,
        [WINDOW_OF_ALL] = ALL_COUNTED(LEASED_OF_ALL, TRANSACTIONS) },
      { [WINDOW_HOUR] = MOVED("hour", LEASED(LEASED_RUNS, "?3", "?4"), RUNS),
        [WINDOW_DAY] = MOVED("day", LEASED(LEASED_RUNS, "?3", "?4"), RUNS),
        [WINDOW_JOBS] = MOVED("jobs", LEASED(LEASED_JOBS, "?3", "?4"), JOBS),
        [WINDOW_CPU] = CPU_MOVED,
        [WINDOW_OF_ALL] = ALL_MOVED(LEASED_OF_ALL, TRANSACTIONS) } },
};

static uint64_t edge_of(uint64_t window_ms, uint64_t now_ms)
{
    return now_ms - MIN_OF(now_ms, window_ms);
}

static void bind_window(struct query *q, uint64_t window_ms, uint64_t now_ms)
{
    query_u64(q, edge_of(window_ms, now_ms));
    query_u64(q, now_ms + window_ms);
}

/* Between the edge that a tally has, and the window's. */
static void bind_edges(struct query *q, uint64_t tally_ms, uint64_t edge_ms)
{
    query_u64(q, MIN_OF(tally_ms, edge_ms));
    query_u64(q, MAX_OF(tally_ms, edge_ms));
}

static struct query start(struct windows *w, enum window which)
{
    return query_start(w->store, statements[leases_are_used(w->store)][w->is_remembered[which]][which]);
}

static void send(struct windows *w, enum window which)
{
    w->is_asked[which] = true;
    query_send(&w->asked[which]);
}

static uint64_t window_ms(enum window which)
{
    return which == WINDOW_DAY ? LIMIT_DAY_MS : LIMIT_HOUR_MS;
}

static void ask_agent(struct windows *w, enum window which, uint64_t limit)
{
    const uint64_t edge_ms = edge_of(window_ms(which), w->of->now_ms);
    if (!limit)
        return;
    const struct tally *t = w->must_count ? NULL : tally_below(w->store, w->agent, w->of->level, which, limit);
    struct query *q = &w->asked[which];
    w->is_remembered[which] = t;
    *q = start(w, which);
    query_u64(q, w->agent);
    query_u64(q, w->of->level);
    bind_window(q, window_ms(which), w->of->now_ms);
    if (t)
        bind_edges(q, t->edge_ms, edge_ms);
    send(w, which);
}

static void ask_last(struct windows *w)
{
    const struct reserve *r = w->of;
    if (!r->limits.cooldown_ms)
        return;
    struct query *q = &w->asked[WINDOW_LAST];
    *q = start(w, WINDOW_LAST);
    query_u64(q, w->agent);
    query_u64(q, r->level);
    query_u64(q, r->now_ms + r->limits.cooldown_ms);
    send(w, WINDOW_LAST);
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

static void ask_window_of_all(struct windows *w)
{
    const struct tally_of_all *t = tally_of_all(w->store);
    struct query *q = &w->asked[WINDOW_OF_ALL];
    w->is_remembered[WINDOW_OF_ALL] = t->up_to && !w->must_count;
    *q = start(w, WINDOW_OF_ALL);
    bind_window(q, LIMIT_HOUR_MS, w->of->now_ms);
    if (w->is_remembered[WINDOW_OF_ALL])
        query_u64(q, t->up_to);
    query_u64(q, t->next);
    if (w->is_remembered[WINDOW_OF_ALL])
        bind_edges(q, t->edge_ms, edge_of(LIMIT_HOUR_MS, w->of->now_ms));
    send(w, WINDOW_OF_ALL);
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
    if (r->global_runs_per_hour)
        ask_window_of_all(w);
}

static void ask_windows(struct windows *w, struct error *err)
{
    const struct limit_rules *l = &w->of->limits;
    ask_agent(w, WINDOW_HOUR, l->runs_per_hour);
    ask_agent(w, WINDOW_DAY, l->runs_per_day);
    ask_agent(w, WINDOW_JOBS, l->jobs_per_hour);
    ask_agent(w, WINDOW_CPU, l->cpu_ms_per_hour);
    ask_last(w);
    ask_budgets(w, err);
    ask_all(w, err);
}

void windows_send(struct windows *w, struct sql *s, uint64_t agent, const struct reserve *r, struct error *err)
{
    *w = (struct windows){ .store = s, .of = r, .agent = agent };
    ask_windows(w, err);
}

/* --- when there is room again: asked only at a limit ------------------------------------------------- */

/* Counted from the newest, the run at place `limit`, whose leaving makes room. Where leases fill the window there may
 * be fewer: then in a minute. */
static int find_leaving(struct windows *w, enum window which, uint64_t limit, uint64_t *ret, struct error *err)
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
    bind_window(&q, window_ms(which), now_ms);
    query_u64(&q, limit - 1);
    *ret = query_row(&q) ? query_get_u64(&q, 0) : edge_of(window_ms(which), now_ms) + 60000;
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
static bool read_row(struct windows *w, enum window which, uint64_t *ret, int columns, struct error *err)
{
    struct query *q = &w->asked[which];
    memset(ret, 0, (size_t)columns * sizeof *ret);
    if (!w->is_asked[which])
        return false;
    const bool is_there = query_row(q);
    for (int i = 0; i < columns && is_there; i++)
        ret[i] = query_get_u64(q, i);
    int e = query_done(q, w->e == 0 ? err : NULL);
    w->e = w->e == 0 ? e : w->e;
    return is_there && e == 0;
}

/* Of an agent: runs, or ms. */
static uint64_t read_agent(struct windows *w, enum window which, uint64_t *ret_leased, struct error *err)
{
    const uint64_t edge_ms = edge_of(window_ms(which), w->of->now_ms);
    uint64_t n[4], behind = 0;
    const bool is_there = read_row(w, which, n, 4, err);
    *ret_leased = n[1];
    if (!is_there)
        return n[0];
    if (!w->is_remembered[which]) {
        tally_counted(w->store, w->agent, w->of->level, which, edge_ms, n[3], n[2]);
        return n[0];
    }
    if (!tally_moved(w->store, w->agent, w->of->level, which, edge_ms, n[0], n[2], &behind))
        w->is_unknown = true;
    w->is_above_count = true;
    return behind - MIN_OF(behind, n[3]);
}

static uint64_t read_of_all(struct windows *w, uint64_t *ret_leased, struct error *err)
{
    const uint64_t edge_ms = edge_of(LIMIT_HOUR_MS, w->of->now_ms);
    const bool is_remembered = w->is_remembered[WINDOW_OF_ALL];
    uint64_t n[8], up_to = 0;
    const bool is_there = read_row(w, WINDOW_OF_ALL, n, is_remembered ? 8 : 6, err);
    const struct number_seen seen = { n[2], n[3], n[4] };
    *ret_leased = n[1];
    if (!is_there)
        return n[0];
    if (!is_remembered) {
        tally_all_counted(w->store, edge_ms, n[5], &seen);
        return n[0];
    }
    if (!tally_all_moved(w->store, edge_ms, n[0], n[5], &seen, &up_to))
        w->is_unknown = true;
    w->is_above_count = true; /* by those that were pruned */
    return up_to + n[6] - MIN_OF(up_to + n[6], n[7]);
}

static void read_budget(struct windows *w, enum window which, struct budget *ret, struct error *err)
{
    int e = w->is_asked[which] ? meter_read_today(&w->asked[which], ret, w->e == 0 ? err : NULL) : 0;
    w->e = w->e == 0 ? e : w->e;
}

static uint32_t as_count(uint64_t n)
{
    return (uint32_t)MIN_OF(n, (uint64_t)UINT32_MAX);
}

static void read_count(struct windows *w, enum window which, uint32_t *ret, uint32_t *ret_leased, struct error *err)
{
    uint64_t leased;
    *ret = as_count(read_agent(w, which, &leased, err));
    *ret_leased = as_count(leased);
}

static int find_all_leaving(struct windows *w, const struct limit_counts *leased, struct limit_counts *n,
                            struct error *err)
{
    const struct limit_rules *r = &w->of->limits;
    const struct {
        enum window which;
        uint64_t used, limit, *leaves_ms;
    } full[] = {
        { WINDOW_HOUR, (uint64_t)n->runs_hour + leased->runs_hour, r->runs_per_hour, &n->hour_oldest_ms },
        { WINDOW_DAY, (uint64_t)n->runs_day + leased->runs_day, r->runs_per_day, &n->day_oldest_ms },
        { WINDOW_JOBS, (uint64_t)n->jobs_hour + leased->jobs_hour, r->jobs_per_hour, &n->jobs_oldest_ms },
        { WINDOW_OF_ALL, (uint64_t)n->global_hour + leased->global_hour, r->global_runs_per_hour,
          &n->global_oldest_ms },
    };
    int e = 0;
    for (size_t i = 0; i < ARRAY_LEN(full) && e == 0; i++)
        if (w->is_asked[full[i].which] && full[i].used >= full[i].limit)
            e = find_leaving(w, full[i].which, full[i].limit, full[i].leaves_ms, err);
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
    n.cpu_ms_hour = read_agent(w, WINDOW_CPU, other, err);
    (void)read_row(w, WINDOW_LAST, &n.last_start_ms, 1, err);
    read_budget(w, WINDOW_OF_AGENT, &n.used[BUDGET_OF_AGENT], err);
    read_budget(w, WINDOW_OF_KEY, &n.used[BUDGET_OF_KEY], err);
    (void)read_row(w, WINDOW_RUNNING, other, 2, err);
    n.global_running = as_count(other[0]);
    leased.global_running = as_count(other[1]);
    n.global_hour = as_count(read_of_all(w, other, err));
    leased.global_hour = as_count(other[0]);
    if (w->e == 0 && !w->is_above_count && !w->is_unknown)
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
    struct windows w = { .store = s, .of = r, .agent = agent, .must_count = true };
    ask_windows(&w, err);
    return windows_read(&w, ret, ret_leased, err);
}
