/* The store by itself, in a directory of the test's own, with a clock of the test's own. Concurrency and crashes are in
 * tests/integration/test_ledger.py. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "base/parse.h"
#include "random.h"
#include "store/message.h"
#include "store_backend.h"
#include "test.h"
#include "base/process.h"

#define T0   UINT64_C(1700000000000)
#define HOUR LIMIT_HOUR_MS
#define DAY  LIMIT_DAY_MS

struct place {
    char dir[64], path[96];
    struct store *store;
    struct error err;
};

static void place_begin(struct place *p)
{
    *p = (struct place){ .dir = "/tmp/test-store-XXXXXX" };
    CHECK(mkdtemp(p->dir) != NULL);
    (void)snprintf(p->path, sizeof p->path, "%s/state/state.db", p->dir);
}

static void place_open(struct place *p)
{
    place_begin(p);
    CHECK_EQ(open_store(p->path, &p->store, &p->err), 0);
}

static void place_end(struct place *p)
{
    static const char *const names[] = {
        "state/state.db", "state/state.db-wal", "state/state.db-shm", "state/other", "state", ""
    };
    char path[200];
    p->store = store_close(p->store);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", p->dir, names[i]);
        (void)remove(path);
    }
}

static struct sql *sql_of(const struct place *p)
{
    return p->store->self;
}

static const struct trust_rules rules = { .initial = 500,
                                          .max = 1000,
                                          .success = 50,
                                          .failure = 100,
                                          .violation = 300,
                                          .gain_per_hour = 100,
                                          .gain_per_code = 50,
                                          .gain_per_shape = 50,
                                          .error = 10,
                                          .attempt = 200,
                                          .error_rate = 300,
                                          .error_is_failure = true, /* one event less to tell apart; see below */
                                          .memory_ms = DAY,
                                          .work_size = 20,
                                          .drift_after_ms = DAY };
static const struct standing_rules standing = { .quarantine_on_violations = 3,
                                                .window_ms = DAY,
                                                .ban_on_severe = true };

static const char *make_id(char out[static 32])
{
    static unsigned counter;
    (void)snprintf(out, 32, "exec-%u", ++counter);
    return out;
}

static uint32_t trust_of(struct place *p, const char *id)
{
    struct agent a;
    CHECK_EQ(store_agent(p->store, id, NULL, &a, &p->err), 0);
    return a.is_known ? a.trust : rules.initial;
}

static struct reserve_reply reserve_as(struct place *p, const char *id, const char *execution, uint64_t now,
                                       const struct limit_rules *limits, const char *nonce)
{
    struct reserve_reply reply;
    const struct reserve r = { .execution_id = execution,
                               .agent_id = id,
                               .code_hash = "",
                               .language = "python",
                               .level = 1,
                               .now_ms = now,
                               .owner_pid = (uint64_t)getpid(),
                               .owner_start = process_start((uint64_t)getpid()),
                               .trust_seen = trust_of(p, id),
                               .initial_trust = rules.initial,
                               .limits = limits ? *limits : (struct limit_rules){ 0 },
                               .nonce = nonce };
    CHECK_EQ(store_reserve(p->store, &r, &reply, &p->err), 0);
    return reply;
}

static struct settle settlement(const char *execution, enum run_reason reason, uint64_t now)
{
    return (struct settle){ .execution_id = execution,
                            .reason = (uint8_t)reason,
                            .now_ms = now,
                            .use = { .cpu_us = 9500, .memory_mib_ms = 70, .bytes_in = 3, .bytes_out = 5 },
                            .keeps_trust = true,
                            .trust = rules,
                            .standing = standing };
}

/* Reserved and settled; violation NULL: none. */
static struct settle_reply run(struct place *p, const char *id, enum run_reason reason, uint64_t now,
                               const char *violation)
{
    char execution[32];
    struct settle_reply reply;
    struct reserve_reply booked = reserve_as(p, id, make_id(execution), now, NULL, NULL);
    CHECK_EQ(booked.outcome, RESERVE_OK);
    struct settle s = settlement(execution, reason, now);
    if (violation)
        s.violations[s.violation_count++] = (struct violation){ .type = violation,
                                                                .detail = "x",
                                                                .severity = violation_severity(violation) };
    CHECK_EQ(store_settle(p->store, &s, &reply, &p->err), 0);
    CHECK(reply.was_settled);
    return reply;
}

/* ---- an agent's habits ---- */

static struct settle_reply run_with(struct place *p, const char *habits, const char *violation, enum run_reason reason,
                                    uint64_t now)
{
    char execution[32];
    struct settle_reply reply;
    CHECK_EQ(reserve_as(p, "a", make_id(execution), now, NULL, NULL).outcome, RESERVE_OK);
    struct settle s = settlement(execution, reason, now);
    s.habits = habits;
    s.baseline_runs = 3;
    s.standing.quarantine_on_violations = 1000;
    if (violation)
        s.violations[s.violation_count++] = (struct violation){ .type = violation,
                                                                .detail = "x",
                                                                .severity = violation_severity(violation) };
    CHECK_EQ(store_settle(p->store, &s, &reply, &p->err), 0);
    return reply;
}

static void is_first(struct settle_reply reply, const char *expected)
{
    CHECK_STR(reply.first_times, expected);
}

TEST(what_no_good_run_had_before_is_new_once_enough_of_them_were_seen)
{
    struct place p;
    place_open(&p);
    for (uint64_t i = 0; i < 3; i++) /* these only teach */
        CHECK(!run_with(&p, "runs /bin/a\nconnects to x.example:443\n", NULL, REASON_COMPLETED, T0 + i).first_times);
    CHECK(!run_with(&p, "runs /bin/a\n", NULL, REASON_COMPLETED, T0 + 4).first_times);
    is_first(run_with(&p, "runs /bin/a\nruns /bin/b\n", NULL, REASON_COMPLETED, T0 + 5), "runs /bin/b\n");
    CHECK(!run_with(&p, "runs /bin/b\n", NULL, REASON_COMPLETED, T0 + 6).first_times);
    place_end(&p);
}

TEST(a_baseline_learns_nothing_from_runs_with_violations_or_restrictions_or_failures)
{
    struct place p;
    struct agent_why *why = calloc(1, sizeof *why);
    place_open(&p);
    for (uint64_t i = 0; i < 3; i++)
        (void)run_with(&p, "runs /bin/a\n", NULL, REASON_COMPLETED, T0 + i);
    for (uint64_t i = 10; i < 12; i++) {
        is_first(run_with(&p, "runs /bin/nc\n", "suspicious_syscalls", REASON_COMPLETED, T0 + i), "runs /bin/nc\n");
        is_first(run_with(&p, "runs /bin/nc\n", "blocked_command", REASON_COMPLETED, T0 + 10 + i), "runs /bin/nc\n");
        is_first(run_with(&p, "runs /bin/nc\n", NULL, REASON_ERROR, T0 + 20 + i), "runs /bin/nc\n");
    }
    CHECK_EQ(store_why(p.store, "a", why, &p.err), 0);
    CHECK(why->learned == 3 && why->habit_count == 1 && why->habits[0].times == 3);
    CHECK_STR(why->habits[0].what, "runs /bin/a");
    place_end(&p);
    free(why);
}

TEST(a_baseline_is_bounded_and_keeps_what_was_seen_last)
{
    struct place p;
    struct agent_why *why = calloc(1, sizeof *why);
    place_open(&p);
    for (uint64_t i = 0; i < 300; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "runs /bin/always\nruns /bin/once%03u\n", (unsigned)i);
        (void)run_with(&p, text, NULL, REASON_COMPLETED, T0 + i);
    }
    CHECK_EQ(store_why(p.store, "a", why, &p.err), 0);
    CHECK(why->learned == 300 && why->habit_count == STORE_MAX_BASELINE);
    CHECK_STR(why->habits[0].what, "runs /bin/always");
    CHECK(!run_with(&p, "runs /bin/once299\n", NULL, REASON_COMPLETED, T0 + 400).first_times);
    is_first(run_with(&p, "runs /bin/once000\n", NULL, REASON_COMPLETED, T0 + 401), "runs /bin/once000\n");
    place_end(&p);
    free(why);
}

/* ---- what is remembered ---- */

TEST(an_unknown_agent_is_no_fault_and_known_once_it_has_run)
{
    struct place p;
    struct agent a;
    place_open(&p);
    CHECK_EQ(store_agent(p.store, "a1", NULL, &a, &p.err), 0);
    CHECK(!a.is_known);
    CHECK_EQ(run(&p, "a1", REASON_COMPLETED, T0, NULL).trust_after, 550);
    CHECK_EQ(store_agent(p.store, "a1", NULL, &a, &p.err), 0);
    CHECK(a.is_known && a.trust == 550 && a.runs == 1 && a.successes == 1 && a.cpu_ms == 10);
    CHECK(a.first_seen_ms == T0 && a.last_run_ms == T0 && a.trust_at_ms == T0 && !a.public_key);
    place_end(&p);
}

TEST(what_was_written_is_there_after_the_store_was_opened_again)
{
    struct place p;
    struct agent a;
    place_open(&p);
    (void)run(&p, "a1", REASON_ERROR, T0, NULL);
    p.store = store_close(p.store);
    CHECK_EQ(open_store(p.path, &p.store, &p.err), 0);
    CHECK_EQ(store_agent(p.store, "a1", NULL, &a, &p.err), 0);
    CHECK(a.trust == 400 && a.failures == 1);
    place_end(&p);
}

TEST(trust_follows_every_reason_as_the_policy_says)
{
    struct place p;
    place_open(&p);
    for (unsigned reason = 0; reason < REASON_COUNT; reason++) {
        char id[16];
        (void)snprintf(id, sizeof id, "agent-%u", reason);
        uint32_t expected = reason == REASON_COMPLETED                                         ? 550
                            : reason == REASON_POLICY_DENIED || reason == REASON_SANDBOX_ERROR ? 500
                                                                                               : 400;
        struct settle_reply s = run(&p, id, (enum run_reason)reason, T0, NULL);
        CHECK_EQ(s.trust_before, 500);
        CHECK_EQ(s.trust_after, expected);
    }
    place_end(&p);
}

TEST(a_run_is_settled_once)
{
    struct place p;
    struct settle_reply reply;
    char execution[32];
    place_open(&p);
    (void)reserve_as(&p, "a1", make_id(execution), T0, NULL, NULL);
    struct settle s = settlement(execution, REASON_ERROR, T0 + 5);
    CHECK(store_settle(p.store, &s, &reply, &p.err) == 0 && reply.was_settled && reply.trust_after == 400);
    CHECK(store_settle(p.store, &s, &reply, &p.err) == 0 && !reply.was_settled && reply.trust_after == 400);
    s.execution_id = "never-reserved";
    CHECK(store_settle(p.store, &s, &reply, &p.err) == 0 && !reply.was_settled);
    CHECK_EQ(trust_of(&p, "a1"), 400);
    place_end(&p);
}

TEST(an_execution_id_is_reserved_once)
{
    struct place p;
    struct reserve_reply reply;
    place_open(&p);
    (void)reserve_as(&p, "a1", "same", T0, NULL, NULL);
    const struct reserve r = { .execution_id = "same",
                               .agent_id = "a2",
                               .code_hash = "",
                               .language = "bash",
                               .now_ms = T0,
                               .trust_seen = 500,
                               .initial_trust = 500 };
    CHECK(store_reserve(p.store, &r, &reply, &p.err) < 0);
    CHECK(strstr(p.err.text, "execution_id"));
    struct agent a;
    CHECK(store_agent(p.store, "a2", NULL, &a, &p.err) == 0 && !a.is_known); /* nothing of it stayed */
    place_end(&p);
}

TEST(gains_are_capped_per_hour_and_per_code_across_runs)
{
    struct place p;
    struct settle_reply reply;
    char execution[32], hash[65];
    place_open(&p);
    for (unsigned i = 0; i < 6; i++) { /* six codes within an hour */
        (void)snprintf(hash, sizeof hash, "%064x", i);
        struct reserve r = { .execution_id = make_id(execution),
                             .agent_id = "a1",
                             .code_hash = hash,
                             .language = "python",
                             .now_ms = T0 + i,
                             .trust_seen = trust_of(&p, "a1"),
                             .initial_trust = 500 };
        struct reserve_reply booked;
        CHECK(store_reserve(p.store, &r, &booked, &p.err) == 0 && booked.outcome == RESERVE_OK);
        struct settle s = settlement(execution, REASON_COMPLETED, T0 + i);
        CHECK_EQ(store_settle(p.store, &s, &reply, &p.err), 0);
    }
    CHECK_EQ(reply.trust_after, 600);
    for (int i = 1; i <= 4; i++) /* the same code (none), hours apart */
        (void)run(&p, "a2", REASON_COMPLETED, T0 + (uint64_t)i * 2 * HOUR, NULL);
    CHECK_EQ(trust_of(&p, "a2"), 550);
    place_end(&p);
}

TEST(drift_is_applied_once_for_the_silence_before_the_run)
{
    struct place p;
    struct trust_rules r = rules;
    struct settle_reply reply;
    char execution[32];
    place_open(&p);
    r.drift_per_day = 10;
    (void)run(&p, "a1", REASON_ERROR, T0, NULL); /* 400 */
    (void)reserve_as(&p, "a1", make_id(execution), T0 + 5 * DAY, NULL, NULL);
    struct settle s = settlement(execution, REASON_ERROR, T0 + 5 * DAY + 1000);
    s.trust = r;
    CHECK_EQ(store_settle(p.store, &s, &reply, &p.err), 0);
    CHECK_EQ(reply.trust_before, 450);
    CHECK_EQ(reply.trust_after, 350);
    (void)reserve_as(&p, "a1", make_id(execution), T0 + 5 * DAY + 2000, NULL, NULL);
    s = settlement(execution, REASON_SANDBOX_ERROR, T0 + 5 * DAY + 3000);
    s.trust = r;
    CHECK(store_settle(p.store, &s, &reply, &p.err) == 0 && reply.trust_before == 350 && reply.trust_after == 350);
    place_end(&p);
}

TEST(a_stopped_run_is_neutral_and_trust_that_is_not_kept_does_not_change)
{
    struct place p;
    struct settle_reply reply;
    char execution[32];
    place_open(&p);
    (void)reserve_as(&p, "a1", make_id(execution), T0, NULL, NULL);
    struct settle s = settlement(execution, REASON_KILLED, T0);
    s.was_stopped = true;
    CHECK(store_settle(p.store, &s, &reply, &p.err) == 0 && reply.trust_after == 500);
    (void)reserve_as(&p, "a1", make_id(execution), T0, NULL, NULL);
    s = settlement(execution, REASON_ERROR, T0);
    s.keeps_trust = false;
    CHECK(store_settle(p.store, &s, &reply, &p.err) == 0 && reply.trust_after == 500 && reply.was_settled);
    place_end(&p);
}

TEST(the_history_holds_each_change_of_trust_oldest_first)
{
    struct place p;
    struct trust_history h;
    place_open(&p);
    (void)run(&p, "a1", REASON_COMPLETED, T0, NULL);
    (void)run(&p, "a1", REASON_SANDBOX_ERROR, T0 + 1, NULL); /* neutral: no change, no point */
    (void)run(&p, "a1", REASON_ERROR, T0 + 2, NULL);
    CHECK_EQ(store_history(p.store, "a1", &h, &p.err), 0);
    CHECK_EQ(h.count, 2);
    CHECK(h.points[0].trust == 550 && h.points[1].trust == 450 && h.points[0].at_ms == T0 &&
          h.points[1].at_ms == T0 + 2);
    CHECK(h.points[0].event == TRUST_SUCCESS && h.points[1].event == TRUST_FAILURE && h.points[0].execution_id &&
          !str_eq(h.points[0].execution_id, h.points[1].execution_id));
    const struct refusal refused = { .execution_id = "refused",
                                     .agent_id = "a1",
                                     .rule = "scan",
                                     .now_ms = T0 + 3,
                                     .violation_count = 1,
                                     .violations = { { "port_scanning", "", 0, SEVERITY_HIGH } },
                                     .keeps_trust = true,
                                     .trust = rules,
                                     .standing = standing };
    struct settle_reply ignored;
    CHECK_EQ(store_refuse(p.store, &refused, &ignored, &p.err), 0);
    CHECK_EQ(store_history(p.store, "a1", &h, &p.err), 0);
    CHECK(h.count == 3 && h.points[2].trust < h.points[1].trust && h.points[2].event == TRUST_NEUTRAL);
    CHECK_STR(h.points[2].execution_id, "refused");
    CHECK(store_history(p.store, "nobody", &h, &p.err) == 0 && h.count == 0);
    for (unsigned i = 0; i < 2 * STORE_MAX_POINTS; i++)
        (void)run(&p, "a2", i % 2 ? REASON_ERROR : REASON_COMPLETED, T0 + i * HOUR, NULL);
    CHECK_EQ(store_history(p.store, "a2", &h, &p.err), 0);
    CHECK(h.count <= STORE_MAX_POINTS);
    for (uint32_t i = 1; i < h.count; i++)
        CHECK(h.points[i].at_ms > h.points[i - 1].at_ms);
    place_end(&p);
}

TEST(agents_are_listed_by_id_and_in_pages)
{
    struct place p;
    static struct agent_list list;
    place_open(&p);
    (void)run(&p, "b", REASON_COMPLETED, T0, NULL);
    (void)run(&p, "a", REASON_COMPLETED, T0, NULL);
    (void)run(&p, "ü/@:.", REASON_COMPLETED, T0, NULL);
    CHECK_EQ(store_agents(p.store, NULL, &list, &p.err), 0);
    CHECK_EQ(list.count, 3);
    CHECK_STR(list.agents[0].id, "a");
    CHECK_STR(list.agents[2].id, "ü/@:.");
    CHECK(store_agents(p.store, "a", &list, &p.err) == 0 && list.count == 2);
    CHECK_STR(list.agents[0].id, "b");
    place_end(&p);
}

/* ---- reservations ---- */

TEST(a_reservation_on_another_trust_than_the_store_s_is_to_be_tried_again)
{
    struct place p;
    struct reserve_reply reply;
    place_open(&p);
    (void)run(&p, "a1", REASON_ERROR, T0, NULL);
    struct reserve r = { .execution_id = "r1",
                         .agent_id = "a1",
                         .code_hash = "",
                         .language = "python",
                         .now_ms = T0 + 1,
                         .trust_seen = 500,
                         .initial_trust = 500 };
    CHECK(store_reserve(p.store, &r, &reply, &p.err) == 0 && reply.outcome == RESERVE_RETRY &&
          reply.agent.trust == 400);
    r.trust_seen = 400;
    CHECK(store_reserve(p.store, &r, &reply, &p.err) == 0 && reply.outcome == RESERVE_OK);
    CHECK_EQ(reply.agent.runs, 2); /* the first try was none */
    place_end(&p);
}

TEST(each_limit_refuses_with_its_name_and_exactly_after_its_wait_there_is_room)
{
    static const struct {
        struct limit_rules rules;
        enum limit_name name;
        uint64_t wait_ms;
        int runs;
    } cases[] = {
        { { .runs_per_hour = 3 }, LIMIT_RUNS_HOUR, HOUR - 20, 3 },
        { { .runs_per_day = 2 }, LIMIT_RUNS_DAY, DAY - 10, 2 },
        { { .cpu_ms_per_hour = 25 }, LIMIT_CPU_HOUR, HOUR - 20, 3 },
        { { .cooldown_ms = 5000 }, LIMIT_COOLDOWN, 5000, 1 },
        { { .global_runs_per_hour = 3 }, LIMIT_GLOBAL_HOUR, HOUR - 20, 3 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct place p;
        char execution[32];
        place_open(&p);
        for (int k = 0; k < cases[i].runs; k++) /* one each 10 ms, of 10 ms CPU */
            (void)run(&p, "a1", REASON_SANDBOX_ERROR, T0 + (uint64_t)k * 10, NULL);
        uint64_t now = T0 + (uint64_t)(cases[i].runs - 1) * 10;
        struct reserve_reply reply = reserve_as(&p, "a1", make_id(execution), now, &cases[i].rules, NULL);
        CHECK_EQ(reply.outcome, RESERVE_LIMIT);
        CHECK_EQ(reply.limit.limit, cases[i].name);
        CHECK_EQ(reply.limit.wait_ms, cases[i].wait_ms);
        CHECK_EQ(reserve_as(&p, "a1", make_id(execution), now + cases[i].wait_ms - 1, &cases[i].rules, NULL).outcome,
                 RESERVE_LIMIT);
        CHECK_EQ(reserve_as(&p, "a1", make_id(execution), now + cases[i].wait_ms, &cases[i].rules, NULL).outcome,
                 RESERVE_OK);
        place_end(&p);
    }
}

TEST(limits_are_counted_for_each_agent_and_level_and_global_ones_for_all)
{
    struct place p;
    char execution[32];
    place_open(&p);
    const struct limit_rules own = { .runs_per_hour = 1 }, all = { .global_runs_per_hour = 2 };
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0, &own, NULL).outcome, RESERVE_OK);
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0, &own, NULL).outcome, RESERVE_LIMIT);
    struct reserve r = { .execution_id = make_id(execution),
                         .agent_id = "a1",
                         .code_hash = "",
                         .language = "python",
                         .level = 2,
                         .now_ms = T0,
                         .trust_seen = 500,
                         .initial_trust = 500,
                         .limits = own };
    struct reserve_reply reply;
    CHECK(store_reserve(p.store, &r, &reply, &p.err) == 0 && reply.outcome == RESERVE_OK); /* another level */
    CHECK_EQ(reserve_as(&p, "a2", make_id(execution), T0, &all, NULL).outcome, RESERVE_LIMIT);
    CHECK_EQ(reserve_as(&p, "a2", make_id(execution), T0, &own, NULL).outcome, RESERVE_OK);
    place_end(&p);
}

TEST(a_clock_that_was_set_back_a_year_locks_nobody_out_and_a_minute_gives_no_fresh_hour)
{
    struct place p;
    char execution[32];
    const struct limit_rules one = { .runs_per_hour = 1, .cooldown_ms = 1000 };
    place_open(&p);
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0 + 365 * DAY, &one, NULL).outcome, RESERVE_OK);
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0, &one, NULL).outcome, RESERVE_OK);
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0 - 60000, &one, NULL).outcome, RESERVE_LIMIT);
    place_end(&p);
}

TEST(the_share_of_the_fullest_limit_comes_with_a_reservation)
{
    struct place p;
    char execution[32];
    const struct limit_rules limits = { .runs_per_hour = 4, .runs_per_day = 100 };
    place_open(&p);
    struct reserve_reply reply = reserve_as(&p, "a1", make_id(execution), T0, &limits, NULL);
    CHECK_EQ(reply.nearest_share, 250);
    CHECK_STR(reply.nearest_limit, "max_executions_per_hour");
    place_end(&p);
}

TEST(a_nonce_is_taken_once_and_not_by_a_reservation_that_was_refused)
{
    struct place p;
    char execution[32];
    const struct limit_rules none = { .runs_per_hour = 1 };
    place_open(&p);
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0, &none, "n0").outcome, RESERVE_OK);
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0, &none, "n1").outcome, RESERVE_LIMIT);
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0, NULL, "n1").outcome, RESERVE_OK);
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0 + DAY, NULL, "n1").outcome, RESERVE_REPLAY);
    CHECK_EQ(reserve_as(&p, "a2", make_id(execution), T0, NULL, "n1").outcome, RESERVE_OK); /* another's key */
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0 + STORE_NONCE_KEPT_MS - 1, NULL, "n1").outcome,
             RESERVE_REPLAY);
    place_end(&p);
}

/* ---- standing ---- */

TEST(three_violating_runs_are_quarantine_and_the_next_reservation_is_refused_with_the_reason)
{
    struct place p;
    char execution[32];
    place_open(&p);
    CHECK_EQ(run(&p, "a1", REASON_COMPLETED, T0, "suspicious_syscalls").standing_after, STANDING_GOOD);
    CHECK_EQ(run(&p, "a1", REASON_COMPLETED, T0 + 1, "memory_limit").standing_after,
             STANDING_GOOD); /* not of security */
    CHECK_EQ(run(&p, "a1", REASON_COMPLETED, T0 + 2, "port_scanning").standing_after, STANDING_GOOD);
    struct settle_reply s = run(&p, "a1", REASON_COMPLETED, T0 + 3, "suspicious_syscalls");
    CHECK(s.standing_before == STANDING_GOOD && s.standing_after == STANDING_QUARANTINED);
    CHECK(strstr(s.standing_reason, "3 violations"));
    struct reserve_reply r = reserve_as(&p, "a1", make_id(execution), T0 + 4, NULL, NULL);
    CHECK_EQ(r.outcome, RESERVE_STANDING);
    CHECK(strstr(r.agent.standing_reason, "3 violations"));
    CHECK_STR(r.agent.standing_by, "policy");
    CHECK_EQ(r.agent.violations, 3);
    place_end(&p);
}

TEST(one_run_counts_each_type_once_and_old_violations_do_not_count)
{
    struct place p;
    struct settle_reply reply;
    char execution[32];
    place_open(&p);
    (void)reserve_as(&p, "a1", make_id(execution), T0, NULL, NULL);
    struct settle s = settlement(execution, REASON_COMPLETED, T0);
    for (s.violation_count = 0; s.violation_count < STORE_MAX_VIOLATIONS; s.violation_count++)
        s.violations[s.violation_count] = (struct violation){ "suspicious_syscalls", "os", 0, SEVERITY_MEDIUM };
    CHECK(store_settle(p.store, &s, &reply, &p.err) == 0 && reply.standing_after == STANDING_GOOD &&
          reply.trust_after == 200);
    (void)run(&p, "a1", REASON_COMPLETED, T0 + DAY, "suspicious_syscalls"); /* the first has left the window */
    CHECK_EQ(run(&p, "a1", REASON_COMPLETED, T0 + DAY + 1, "suspicious_syscalls").standing_after, STANDING_GOOD);
    CHECK_EQ(run(&p, "a1", REASON_COMPLETED, T0 + DAY + 2, "suspicious_syscalls").standing_after, STANDING_QUARANTINED);
    place_end(&p);
}

TEST(a_critical_violation_bans_and_only_an_administrator_releases)
{
    struct place p;
    struct agent a;
    char execution[32];
    place_open(&p);
    CHECK_EQ(run(&p, "a1", REASON_KILLED, T0, "reverse_shells").standing_after, STANDING_BANNED);
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0 + 1, NULL, NULL).outcome, RESERVE_STANDING);
    const struct steer s = {
        .verb = STEER_RELEASE, .agent_id = "a1", .reason = "looked at it", .by = "root", .now_ms = T0 + 2
    };
    CHECK(store_steer(p.store, &s, &a, &p.err) == 0 && a.standing == STANDING_GOOD);
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0 + 3, NULL, NULL).outcome, RESERVE_OK);
    place_end(&p);
}

TEST(after_a_release_old_violations_do_not_count_any_more)
{
    struct place p;
    struct agent a;
    place_open(&p);
    for (unsigned i = 0; i < 3; i++)
        (void)run(&p, "a1", REASON_COMPLETED, T0 + i, "suspicious_syscalls");
    const struct steer s = { .verb = STEER_RELEASE, .agent_id = "a1", .reason = "r", .by = "root", .now_ms = T0 + 10 };
    CHECK_EQ(store_steer(p.store, &s, &a, &p.err), 0);
    CHECK_EQ(run(&p, "a1", REASON_COMPLETED, T0 + 11, "suspicious_syscalls").standing_after, STANDING_GOOD);
    CHECK_EQ(run(&p, "a1", REASON_COMPLETED, T0 + 12, "suspicious_syscalls").standing_after, STANDING_GOOD);
    CHECK_EQ(run(&p, "a1", REASON_COMPLETED, T0 + 13, "suspicious_syscalls").standing_after, STANDING_QUARANTINED);
    place_end(&p);
}

TEST(a_refusal_before_the_run_is_counted_and_its_violations_are_judged)
{
    struct place p;
    struct settle_reply reply;
    struct agent a;
    place_open(&p);
    struct refusal r = { .execution_id = "x",
                         .agent_id = "a1",
                         .rule = "scan",
                         .now_ms = T0,
                         .initial_trust = 500,
                         .keeps_trust = true,
                         .trust = rules,
                         .standing = standing };
    CHECK(store_refuse(p.store, &r, &reply, &p.err) == 0 && reply.trust_after == 500); /* no violation: neutral */
    r.violations[r.violation_count++] = (struct violation){ "hostile_write", "curl | sh", 0, SEVERITY_HIGH };
    for (unsigned i = 0; i < 3; i++, r.now_ms++)
        CHECK_EQ(store_refuse(p.store, &r, &reply, &p.err), 0);
    CHECK(reply.trust_after == 0 && reply.standing_after == STANDING_QUARANTINED);
    CHECK_EQ(store_agent(p.store, "a1", NULL, &a, &p.err), 0);
    CHECK(a.refusals == 4 && a.runs == 0 && a.violations == 3 && a.last_run_ms == 0);
    place_end(&p);
}

TEST(an_administrator_sets_trust_standing_and_key)
{
    struct place p;
    struct agent a;
    place_open(&p);
    struct steer s = { .verb = STEER_TRUST,
                       .agent_id = "a1",
                       .reason = "known",
                       .by = "root",
                       .trust = 900,
                       .initial_trust = 500,
                       .now_ms = T0 };
    CHECK_EQ(store_steer(p.store, &s, &a, &p.err), -ENOENT);
    CHECK_EQ(p.err.blame, BLAME_CALLER);
    s.may_create = true;
    CHECK(store_steer(p.store, &s, &a, &p.err) == 0 && a.trust == 900 && a.trust_at_ms == T0);
    s.verb = STEER_KEY;
    s.public_key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    CHECK_EQ(store_steer(p.store, &s, &a, &p.err), 0);
    CHECK_STR(a.public_key, s.public_key);
    s.public_key = NULL;
    CHECK(store_steer(p.store, &s, &a, &p.err) == 0 && !a.public_key);
    s.verb = STEER_QUARANTINE;
    CHECK(store_steer(p.store, &s, &a, &p.err) == 0 && a.standing == STANDING_QUARANTINED);
    s.verb = STEER_BAN;
    CHECK(store_steer(p.store, &s, &a, &p.err) == 0 && a.standing == STANDING_BANNED);
    CHECK_EQ(store_agent(p.store, "a1", NULL, &a, &p.err), 0);
    CHECK(a.standing == STANDING_BANNED && a.standing_since_ms == T0 && str_eq(a.standing_reason, "known") &&
          str_eq(a.standing_by, "root"));
    place_end(&p);
}

/* ---- alerts ---- */

TEST(a_settlement_counts_runs_and_failures_within_the_windows_of_alerts)
{
    struct place p;
    struct settle_reply reply;
    char execution[32];
    place_open(&p);
    (void)run(&p, "a1", REASON_ERROR, T0, NULL);
    (void)run(&p, "a1", REASON_ERROR, T0 + 2 * HOUR, NULL);
    (void)run(&p, "a1", REASON_COMPLETED, T0 + 2 * HOUR + 1, NULL);
    (void)reserve_as(&p, "a1", make_id(execution), T0 + 2 * HOUR + 2, NULL, NULL);
    struct settle s = settlement(execution, REASON_TIMEOUT, T0 + 2 * HOUR + 3);
    s.failure_window_ms = HOUR;
    s.volume_window_ms = 3 * HOUR;
    CHECK_EQ(store_settle(p.store, &s, &reply, &p.err), 0);
    CHECK(reply.window_runs == 3 && reply.window_failures == 2 && reply.volume_runs == 4);
    (void)reserve_as(&p, "a1", s.execution_id = make_id(execution), T0 + 2 * HOUR + 4, NULL, NULL);
    s.volume_enough = 2;
    CHECK_EQ(store_settle(p.store, &s, &reply, &p.err), 0);
    CHECK(reply.window_runs == 4 && reply.volume_runs == 2);
    place_end(&p);
}

TEST(runs_of_an_agent_that_never_failed_are_not_counted_for_the_rate_of_failures)
{
    static const enum run_reason ends[] = { REASON_COMPLETED, REASON_COMPLETED, REASON_OOM, REASON_COMPLETED };
    static const uint32_t runs[] = { 0, 0, 3, 4 };
    struct place p;
    struct settle_reply reply;
    char execution[32];
    place_open(&p);
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        (void)reserve_as(&p, "a1", make_id(execution), T0 + 2 * i, NULL, NULL);
        struct settle s = settlement(execution, ends[i], T0 + 2 * i + 1);
        s.failure_window_ms = HOUR;
        CHECK_EQ(store_settle(p.store, &s, &reply, &p.err), 0);
        CHECK_EQ(reply.window_runs, runs[i]);
        CHECK_EQ(reply.window_failures, runs[i] > 0);
    }
    place_end(&p);
}

TEST(a_key_is_taken_once_a_window)
{
    struct place p;
    bool taken;
    place_open(&p);
    CHECK(store_once(p.store, "alert a", T0, HOUR, &taken, &p.err) == 0 && taken);
    CHECK(store_once(p.store, "alert a", T0 + HOUR - 1, HOUR, &taken, &p.err) == 0 && !taken);
    CHECK(store_once(p.store, "alert b", T0, HOUR, &taken, &p.err) == 0 && taken);
    CHECK(store_once(p.store, "alert a", T0 + HOUR, HOUR, &taken, &p.err) == 0 && taken);
    place_end(&p);
}

/* ---- dead owners ---- */

static uint64_t dead_pid(void)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    (void)waitpid(pid, NULL, 0);
    return (uint64_t)pid;
}

static void reserve_owned(struct place *p, const char *execution, uint64_t pid, uint64_t start,
                          const struct limit_rules *limits, enum reserve_outcome expected)
{
    struct reserve_reply reply;
    struct reserve r = { .execution_id = execution,
                         .agent_id = "a1",
                         .code_hash = "",
                         .language = "python",
                         .level = 1,
                         .now_ms = T0,
                         .owner_pid = pid,
                         .owner_start = start,
                         .trust_seen = trust_of(p, "a1"),
                         .initial_trust = 500 };
    if (limits)
        r.limits = *limits;
    CHECK_EQ(store_reserve(p->store, &r, &reply, &p->err), 0);
    CHECK_EQ(reply.outcome, expected);
}

TEST(a_dead_owner_s_run_is_settled_neutrally_and_returned_until_it_was_audited)
{
    struct place p;
    struct recovered_list list;
    struct agent a;
    uint64_t self = (uint64_t)getpid();
    place_open(&p);
    reserve_owned(&p, "dead", dead_pid(), 1, NULL, RESERVE_OK);
    reserve_owned(&p, "used-again", self, process_start(self) + 1, NULL,
                  RESERVE_OK); /* the pid lives, the process does not */
    reserve_owned(&p, "alive", self, process_start(self), NULL, RESERVE_OK);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(store_recover(p.store, T0 + 1000, &list, &p.err), 0);
        CHECK_EQ(list.count, 2);
    }
    CHECK_STR(list.runs[0].execution_id, "dead");
    CHECK_STR(list.runs[0].agent_id, "a1");
    CHECK(list.runs[0].reason == REASON_SANDBOX_ERROR && !list.runs[0].was_settled && list.runs[0].trust_after == 500);
    CHECK_EQ(store_audited(p.store, "dead", &p.err), 0);
    CHECK(store_recover(p.store, T0 + 1000, &list, &p.err) == 0 && list.count == 1);
    CHECK_EQ(store_audited(p.store, "used-again", &p.err), 0);
    CHECK(store_recover(p.store, T0 + 1000, &list, &p.err) == 0 && list.count == 0);
    CHECK(store_agent(p.store, "a1", NULL, &a, &p.err) == 0 && a.trust == 500 && a.failures == 0 && a.cpu_ms == 0);
    struct settle s = settlement("dead", REASON_COMPLETED, T0 + 2000);
    struct settle_reply reply;
    s.violation_count = 1;
    s.violations[0] = (struct violation){ "suspicious_syscalls", "os", 0, SEVERITY_CRITICAL };
    for (int i = 0; i < 2; i++) { /* too late for the run, but not for what it did, which counts once */
        CHECK(store_settle(p.store, &s, &reply, &p.err) == 0 && !reply.was_settled);
        CHECK(store_agent(p.store, "a1", NULL, &a, &p.err) == 0 && a.violations == 1 && a.trust == 500);
        CHECK(a.standing != STANDING_GOOD && reply.standing_after == a.standing);
    }
    place_end(&p);
}

TEST(a_settled_run_whose_owner_died_before_the_audit_is_returned_with_its_outcome)
{
    struct place p;
    struct recovered_list list;
    struct settle_reply reply;
    place_open(&p);
    reserve_owned(&p, "told", dead_pid(), 1, NULL, RESERVE_OK);
    reserve_owned(&p, "untold", dead_pid(), 1, NULL, RESERVE_OK);
    struct settle s = settlement("told", REASON_ERROR, T0 + 5);
    CHECK_EQ(store_settle(p.store, &s, &reply, &p.err), 0);
    s = settlement("untold", REASON_ERROR, T0 + 6);
    s.awaits_audit = true;
    CHECK_EQ(store_settle(p.store, &s, &reply, &p.err), 0);
    CHECK_EQ(store_recover(p.store, T0 + 1000, &list, &p.err), 0);
    CHECK_EQ(list.count, 1);
    CHECK_STR(list.runs[0].execution_id, "untold");
    CHECK(list.runs[0].was_settled && list.runs[0].reason == REASON_ERROR);
    CHECK(list.runs[0].trust_before == 400 && list.runs[0].trust_after == 300 && list.runs[0].ended_ms == T0 + 6);
    place_end(&p);
}

TEST(the_dead_do_not_fill_the_machine)
{
    struct place p;
    const struct limit_rules two = { .global_concurrent = 2 };
    uint64_t self = (uint64_t)getpid(), start = process_start(self);
    place_open(&p);
    reserve_owned(&p, "r1", dead_pid(), 1, &two, RESERVE_OK);
    reserve_owned(&p, "r2", self, start, &two, RESERVE_OK);
    reserve_owned(&p, "r3", self, start, &two, RESERVE_OK); /* r1's owner is dead */
    reserve_owned(&p, "r4", self, start, &two, RESERVE_LIMIT);
    place_end(&p);
}

TEST(many_dead_do_not_fill_the_machine_either)
{
    struct place p;
    const struct limit_rules one = { .global_concurrent = 1 };
    uint64_t pid = dead_pid();
    char execution[32];
    place_open(&p);
    for (int i = 0; i < 200; i++)
        reserve_owned(&p, make_id(execution), pid, 1, NULL, RESERVE_OK);
    reserve_owned(&p, "living", (uint64_t)getpid(), process_start((uint64_t)getpid()), &one, RESERVE_OK);
    reserve_owned(&p, "next", (uint64_t)getpid(), process_start((uint64_t)getpid()), &one, RESERVE_LIMIT);
    place_end(&p);
}

TEST(an_owner_of_another_boot_is_dead_and_one_of_another_container_is_not)
{
    struct place p;
    char elsewhere[256], rebooted[256];
    uint64_t self = (uint64_t)getpid(), start = process_start(self);
    place_open(&p);
    CHECK(start != 0);
    (void)snprintf(elsewhere, sizeof elsewhere, "%.36s pid:[1]", sql_of(&p)->place);
    (void)snprintf(rebooted, sizeof rebooted, "00000000-0000-0000-0000-000000000000 %s", sql_of(&p)->place + 37);
    CHECK(owner_is_alive(sql_of(&p), self, start, sql_of(&p)->place, 0));
    CHECK(!owner_is_alive(sql_of(&p), self, start + 1, sql_of(&p)->place, 0));
    CHECK(!owner_is_alive(sql_of(&p), self, start, rebooted, 0));
    CHECK(owner_is_alive(sql_of(&p), 999999, 5, elsewhere, 7 * DAY));
    CHECK(!owner_is_alive(sql_of(&p), 999999, 5, elsewhere, 9 * DAY));
    CHECK(owner_is_alive(sql_of(&p), 1, process_start(1), sql_of(&p)->place, 0)); /* another user's */
    place_end(&p);
}

/* ---- housekeeping ---- */

TEST(a_zombie_owns_nothing)
{
    struct place p;
    place_open(&p);
    int up[2];
    char byte;
    CHECK_EQ(pipe(up), 0);
    pid_t pid = fork();
    if (pid == 0) {
        (void)close(up[0]);
        (void)pause();
        _exit(0);
    }
    (void)close(up[1]);
    const uint64_t start = process_start((uint64_t)pid);
    CHECK(start && start != PROCESS_ENDED);
    CHECK(owner_is_alive(sql_of(&p), (uint64_t)pid, start, sql_of(&p)->place, 0));
    CHECK_EQ(kill(pid, SIGKILL), 0);
    CHECK_EQ(read(up[0], &byte, 1), 0);
    siginfo_t info;
    CHECK_EQ(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0); /* it has ended, and stays */
    CHECK_EQ(process_start((uint64_t)pid), PROCESS_ENDED);
    CHECK(!owner_is_alive(sql_of(&p), (uint64_t)pid, start, sql_of(&p)->place, 0));
    CHECK_EQ(waitpid(pid, NULL, 0), pid);
    (void)close(up[0]);
    place_end(&p);
}

TEST(pruning_removes_what_is_old_and_settled_and_keeps_counters_caps_and_the_last_point)
{
    struct place p;
    struct trust_history h;
    struct agent a;
    uint64_t removed = 0;
    place_open(&p);
    (void)run(&p, "a1", REASON_COMPLETED, T0, NULL);
    (void)run(&p, "a1", REASON_ERROR, T0 + 1, "suspicious_syscalls");
    reserve_owned(&p, "running", (uint64_t)getpid(), process_start((uint64_t)getpid()), NULL, RESERVE_OK);
    CHECK_EQ(store_prune(p.store, T0 + 30 * DAY, &removed, &p.err), 0);
    CHECK_EQ(removed, 3); /* two runs, a point; the violation is remembered */
    CHECK(store_history(p.store, "a1", &h, &p.err) == 0 && h.count == 1 && h.points[0].trust == 250);
    CHECK(store_agent(p.store, "a1", NULL, &a, &p.err) == 0 && a.runs == 3 && a.violations == 1);
    CHECK_EQ(run(&p, "a1", REASON_COMPLETED, T0 + 31 * DAY, NULL).trust_after,
             300); /* up to its start an agent recovers without a cap */
    struct settle s = settlement("running", REASON_COMPLETED, T0 + 31 * DAY);
    struct settle_reply reply;
    CHECK(store_settle(p.store, &s, &reply, &p.err) == 0 && reply.was_settled);
    place_end(&p);
}

/* ---- the file ---- */

#ifndef ON_POSTGRES /* the file */
TEST(directory_and_file_are_made_private)
{
    struct place p;
    struct stat st;
    char dir[96];
    mode_t old = umask(0);
    place_open(&p);
    (void)umask(old);
    (void)snprintf(dir, sizeof dir, "%s/state", p.dir);
    CHECK(stat(dir, &st) == 0 && (st.st_mode & 07777) == 0700);
    CHECK(stat(p.path, &st) == 0 && (st.st_mode & 07777) == 0600);
    place_end(&p);
}

static void expect_refusal(struct place *p, const char *word)
{
    p->err = (struct error){ 0 };
    CHECK(open_store(p->path, &p->store, &p->err) < 0);
    CHECK(strstr(p->err.text, p->dir));
    CHECK(p->err.remedy[0]);
    if (!strstr(p->err.text, word))
        (void)fprintf(stderr, "# %s\n", p->err.text);
    CHECK(strstr(p->err.text, word));
}

TEST(a_directory_or_file_that_others_may_write_and_links_are_refused)
{
    struct place p;
    char dir[96], other[96];
    place_begin(&p);
    (void)snprintf(dir, sizeof dir, "%s/state", p.dir);
    (void)snprintf(other, sizeof other, "%s/other", dir);
    CHECK(mkdir(dir, 0700) == 0 && chmod(dir, 0770) == 0);
    expect_refusal(&p, "others may write");
    CHECK(chmod(dir, 0700) == 0);
    int fd = open(p.path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && fchmod(fd, 0602) == 0 && close(fd) == 0);
    expect_refusal(&p, "others may write");
    CHECK(rename(p.path, other) == 0 && symlink(other, p.path) == 0);
    expect_refusal(&p, "symbolic link");
    CHECK(unlink(p.path) == 0 && unlink(other) == 0 && mkdir(p.path, 0700) == 0);
    expect_refusal(&p, "");
    CHECK(rmdir(p.path) == 0 && rmdir(dir) == 0 && symlink(p.dir, dir) == 0);
    expect_refusal(&p, "symbolic link");
    CHECK(unlink(dir) == 0);
    place_end(&p);
}

TEST(a_directory_of_another_user_is_refused)
{
    struct place p;
    char dir[96];
    if (geteuid() != 0)
        SKIP("only root can give a directory away");
    place_begin(&p);
    (void)snprintf(dir, sizeof dir, "%s/state", p.dir);
    CHECK(mkdir(dir, 0700) == 0 && chown(dir, 12345, 12345) == 0);
    expect_refusal(&p, "another user");
    place_end(&p);
}

static void overwrite(const char *path, off_t at, const void *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && pwrite(fd, data, size, at) == (ssize_t)size && close(fd) == 0);
}

TEST(a_damaged_database_is_an_error_with_a_remedy_and_is_left_as_it_is)
{
    struct place p;
    struct stat before, after;
    char junk[4096];
    place_open(&p);
    for (unsigned i = 0; i < 50; i++)
        (void)run(&p, "a1", REASON_COMPLETED, T0 + i, NULL);
    CHECK(run_sql(p.store, "PRAGMA wal_checkpoint(TRUNCATE)")); /* the WAL would have the page whole */
    p.store = store_close(p.store);
    memset(junk, 0x5A, sizeof junk);
    overwrite(p.path, 0, junk, 100);
    CHECK(stat(p.path, &before) == 0);
    expect_refusal(&p, "damaged");
    CHECK(strstr(p.err.remedy, "aside"));
    CHECK(stat(p.path, &after) == 0 && before.st_size == after.st_size && before.st_ino == after.st_ino);
    place_end(&p);
}

TEST(damage_in_the_middle_is_told_by_whoever_meets_it)
{
    struct place p;
    struct agent a;
    char junk[1024];
    off_t page = 0;
    place_open(&p);
    for (unsigned i = 0; i < 50; i++)
        (void)run(&p, "a1", REASON_COMPLETED, T0 + i, NULL);
    CHECK(run_sql(p.store, "PRAGMA wal_checkpoint(TRUNCATE)"));
    sqlite3_stmt *q = NULL;
    CHECK_EQ(sqlite3_prepare_v2(sqlite_of(p.store)->db, "SELECT rootpage FROM sqlite_schema WHERE name = 'agents'", -1,
                                &q, NULL),
             SQLITE_OK);
    CHECK_EQ(sqlite3_step(q), SQLITE_ROW);
    page = sqlite3_column_int64(q, 0) - 1;
    (void)sqlite3_finalize(q);
    p.store = store_close(p.store);
    memset(junk, 0x5A, sizeof junk);
    overwrite(p.path, page * 1024, junk, sizeof junk);
    CHECK_EQ(open_store(p.path, &p.store, &p.err), 0);
    CHECK(store_agent(p.store, "a1", NULL, &a, &p.err) < 0);
    CHECK(strstr(p.err.text, "damaged") && strstr(p.err.remedy, "aside"));
    place_end(&p);
}

TEST(a_newer_schema_and_another_program_s_database_are_refused)
{
    struct place p;
    sqlite3 *db = NULL;
    char dir[96];
    place_begin(&p);
    (void)snprintf(dir, sizeof dir, "%s/state", p.dir);
    CHECK(mkdir(dir, 0700) == 0);
    CHECK(sqlite3_open(p.path, &db) == SQLITE_OK);
    CHECK(sqlite3_exec(db, "CREATE TABLE mine(x); INSERT INTO mine VALUES(1)", NULL, NULL, NULL) == SQLITE_OK);
    (void)sqlite3_close(db);
    CHECK(chmod(p.path, 0600) == 0);
    expect_refusal(&p, "another program");
    CHECK(unlink(p.path) == 0);
    CHECK_EQ(open_store(p.path, &p.store, &p.err), 0);
    p.store = store_close(p.store);
    CHECK(sqlite3_open(p.path, &db) == SQLITE_OK);
    CHECK(sqlite3_exec(db, "PRAGMA user_version=99", NULL, NULL, NULL) == SQLITE_OK);
    (void)sqlite3_close(db);
    expect_refusal(&p, "version 99");
    place_end(&p);
}

#endif

TEST(every_statement_has_its_place)
{
    struct place p;
    place_open(&p);
    struct agent a;
    static struct agent_list list;
    struct trust_history h;
    struct recovered_list recovered;
    uint64_t removed;
    bool taken;
    char execution[32];
    const struct limit_rules all = { 1, 1, 1, 1, 1, 1, 1, 1, { { { 9 } }, { { 9 } } } };
    (void)run(&p, "a1", REASON_COMPLETED, T0, "suspicious_syscalls");
    reserve_owned(&p, "dead", dead_pid(), 1, &all, RESERVE_LIMIT);
    reserve_owned(&p, "dead", dead_pid(), 1, NULL, RESERVE_OK);
    CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0 + DAY, &all, "n").outcome, RESERVE_OK);
    struct settle s = settlement(execution, REASON_COMPLETED, T0 + DAY);
    s.failure_window_ms = s.volume_window_ms = 1;
    struct settle_reply reply;
    CHECK_EQ(store_settle(p.store, &s, &reply, &p.err), 0);
    for (unsigned verb = 0; verb < STEER_VERBS; verb++) {
        struct steer steer = {
            .verb = (uint8_t)verb, .agent_id = "a1", .reason = "r", .by = "b", .now_ms = T0, .trust = 1
        };
        CHECK_EQ(store_steer(p.store, &steer, &a, &p.err), 0);
    }
    CHECK(store_recover(p.store, T0, &recovered, &p.err) == 0 && store_audited(p.store, "dead", &p.err) == 0);
    CHECK(store_agents(p.store, NULL, &list, &p.err) == 0 && store_history(p.store, "a1", &h, &p.err) == 0);
    CHECK(store_prune(p.store, T0, &removed, &p.err) == 0 && store_once(p.store, "k", T0, 1, &taken, &p.err) == 0);
#ifndef ON_POSTGRES
    CHECK(sqlite_of(p.store)->statement_count <= STORE_MAX_STATEMENTS - 8); /* room for a few more */
#endif
    place_end(&p);
}

/* ---- messages ---- */

TEST(requests_and_replies_come_out_of_their_messages_as_they_went_in)
{
    struct buf b;
    struct error err;
    union ledger_any_request got;
    uint64_t type;
    struct settle s = settlement("exec-1", REASON_OOM, T0);
    s.violations[s.violation_count++] = (struct violation){ "suspicious_syscalls", "os", 17, SEVERITY_HIGH };
    buf_init(&b, LEDGER_MAX_MESSAGE);
    pack_ledger_request(&b, LEDGER_SETTLE, &s);
    CHECK_EQ(unpack_ledger_request(b.data, b.size, &type, &got), 0);
    CHECK_EQ(type, LEDGER_SETTLE);
    CHECK(got.settle.violation_count == 1 && got.settle.violations[0].at_ms == 17 && got.settle.trust.violation == 300);
    CHECK_STR(got.settle.violations[0].detail, "os");
    for (size_t cut = 0; cut < b.size; cut++)
        CHECK(unpack_ledger_request(b.data, cut, &type, &got) < 0);
    buf_done(&b);
    buf_init(&b, LEDGER_MAX_MESSAGE);
    const struct error sent = {
        .code = -ENOSPC, .blame = BLAME_HOST, .step = "STORE", .text = "full", .remedy = "make room"
    };
    pack_ledger_failure(&b, &sent);
    struct settle_reply reply;
    CHECK_EQ(unpack_ledger_reply(b.data, b.size, LEDGER_SETTLE, &reply, &err), -ENOSPC);
    CHECK(err.blame == BLAME_HOST && str_eq(err.text, "full") && str_eq(err.remedy, "make room") &&
          str_eq(err.step, "STORE"));
    buf_done(&b);
}

TEST(requests_with_missing_or_impossible_members_are_none)
{
    union ledger_any_request got;
    uint64_t type;
    const struct reserve good = {
        .execution_id = "e", .agent_id = "a", .code_hash = "", .language = "python", .now_ms = T0
    };
    struct reserve bad[12];
    char long_id[300];
    memset(long_id, 'x', sizeof long_id - 1);
    long_id[sizeof long_id - 1] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        bad[i] = good;
    bad[0].execution_id = NULL, bad[1].execution_id = "", bad[2].execution_id = long_id;
    bad[3].agent_id = NULL, bad[4].agent_id = "", bad[5].agent_id = "a\nb", bad[6].agent_id = long_id;
    bad[7].code_hash = NULL, bad[8].code_hash = "zz", bad[9].level = RISK_COUNT, bad[10].trust_seen = 1001;
    bad[11].now_ms = UINT64_MAX;
    for (size_t i = 0; i <= ARRAY_LEN(bad); i++) {
        struct buf b;
        buf_init(&b, LEDGER_MAX_MESSAGE);
        pack_ledger_request(&b, LEDGER_RESERVE, i < ARRAY_LEN(bad) ? &bad[i] : &good);
        CHECK_EQ(unpack_ledger_request(b.data, b.size, &type, &got), i < ARRAY_LEN(bad) ? -EBADMSG : 0);
        buf_done(&b);
    }
}

/* --- the meter ------------------------------------------------------------------------------------- */

static struct usage_list usage_page;

static const struct usage_list *usage_of(struct place *p, struct usage_ask ask)
{
    if (!ask.until_ms)
        ask.until_ms = T0 + 400 * DAY;
    CHECK_EQ(store_usage(p->store, &ask, &usage_page, &p->err), 0);
    return &usage_page;
}

static struct reserve_reply reserve_with_key(struct place *p, const char *agent, const char *key, uint64_t now,
                                             const struct limit_rules *limits, char execution[static 32])
{
    struct reserve_reply booked;
    const struct reserve r = { .execution_id = make_id(execution),
                               .agent_id = agent,
                               .code_hash = "",
                               .language = "python",
                               .level = 1,
                               .now_ms = now,
                               .owner_pid = (uint64_t)getpid(),
                               .owner_start = process_start((uint64_t)getpid()),
                               .trust_seen = trust_of(p, agent),
                               .initial_trust = rules.initial,
                               .limits = limits ? *limits : (struct limit_rules){ 0 },
                               .key_id = key };
    CHECK_EQ(store_reserve(p->store, &r, &booked, &p->err), 0);
    return booked;
}

static void settle_with(struct place *p, const char *execution, uint64_t now, uint64_t cpu_us)
{
    struct settle_reply reply;
    struct settle s = settlement(execution, REASON_COMPLETED, now);
    s.use = (struct use){ cpu_us, 2 * cpu_us, 3, 5 };
    CHECK(store_settle(p->store, &s, &reply, &p->err) == 0 && reply.was_settled);
    CHECK(store_settle(p->store, &s, &reply, &p->err) == 0 && !reply.was_settled); /* once */
}

static void run_with_key(struct place *p, const char *agent, const char *key, uint64_t now, uint64_t cpu_us)
{
    char execution[32];
    CHECK_EQ(reserve_with_key(p, agent, key, now, NULL, execution).outcome, RESERVE_OK);
    settle_with(p, execution, now, cpu_us);
}

TEST(the_meter_adds_up_what_runs_took_by_agent_key_and_time)
{
    struct place p;
    const uint64_t day = T0 / DAY * DAY;
    place_open(&p);
    run_with_key(&p, "a1", "k1", day + 1, 100);
    run_with_key(&p, "a1", "k1", day + HOUR - 1, 20);
    run_with_key(&p, "a1", "k2", day + HOUR, 3);
    run_with_key(&p, "a2", NULL, day + DAY, 4000);
    const struct usage_list *l = usage_of(&p, (struct usage_ask){ 0 });
    CHECK(l->count == 1 && l->rows[0].runs == 4 && l->rows[0].use.cpu_us == 4123 && !l->rows[0].at_ms);
    CHECK(l->rows[0].use.memory_mib_ms == 8246 && l->rows[0].use.bytes_in == 12 && l->rows[0].use.bytes_out == 20);
    CHECK(!l->rows[0].agent_id && !l->rows[0].key_id && !l->is_cut);

    l = usage_of(&p, (struct usage_ask){ .by_agent = true, .by_key = true, .period = USAGE_HOUR });
    CHECK(l->count == 3 && l->rows[0].runs == 2 && l->rows[0].use.cpu_us == 120 && l->rows[0].at_ms == day);
    CHECK_STR(l->rows[1].key_id, "k2");
    CHECK(l->rows[1].at_ms == day + HOUR && l->rows[1].use.cpu_us == 3);
    CHECK(str_eq(l->rows[2].agent_id, "a2") && str_eq(l->rows[2].key_id, "") && l->rows[2].at_ms == day + DAY);

    l = usage_of(&p, (struct usage_ask){ .by_agent = true, .period = USAGE_DAY });
    CHECK(l->count == 2 && l->rows[0].use.cpu_us == 123 && l->rows[0].at_ms == day && !l->rows[0].key_id);
    l = usage_of(&p, (struct usage_ask){ .by_key = true });
    CHECK(l->count == 3 && str_eq(l->rows[0].key_id, "") && l->rows[0].use.cpu_us == 4000);
    CHECK(str_eq(l->rows[1].key_id, "k1") && l->rows[1].use.cpu_us == 120 && l->rows[2].use.cpu_us == 3);

    CHECK_EQ(usage_of(&p, (struct usage_ask){ .agent_id = "a1" })->rows[0].use.cpu_us, 123);
    CHECK_EQ(usage_of(&p, (struct usage_ask){ .key_id = "k1" })->rows[0].use.cpu_us, 120);
    CHECK_EQ(usage_of(&p, (struct usage_ask){ .agent_id = "a1", .key_id = "k2" })->rows[0].use.cpu_us, 3);
    CHECK_EQ(usage_of(&p, (struct usage_ask){ .agent_id = "not known" })->count, 0);
    CHECK_EQ(usage_of(&p, (struct usage_ask){ .since_ms = day + DAY })->rows[0].runs, 1);
    CHECK_EQ(usage_of(&p, (struct usage_ask){ .until_ms = day + 5 })->rows[0].use.cpu_us, 120); /* its whole hour */
    place_end(&p);
}

TEST(a_month_of_the_meter_is_utc_s)
{
    struct place p;
    const uint64_t march_ms = UINT64_C(1709251200000); /* 2024-03-01T00:00:00Z; February had 29 days */
    place_open(&p);
    run_with_key(&p, "a1", NULL, march_ms - 1, 1);
    run_with_key(&p, "a1", NULL, march_ms - 29 * DAY, 10);
    run_with_key(&p, "a1", NULL, march_ms, 100);
    const struct usage_list *l = usage_of(&p, (struct usage_ask){ .period = USAGE_MONTH });
    CHECK(l->count == 2 && l->rows[0].use.cpu_us == 11 && l->rows[0].at_ms == march_ms - 29 * DAY);
    CHECK(l->rows[1].use.cpu_us == 100 && l->rows[1].at_ms == march_ms);
    place_end(&p);
}

/* Every row once, whatever the grouping: a page ends where it is full. */
TEST(the_pages_of_the_meter_together_are_the_whole)
{
    struct place p;
    char key[8];
    place_open(&p);
    CHECK(run_sql(p.store, "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999) "
                           "INSERT INTO meter SELECT 1 + i / 600, 'k' || (i / 300 % 2), 472222 + i % 300, 1, 0, i, 0, "
                           "0, 0 FROM n;"
                           "INSERT INTO meter SELECT 0, key_id, hour, sum(runs), 0, sum(cpu_us), 0, 0, 0 FROM meter "
                           "GROUP BY key_id, hour"));
    for (unsigned by = 0; by < 4; by++)
        for (uint8_t period = 0; period < USAGE_PERIODS; period++) {
            struct usage_ask ask = { .by_agent = by & 1, .by_key = by & 2, .period = period };
            uint64_t runs = 0, cpu_us = 0, rows = 0;
            do {
                const struct usage_list *l = usage_of(&p, ask);
                for (uint32_t i = 0; i < l->count; i++)
                    runs += l->rows[i].runs, cpu_us += l->rows[i].use.cpu_us, rows++;
                ask.after = l->next;
                (void)snprintf(key, sizeof key, "%s", l->next.key_id); /* borrowed until the next call */
                ask.after.key_id = key;
                CHECK(rows <= 3000);
            } while (usage_page.is_cut);
            CHECK_EQ(runs, 3000);
            CHECK_EQ(cpu_us, 2999 * 3000 / 2);
            if (period == USAGE_HOUR)
                CHECK_EQ(rows, 300 * (by & 1 ? 5 : 1) * (by & 2 ? 2 : 1));
        }
    place_end(&p);
}

TEST(counts_are_told_without_booking_anything)
{
    struct place p;
    struct limit_counts n;
    place_open(&p);
    const struct reserve ask = { .execution_id = "none",
                                 .agent_id = "a1",
                                 .code_hash = "",
                                 .language = "none",
                                 .level = RISK_MEDIUM,
                                 .now_ms = T0 + 10,
                                 .limits = { .runs_per_hour = 5, .budgets[BUDGET_OF_AGENT] = { { 9, 9, 0, 0 } } } };
    CHECK(store_counts(p.store, &ask, &n, &p.err) == 0 && !n.runs_hour); /* not known */
    for (unsigned i = 0; i < 3; i++)
        (void)run(&p, "a1", REASON_COMPLETED, T0 + i, NULL);
    for (unsigned i = 0; i < 2; i++) {
        CHECK_EQ(store_counts(p.store, &ask, &n, &p.err), 0);
        CHECK(n.runs_hour == 3 && n.used[BUDGET_OF_AGENT].part[BUDGET_RUNS] == 3);
        CHECK(!n.runs_day && !n.used[BUDGET_OF_KEY].part[BUDGET_RUNS]); /* not asked for */
    }
    place_end(&p);
}

TEST(a_run_whose_bytes_nothing_counted_is_said_to_be_not_measured)
{
    struct place p;
    struct settle_reply done;
    place_open(&p);
    for (int i = 0; i < 2; i++) {
        const char *id = i ? "bridged" : "brokered";
        reserve_owned(&p, id, 1, 1, NULL, RESERVE_OK);
        const struct settle s = { .execution_id = id, .now_ms = T0 + 1, .use.cpu_us = 5, .has_uncounted = i };
        CHECK(store_settle(p.store, &s, &done, &p.err) == 0 && done.was_settled);
    }
    const struct usage_list *l = usage_of(&p, (struct usage_ask){ .by_agent = true });
    CHECK(l->count == 1 && l->rows[0].runs == 2 && l->rows[0].unmeasured == 1 && l->rows[0].use.cpu_us == 10);
    place_end(&p);
}

TEST(what_a_dead_process_ran_is_counted_and_said_to_be_not_measured)
{
    struct place p;
    struct recovered_list list;
    place_open(&p);
    reserve_owned(&p, "dead", dead_pid(), 1, NULL, RESERVE_OK);
    for (int i = 0; i < 2; i++) /* once */
        CHECK_EQ(store_recover(p.store, T0 + 1000, &list, &p.err), 0);
    const struct usage_list *l = usage_of(&p, (struct usage_ask){ .by_agent = true });
    CHECK(l->count == 1 && l->rows[0].runs == 1 && l->rows[0].unmeasured == 1 && !l->rows[0].use.cpu_us);
    place_end(&p);
}

TEST(the_meter_forgets_after_four_hundred_days)
{
    struct place p;
    uint64_t removed;
    place_open(&p);
    run_with_key(&p, "a1", NULL, T0, 7);
    CHECK_EQ(store_prune(p.store, T0 + 399 * DAY, &removed, &p.err), 0);
    CHECK_EQ(usage_of(&p, (struct usage_ask){ 0 })->count, 1);
    CHECK_EQ(store_prune(p.store, T0 + 402 * DAY, &removed, &p.err), 0);
    CHECK_EQ(usage_of(&p, (struct usage_ask){ 0 })->count, 0);
    place_end(&p);
}

#ifndef ON_POSTGRES
/* As version 5 left it: runs go on, and those that were under way are settled. */
TEST(a_database_of_version_5_gets_a_meter)
{
    struct place p;
    struct settle_reply reply;
    place_open(&p);
    CHECK_EQ(reserve_as(&p, "a1", "under-way", T0, NULL, NULL).outcome, RESERVE_OK);
    CHECK_EQ(sqlite3_exec(sqlite_of(p.store)->db,
                          "DROP TABLE meter; ALTER TABLE runs DROP COLUMN key_id; PRAGMA user_version=5", NULL, NULL,
                          NULL),
             SQLITE_OK);
    p.store = store_close(p.store);
    CHECK_EQ(open_store(p.path, &p.store, &p.err), 0);
    struct settle s = settlement("under-way", REASON_COMPLETED, T0 + 5);
    CHECK(store_settle(p.store, &s, &reply, &p.err) == 0 && reply.was_settled);
    run_with_key(&p, "a1", "k", T0, 500);
    const struct usage_list *l = usage_of(&p, (struct usage_ask){ .by_agent = true });
    CHECK(l->count == 1 && l->rows[0].runs == 2 && l->rows[0].use.cpu_us == 10000);
    place_end(&p);
}
#endif

/* What is used up refuses, by its name, until the day of UTC ends; and nothing before it is. */
TEST(a_budget_refuses_when_it_is_used_up_and_not_before)
{
    static const struct {
        struct limit_rules rules;
        enum limit_name name;
        uint64_t used;
    } cases[] = {
        { { .budgets[BUDGET_OF_AGENT].part[BUDGET_RUNS] = 3 }, LIMIT_BUDGETS + BUDGET_RUNS, 3 },
        { { .budgets[BUDGET_OF_AGENT].part[BUDGET_CPU] = 3000 }, LIMIT_BUDGETS + BUDGET_CPU, 3000 },
        { { .budgets[BUDGET_OF_AGENT].part[BUDGET_MEMORY] = 5999 }, LIMIT_BUDGETS + BUDGET_MEMORY, 6000 },
        { { .budgets[BUDGET_OF_AGENT].part[BUDGET_BYTES] = 24 }, LIMIT_BUDGETS + BUDGET_BYTES, 24 },
        { { .budgets[BUDGET_OF_KEY].part[BUDGET_RUNS] = 3 }, LIMIT_BUDGETS + BUDGET_PARTS + BUDGET_RUNS, 3 },
        { { .budgets[BUDGET_OF_KEY].part[BUDGET_CPU] = 2001 }, LIMIT_BUDGETS + BUDGET_PARTS + BUDGET_CPU, 3000 },
    };
    const uint64_t day = T0 / DAY * DAY;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const bool is_key = cases[i].name >= LIMIT_BUDGETS + BUDGET_PARTS;
        struct place p;
        char execution[32];
        place_open(&p);
        run_with_key(&p, "a1", "k1", day - 1, 1000000); /* yesterday's is not today's */
        for (unsigned k = 0; k < 3; k++) {              /* of a key: by several agents */
            const char *agent = is_key && k ? "a2" : "a1";
            CHECK_EQ(reserve_with_key(&p, agent, "k1", day + k * HOUR, &cases[i].rules, execution).outcome, RESERVE_OK);
            settle_with(&p, execution, day + k * HOUR, 1000);
        }
        struct reserve_reply reply = reserve_with_key(&p, "a1", "k1", day + 5 * HOUR, &cases[i].rules, execution);
        CHECK_EQ(reply.outcome, RESERVE_LIMIT);
        CHECK_EQ(reply.limit.limit, cases[i].name);
        CHECK_EQ(reply.limit.used, cases[i].used);
        CHECK_EQ(reply.limit.wait_ms, 19 * HOUR);
        CHECK_EQ(reserve_with_key(&p, "a1", "k1", day + DAY - 1, &cases[i].rules, execution).outcome, RESERVE_LIMIT);
        /* another agent, another key, the command line have their own */
        CHECK_EQ(reserve_with_key(&p, "a3", "k2", day + 5 * HOUR, &cases[i].rules, execution).outcome, RESERVE_OK);
        CHECK_EQ(reserve_with_key(&p, "a4", NULL, day + 5 * HOUR, &cases[i].rules, execution).outcome, RESERVE_OK);
        CHECK_EQ(reserve_with_key(&p, "a1", "k1", day + DAY, &cases[i].rules, execution).outcome, RESERVE_OK);
        place_end(&p);
    }
}

/* Booked and not ended yet: it is counted, so that many at once together do not get more; and no less when one ends. */
TEST(a_budget_of_runs_is_exact_while_they_run_and_its_share_is_told)
{
    for (unsigned of = 0; of < BUDGET_OWNERS; of++) {
        struct place p;
        char execution[32], last[32];
        struct limit_rules limits = { 0 };
        limits.budgets[of].part[BUDGET_RUNS] = 4;
        place_open(&p);
        for (unsigned k = 1; k <= 4; k++) {
            struct reserve_reply reply = reserve_with_key(&p, "a1", "k1", T0, &limits, execution);
            CHECK(reply.outcome == RESERVE_OK && reply.nearest_share == k * 250);
            CHECK_STR(reply.nearest_limit, of == BUDGET_OF_AGENT ? "budgets.per_agent.max_executions_per_day"
                                                                 : "budgets.per_key.max_executions_per_day");
            if (k == 4)
                memcpy(last, execution, sizeof last);
            if (k == 2)
                settle_with(&p, execution, T0, 1);
        }
        for (unsigned k = 0; k < 3; k++) /* refused ones are not counted */
            CHECK_EQ(reserve_with_key(&p, "a1", "k1", T0, &limits, execution).outcome, RESERVE_LIMIT);
        CHECK_EQ(usage_of(&p, (struct usage_ask){ 0 })->rows[0].runs, 1); /* those that are over */
        settle_with(&p, last, T0, 1);
        CHECK_EQ(reserve_with_key(&p, "a1", "k1", T0, &limits, execution).outcome, RESERVE_LIMIT);
        CHECK_EQ(usage_of(&p, (struct usage_ask){ 0 })->rows[0].runs, 2);
        CHECK_EQ(reserve_with_key(&p, "a2", "k2", T0, &limits, execution).outcome, RESERVE_OK);
        place_end(&p);
    }
}

/* ---- windows that were counted before ---- */

#ifdef ON_POSTGRES
#define STEPS 300u
#else
#define STEPS 2000u
#endif

/* What the store should know of the runs that it admitted. */
struct admitted {
    uint64_t started_ms, ended_ms; /* ended_ms 0: it runs */
    unsigned agent, level;
    bool is_job, is_pruned;
};
static struct admitted admitted[2000];
static unsigned admitted_count;

static bool lies_in(uint64_t at, uint64_t now, uint64_t window)
{
    return at > now - window && at < now + window;
}

static uint32_t count_admitted(unsigned agent, int level, bool is_job, uint64_t now, uint64_t window)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < admitted_count; i++) {
        const struct admitted *a = &admitted[i];
        n += !a->is_pruned && a->is_job == is_job &&
             (level < 0 || (a->agent == agent && a->level == (unsigned)level)) && lies_in(a->started_ms, now, window);
    }
    return n;
}

static uint64_t sum_cpu_ms(unsigned agent, unsigned level, uint64_t now)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < admitted_count; i++) {
        const struct admitted *a = &admitted[i];
        sum += !a->is_pruned && a->ended_ms && a->agent == agent && a->level == level && lies_in(a->ended_ms, now, HOUR)
                   ? 10
                   : 0;
    }
    return sum;
}

/* Mostly a little, sometimes far, and sometimes back. */
static uint64_t next_ms(uint64_t now)
{
    const uint64_t kind = rnd(100);
    return kind < 40   ? now + rnd(300)
           : kind < 60 ? now + rnd(5000)
           : kind < 85 ? now + rnd(HOUR / 3)
           : kind < 92 ? now - rnd(HOUR / 3)
           : kind < 96 ? now + rnd(3 * HOUR)
                       : now - rnd(2 * HOUR);
}

static void prune_sometimes(struct place *p, uint64_t *now)
{
    uint64_t removed;
    if (rnd(100))
        return;
    *now += rnd(3) ? 0 : 3 * DAY; /* then none is left, and SQLite gives the numbers once more */
    const uint64_t before = *now - DAY - HOUR;
    CHECK_EQ(store_prune(p->store, before, &removed, &p->err), 0);
    for (unsigned i = 0; i < admitted_count; i++)
        admitted[i].is_pruned |= admitted[i].ended_ms && admitted[i].started_ms < before &&
                                 admitted[i].ended_ms < before;
}

/* Two processes in turns, a clock that goes on, jumps and goes back, agents, levels and jobs: what is admitted is what
 * counting all of it anew would admit. */
TEST(a_window_that_was_counted_before_admits_exactly_what_counting_it_anew_would)
{
    static const struct limit_rules of_run = { .runs_per_hour = 9,
                                               .runs_per_day = 60,
                                               .cpu_ms_per_hour = 70,
                                               .global_runs_per_hour = 22 },
                                    of_job = { .jobs_per_hour = 7, .cpu_ms_per_hour = 70 };
    static const char *const agents[] = { "a1", "a2" };
    struct place p, other = { 0 };
    struct settle_reply settled;
    uint64_t now = T0;
    unsigned refused = 0;
    place_open(&p);
    CHECK_EQ(open_store(p.path, &other.store, &other.err), 0);
    admitted_count = 0;
    seed = 791900; /* with it a window of all agents seems full once that was pruned */
    for (unsigned i = 0; i < STEPS; i++) {
        struct place *at = rnd(3) ? &p : &other;
        prune_sometimes(at, &now);
        now = next_ms(now);
        const unsigned agent = (unsigned)(rnd(3) / 2), level = (unsigned)(rnd(4) / 3);
        const bool is_job = rnd(4) == 0;
        const struct limit_rules *l = is_job ? &of_job : &of_run;
        const bool has_room = sum_cpu_ms(agent, level, now) < 70 &&
                              (is_job ? count_admitted(agent, (int)level, true, now, HOUR) < 7
                                      : count_admitted(agent, (int)level, false, now, HOUR) < 9 &&
                                            count_admitted(agent, (int)level, false, now, DAY) < 60 &&
                                            count_admitted(0, -1, false, now, HOUR) < 22);
        char id[32];
        (void)snprintf(id, sizeof id, "%s-%u", is_job ? "job" : "exec", 1000000 + i);
        struct reserve_reply reply;
        const struct reserve r = { .execution_id = id,
                                   .agent_id = agents[agent],
                                   .code_hash = "",
                                   .language = "python",
                                   .level = (uint8_t)level,
                                   .now_ms = now,
                                   .owner_pid = (uint64_t)getpid(),
                                   .owner_start = process_start((uint64_t)getpid()),
                                   .trust_seen = trust_of(at, agents[agent]),
                                   .initial_trust = rules.initial,
                                   .limits = *l };
        CHECK_EQ(store_reserve(at->store, &r, &reply, &at->err), 0);
        CHECK_EQ(reply.outcome, has_room ? RESERVE_OK : RESERVE_LIMIT);
        refused += !has_room;
        if (!has_room)
            continue;
        struct admitted *a = &admitted[admitted_count++];
        *a = (struct admitted){ .started_ms = now, .agent = agent, .level = level, .is_job = is_job };
        if (rnd(5)) {
            const struct settle s = { .execution_id = id, .now_ms = now + 1, .use.cpu_us = 9500 };
            CHECK_EQ(store_settle(rnd(2) ? p.store : other.store, &s, &settled, &p.err), 0);
            CHECK(settled.was_settled);
            a->ended_ms = now + 1;
        }
    }
    CHECK(admitted_count > STEPS / 4 && refused > STEPS / 10);
    (void)store_close(other.store);
    place_end(&p);
}

/* Rows that stand in the table, and that no booking wrote: they are seen by what counts, and by nothing else. */
TEST(a_window_is_counted_once_and_again_only_before_a_run_is_refused_or_near_its_limit)
{
    static const struct limit_rules wide = { .runs_per_hour = 1000,
                                             .runs_per_day = 1000,
                                             .global_runs_per_hour = 1000 },
                                    narrow = { .runs_per_hour = 900 };
    struct place p;
    char execution[32];
    place_open(&p);
    for (unsigned i = 0; i < 3; i++)
        CHECK_EQ(reserve_as(&p, "a1", make_id(execution), T0 + i * 60000, &wide, NULL).outcome, RESERVE_OK);
    CHECK(run_sql(p.store, "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 950) INSERT INTO "
                           "runs(number, execution_id, agent, level, language, code_hash, started_ms, owner_pid, "
                           "owner_start, owner_place, state, shape, tree, size, key_id) SELECT -n, 'x-' || n, "
                           "(SELECT min(number) FROM agents), 1, '', '', 1700000000001, 1, 1, '', 1, '', '', 0, '' "
                           "FROM c"));
    struct reserve_reply reply = reserve_as(&p, "a1", make_id(execution), T0 + 240000, &wide, NULL);
    CHECK(reply.outcome == RESERVE_OK && reply.nearest_share == 4); /* of 1000 */
    reply = reserve_as(&p, "a1", make_id(execution), T0 + 300000, &narrow, NULL);
    CHECK(reply.outcome == RESERVE_OK); /* 5 of 900 */
    unsigned more = 0;                  /* an eighth of 1000, and with leases a little more */
    for (; more < 300 && reply.outcome == RESERVE_OK; more++)
        reply = reserve_as(&p, "a1", make_id(execution), T0 + 360000 + more * 60, &wide, NULL);
    CHECK(more > 100 && more < 300);
    place_end(&p);
}
