/* ledger.c - what a question, a reservation and a settlement cost, by the real client against the real sandbox-ledger.
 *
 *   ledger PROGRAM DATABASE                           DATABASE: a new file, in a new directory
 *   ledger PROGRAM DATABASE AGENT                     likewise for this agent: several at once (bench/fleet.py)
 *   ledger PROGRAM DATABASE OTHER_PROGRAM DATABASE    what a run costs one more than the other: blocks of runs in turns
 *                                                     (ABBA), the processes' CPU time and the wall's, the median of the
 *                                                     differences and an interval that has it with 95 %
 *
 * All limits and alert windows are on, one agent, so the windows fill as it goes: the cost is shown at three fillings.
 */
#include <stdio.h>
#include <time.h>
#include "stats.h"
#include "store/remote.h"

#define RUNS   1000
#define SAMPLE 100 /* the last so many before a filling is shown */
#define TURNS  60  /* of the comparison: A, B, B, A */
#define BLOCK  8

static const char *agent_id = "a1";

struct bench {
    struct store ledger;
    int pid;
    struct error err;
    uint64_t took_us[3][RUNS];
};

static uint64_t clock_us(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static int one_run(struct bench *b, unsigned i)
{
    char id[32], hash[65];
    struct agent agent;
    struct reserve_reply reserved;
    struct settle_reply settled;
    uint64_t now_ms = clock_us(CLOCK_REALTIME) / 1000, begun = clock_us(CLOCK_MONOTONIC);
    (void)snprintf(id, sizeof id, "exec-%d-%u", (int)getpid(), i);
    (void)snprintf(hash, sizeof hash, "%064x", i);
again:;
    int e = store_agent(&b->ledger, agent_id, NULL, &agent, &b->err);
    b->took_us[0][i] = clock_us(CLOCK_MONOTONIC) - begun;
    const struct reserve r = { .execution_id = id,
                               .agent_id = agent_id,
                               .code_hash = hash,
                               .language = "python",
                               .level = 1,
                               .now_ms = now_ms,
                               .owner_pid = (uint64_t)getpid(),
                               .trust_seen = agent.is_known ? agent.trust : 500,
                               .initial_trust = 500,
                               .limits = { 100000, 100000, 1u << 30, 0, 50, 100000 } };
    begun = clock_us(CLOCK_MONOTONIC);
    e = e < 0 ? e : store_reserve(&b->ledger, &r, &reserved, &b->err);
    b->took_us[1][i] = clock_us(CLOCK_MONOTONIC) - begun;
    if (e == 0 && reserved.outcome == RESERVE_RETRY) /* another process has changed its trust, as in run/exec.c */
        goto again;
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
    begun = clock_us(CLOCK_MONOTONIC);
    e = e < 0 ? e : store_settle(&b->ledger, &s, &settled, &b->err);
    b->took_us[2][i] = clock_us(CLOCK_MONOTONIC) - begun;
    return e < 0 ? e : reserved.outcome == RESERVE_OK && settled.was_settled ? 0 : -EINVAL;
}

static void show(const struct bench *b, unsigned filled)
{
    static const char *const names[] = { "agent", "reserve", "settle" };
    (void)printf("%5u runs in the hour:", filled);
    for (size_t k = 0; k < 3; k++) {
        struct samples last = { 0 };
        for (unsigned i = filled - SAMPLE; i < filled; i++)
            samples_add(&last, (double)b->took_us[k][i]);
        (void)printf("  %s p50 %.0f us, p99 %.0f us", names[k], samples_percentile(&last, 50),
                     samples_percentile(&last, 99));
        samples_done(&last);
    }
    (void)printf("\n");
}

/* --- two of them, in turns ------------------------------------------------------------------------- */

static double ns_of(clockid_t clock)
{
    struct timespec t = { 0 };
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Adds microseconds a run, of the process' CPU and of the wall. */
static int run_block(struct bench *b, unsigned *next, double sign, double ret[static 2])
{
    clockid_t cpu;
    if (clock_getcpuclockid(b->pid, &cpu) != 0)
        return -ESRCH;
    const double before[2] = { ns_of(cpu), ns_of(CLOCK_MONOTONIC) };
    for (unsigned i = 0; i < BLOCK; i++)
        if (one_run(b, (*next)++) < 0)
            return -EIO;
    ret[0] += sign * (ns_of(cpu) - before[0]) / 1e3 / BLOCK;
    ret[1] += sign * (ns_of(CLOCK_MONOTONIC) - before[1]) / 1e3 / BLOCK;
    return 0;
}

/* The interval: by the order of the values, whatever their distribution; of 60, the 22nd and the 39th. */
static void tell(const char *what, double *difference, double *of_first)
{
    qsort(difference, TURNS, sizeof *difference, samples_compare);
    qsort(of_first, TURNS, sizeof *of_first, samples_compare);
    const double base = of_first[TURNS / 2];
    (void)printf("| %s | %.1f | %+.1f | %+.1f to %+.1f | %+.1f %% |\n", what, base, difference[TURNS / 2],
                 difference[21], difference[38], 100 * difference[TURNS / 2] / base);
}

/* What was started last: the kernel lists children in the order of their birth. */
static int newest_child(void)
{
    FILE *f = fopen("/proc/thread-self/children", "re");
    int pid = 0;
    while (f && fscanf(f, "%d", &pid) == 1)
        ;
    if (f)
        (void)fclose(f);
    return pid;
}

static int compare(char **argv)
{
    static struct bench both[2];
    static double difference[2][TURNS], first[2][TURNS];
    struct arena arena = { 0 };
    unsigned next[2] = { 0 };
    for (unsigned i = 0; i < 2; i++) {
        if (store_start(&both[i].ledger, argv[1 + 2 * i], argv[2 + 2 * i], &arena, &both[i].err) < 0)
            return 2;
        both[i].pid = newest_child();
    }
    int e = 0;
    for (unsigned turn = 0; e == 0 && turn <= TURNS; turn++) { /* the first warms up */
        double more[2] = { 0 }, a[2] = { 0 };
        for (unsigned k = 0; e == 0 && k < 4; k++) {
            const unsigned which = k == 1 || k == 2;
            double took[2] = { 0 };
            e = run_block(&both[which], &next[which], 0.5, took);
            for (unsigned m = 0; m < 2; m++) {
                more[m] += which ? took[m] : -took[m];
                a[m] += which ? 0 : took[m];
            }
        }
        for (unsigned m = 0; turn && m < 2; m++)
            difference[m][turn - 1] = more[m], first[m][turn - 1] = a[m];
    }
    if (e < 0) {
        (void)fprintf(stderr, "%s%s\n", both[0].err.text, both[1].err.text);
        return 1;
    }
    (void)printf(
        "| us a run (asked, reserved, settled) | first | second: median more | 95 %% | |\n|---|---|---|---|---|\n");
    tell("CPU of the ledger", difference[0], first[0]);
    tell("wall", difference[1], first[1]);
    for (unsigned i = 0; i < 2; i++)
        (void)store_close(&both[i].ledger);
    arena_done(&arena);
    return 0;
}

int main(int argc, char **argv)
{
    static struct bench b;
    struct arena arena = { 0 };
    if (argc == 5)
        return compare(argv);
    if (argc == 4)
        agent_id = argv[3];
    if (argc < 3 || argc > 4 || store_start(&b.ledger, argv[1], argv[2], &arena, &b.err) < 0)
        return 2;
    for (unsigned i = 0; i < RUNS; i++) {
        if (one_run(&b, i) < 0) {
            (void)fprintf(stderr, "run %u: %s\n", i, b.err.text);
            return 1;
        }
        if (i + 1 == 100 || i + 1 == 500 || i + 1 == RUNS)
            show(&b, i + 1);
    }
    (void)store_close(&b.ledger);
    arena_done(&arena);
    return 0;
}
