/* baseline.c - what an agent's good runs did so far: the programs, hosts, files and calls of watch/habits.h.
 *
 * Learned from good runs only: completed, without a violation, attempt or restriction. What was not seen in the last
 * BASELINE_RUNS of them is forgotten, and so is, beyond STORE_MAX_BASELINE, what was seen longest ago.
 */
#include "sql/sql.h"

static void take_lines(struct baseline_asked *b)
{
    b->count = 0;
    while (b->count < BASELINE_ASKED && *b->rest) {
        const char *line = b->rest;
        const size_t size = strcspn(line, "\n");
        b->rest += size + (line[size] == '\n');
        if (!size || size > BASELINE_LINE)
            continue;
        b->lines[b->count].text = line;
        b->lines[b->count++].size = size;
    }
}

/* A habit's place in the statement; others are NULL, which is none. Most runs have one habit. */
static struct query ask_known(struct baseline_asked *b, struct sql *s, const char *execution_id)
{
    take_lines(b);
    const uint32_t places = b->count == 1 ? 1 : BASELINE_ASKED;
    struct query q =
        places == 1
            ? query_start(s,
                          "SELECT 0 FROM baseline WHERE agent = (SELECT agent FROM runs WHERE execution_id = ?1) AND "
                          "what = ?2")
            : query_start(
                  s, "SELECT CASE what WHEN ?2 THEN 0 WHEN ?3 THEN 1 WHEN ?4 THEN 2 WHEN ?5 THEN 3 WHEN ?6 THEN 4 WHEN "
                     "?7 THEN 5 WHEN ?8 THEN 6 ELSE 7 END FROM baseline WHERE agent = (SELECT agent FROM runs WHERE "
                     "execution_id = ?1) AND what IN (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    query_text(&q, execution_id);
    for (uint32_t i = 0; i < places; i++)
        query_bytes(&q, i < b->count ? b->lines[i].text : NULL, i < b->count ? b->lines[i].size : 0);
    return q;
}
_Static_assert(BASELINE_ASKED == 8, "the statement has so many places");

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

int baseline_forget(struct sql *s, uint64_t agent, uint64_t run, bool has_new, struct error *err)
{
    int e = run > BASELINE_RUNS
                ? RUN(s, err, "DELETE FROM baseline WHERE agent = ?1 AND run + ?2 < ?3", agent, BASELINE_RUNS, run)
                : 0;
    return e < 0 || !has_new
               ? e
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

void baseline_send(struct baseline_asked *b, struct sql *s, const struct settle *r)
{
    *b = (struct baseline_asked){ .is_asked = r->habits && r->baseline_runs, .rest = r->habits };
    if (!b->is_asked)
        return;
    b->known = ask_known(b, s, r->execution_id);
    query_send(&b->known);
}

void baseline_drop(struct baseline_asked *b)
{
    if (!b->is_asked)
        return;
    (void)query_done(&b->known, NULL);
    b->is_asked = false;
}

struct lesson {
    uint64_t agent, learned;
    bool is_good, has_new;
    struct buf first;
};

/* What was asked about. */
static int settle_some(struct baseline_asked *b, struct sql *s, const struct settle *r, struct lesson *l,
                       struct error *err)
{
    bool is_known[BASELINE_ASKED] = { 0 };
    while (query_row(&b->known))
        is_known[MIN_OF(query_get_u64(&b->known, 0), (uint64_t)BASELINE_ASKED - 1)] = true;
    int e = query_done(&b->known, err);
    for (uint32_t i = 0; e == 0 && i < b->count; i++) {
        l->has_new |= !is_known[i];
        if (!is_known[i] && l->learned >= r->baseline_runs)
            (void)buf_addf(&l->first, "%.*s\n", (int)b->lines[i].size, b->lines[i].text);
        if (l->is_good)
            e = learn_one(s, l->agent, b->lines[i].text, b->lines[i].size, l->learned + 1, r->now_ms, err);
    }
    return e;
}

int baseline_settle(struct baseline_asked *b, struct sql *s, uint64_t agent, uint64_t learned, const struct settle *r,
                    bool is_good, const char **ret_first, struct error *err)
{
    struct lesson l = { .agent = agent, .learned = learned, .is_good = is_good };
    *ret_first = NULL;
    if (!b->is_asked)
        return 0;
    buf_init(&l.first, STORE_MAX_HABITS);
    b->is_asked = false;
    int e = settle_some(b, s, r, &l, err);
    while (e == 0 && *b->rest) {
        b->known = ask_known(b, s, r->execution_id);
        e = settle_some(b, s, r, &l, err);
    }
    if (e == 0 && is_good)
        e = baseline_forget(s, agent, learned + 1, l.has_new, err);
    if (e == 0 && l.first.size)
        *ret_first = arena_copy(&s->arena, l.first.data);
    buf_done(&l.first);
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
