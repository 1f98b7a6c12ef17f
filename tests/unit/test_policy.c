/* Trust, standing and limits: what holds for every score, every sequence and every clock. The generator is our own and
 * begins anew in each test, so a failure can be repeated. */
#include "policy/limits.h"
#include "policy/standing.h"
#include "policy/trust.h"
#include "test.h"

#define CASES 200000
#define HOUR  LIMIT_HOUR_MS
#define DAY   LIMIT_DAY_MS

static uint64_t state;

static uint64_t any(uint64_t below) /* splitmix64 */
{
    uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (z ^ (z >> 31)) % below;
}

static uint32_t any32(uint32_t below)
{
    return (uint32_t)any(below);
}

static struct trust_rules default_rules(void)
{
    struct config c;
    config_defaults(&c);
    struct trust_rules r = trust_rules_from(&c);
    config_done(&c);
    return r;
}

/* What the configuration admits: min <= initial <= max. */
static struct trust_rules any_rules(void)
{
    struct trust_rules r = { .success = any32(1001),
                             .failure = any32(1001),
                             .violation = any32(1001),
                             .gain_per_hour = any32(1001),
                             .gain_per_code = any32(1001),
                             .drift_per_day = any32(1001),
                             .drift_after_ms = any(7 * DAY) };
    r.min = any32(1001);
    r.max = r.min + any32(1001 - r.min);
    r.initial = r.min + any32(r.max - r.min + 1);
    return r;
}

/* ---- trust ---- */

TEST(trust_stays_in_its_range_whatever_happens)
{
    state = 1;
    for (int i = 0; i < CASES; i++) {
        const struct trust_rules r = any_rules();
        const struct trust_past past = { any32(1200), any32(1200), any32(1200) };
        uint32_t after = trust_after(&r, &past, (enum trust_event)any(4));
        CHECK(after >= r.min && after <= r.max);
        uint32_t drifted = trust_drift(&r, past.score, any(1000 * DAY), any(1000 * DAY));
        CHECK(drifted >= r.min && drifted <= r.max);
    }
}

TEST(a_success_never_lowers_and_a_failure_or_violation_never_raises)
{
    state = 2;
    for (int i = 0; i < CASES; i++) {
        const struct trust_rules r = any_rules();
        const struct trust_past past = { r.min + any32(r.max - r.min + 1), any32(1200), any32(1200) };
        CHECK(trust_after(&r, &past, TRUST_SUCCESS) >= past.score);
        CHECK(trust_after(&r, &past, TRUST_FAILURE) <= past.score);
        CHECK(trust_after(&r, &past, TRUST_VIOLATION) <= past.score);
        CHECK_EQ(trust_after(&r, &past, TRUST_NEUTRAL), past.score);
    }
}

TEST(more_trust_before_is_never_less_trust_after)
{
    state = 3;
    for (int i = 0; i < CASES; i++) {
        const struct trust_rules r = any_rules();
        struct trust_past less = { r.min + any32(r.max - r.min + 1), any32(1200), any32(1200) }, more = less;
        more.score = less.score + any32(r.max - less.score + 1);
        enum trust_event e = (enum trust_event)any(4);
        CHECK(trust_after(&r, &more, e) >= trust_after(&r, &less, e));
    }
}

#define GAINS 400

struct gain {
    uint64_t at_ms;
    uint32_t amount, code;
};

static uint32_t gained_since(const struct gain *g, int n, uint64_t since_ms)
{
    uint32_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += g[i].at_ms > since_ms ? g[i].amount : 0;
    return sum;
}

static uint32_t gained_by(const struct gain *g, int n, uint32_t code)
{
    uint32_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += g[i].code == code ? g[i].amount : 0;
    return sum;
}

TEST(gains_within_any_hour_and_from_one_code_never_exceed_their_caps)
{
    state = 4;
    for (int round = 0; round < 60; round++) {
        const struct trust_rules r = any_rules();
        struct gain gains[GAINS];
        uint32_t score = r.initial;
        uint64_t now = 10 * DAY;
        for (int i = 0; i < GAINS; i++) {
            now += any(20 * 60 * 1000);
            gains[i] = (struct gain){ now, 0, any32(5) };
            const struct trust_past past = { score, gained_since(gains, i, now - HOUR),
                                             gained_by(gains, i, gains[i].code) };
            enum trust_event e = any(3) ? TRUST_SUCCESS : TRUST_FAILURE;
            uint32_t after = trust_after(&r, &past, e);
            gains[i].amount = after > score ? after - score : 0;
            score = after;
            CHECK(gained_since(gains, i + 1, now - HOUR) <= r.gain_per_hour);
            CHECK(gained_by(gains, i + 1, gains[i].code) <= r.gain_per_code);
        }
    }
}

TEST(six_trivial_successes_never_buy_the_low_level_with_the_defaults)
{
    const struct trust_rules r = default_rules();
    struct trust_past past = { .score = r.initial };
    for (int i = 0; i < 6; i++) { /* six different codes within an hour */
        uint32_t after = trust_after(&r, &past, TRUST_SUCCESS);
        past.gained_last_hour += after - past.score;
        past.score = after;
    }
    CHECK_EQ(past.score, 600);
    past = (struct trust_past){ .score = r.initial };
    for (int i = 0; i < 1000; i++) { /* the same code for ever */
        uint32_t after = trust_after(&r, &past, TRUST_SUCCESS);
        past.gained_by_code += after - past.score;
        past.score = after;
    }
    CHECK_EQ(past.score, 550);
}

TEST(a_violation_costs_far_more_than_a_failure_with_the_defaults)
{
    const struct trust_rules r = default_rules();
    const struct trust_past past = { .score = 500 };
    CHECK_EQ(trust_after(&r, &past, TRUST_SUCCESS), 550);
    CHECK_EQ(trust_after(&r, &past, TRUST_FAILURE), 400);
    CHECK_EQ(trust_after(&r, &past, TRUST_VIOLATION), 200);
    CHECK_EQ(trust_after(&r, &(struct trust_past){ .score = 50 }, TRUST_FAILURE), 0);
    CHECK_EQ(trust_after(&r, &(struct trust_past){ .score = 980 }, TRUST_SUCCESS), 1000);
}

TEST(drift_goes_towards_the_default_and_never_past_it)
{
    state = 5;
    for (int i = 0; i < CASES; i++) {
        const struct trust_rules r = any_rules();
        uint32_t score = r.min + any32(r.max - r.min + 1);
        uint64_t since = 1 + any(100 * DAY), now = since + any(400 * DAY);
        uint32_t after = trust_drift(&r, score, since, now);
        if (score >= r.initial)
            CHECK(after <= score && after >= r.initial);
        else
            CHECK(after >= score && after <= r.initial);
        CHECK_EQ(trust_drift(&r, score, 0, now), score);     /* never written: no silence */
        CHECK_EQ(trust_drift(&r, score, now, since), score); /* the clock was set back */
        uint64_t later = now + any(100 * DAY);
        uint32_t further = trust_drift(&r, score, since, later);
        CHECK(score >= r.initial ? further <= after : further >= after);
    }
}

TEST(drift_is_off_by_default_and_begins_with_the_silence_that_is_configured)
{
    struct trust_rules r = default_rules();
    CHECK_EQ(trust_drift(&r, 900, DAY, 300 * DAY), 900);
    r.drift_per_day = 10;
    r.drift_after_ms = 3 * DAY;
    CHECK_EQ(trust_drift(&r, 900, DAY, 4 * DAY - 1), 900);
    CHECK_EQ(trust_drift(&r, 900, DAY, 4 * DAY), 870);
    CHECK_EQ(trust_drift(&r, 100, DAY, 11 * DAY), 200);
    CHECK_EQ(trust_drift(&r, 900, DAY, 1000 * DAY), 500);
}

TEST(what_each_reason_means_for_trust_is_what_the_documentation_says)
{
    static const enum trust_event meaning[REASON_COUNT] = {
        [REASON_COMPLETED] = TRUST_SUCCESS,     [REASON_ERROR] = TRUST_FAILURE,  [REASON_SIGNAL] = TRUST_FAILURE,
        [REASON_TIMEOUT] = TRUST_FAILURE,       [REASON_OOM] = TRUST_FAILURE,    [REASON_PIDS_LIMIT] = TRUST_FAILURE,
        [REASON_OUTPUT_LIMIT] = TRUST_FAILURE,  [REASON_KILLED] = TRUST_FAILURE, [REASON_POLICY_DENIED] = TRUST_NEUTRAL,
        [REASON_SANDBOX_ERROR] = TRUST_NEUTRAL,
    };
    for (unsigned i = 0; i < REASON_COUNT; i++) {
        enum run_reason reason = (enum run_reason)i;
        CHECK_EQ(trust_event_of(reason, false, false), meaning[i]);
        CHECK_EQ(trust_event_of(reason, true, false), TRUST_VIOLATION);
        CHECK_EQ(trust_event_of(reason, false, true), TRUST_NEUTRAL);
        CHECK_EQ(trust_event_of(reason, true, true), TRUST_VIOLATION);
    }
}

/* ---- standing ---- */

TEST(standing_never_improves_by_itself)
{
    char why[160];
    state = 6;
    for (int i = 0; i < CASES; i++) {
        const struct standing_rules r = { any32(6), any(30 * DAY), any(2) };
        enum standing now = (enum standing)any(STANDING_COUNT);
        enum standing after = standing_after(&r, now, any32(10), (uint8_t)any(SEVERITY_COUNT), why);
        CHECK(after >= now && after < STANDING_COUNT);
        CHECK((after != now) == (why[0] != '\0'));
    }
}

TEST(more_violations_and_worse_ones_never_make_a_better_standing)
{
    char why[160];
    state = 7;
    for (int i = 0; i < CASES; i++) {
        const struct standing_rules r = { any32(6), DAY, any(2) };
        enum standing now = (enum standing)any(STANDING_COUNT);
        uint32_t count = any32(8);
        uint8_t worst = (uint8_t)any(SEVERITY_COUNT);
        enum standing after = standing_after(&r, now, count, worst, why);
        CHECK(standing_after(&r, now, count + any32(4), worst, why) >= after);
        CHECK(standing_after(&r, now, count, (uint8_t)MIN_OF(worst + any(3), UINT64_C(4)), why) >= after);
    }
}

TEST(three_violations_are_quarantine_and_a_critical_one_is_a_ban_with_the_defaults)
{
    char why[160];
    struct config c;
    config_defaults(&c);
    struct standing_rules r = standing_rules_from(&c);
    CHECK_EQ(r.quarantine_on_violations, 3);
    CHECK_EQ(r.window_ms, DAY);
    CHECK_EQ(standing_after(&r, STANDING_GOOD, 2, SEVERITY_HIGH, why), STANDING_GOOD);
    CHECK_EQ(standing_after(&r, STANDING_GOOD, 3, SEVERITY_MEDIUM, why), STANDING_QUARANTINED);
    CHECK(strstr(why, "3 violations within 24 h"));
    CHECK_EQ(standing_after(&r, STANDING_GOOD, 1, SEVERITY_CRITICAL, why), STANDING_BANNED);
    CHECK(strstr(why, "ban_on_severe_violations"));
    CHECK_EQ(standing_after(&r, STANDING_QUARANTINED, 4, SEVERITY_CRITICAL, why), STANDING_BANNED);
    r.ban_on_severe = false;
    CHECK_EQ(standing_after(&r, STANDING_GOOD, 1, SEVERITY_CRITICAL, why), STANDING_GOOD);
    CHECK_EQ(standing_after(&r, STANDING_GOOD, 5, SEVERITY_INFO, why), STANDING_GOOD); /* this run did nothing */
    config_done(&c);
}

TEST(limits_that_were_hit_are_no_matter_of_security_and_unknown_violations_are)
{
    static const char *const resources[] = { "memory_limit", "pids_limit", "output_limit", "excessive_cpu_usage" };
    static const char *const security[] = { "blocked_module",         "blocked_builtin",   "blocked_command",
                                            "scan_blocked",           "signature_invalid", "signature_replay",
                                            "network_access_attempt", "reverse_shells",    "something_new" };
    for (size_t i = 0; i < ARRAY_LEN(resources); i++)
        CHECK(!violation_is_security(resources[i]));
    for (size_t i = 0; i < ARRAY_LEN(security); i++)
        CHECK(violation_is_security(security[i]));
    CHECK_EQ(violation_severity("crypto_mining"), SEVERITY_CRITICAL);
    CHECK_EQ(violation_severity("signature_replay"), SEVERITY_HIGH);
    CHECK_EQ(violation_severity("something_new"), SEVERITY_MEDIUM);
    CHECK_EQ(violation_severity(NULL), SEVERITY_MEDIUM);
}

/* ---- limits ---- */

#define BOOKED 3000

struct booking {
    uint64_t at_ms, ended_ms, cpu_ms;
};

/* What the store counts, over a plain array: newest last, as booked. */
static uint32_t count_window(const struct booking *b, int n, uint64_t window, uint64_t now, uint64_t limit,
                             uint64_t *ret_leaves)
{
    uint32_t count = 0;
    *ret_leaves = 0;
    for (int i = n - 1; i >= 0; i--)
        if (b[i].at_ms + window > now && ++count == limit)
            *ret_leaves = b[i].at_ms;
    return count;
}

static struct limit_counts count_all(const struct booking *b, int n, const struct limit_rules *r, uint64_t now)
{
    struct limit_counts c = { 0 };
    c.runs_hour = count_window(b, n, HOUR, now, r->runs_per_hour, &c.hour_oldest_ms);
    c.runs_day = count_window(b, n, DAY, now, r->runs_per_day, &c.day_oldest_ms);
    c.global_hour = count_window(b, n, HOUR, now, r->global_runs_per_hour, &c.global_oldest_ms);
    c.last_start_ms = n ? b[n - 1].at_ms : 0;
    for (int i = n - 1; i >= 0; i--) { /* runs end in their order here */
        if (b[i].ended_ms > now)
            c.global_running++;
        if (b[i].ended_ms > now || b[i].ended_ms + HOUR <= now)
            continue;
        c.cpu_ms_hour += b[i].cpu_ms;
        if (!c.cpu_oldest_ms && r->cpu_ms_per_hour && c.cpu_ms_hour >= r->cpu_ms_per_hour)
            c.cpu_oldest_ms = b[i].ended_ms;
    }
    return c;
}

static struct limit_rules any_limits(void)
{
    struct limit_rules r = { 0 };
    if (any(4))
        r.runs_per_hour = 1 + any32(40);
    if (any(2))
        r.runs_per_day = 1 + any32(200);
    if (any(2))
        r.cpu_ms_per_hour = 1 + any(200000);
    if (any(2))
        r.cooldown_ms = any(600000);
    if (any(2))
        r.global_runs_per_hour = 1 + any32(60);
    return r;
}

static void check_windows(const struct booking *b, int n, const struct limit_rules *r, uint64_t now)
{
    uint64_t ignored;
    CHECK(!r->runs_per_hour || count_window(b, n, HOUR, now, 1, &ignored) <= r->runs_per_hour);
    CHECK(!r->runs_per_day || count_window(b, n, DAY, now, 1, &ignored) <= r->runs_per_day);
    CHECK(!r->global_runs_per_hour || count_window(b, n, HOUR, now, 1, &ignored) <= r->global_runs_per_hour);
    CHECK(n < 2 || b[n - 1].at_ms >= b[n - 2].at_ms + r->cooldown_ms);
}

TEST(windows_never_exceed_their_limits_and_after_exactly_the_wait_a_retry_passes)
{
    static struct booking booked[BOOKED];
    int refusals = 0;
    state = 8;
    for (int round = 0; round < 40; round++) {
        const struct limit_rules r = any_limits();
        uint64_t now = 100 * DAY;
        int n = 0;
        for (int i = 0; i < 600; i++) {
            now += any(any(10) ? 5 * 60 * 1000 : 5 * HOUR);
            struct limit_counts c = count_all(booked, n, &r, now);
            struct limit_verdict v = limits_check(&r, &c, now);
            if (v.limit) {
                refusals++;
                CHECK(v.wait_ms > 0 && v.wait_ms <= DAY);
                c = count_all(booked, n, &r, now + v.wait_ms - 1);
                CHECK(limits_check(&r, &c, now + v.wait_ms - 1).limit); /* not a millisecond too much */
                now += v.wait_ms;
                c = count_all(booked, n, &r, now);
                CHECK_EQ(limits_check(&r, &c, now).limit, LIMIT_NONE);
            }
            booked[n++] = (struct booking){ now, now, any(20000) };
            check_windows(booked, n, &r, now);
        }
    }
    CHECK(refusals > 1000);
}

TEST(after_a_limit_was_lowered_the_wait_is_still_exact)
{
    static struct booking booked[BOOKED];
    state = 9;
    for (int round = 0; round < 2000; round++) {
        uint64_t now = 100 * DAY;
        int n = (int)any(60);
        for (int i = 0; i < n; i++) {
            now += any(60000);
            booked[i] = (struct booking){ now, now, any(5000) };
        }
        const struct limit_rules r = any_limits();
        struct limit_counts c = count_all(booked, n, &r, now);
        struct limit_verdict v = limits_check(&r, &c, now);
        if (!v.limit)
            continue;
        c = count_all(booked, n, &r, now + v.wait_ms);
        CHECK_EQ(limits_check(&r, &c, now + v.wait_ms).limit, LIMIT_NONE);
    }
}

TEST(of_several_limits_the_one_with_the_longest_wait_is_named)
{
    const struct limit_rules r = {
        .runs_per_hour = 2, .runs_per_day = 10, .cooldown_ms = 300000, .global_concurrent = 1
    };
    struct limit_counts c = {
        .runs_hour = 2, .hour_oldest_ms = DAY - 10 * 60000, .last_start_ms = DAY - 60000, .global_running = 1
    };
    struct limit_verdict v = limits_check(&r, &c, DAY);
    CHECK_EQ(v.limit, LIMIT_RUNS_HOUR);
    CHECK_EQ(v.wait_ms, 50 * 60000);
    CHECK_EQ(v.allowed, 2);
    CHECK_EQ(v.used, 2);
    CHECK_STR(limit_names[v.limit], "max_executions_per_hour");
    c.runs_hour = 1;
    v = limits_check(&r, &c, DAY);
    CHECK_EQ(v.limit, LIMIT_COOLDOWN);
    CHECK_EQ(v.wait_ms, 240000);
    c.last_start_ms = 0;
    CHECK_EQ(limits_check(&r, &c, DAY).limit, LIMIT_CONCURRENT);
    c.global_running = 0;
    CHECK_EQ(limits_check(&r, &c, DAY).limit, LIMIT_NONE);
    CHECK_EQ(limits_check(&(struct limit_rules){ 0 }, &c, DAY).limit, LIMIT_NONE);
}

TEST(the_stricter_of_profile_and_configuration_limits)
{
    struct config c;
    struct profile p = { .risk_level = RISK_HIGH };
    config_defaults(&c);
    p.rate_limits.max_executions_per_hour = 20;
    p.rate_limits.max_executions_per_day = 100;
    p.rate_limits.cooldown_period = 300000;
    c.rate_limiting.per_agent[RISK_HIGH].max_executions_per_hour = 50;
    c.rate_limiting.per_agent[RISK_HIGH].max_cpu_time_per_hour = 7000;
    struct limit_rules r = limit_rules_from(&c, &p);
    CHECK(r.runs_per_hour == 20 && r.runs_per_day == 100 && r.cpu_ms_per_hour == 7000 && r.cooldown_ms == 300000);
    CHECK(r.global_concurrent == 50 && r.global_runs_per_hour == 1000);
    c.rate_limiting.per_agent[RISK_HIGH].max_executions_per_hour = 5;
    CHECK_EQ(limit_rules_from(&c, &p).runs_per_hour, 5);
    p.rate_limits.max_executions_per_hour = 0;
    CHECK_EQ(limit_rules_from(&c, &p).runs_per_hour, 5);
    c.rate_limiting.enabled = false;
    r = limit_rules_from(&c, &p);
    CHECK(!r.runs_per_hour && !r.runs_per_day && !r.cpu_ms_per_hour && !r.cooldown_ms && !r.global_concurrent);
    config_done(&c);
}

TEST(the_fullest_of_an_agent_s_windows_is_known)
{
    enum limit_name which;
    const struct limit_rules r = { .runs_per_hour = 10, .runs_per_day = 100, .cpu_ms_per_hour = 1000 };
    CHECK_EQ(limits_share(&r, &(struct limit_counts){ .runs_hour = 9, .runs_day = 95, .cpu_ms_hour = 10 }, &which),
             950);
    CHECK_EQ(which, LIMIT_RUNS_DAY);
    CHECK_EQ(limits_share(&(struct limit_rules){ 0 }, &(struct limit_counts){ .runs_hour = 9 }, &which), 0);
    CHECK_EQ(which, LIMIT_NONE);
    CHECK_EQ(limits_share(&r, &(struct limit_counts){ .cpu_ms_hour = UINT64_MAX / 2 }, &which), 4000);
}
