/* baseline.c - what an agent's good runs did so far: the programs, hosts, files and calls of watch/habits.h.
 *
 * Learned from good runs only: completed, without a violation, attempt or restriction. What was not seen in the last
 * BASELINE_RUNS of them is forgotten, and so is, beyond STORE_MAX_BASELINE, what was seen longest ago.
 */
#include "sql/sql.h"

#define BASELINE_RUNS 1000u
#define BASELINE_LINE 128u

static int is_known(struct sql *s, uint64_t agent, const char *what, size_t size, bool *ret, struct error *err)
{
    struct query q = query_start(s, "SELECT 1 FROM baseline WHERE agent = ? AND what = ?");
    query_u64(&q, agent);
    query_bytes(&q, what, size);
    *ret = query_row(&q);
    return query_done(&q, err);
}

static int learn_one(struct sql *s, uint64_t agent, const char *what, size_t size, uint64_t run, uint64_t now_ms,
                     struct error *err)
{
    struct query q = query_start(
        s, "INSERT INTO baseline(agent, what, run, times, first_ms, last_ms) "
           "VALUES(?1, ?2, ?3, 1, ?4, ?4) ON CONFLICT(agent, what) "
           "DO UPDATE SET run = excluded.run, times = baseline.times + 1, last_ms = excluded.last_ms");
    query_u64(&q, agent);
    query_bytes(&q, what, size);
    query_u64(&q, run);
    query_u64(&q, now_ms);
    (void)query_row(&q);
    return query_done(&q, err);
}

static int forget(struct sql *s, uint64_t agent, uint64_t run, struct error *err)
{
    int e = RUN(s, err, "DELETE FROM baseline WHERE agent = ?1 AND run + ?2 < ?3", agent, BASELINE_RUNS, run);
    return e < 0 ? e
                 : RUN(s, err,
                       "DELETE FROM baseline WHERE agent = ?1 AND what IN (SELECT what FROM baseline WHERE agent = ?1 "
                       "ORDER BY run DESC, times DESC LIMIT 1000000 OFFSET ?2)",
                       agent, STORE_MAX_BASELINE);
}

static int ask_learned(struct sql *s, uint64_t agent, uint64_t *ret, struct error *err)
{
    struct query q = query_start(s, "SELECT learned FROM agents WHERE number = ?");
    query_u64(&q, agent);
    *ret = query_row(&q) ? query_get_u64(&q, 0) : 0;
    return query_done(&q, err);
}

int baseline_settle(struct sql *s, uint64_t agent, const struct settle *r, bool is_good, const char **ret_first,
                    struct error *err)
{
    uint64_t learned = 0;
    struct buf first;
    *ret_first = NULL;
    if (!r->habits || !r->baseline_runs)
        return 0;
    buf_init(&first, STORE_MAX_HABITS);
    int e = ask_learned(s, agent, &learned, err);
    for (const char *p = r->habits; e == 0 && *p;) {
        const size_t size = strcspn(p, "\n");
        bool was_seen = true;
        if (size && size <= BASELINE_LINE)
            e = is_known(s, agent, p, size, &was_seen, err);
        if (e == 0 && !was_seen && learned >= r->baseline_runs)
            (void)buf_addf(&first, "%.*s\n", (int)size, p);
        if (e == 0 && is_good && size && size <= BASELINE_LINE)
            e = learn_one(s, agent, p, size, learned + 1, r->now_ms, err);
        p += size + (p[size] == '\n');
    }
    if (e == 0 && is_good)
        e = RUN(s, err, "UPDATE agents SET learned = learned + 1 WHERE number = ?1", agent);
    if (e == 0 && is_good)
        e = forget(s, agent, learned + 1, err);
    if (e == 0 && first.size)
        *ret_first = arena_copy(&s->arena, first.data);
    buf_done(&first);
    return e;
}

int baseline_list(struct sql *s, uint64_t agent, struct agent_why *ret, struct error *err)
{
    int e = ask_learned(s, agent, &ret->learned, err);
    if (e < 0)
        return e;
    struct query q = query_start(s, "SELECT what, times, last_ms FROM baseline WHERE agent = ? "
                                    "ORDER BY times DESC, what LIMIT ?");
    query_u64(&q, agent);
    query_u64(&q, STORE_MAX_BASELINE);
    while (ret->habit_count < STORE_MAX_BASELINE && query_row(&q)) {
        struct habit *h = &ret->habits[ret->habit_count++];
        h->what = query_get_text(&q, 0);
        h->times = query_get_u64(&q, 1);
        h->last_ms = query_get_u64(&q, 2);
    }
    return query_done(&q, err);
}
