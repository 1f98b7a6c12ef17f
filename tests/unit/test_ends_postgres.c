/* Runs that are settled together (src/sql/ends.c) leave in the database, and tell each caller, what settling one behind
 * the other does. Both are done with the same runs, made at random, and every row is compared. */
#include <pthread.h>

#include "postgres.h"
#include "postgres/private.h"
#include "store/gather.h"

#define T0     UINT64_C(1700000000000)
#define ROUNDS 40u
#define MOST   40u /* of one round: more than one transaction takes */

static uint32_t seed;

static uint32_t any(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

/* One of the rounds: what is settled, and what was told. */
struct round {
    uint32_t count;
    struct settle list[MOST];
    struct settle_reply replies[MOST];
    struct settle_call calls[MOST];
    struct error errors[MOST];
    char ids[MOST][24], habits[MOST][160];
};

static void book(struct store *s, const char *id, uint32_t i, uint64_t now_ms)
{
    static const char *const shapes[] = { "", "00000000000000a1", "00000000000000a2", "00000000000000a3" };
    static const char *const codes[] = { "", "00000000000000000000000000000000000000000000000000000000000000c1",
                                         "00000000000000000000000000000000000000000000000000000000000000c2" };
    char agent_id[8];
    struct agent a = { 0 };
    struct reserve_reply reply;
    struct error err = { 0 };
    (void)snprintf(agent_id, sizeof agent_id, "a%u", any(3));
    CHECK_EQ(store_agent(s, agent_id, NULL, &a, &err), 0);
    const struct reserve r = { .execution_id = id,
                               .agent_id = agent_id,
                               .code_hash = codes[any(3)],
                               .language = "python",
                               .level = (uint8_t)any(3),
                               .now_ms = now_ms,
                               .owner_pid = (uint64_t)getpid(),
                               .trust_seen = a.is_known ? a.trust : 500,
                               .initial_trust = 500,
                               .shape = shapes[any(4)],
                               .tree = "00000000000000b1",
                               .size = any(40),
                               .key_id = i % 2 ? "key-000000000001" : NULL };
    CHECK_EQ(store_reserve(s, &r, &reply, &err), 0);
    CHECK(reply.outcome == RESERVE_OK || reply.outcome == RESERVE_STANDING || reply.outcome == RESERVE_KNOWN_BAD ||
          reply.outcome == RESERVE_SHAPE);
}

/* Lines, some of which come again in other runs. */
static void make_habits(char *out, size_t size)
{
    size_t n = 0;
    for (uint32_t i = 0, lines = any(4); i < lines; i++)
        n += (size_t)snprintf(out + n, size - n, "program: /usr/bin/p%u\n", 4 * i + any(4));
}

static void make(struct store *s, struct round *w, uint32_t round)
{
    static const enum run_reason reasons[] = { REASON_COMPLETED,    REASON_COMPLETED, REASON_COMPLETED,
                                               REASON_COMPLETED,    REASON_ERROR,     REASON_TIMEOUT,
                                               REASON_SANDBOX_ERROR };
    static const struct violation offence[] = { { "blocked_syscall", "ptrace", 0, SEVERITY_HIGH } };
    /* no window ends within a round: there it may be milliseconds apart */
    const uint64_t now_ms = T0 + (uint64_t)round * 25 * 60000;
    *w = (struct round){ .count = 1 + any(MOST) };
    for (uint32_t i = 0; i < w->count; i++) {
        (void)snprintf(w->ids[i], sizeof w->ids[i], "exec-%u-%u", round, i);
        if (any(20))
            book(s, w->ids[i], i, now_ms);
        if (i && !any(12)) /* told twice */
            (void)snprintf(w->ids[i], sizeof w->ids[i], "exec-%u-%u", round, any(i));
        make_habits(w->habits[i], sizeof w->habits[i]);
        w->list[i] = (struct settle){
            .execution_id = w->ids[i],
            .reason = (uint8_t)reasons[any(ARRAY_LEN(reasons))],
            .was_stopped = !any(10),
            .awaits_audit = any(2),
            .now_ms = now_ms + i * any(2),
            .duration_ms = any(5000),
            .peak_memory_bytes = any(1u << 20),
            .use = { .cpu_us = any(9000), .memory_mib_ms = any(100), .bytes_in = any(50), .bytes_out = any(50) },
            .has_uncounted = !any(9),
            .keeps_trust = any(8),
            .trust = { .initial = 500,
                       .max = 1000,
                       .success = 20 + any(30),
                       .error = 20,
                       .failure = 50,
                       .violation = 300,
                       .attempt = 200,
                       .error_rate = 300,
                       .gain_per_hour = 200,
                       .gain_per_code = 100,
                       .gain_per_shape = 120,
                       .recover_per_hour = 10,
                       .memory_ms = LIMIT_DAY_MS,
                       .drift_per_day = 5,
                       .work_size = 20 },
            .standing = { 50, LIMIT_DAY_MS, true },
            .failure_window_ms = LIMIT_DAY_MS,
            /* an alert may just have been told: then nothing is counted for it */
            .volume_window_ms = round % 8 || any(4) ? LIMIT_HOUR_MS : 0,
            .volume_enough = 30,
            .refusal_window_ms = LIMIT_HOUR_MS,
            .has_bad_finding = !any(7),
            .habits = any(3) ? w->habits[i] : NULL,
            .baseline_runs = 5,
        };
        if (!any(25))
            w->list[i].violations[w->list[i].violation_count++] = offence[0];
    }
    if (!any(3)) /* its owner was held for dead */
        (void)postgres_ask("UPDATE runs SET state = 2, is_recovered = 1 WHERE number = (SELECT max(number) FROM runs)");
}

static void settle(struct store *s, struct round *w, bool together, struct arena *arena)
{
    for (uint32_t i = 0; i < w->count; i++)
        w->calls[i] = (struct settle_call){
            .request = &w->list[i], .ret = &w->replies[i], .arena = arena, .err = &w->errors[i]
        };
    if (together)
        store_settle_many(s, w->calls, w->count);
    for (uint32_t i = 0; i < w->count; i++) {
        struct store own = *s;
        own.arena = arena;
        if (!together)
            w->calls[i].e = store_settle(&own, &w->list[i], &w->replies[i], &w->errors[i]);
        if (w->calls[i].e < 0)
            (void)fprintf(stderr, "# %s\n", w->errors[i].text);
        CHECK_EQ(w->calls[i].e, 0);
    }
}

static void tell(const struct round *w, struct buf *out)
{
    for (uint32_t i = 0; i < w->count; i++) {
        const struct settle_reply *r = &w->replies[i];
        (void)buf_addf(out, "%s: %d %u %u %u %u '%s' %u %u %u %u '%s'\n", w->ids[i], r->was_settled, r->trust_before,
                       r->trust_after, r->standing_before, r->standing_after, r->standing_reason, r->window_runs,
                       r->window_failures, r->volume_runs, r->window_refusals, r->first_times ? r->first_times : "");
    }
}

/* Every row, but for numbers that the database gives. */
static void tell_rows(struct buf *out)
{
    static const char *const tables[] = {
        "SELECT id, trust, trust_at_ms, standing, standing_reason, standing_since_ms, runs, successes, failures, "
        "violations, refusals, cpu_ms, errors, attempts, start, debt, level, last_offence_ms, quarantines, shapes, "
        "hours, last_hour, first_work_ms, is_vouched, learned FROM agents",
        "SELECT execution_id, state, is_recovered, started_ms, ended_ms, reason, event, cpu_ms, duration_ms, "
        "peak_memory, trust_before, trust_after, gain FROM runs",
        "SELECT a.id, g.code_hash, g.gained FROM gains g JOIN agents a ON a.number = g.agent",
        "SELECT a.id, h.shape, h.gained, h.is_work FROM shapes h JOIN agents a ON a.number = h.agent",
        "SELECT a.id, u.source, u.plus, u.minus, u.times FROM sums u JOIN agents a ON a.number = u.agent",
        "SELECT a.id, p.at_ms, p.trust FROM points p JOIN agents a ON a.number = p.agent",
        "SELECT a.id, b.what, b.run, b.times, b.first_ms, b.last_ms FROM baseline b JOIN agents a ON a.number = "
        "b.agent",
        "SELECT a.id, m.key_id, m.hour, m.runs, m.unmeasured, m.cpu_us, m.memory_mib_ms, m.bytes_in, m.bytes_out FROM "
        "meter m LEFT JOIN agents a ON a.number = m.agent",
        "SELECT a.id, l.level, l.is_job, l.cpu_left FROM leases l JOIN agents a ON a.number = l.agent",
        "SELECT a.id, k.kind, k.hash, k.type, k.at_ms FROM known k JOIN agents a ON a.number = k.agent",
    };
    char text[900];
    const struct store_place here = postgres_here();
    const char *const keys[] = { "host", "dbname", "user", NULL };
    const char *const values[] = { here.host, here.database, here.user, NULL };
    PGconn *c = PQconnectdbParams(keys, values, 0);
    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        (void)snprintf(text, sizeof text, "SELECT CAST(t AS TEXT) FROM (%s) t ORDER BY 1", tables[i]);
        PGresult *r = PQexec(c, text);
        CHECK_EQ(PQresultStatus(r), PGRES_TUPLES_OK);
        for (int row = 0; row < PQntuples(r); row++)
            (void)buf_addf(out, "%zu %s\n", i, PQgetvalue(r, row, 0));
        PQclear(r);
    }
    PQfinish(c);
}

static void go(bool together, uint32_t first_seed, struct buf *out)
{
    static struct round w;
    struct arena arena = { 0 };
    const struct store_place o = postgres_here();
    struct store *s = NULL;
    struct error err = { 0 };
    postgres_begin_anew();
    CHECK_EQ(postgres_open(&o, false, false, &s, &err), 0);
    seed = first_seed;
    buf_init(out, 16 * MIB);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        make(s, &w, round);
        settle(s, &w, together, &arena);
        tell(&w, out);
    }
    tell_rows(out);
    CHECK(!out->failed);
    (void)store_close(s);
    arena_done(&arena);
}

TEST(ends_that_are_settled_together_are_as_if_one_came_after_the_other)
{
    struct buf one_by_one, together;
    go(false, 333, &one_by_one);
    go(true, 333, &together);
    for (const char *a = one_by_one.data, *b = together.data; *a || *b;) {
        const size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
        if (n != m || memcmp(a, b, n) != 0) {
            (void)fprintf(stderr, "# one by one: %.*s\n# together:   %.*s\n", (int)n, a, (int)m, b);
            CHECK(!"they are alike");
        }
        a += n + (a[n] == '\n');
        b += m + (b[m] == '\n');
    }
    buf_done(&one_by_one);
    buf_done(&together);
}

TEST(plain_ends_of_several_agents_are_one_transaction_and_one_with_an_offence_is_its_own)
{
    static struct round w;
    struct arena arena = { 0 };
    const struct store_place o = postgres_here();
    struct store *s = NULL;
    struct error err = { 0 };
    postgres_begin_anew();
    CHECK_EQ(postgres_open(&o, false, false, &s, &err), 0);
    w.count = 9;
    for (uint32_t i = 0; i < w.count; i++) {
        (void)snprintf(w.ids[i], sizeof w.ids[i], "exec-%u", i);
        book(s, w.ids[i], i, T0);
        w.list[i] = (struct settle){ .execution_id = w.ids[i], .reason = REASON_COMPLETED, .now_ms = T0 };
    }
    w.list[8].violations[0] = (struct violation){ "blocked_syscall", "ptrace", 0, SEVERITY_HIGH };
    w.list[8].violation_count = 1;
    settle(s, &w, true, &arena);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs WHERE state = 1"), 9);
    CHECK_EQ(postgres_ask("SELECT count(DISTINCT CAST(xmin AS TEXT)) FROM runs"), 2);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM violations"), 1);
    (void)store_close(s);
    arena_done(&arena);
}
