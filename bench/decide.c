/* decide.c - what a decision costs without the scan: level, verdict, names, limits, over the shipped defaults.
 *
 *   decide            goal: 20 us
 *
 * The functions are pure, so this is all of it but the agent's row (bench/ledger.c) and the policy's
 * (compiled_lookup_for: 60 us, whether or not an agent is known).
 */
#include <stdio.h>
#include <time.h>
#include "policy/level.h"
#include "policy/limits.h"
#include "policy/names.h"
#include "policy/verdict.h"

#define ROUNDS 20000

static uint64_t clock_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void decide(const struct config *c, const struct profile *p, const struct run_request *r, uint32_t trust)
{
    static const char *const names[] = { "json",      "re",       "math", "collections",
                                         "itertools", "datetime", "csv",  "statistics" };
    struct level_facts f = { .has_agent = true,
                             .trust = trust,
                             .was_scanned = true,
                             .risk_increase = 100,
                             .finding_count = 1,
                             .worst_rule = "python-command" };
    struct limit_counts n = { .runs_hour = 5,
                              .runs_day = 10,
                              .global_running = 3,
                              .global_hour = 300,
                              .cpu_ms_hour = 20000,
                              .hour_oldest_ms = 1,
                              .day_oldest_ms = 1,
                              .cpu_oldest_ms = 1,
                              .global_oldest_ms = 1 };
    const struct limit_rules rules = limit_rules_from(c, p);
    struct strlist reasons = { 0 };
    struct error err = { 0 };
    struct level_result level;
    if (level_decide(c, &f, &level, &reasons, &err) < 0 || verdict_decide(c, p, r, &err) < 0) {
        (void)fprintf(stderr, "decide: the defaults refuse: %s\n", err.text);
        exit(1);
    }
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (name_rule_against(p, LANG_NODE, NAME_MODULE, names[i]))
            abort();
    if (limits_check(&rules, &n, 3600000).limit != LIMIT_NONE)
        abort();
    strlist_done(&reasons);
}

int main(void)
{
    static uint64_t took[ROUNDS];
    struct config c;
    struct profile p;
    struct run_request r = { .language = LANG_PYTHON, .code = "print(1)", .code_size = 8, .agent_id = "bench" };
    config_defaults(&c);
    profile_defaults(&p);
    (void)strlist_add(&p.languages[LANG_NODE].allowed_modules, "all");
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t begin = clock_ns();
        decide(&c, &p, &r, 500 + (uint32_t)i % 400);
        took[i] = clock_ns() - begin;
    }
    qsort(took, ROUNDS, sizeof *took, by_value);
    (void)printf("decision without scan: median %.1f us (p10 %.1f, p90 %.1f)\n", (double)took[ROUNDS / 2] / 1e3,
                 (double)took[ROUNDS / 10] / 1e3, (double)took[ROUNDS * 9 / 10] / 1e3);
    return 0;
}
