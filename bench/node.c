/* node.c - what one node gets from a PostgreSQL that nodes share: many threads, one store with its lock, as in
 * sandboxd.
 *
 *   node PLACE THREADS AGENTS one|together SECONDS free|limits
 *
 * PLACE: bench/fleet.py writes it. Runs (asked for, booked, settled) a second, and how long one took.
 * one: each run is booked and settled by itself, as before there was store/gather.h; together: as sandboxd does.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/parse.h"
#include "postgres/postgres.h"
#include "store/gather.h"
#include "stats.h"
#include "store/place.h"

#define THREADS 64u

static struct bench {
    pthread_mutex_t lock;
    struct store *store;
    struct gather *gather;
    bool is_together, has_limits;
    uint64_t threads, agents, until_us;
    _Atomic uint64_t runs, failed;
    struct samples took[THREADS];
} bench = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int ask(const char *agent_id, struct agent *ret, struct arena *arena, struct error *err)
{
    if (bench.is_together)
        return gather_agent(bench.gather, &(struct ledger_key){ .id = agent_id, .window_ms = 1000 }, ret, arena, err);
    (void)pthread_mutex_lock(&bench.lock);
    struct store own = *bench.store;
    own.arena = arena;
    int e = store_agent(&own, agent_id, NULL, ret, err);
    (void)pthread_mutex_unlock(&bench.lock);
    return e;
}

static int book(const char *agent_id, const char *id, uint64_t now_ms, struct arena *arena, struct error *err)
{
    static const struct limit_rules none = { 0 }, far = { .runs_per_hour = 1000000,
                                                          .runs_per_day = 1000000,
                                                          .cpu_ms_per_hour = 1u << 30,
                                                          .global_concurrent = 500,
                                                          .global_runs_per_hour = 10000000 };
    struct reserve_reply reply;
    struct agent agent;
    int e = ask(agent_id, &agent, arena, err);
    do { /* another thread has changed its trust, as in run/judge.c */
        const struct reserve r = { .execution_id = id,
                                   .agent_id = agent_id,
                                   .code_hash = "",
                                   .language = "python",
                                   .level = 1,
                                   .now_ms = now_ms,
                                   .owner_pid = (uint64_t)getpid(),
                                   .trust_seen = agent.is_known ? agent.trust : 500,
                                   .initial_trust = 500,
                                   .limits = bench.has_limits ? far : none };
        if (e == 0 && bench.is_together) {
            e = gather_reserve(bench.gather, &r, &reply, arena, err);
            agent = reply.agent;
            continue;
        }
        (void)pthread_mutex_lock(&bench.lock);
        struct store own = *bench.store;
        own.arena = arena;
        e = e < 0 ? e : store_reserve(&own, &r, &reply, err);
        agent = reply.agent;
        (void)pthread_mutex_unlock(&bench.lock);
    } while (e == 0 && reply.outcome == RESERVE_RETRY);
    return e < 0 ? e : reply.outcome == RESERVE_OK ? 0 : -EAGAIN;
}

static int settle(const char *id, uint64_t i, uint64_t now_ms, struct arena *arena, struct error *err)
{
    struct settle_reply reply;
    const struct settle s = { .execution_id = id,
                              .reason = i % 3 ? REASON_COMPLETED : REASON_ERROR,
                              .now_ms = now_ms,
                              .use.cpu_us = 3000,
                              .keeps_trust = true,
                              .standing = { 3, LIMIT_DAY_MS, true },
                              .failure_window_ms = LIMIT_HOUR_MS,
                              .volume_window_ms = LIMIT_HOUR_MS,
                              .volume_enough = 100,
                              .trust = { .initial = 500,
                                         .max = 1000,
                                         .success = 50,
                                         .failure = 100,
                                         .violation = 300,
                                         .gain_per_hour = 100,
                                         .gain_per_code = 50 } };
    if (bench.is_together)
        return gather_settle(bench.gather, &s, &reply, arena, err);
    (void)pthread_mutex_lock(&bench.lock);
    struct store own = *bench.store;
    own.arena = arena;
    int e = store_settle(&own, &s, &reply, err);
    (void)pthread_mutex_unlock(&bench.lock);
    return e;
}

static void *work(void *context)
{
    const uint64_t me = (uint64_t)(uintptr_t)context;
    char id[48], agent_id[32];
    (void)snprintf(agent_id, sizeof agent_id, "agent-%llu", (unsigned long long)(me % bench.agents));
    for (uint64_t i = 0; clock_us() < bench.until_us; i++) {
        struct arena arena = { 0 };
        struct error err = { 0 };
        const uint64_t begun = clock_us(), now_ms = wall_clock_ms();
        (void)snprintf(id, sizeof id, "exec-%d-%llu-%llu", (int)getpid(), (unsigned long long)me,
                       (unsigned long long)i);
        int e = book(agent_id, id, now_ms, &arena, &err);
        if (e == 0)
            e = settle(id, i, now_ms, &arena, &err);
        if (e < 0 && !bench.failed++)
            (void)fprintf(stderr, "%s\n", err.text);
        bench.runs++;
        samples_add(&bench.took[me], (double)(clock_us() - begun));
        arena_done(&arena);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    struct arena arena = { 0 };
    struct store_place place;
    struct error err = { 0 };
    uint64_t seconds;
    if (argc != 7 || parse_u64(argv[2], &bench.threads) < 0 || bench.threads > THREADS ||
        parse_u64(argv[3], &bench.agents) < 0 || !bench.agents || parse_u64(argv[5], &seconds) < 0)
        return 2;
    bench.has_limits = str_eq(argv[6], "limits");
    bench.is_together = str_eq(argv[4], "together");
    if (store_place_read(argv[1], &arena, &place, &err) < 0 ||
        postgres_open(&place, false, false, &bench.store, &err) < 0 ||
        !(bench.gather = gather_new(&bench.lock, bench.store))) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    const uint64_t begun = clock_us();
    bench.until_us = begun + seconds * 1000000;
    for (uint64_t i = 0; i < bench.threads; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i) != 0)
            return 1;
    for (uint64_t i = 0; i < bench.threads; i++)
        (void)pthread_join(threads[i], NULL);
    const double took_s = (double)(clock_us() - begun) / 1e6;
    struct samples all = { 0 };
    for (uint64_t i = 0; i < bench.threads; i++)
        for (size_t k = 0; k < bench.took[i].count; k++)
            samples_add(&all, bench.took[i].us[k]);
    (void)printf("%.0f %.0f %.0f %llu\n", (double)bench.runs / took_s, samples_percentile(&all, 50),
                 samples_percentile(&all, 99), (unsigned long long)bench.runs);
    bench.gather = gather_free(bench.gather);
    (void)store_close(bench.store);
    arena_done(&arena);
    return bench.failed ? 1 : 0;
}
