/* ends.c - runs that end at the same time, settled in one transaction: where nodes share a database.
 *
 * Settling takes the agent's lock, and two ways there and back. A node whose runs wait for that settles them together:
 * the locks of all, one question each kind for all, what follows decided here run by run in the callers' order, and
 * then one statement each table with the commit. What is stored, and what each caller is told, is as if they had been
 * settled one behind the other (runs.c); tests compare. Windows of time end for all runs of an agent where they end
 * for its first one here: these are milliseconds apart.
 *
 * Only plain ends: what finds offences or restrictions changes an agent's standing, which is asked for and written
 * in between, and so it is settled by itself. So is what this file does not know how to tell exactly, like a baseline
 * that is about to forget.
 *
 * Locks: of the runs, then of the agents, each in the order of their numbers, before any row is written. Rows of the
 * meter, which other agents of a key share, are written last and in one order.
 *
 * The statements are PostgreSQL's. A list of numbers or lines is one text.
 */
#include <stdio.h>
#include "sql/sql.h"

#define NEWEST    100u
#define HABITS    2048u /* bytes of one run's; longer ones are settled by themselves */
#define LEFT_LIST 1     /* of settle_together(): one by one, please */
#define COLUMNS   14u

struct end {
    struct settle_call *call;
    const struct settle *r;
    struct open_run run; /* when this transaction began */
    struct member *of;
    enum trust_event event;
    uint32_t gain;
    bool earns_evidence, moved_trust;
    /* its habits */
    struct query habits;
    bool has_habits, is_good;
    uint32_t lines;
    bool is_known[HABITS / 2];
    uint64_t learned_as; /* the run's number among those that taught */
};

struct member { /* an agent with an end here */
    struct learner l;
    uint64_t baseline;
    bool is_written, has_learned, has_new;
    uint64_t successes, failures, errors, cpu_ms;
    struct trust_sum sums[TRUST_SOURCES];
    /* for the replies */
    bool is_asked;
    struct query newest, volume, refusals;
    char events[RISK_COUNT][NEWEST + 1]; /* newest first, a digit each */
    uint32_t volume_runs, window_refusals;
};

struct ends {
    struct sql *store;
    uint32_t count, member_count;
    struct end list[STORE_SETTLE_MANY];
    struct member members[STORE_SETTLE_MANY];
    struct query runs, agents;
    struct buf ids;
    bool has_habits;
};

/* --- lists as text ---------------------------------------------------------------------------------- */

struct columns {
    struct buf list[COLUMNS];
    uint32_t used, rows;
};

static void columns_init(struct columns *c)
{
    *c = (struct columns){ 0 };
    for (unsigned i = 0; i < COLUMNS; i++)
        buf_init(&c->list[i], MIB);
}

static void columns_done(struct columns *c)
{
    for (unsigned i = 0; i < COLUMNS; i++)
        buf_done(&c->list[i]);
}

static void put(struct columns *c, uint64_t v)
{
    struct buf *b = &c->list[c->used++];
    (void)buf_addf(b, b->size ? " %llu" : "%llu", (unsigned long long)MIN_OF(v, (uint64_t)INT64_MAX));
}

/* With a mark before it: a list of one empty text would be none. */
static void put_text(struct columns *c, const char *v, size_t size)
{
    struct buf *b = &c->list[c->used++];
    (void)buf_adds(b, b->size ? "\n=" : "=");
    (void)buf_add(b, v, size);
}

static void end_row(struct columns *c)
{
    c->rows++;
    c->used = 0;
}

/* In SQL: columns in the order in which they were put. */
#define NUMBERS(n) "CAST(string_to_array(?" #n ", ' ') AS BIGINT[])"
#define LINES(n)   "string_to_array(?" #n ", chr(10))"
#define N1         NUMBERS(1)
#define N2         NUMBERS(2)
#define N3         NUMBERS(3)
#define N4         NUMBERS(4)
#define N5         NUMBERS(5)
#define N6         NUMBERS(6)
#define N7         NUMBERS(7)
#define N8         NUMBERS(8)
#define N9         NUMBERS(9)
#define N10        NUMBERS(10)
#define N11        NUMBERS(11)
#define N12        NUMBERS(12)
#define N13        NUMBERS(13)
#define N14        NUMBERS(14)
#define L1         LINES(1)
#define L2         LINES(2)

static int write_columns(struct sql *s, const char *sql, struct columns *c, uint32_t count, struct error *err)
{
    if (!c->rows)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        if (c->list[i].failed)
            return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    struct query q = query_start(s, sql);
    for (uint32_t i = 0; i < count; i++)
        query_bytes(&q, c->list[i].data, c->list[i].size);
    (void)query_row(&q);
    return query_done(&q, err);
}

/* --- asking ----------------------------------------------------------------------------------------- */

/* The planner guesses ten lines, and a key each. */
#define RUNS_OF_IDS                                                                                                \
    " FROM unnest(" L1 ") WITH ORDINALITY u(id, n), LATERAL (SELECT * FROM runs WHERE execution_id = substr(u.id," \
    " 2) LIMIT 1) r"

static void ask(struct ends *g)
{
    g->runs = query_start(g->store, "SELECT u.n, " OPEN_RUN_COLUMNS RUNS_OF_IDS OPEN_RUN_SHAPE);
    query_bytes(&g->runs, g->ids.data, g->ids.size);
    query_send(&g->runs);
    const uint64_t now_ms = g->list[0].r->now_ms;
    g->agents = query_start(
        g->store, "SELECT " LEARNER_COLUMNS
                  ", CASE WHEN ?3 = 1 THEN (SELECT count(*) FROM baseline b WHERE b.agent = agents.number) ELSE 0 END "
                  "FROM agents WHERE number = ANY(ARRAY(SELECT r.agent" RUNS_OF_IDS "))");
    query_bytes(&g->agents, g->ids.data, g->ids.size);
    query_u64(&g->agents, now_ms - MIN_OF(now_ms, LIMIT_HOUR_MS));
    query_u64(&g->agents, g->has_habits);
    query_send(&g->agents);
    for (uint32_t i = 0; i < g->count; i++) {
        struct end *e = &g->list[i];
        if (!e->has_habits)
            continue;
        struct columns c;
        columns_init(&c);
        for (const char *p = e->r->habits; *p;) {
            const size_t size = strcspn(p, "\n");
            if (size && size <= BASELINE_LINE)
                c.used = 0, put_text(&c, p, size);
            p += size + (p[size] == '\n');
        }
        e->habits = query_start(g->store,
                                "SELECT u.n, b.run FROM unnest(" L2
                                ") WITH ORDINALITY u(what, n), LATERAL (SELECT run FROM baseline WHERE agent = (SELECT "
                                "agent FROM runs WHERE execution_id = ?1) AND what = substr(u.what, 2) LIMIT 1) b");
        query_text(&e->habits, e->r->execution_id);
        query_bytes(&e->habits, c.list[0].size ? c.list[0].data : "", c.list[0].size);
        query_send(&e->habits);
        columns_done(&c);
    }
}

static bool is_one_line(const char *text)
{
    return !strchr(text, '\n');
}

/* 0, LEFT_LIST or negative. */
static int read_runs(struct ends *g, struct error *err)
{
    bool is_good = true;
    while (query_row(&g->runs)) {
        const uint64_t n = query_get_u64(&g->runs, 0);
        if (!n || n > g->count)
            continue;
        struct open_run *run = &g->list[n - 1].run;
        open_run_read(&g->runs, 1, run);
        is_good = is_good && is_one_line(run->code_hash) && is_one_line(run->shape) && is_one_line(run->key_id) &&
                  run->level < RISK_COUNT;
    }
    int e = query_done(&g->runs, err);
    return e < 0 ? e : is_good ? 0 : LEFT_LIST;
}

static int read_agents(struct ends *g, struct error *err)
{
    while (query_row(&g->agents) && g->member_count < STORE_SETTLE_MANY) {
        struct member *m = &g->members[g->member_count++];
        learner_read(&g->agents, &m->l);
        m->baseline = query_get_u64(&g->agents, LEARNER_COLUMN_COUNT);
    }
    int e = query_done(&g->agents, err);
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t k = 0; k < g->member_count && g->list[i].run.number; k++)
            if (g->members[k].l.row.number == g->list[i].run.agent)
                g->list[i].of = &g->members[k];
    return e;
}

/* What would be forgotten in between is told exactly by one after the other only. */
static int read_habits(struct ends *g, struct error *err)
{
    bool is_good = true;
    int first = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        struct end *e = &g->list[i];
        if (!e->has_habits)
            continue;
        while (query_row(&e->habits)) {
            const uint64_t n = query_get_u64(&e->habits, 0), run = query_get_u64(&e->habits, 1);
            if (n && n <= ARRAY_LEN(e->is_known))
                e->is_known[n - 1] = true;
            is_good = is_good && e->of && run + BASELINE_RUNS >= e->of->l.learned + STORE_SETTLE_MANY;
        }
        int done = query_done(&e->habits, first == 0 ? err : NULL);
        first = first < 0 ? first : done;
        if (e->of)
            e->of->baseline += e->lines;
        is_good = is_good && (!e->of || e->of->baseline <= STORE_MAX_BASELINE);
    }
    return first < 0 ? first : is_good ? 0 : LEFT_LIST;
}

/* --- deciding: in the callers' order ------------------------------------------------------------------ */

static void add_step(struct member *m, const struct trust_step *step)
{
    for (uint32_t i = 0; i < step->count; i++) {
        const struct trust_part *p = &step->parts[i];
        struct trust_sum *sum = &m->sums[MIN_OF(p->source, (uint8_t)(TRUST_SOURCES - 1))];
        sum->plus += p->change > 0 ? (uint32_t)p->change : 0;
        sum->minus += p->change < 0 ? (uint32_t)-p->change : 0;
        sum->times++;
    }
}

/* What ends before this one in the same transaction have changed of its past. */
static struct trust_past past_of(const struct ends *g, const struct end *e)
{
    struct trust_past past = { .has_bad_finding = e->r->has_bad_finding,
                               .gained_last_hour = e->of->l.gained_last_hour,
                               .gained_by_code = e->run.gained_by_code,
                               .gained_by_shape = e->run.gained_by_shape };
    for (const struct end *k = g->list; k < e; k++) {
        if (k->of != e->of || !k->gain)
            continue;
        past.gained_by_code += str_eq(k->run.code_hash, e->run.code_hash) ? k->gain : 0;
        past.gained_by_shape += *e->run.shape && str_eq(k->run.shape, e->run.shape) ? k->gain : 0;
    }
    return past;
}

static void learn(const struct ends *g, struct end *e, struct settle_reply *ret)
{
    struct member *m = e->of;
    struct trust_step drift, step;
    const struct trust_past past = past_of(g, e);
    const uint32_t before = m->l.row.agent.trust;
    ret->trust_before = ret->trust_after = before;
    if (!e->r->keeps_trust)
        return;
    run_learn(&m->l, e->r, e->run.started_ms, &past, e->event, &drift, &step);
    ret->trust_before = drift.score;
    ret->trust_after = step.score;
    add_step(m, &drift);
    add_step(m, &step);
    e->moved_trust = step.score != before;
    e->gain = step.gain;
}

static void learn_work(const struct ends *g, struct end *e)
{
    bool is_known = e->run.is_known_work;
    for (const struct end *k = g->list; k < e && !is_known; k++)
        is_known = k->of == e->of && k->earns_evidence && str_eq(k->run.shape, e->run.shape);
    e->earns_evidence = run_learn_work(&e->of->l, e->r, &e->run, e->event, is_known);
}

static bool has_line(const struct end *e, const char *text, size_t size)
{
    for (const char *p = e->r->habits; *p;) {
        const size_t n = strcspn(p, "\n");
        if (n == size && memcmp(p, text, n) == 0)
            return true;
        p += n + (p[n] == '\n');
    }
    return false;
}

static void learn_habits(struct ends *g, struct end *e, struct settle_reply *ret)
{
    struct member *m = e->of;
    struct buf first;
    uint32_t at = 0;
    if (!e->has_habits)
        return;
    e->is_good = e->event == TRUST_SUCCESS && !e->r->has_bad_finding;
    buf_init(&first, STORE_MAX_HABITS);
    for (const char *p = e->r->habits; *p;) {
        const size_t size = strcspn(p, "\n");
        if (size && size <= BASELINE_LINE) {
            bool is_known = e->is_known[at++];
            for (const struct end *k = g->list; k < e && !is_known; k++)
                is_known = k->of == m && k->has_habits && k->is_good && has_line(k, p, size);
            m->has_new |= !is_known;
            if (!is_known && m->l.learned >= e->r->baseline_runs)
                (void)buf_addf(&first, "%.*s\n", (int)size, p);
        }
        p += size + (p[size] == '\n');
    }
    if (first.size)
        ret->first_times = arena_copy(&g->store->arena, first.data);
    buf_done(&first);
    if (e->is_good) {
        e->learned_as = ++m->l.learned;
        m->has_learned = true;
    }
}

static void decide(struct ends *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        struct end *e = &g->list[i];
        struct settle_reply *ret = e->call->ret;
        struct member *m = e->of;
        const struct trust_marks marks = { .was_stopped = e->r->was_stopped };
        *ret = (struct settle_reply){ .standing_reason = "" };
        if (!m)
            continue;
        const struct agent *a = &m->l.row.agent;
        ret->trust_before = ret->trust_after = a->trust;
        ret->standing_before = ret->standing_after = a->standing;
        ret->standing_reason = a->standing_reason;
        if (!e->run.is_open)
            continue;
        ret->was_settled = true;
        m->is_written = true;
        e->event = trust_event_of(&e->r->trust, (enum run_reason)e->r->reason, &marks);
        learn(g, e, ret);
        m->successes += e->event == TRUST_SUCCESS;
        m->failures += run_is_failure(e->event);
        m->errors += e->event == TRUST_ERROR;
        m->cpu_ms += settle_cpu_ms(e->r);
        learn_work(g, e);
        learn_habits(g, e, ret);
    }
}

/* --- writing ------------------------------------------------------------------------------------------ */

static int write_leases(struct ends *g, struct error *err)
{
    struct columns c;
    columns_init(&c);
    for (const struct end *e = g->list; e < g->list + g->count; e++) {
        if (!e->run.is_open || !settle_cpu_ms(e->r))
            continue;
        put(&c, e->run.agent), put(&c, e->run.level), put(&c, settle_cpu_ms(e->r));
        end_row(&c);
    }
    int done = write_columns(g->store,
                             "UPDATE leases SET cpu_left = cpu_left - u.cpu FROM (SELECT agent, level, sum(cpu) AS cpu "
                             "FROM unnest(" N1 ", " N2 ", " N3
                             ") w(agent, level, cpu) GROUP BY agent, level) u WHERE leases.agent = u.agent AND "
                             "leases.level = u.level AND available > 0 AND cpu_left < " LEASE_NO_CPU_LIMIT,
                             &c, 3, err);
    columns_done(&c);
    return done;
}

static int write_agents(struct ends *g, struct error *err)
{
    struct columns c;
    columns_init(&c);
    for (const struct member *m = g->members; m < g->members + g->member_count; m++) {
        if (!m->is_written)
            continue;
        const struct agent *a = &m->l.row.agent;
        const uint64_t row[] = { m->l.row.number, m->successes,   m->failures,  m->errors,       m->cpu_ms,
                                 a->trust,        a->trust_at_ms, a->debt,      a->start,        m->l.shapes,
                                 m->l.hours,      m->l.last_hour, m->l.learned, a->first_work_ms };
        for (size_t i = 0; i < ARRAY_LEN(row); i++)
            put(&c, row[i]);
        end_row(&c);
    }
    int done = write_columns(g->store,
                             "UPDATE agents SET successes = agents.successes + u.successes, failures = agents.failures "
                             "+ u.failures, errors = agents.errors + u.errors, cpu_ms = agents.cpu_ms + u.cpu_ms, "
                             "trust = u.trust, trust_at_ms = u.trust_at_ms, debt = u.debt, start = u.start, shapes = "
                             "agents.shapes + u.shapes, hours = agents.hours + u.hours, last_hour = u.last_hour, "
                             "learned = u.learned, first_work_ms = u.first_work_ms FROM unnest(" N1 ", " N2 ", " N3
                             ", " N4 ", " N5 ", " N6 ", " N7 ", " N8 ", " N9 ", " N10 ", " N11 ", " N12 ", " N13
                             ", " N14 ") u(number, successes, failures, errors, cpu_ms, trust, trust_at_ms, debt, "
                             "start, shapes, hours, last_hour, learned, first_work_ms) WHERE agents.number = u.number",
                             &c, 14, err);
    columns_done(&c);
    return done;
}

static int write_sums(struct ends *g, struct error *err)
{
    struct columns c;
    columns_init(&c);
    for (const struct member *m = g->members; m < g->members + g->member_count; m++)
        for (uint64_t source = 0; source < TRUST_SOURCES; source++) {
            const struct trust_sum *sum = &m->sums[source];
            if (!sum->times)
                continue;
            put(&c, m->l.row.number), put(&c, source), put(&c, sum->plus), put(&c, sum->minus), put(&c, sum->times);
            end_row(&c);
        }
    int done = write_columns(g->store,
                             "INSERT INTO sums(agent, source, plus, minus, times) SELECT * FROM unnest(" N1 ", " N2
                             ", " N3 ", " N4 ", " N5
                             ") ON CONFLICT(agent, source) DO UPDATE SET plus = sums.plus + excluded.plus, minus = "
                             "sums.minus + excluded.minus, times = sums.times + excluded.times",
                             &c, 5, err);
    columns_done(&c);
    return done;
}

/* Of one time, the last. */
static int write_points(struct ends *g, struct error *err)
{
    struct columns c;
    columns_init(&c);
    for (uint32_t i = 0; i < g->count; i++) {
        const struct end *e = &g->list[i];
        if (!e->run.is_open || !e->moved_trust)
            continue;
        put(&c, e->run.agent), put(&c, e->r->now_ms), put(&c, e->call->ret->trust_after);
        end_row(&c);
    }
    int done = write_columns(
        g->store,
        "INSERT INTO points(agent, at_ms, trust) SELECT DISTINCT ON (agent, at) agent, at, trust FROM unnest(" N1
        ", " N2 ", " N3 ") WITH ORDINALITY u(agent, at, trust, n) ORDER BY agent, at, n DESC ON CONFLICT(agent, at_ms) "
        "DO UPDATE SET trust = excluded.trust",
        &c, 3, err);
    columns_done(&c);
    return done;
}

static int write_gains(struct ends *g, struct error *err)
{
    struct columns codes, shapes;
    columns_init(&codes);
    columns_init(&shapes);
    for (const struct end *e = g->list; e < g->list + g->count; e++) {
        if (!e->run.is_open)
            continue;
        if (e->gain) {
            put(&codes, e->run.agent), put_text(&codes, e->run.code_hash, strlen(e->run.code_hash)),
                put(&codes, e->gain);
            end_row(&codes);
        }
        if ((e->gain && *e->run.shape) || e->earns_evidence) {
            put(&shapes, e->run.agent), put_text(&shapes, e->run.shape, strlen(e->run.shape)), put(&shapes, e->gain);
            put(&shapes, e->earns_evidence);
            end_row(&shapes);
        }
    }
    int done = write_columns(
        g->store,
        "INSERT INTO gains(agent, code_hash, gained) SELECT agent, substr(hash, 2), sum(gain) FROM unnest(" N1 ", " L2
        ", " N3 ") u(agent, hash, gain) GROUP BY agent, hash ON CONFLICT(agent, code_hash) DO UPDATE SET gained = "
        "gains.gained + excluded.gained",
        &codes, 3, err);
    if (done == 0)
        done = write_columns(
            g->store,
            "INSERT INTO shapes(agent, shape, gained, is_work) SELECT agent, substr(shape, 2), sum(gain), max(work) "
            "FROM unnest(" N1 ", " L2 ", " N3 ", " N4
            ") u(agent, shape, gain, work) GROUP BY agent, shape ON CONFLICT(agent, shape) DO UPDATE SET gained = "
            "shapes.gained + excluded.gained, is_work = greatest(shapes.is_work, excluded.is_work)",
            &shapes, 4, err);
    columns_done(&codes);
    columns_done(&shapes);
    return done;
}

static int write_runs(struct ends *g, struct error *err)
{
    struct columns c;
    int done = 0;
    columns_init(&c);
    for (const struct end *e = g->list; e < g->list + g->count; e++) {
        if (e->run.was_taken_over && done == 0)
            done = RUN(g->store, err, "UPDATE runs SET is_recovered = ?2 WHERE number = ?1", e->run.number,
                       RECOVERED_LATE);
        if (!e->run.is_open)
            continue;
        const struct settle *r = e->r;
        const uint64_t row[] = { e->run.number,
                                 r->awaits_audit ? 2 : 1,
                                 r->now_ms,
                                 r->reason,
                                 e->event,
                                 settle_cpu_ms(r),
                                 r->duration_ms,
                                 r->peak_memory_bytes,
                                 e->call->ret->trust_before,
                                 e->call->ret->trust_after,
                                 e->gain };
        for (size_t i = 0; i < ARRAY_LEN(row); i++)
            put(&c, row[i]);
        end_row(&c);
    }
    if (done == 0)
        done = write_columns(g->store,
                             "UPDATE runs SET state = u.state, ended_ms = u.ended_ms, reason = u.reason, event = "
                             "u.event, cpu_ms = u.cpu_ms, duration_ms = u.duration_ms, peak_memory = u.peak, "
                             "trust_before = u.before, trust_after = u.after, gain = u.gain FROM unnest(" N1 ", " N2
                             ", " N3 ", " N4 ", " N5 ", " N6 ", " N7 ", " N8 ", " N9 ", " N10 ", " N11
                             ") u(number, state, ended_ms, reason, event, cpu_ms, duration_ms, peak, before, after, "
                             "gain) WHERE runs.number = u.number AND runs.state = 0",
                             &c, 11, err);
    columns_done(&c);
    return done;
}

static int write_habits(struct ends *g, struct error *err)
{
    struct columns c;
    columns_init(&c);
    for (const struct end *e = g->list; e < g->list + g->count; e++)
        for (const char *p = e->run.is_open && e->has_habits && e->is_good ? e->r->habits : ""; *p;) {
            const size_t size = strcspn(p, "\n");
            if (size && size <= BASELINE_LINE) {
                put(&c, e->run.agent), put_text(&c, p, size), put(&c, e->learned_as), put(&c, e->r->now_ms);
                end_row(&c);
            }
            p += size + (p[size] == '\n');
        }
    int done = write_columns(g->store,
                             "INSERT INTO baseline(agent, what, run, times, first_ms, last_ms) SELECT agent, "
                             "substr(what, 2), max(run), count(*), min(at), max(at) FROM unnest(" N1 ", " L2 ", " N3
                             ", " N4
                             ") u(agent, what, run, at) GROUP BY agent, what ON CONFLICT(agent, what) DO UPDATE SET "
                             "run = excluded.run, times = baseline.times + excluded.times, last_ms = excluded.last_ms",
                             &c, 4, err);
    columns_done(&c);
    for (uint32_t i = 0; i < g->member_count && done == 0; i++)
        if (g->members[i].has_learned)
            done = baseline_forget(g->store, g->members[i].l.row.number, g->members[i].l.learned, g->members[i].has_new,
                                   err);
    return done;
}

static int write_meter(struct ends *g, struct error *err)
{
    struct columns c;
    columns_init(&c);
    for (const struct end *e = g->list; e < g->list + g->count; e++) {
        if (!e->run.is_open)
            continue;
        const struct use *u = &e->r->use;
        put(&c, e->run.agent), put_text(&c, e->run.key_id, strlen(e->run.key_id)),
            put(&c, e->r->now_ms / LIMIT_HOUR_MS);
        put(&c, e->r->has_uncounted), put(&c, u->cpu_us), put(&c, u->memory_mib_ms);
        put(&c, u->bytes_in), put(&c, u->bytes_out);
        end_row(&c);
    }
    int done = write_columns(
        g->store,
        "INSERT INTO meter(agent, key_id, hour, runs, unmeasured, cpu_us, memory_mib_ms, bytes_in, bytes_out) SELECT "
        "w.agent, substr(key, 2), hour, count(*), sum(unmeasured), sum(cpu), sum(memory), sum(bytes_in), "
        "sum(bytes_out) FROM unnest(" N1 ", " L2 ", " N3 ", " N4 ", " N5 ", " N6 ", " N7 ", " N8
        ") u(agent, key, hour, unmeasured, cpu, memory, bytes_in, bytes_out), LATERAL (VALUES(u.agent), (0)) w(agent) "
        "GROUP BY w.agent, key, hour ORDER BY w.agent DESC, key, hour ON CONFLICT(agent, key_id, hour) DO UPDATE SET "
        "runs = meter.runs + excluded.runs, unmeasured = meter.unmeasured + excluded.unmeasured, cpu_us = meter.cpu_us "
        "+ excluded.cpu_us, memory_mib_ms = meter.memory_mib_ms + excluded.memory_mib_ms, bytes_in = meter.bytes_in + "
        "excluded.bytes_in, bytes_out = meter.bytes_out + excluded.bytes_out",
        &c, 8, err);
    columns_done(&c);
    return done;
}

/* In the order in which all transactions take rows (leases.c). */
static int write_all(struct ends *g, struct error *err)
{
    static int (*const steps[])(struct ends *, struct error *) = { write_leases, write_agents, write_sums,
                                                                   write_points, write_gains,  write_runs,
                                                                   write_habits, write_meter };
    int e = 0;
    for (size_t i = 0; i < ARRAY_LEN(steps) && e == 0; i++)
        e = steps[i](g, err);
    return e;
}

/* --- the counts for alerts --------------------------------------------------------------------------- */

#define NEWEST_OF(level)                                                                                               \
    "(SELECT string_agg(CAST(event AS TEXT), '' ORDER BY ended_ms DESC) FROM (SELECT event, ended_ms FROM runs WHERE " \
    "state > 0 AND agent = ?1 AND level = " level " AND ended_ms > ?2 ORDER BY ended_ms DESC LIMIT 100) of_" level ")"

/* As they are before these ends. */
static void ask_counts(struct ends *g, struct member *m, const struct settle *r)
{
    m->is_asked = true;
    if (r->failure_window_ms) {
        m->newest = query_start(g->store, "SELECT " NEWEST_OF("0") ", " NEWEST_OF("1") ", " NEWEST_OF("2"));
        query_u64(&m->newest, m->l.row.number);
        query_u64(&m->newest, r->now_ms - MIN_OF(r->now_ms, r->failure_window_ms));
        query_send(&m->newest);
    }
    if (r->volume_window_ms) {
        m->volume = run_ask_volume(g->store, m->l.row.number, r);
        query_send(&m->volume);
    }
    if (r->refusal_window_ms) {
        m->refusals = refusals_ask(g->store, m->l.row.number, r->refusal_window_ms, r->now_ms);
        query_send(&m->refusals);
    }
}
_Static_assert(TRUST_EVENTS <= 10, "an event is one digit");

static void ask_all_counts(struct ends *g)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (g->list[i].run.is_open && !g->list[i].of->is_asked)
            ask_counts(g, g->list[i].of, g->list[i].r);
}

static int read_number(struct query *q, int e, uint32_t *ret, struct error *err)
{
    *ret = query_row(q) ? (uint32_t)MIN_OF(query_get_u64(q, 0), (uint64_t)UINT32_MAX) : 0;
    int done = query_done(q, e == 0 ? err : NULL);
    return e == 0 ? done : e;
}

static int read_member_counts(struct member *m, const struct settle *r, int e, struct error *err)
{
    if (r->failure_window_ms) {
        const bool has_row = query_row(&m->newest);
        for (int level = 0; has_row && level < RISK_COUNT; level++) {
            const char *text = query_get_text(&m->newest, level);
            (void)snprintf(m->events[level], sizeof m->events[level], "%s", text ? text : "");
        }
        int done = query_done(&m->newest, e == 0 ? err : NULL);
        e = e == 0 ? done : e;
    }
    if (r->volume_window_ms)
        e = read_number(&m->volume, e, &m->volume_runs, err);
    if (r->refusal_window_ms)
        e = read_number(&m->refusals, e, &m->window_refusals, err);
    return e;
}

/* With this one and those before it. */
static void tell_counts(struct end *e)
{
    struct member *m = e->of;
    struct settle_reply *ret = e->call->ret;
    ret->volume_runs = m->volume_runs;
    ret->window_refusals = m->window_refusals;
    if (!e->r->failure_window_ms)
        return;
    char *events = m->events[e->run.level];
    memmove(events + 1, events, NEWEST - 1);
    events[0] = (char)('0' + (int)e->event);
    for (int level = 0; level < RISK_COUNT; level++)
        for (const char *p = m->events[level]; *p; p++) {
            ret->window_runs++;
            ret->window_failures += *p >= '0' + TRUST_FAILURE && *p <= '0' + TRUST_ATTEMPT;
        }
    ret->window_runs = ret->window_failures ? ret->window_runs : 0;
}

/* Also after a failure: what was asked has to be dropped. */
static int read_counts(struct ends *g, int e, struct error *err)
{
    for (uint32_t i = 0; i < g->count; i++) {
        struct member *m = g->list[i].of;
        if (m && m->is_asked) {
            m->is_asked = false;
            e = read_member_counts(m, g->list[i].r, e, err);
        }
    }
    for (uint32_t i = 0; i < g->count && e == 0; i++)
        if (g->list[i].run.is_open)
            tell_counts(&g->list[i]);
    return e;
}

/* --- together ----------------------------------------------------------------------------------------- */

static void drop_questions(struct ends *g)
{
    (void)query_done(&g->runs, NULL);
    (void)query_done(&g->agents, NULL);
    for (uint32_t i = 0; i < g->count; i++)
        if (g->list[i].has_habits)
            (void)query_done(&g->list[i].habits, NULL);
}

static bool has_same_windows(const struct settle *a, const struct settle *b)
{
    return a->failure_window_ms == b->failure_window_ms && a->volume_window_ms == b->volume_window_ms &&
           a->refusal_window_ms == b->refusal_window_ms && a->volume_enough == b->volume_enough;
}

/* What is counted is counted once an agent. */
static bool has_windows_in_common(const struct ends *g)
{
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (g->list[k].of == g->list[i].of && !has_same_windows(g->list[k].r, g->list[i].r))
                return false;
    return true;
}

static int settle_all(struct ends *g, struct error *err)
{
    int e = g->store->driver->lock_runs(g->store, g->ids.data, g->ids.size, err);
    if (e < 0)
        return e;
    ask(g);
    e = read_runs(g, err);
    int agents = read_agents(g, e == 0 ? err : NULL), habits = read_habits(g, e == 0 && agents == 0 ? err : NULL);
    e = e ? e : agents ? agents : habits;
    if (e) {
        drop_questions(g);
        return e;
    }
    if (!has_windows_in_common(g))
        return LEFT_LIST;
    decide(g);
    ask_all_counts(g);
    return write_all(g, err);
}

/* 0, LEFT_LIST or negative. */
static int settle_together(struct ends *g, struct error *err)
{
    struct sql *s = g->store;
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    e = settle_all(g, err);
    if (e == LEFT_LIST)
        return transaction_drop(s, err) < 0 ? err->code : LEFT_LIST;
    e = transaction_end(s, e, err);
    return read_counts(g, e, err);
}

static bool is_plain(const struct ends *g, const struct settle *r)
{
    if (r->violation_count || strchr(r->execution_id, '\n') ||
        (r->habits && r->baseline_runs && strlen(r->habits) >= HABITS))
        return false;
    for (uint32_t i = 0; i < g->count; i++)
        if (str_eq(g->list[i].r->execution_id, r->execution_id))
            return false;
    return true;
}

static void add(struct ends *g, struct settle_call *call)
{
    struct end *e = &g->list[g->count++];
    const struct settle *r = call->request;
    *e = (struct end){ .call = call, .r = r, .has_habits = r->habits && r->baseline_runs };
    (void)buf_adds(&g->ids, g->ids.size ? "\n=" : "=");
    (void)buf_adds(&g->ids, r->execution_id);
    g->has_habits |= e->has_habits;
    for (const char *p = e->has_habits ? r->habits : ""; *p;) {
        const size_t size = strcspn(p, "\n");
        e->lines += size && size <= BASELINE_LINE;
        p += size + (p[size] == '\n');
    }
}

static void settle_alone(struct store *handle, struct settle_call *call)
{
    struct store own = *handle;
    own.arena = call->arena;
    call->e = sql_call(&own, LEDGER_SETTLE, call->request, call->ret, call->err);
    call->is_done = true;
}

/* The first of them, as many as can be settled together. */
static void settle_some(struct store *handle, struct ends *g, struct settle_call *calls, uint32_t n)
{
    struct sql *s = handle->self;
    struct error err = { 0 };
    unsigned tries = 0;
    int e;
    *g = (struct ends){ .store = s };
    buf_init(&g->ids, MIB);
    for (uint32_t i = 0; i < n && g->count < STORE_SETTLE_MANY && is_plain(g, calls[i].request); i++)
        add(g, &calls[i]);
    do {
        for (uint32_t i = 0; i < g->count; i++) { /* as when they came */
            struct settle_call *call = g->list[i].call;
            g->list[i] = (struct end){
                .call = call, .r = call->request, .has_habits = g->list[i].has_habits, .lines = g->list[i].lines
            };
        }
        memset(g->members, 0, sizeof g->members);
        g->member_count = 0;
        e = g->count < 2 || g->ids.failed ? LEFT_LIST : settle_together(g, &err); /* for one it is the dearer way */
    } while (sql_tries_again(s, e, &tries));
    buf_done(&g->ids);
    for (uint32_t i = 0; i < g->count; i++) {
        struct settle_call *call = g->list[i].call;
        struct store own = *handle;
        if (e != 0 && e != -EHOSTDOWN)
            continue;
        own.arena = call->arena;
        if (e < 0)
            *call->err = err;
        call->e = e < 0 ? e : store_adopt(&own, LEDGER_SETTLE, call->ret, call->err);
        call->is_done = true;
    }
    for (uint32_t i = 0; i < g->count; i++) /* whichever it was that failed, it stops no other */
        if (!g->list[i].call->is_done)
            settle_alone(handle, g->list[i].call);
}

void sql_settle_many(struct store *handle, struct settle_call *calls, uint32_t n)
{
    struct sql *s = handle->self;
    struct ends *g = n > 1 && s->driver->lock_runs ? malloc(sizeof *g) : NULL; /* NULL: one by one */
    for (uint32_t i = 0; i < n; i++)
        calls[i].is_done = false;
    for (uint32_t i = 0; i < n; i++) {
        if (!calls[i].is_done && g)
            settle_some(handle, g, calls + i, n - i);
        if (!calls[i].is_done)
            settle_alone(handle, &calls[i]);
    }
    free(g);
}
