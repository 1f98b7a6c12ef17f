/* Trust, standing and limits: what holds for every score, every sequence and every clock. The generator is our own and
 * begins anew in each test, so a failure can be repeated. */
#include "policy/limits.h"
#include "policy/standing.h"
#include "policy/trust.h"
#include "policy/verdict.h"
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
                             .error = any32(1001),
                             .failure = any32(1001),
                             .attempt = any32(1001),
                             .violation = any32(1001),
                             .error_rate = any32(1001),
                             .gain_per_hour = any32(1001),
                             .gain_per_code = any32(1001),
                             .gain_per_shape = any32(1001),
                             .recover_per_hour = any(2) ? any32(1001) : 0,
                             .memory_ms = any(60 * DAY),
                             .drift_per_day = any(2) ? any32(1001) : 0,
                             .drift_after_ms = any(7 * DAY) };
    r.min = any32(1001);
    r.max = r.min + any32(1001 - r.min);
    r.initial = r.min + any32(r.max - r.min + 1);
    return r;
}

static struct trust_state any_state(const struct trust_rules *r)
{
    return (struct trust_state){ .score = r->min + any32(r->max - r->min + 1),
                                 .start = r->min + any32(r->max - r->min + 1),
                                 .debt = any32(1001),
                                 .at_ms = 1 + any(100 * DAY),
                                 .last_offence_ms = any(2) ? any(100 * DAY) : 0 };
}

static struct trust_past any_past(void)
{
    return (struct trust_past){ any32(1200), any32(1200), any32(1200), any(4) == 0 };
}

static int32_t sum_of(const struct trust_step *s)
{
    int32_t sum = 0;
    for (uint32_t i = 0; i < s->count; i++)
        sum += s->parts[i].change;
    return sum;
}

/* ---- trust ---- */

TEST(trust_stays_in_its_range_and_its_parts_are_its_sum_whatever_happens)
{
    state = 1;
    for (int i = 0; i < CASES; i++) {
        const struct trust_rules r = any_rules();
        struct trust_state s = any_state(&r);
        s.score = any32(1200); /* bounds that were moved since */
        const struct trust_past past = any_past();
        struct trust_step after = trust_after(&r, &s, &past, (enum trust_event)any(TRUST_EVENTS)), drift;
        CHECK(after.score >= r.min && after.score <= r.max && after.debt <= 1000);
        CHECK_EQ((int32_t)s.score + sum_of(&after), after.score);
        CHECK_EQ(trust_drift(&r, &s, any(1000 * DAY), &drift), drift.score);
        CHECK(drift.score >= r.min && drift.score <= r.max && drift.debt <= s.debt);
        CHECK_EQ((int32_t)s.score + sum_of(&drift), drift.score);
        CHECK(after.count <= ARRAY_LEN(after.parts) && drift.count <= ARRAY_LEN(drift.parts));
    }
}

TEST(a_success_never_lowers_and_nothing_else_raises)
{
    state = 2;
    for (int i = 0; i < CASES; i++) {
        const struct trust_rules r = any_rules();
        const struct trust_state s = any_state(&r);
        const struct trust_past past = any_past();
        CHECK(trust_after(&r, &s, &past, TRUST_SUCCESS).score >= s.score);
        for (unsigned e = 0; e < TRUST_EVENTS; e++)
            if (e != TRUST_SUCCESS)
                CHECK(trust_after(&r, &s, &past, (enum trust_event)e).score <= s.score);
        CHECK_EQ(trust_after(&r, &s, &past, TRUST_NEUTRAL).score, s.score);
        CHECK_EQ(trust_after(&r, &s, &past, TRUST_REFUSAL).score, s.score);
    }
}

TEST(a_run_with_a_bad_finding_never_earns)
{
    state = 21;
    for (int i = 0; i < CASES; i++) {
        const struct trust_rules r = any_rules();
        const struct trust_state s = any_state(&r);
        struct trust_past past = any_past();
        past.has_bad_finding = true;
        const struct trust_step after = trust_after(&r, &s, &past, TRUST_SUCCESS);
        CHECK_EQ(after.score, s.score);
        CHECK_EQ(after.gain, 0);
    }
}

TEST(more_trust_before_is_never_less_trust_after)
{
    state = 3;
    for (int i = 0; i < CASES; i++) {
        const struct trust_rules r = any_rules();
        struct trust_state less = any_state(&r), more = less;
        const struct trust_past past = any_past();
        less.debt = more.debt = 0; /* with a debt, less may get back what more has already */
        more.score = less.score + any32(r.max - less.score + 1);
        enum trust_event e = (enum trust_event)any(TRUST_EVENTS);
        CHECK(trust_after(&r, &more, &past, e).score >= trust_after(&r, &less, &past, e).score);
    }
}

#define GAINS 400

struct gain {
    uint64_t at_ms;
    uint32_t amount, code, shape;
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

static uint32_t gained_by_shape(const struct gain *g, int n, uint32_t shape)
{
    uint32_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += g[i].shape == shape ? g[i].amount : 0;
    return sum;
}

TEST(gains_above_the_start_within_an_hour_from_one_code_and_from_one_shape_never_exceed_their_caps)
{
    state = 4;
    for (int round = 0; round < 60; round++) {
        const struct trust_rules r = any_rules();
        struct gain gains[GAINS];
        struct trust_state s = { .score = r.initial, .start = r.initial };
        uint64_t now = 10 * DAY;
        for (int i = 0; i < GAINS; i++) {
            now += any(20 * 60 * 1000);
            gains[i] = (struct gain){ now, 0, any32(20), any32(5) };
            const struct trust_past past = { gained_since(gains, i, now - HOUR), gained_by(gains, i, gains[i].code),
                                             gained_by_shape(gains, i, gains[i].shape), false };
            const struct trust_step after = trust_after(&r, &s, &past, any(3) ? TRUST_SUCCESS : TRUST_FAILURE);
            gains[i].amount = after.gain;
            s.score = after.score, s.debt = after.debt;
            CHECK(gained_since(gains, i + 1, now - HOUR) <= r.gain_per_hour);
            CHECK(gained_by(gains, i + 1, gains[i].code) <= r.gain_per_code);
            CHECK(gained_by_shape(gains, i + 1, gains[i].shape) <= r.gain_per_shape);
        }
    }
}

TEST(the_user_s_numbers_with_the_defaults)
{
    const struct trust_rules r = default_rules();
    const struct trust_state s = { .score = 500, .start = 500 };
    const struct trust_past none = { 0 };
    CHECK_EQ(trust_after(&r, &s, &none, TRUST_SUCCESS).score, 550);
    CHECK_EQ(trust_after(&r, &s, &none, TRUST_FAILURE).score, 400);
    CHECK_EQ(trust_after(&r, &s, &none, TRUST_ERROR).score, 490);
    CHECK_EQ(trust_after(&r, &s, &none, TRUST_ATTEMPT).score, 300);
    CHECK_EQ(trust_after(&r, &s, &none, TRUST_VIOLATION).score, 200);
    CHECK_EQ(trust_after(&r, &(struct trust_state){ .score = 50, .start = 500 }, &none, TRUST_FAILURE).score, 0);
    CHECK_EQ(trust_after(&r, &(struct trust_state){ .score = 980, .start = 500 }, &none, TRUST_SUCCESS).score, 1000);
}

TEST(recovery_up_to_the_start_has_no_cap_and_ends_there)
{
    const struct trust_rules r = default_rules();
    struct trust_state s = { .score = 0, .start = 500 };
    const struct trust_past spent = { 1000, 1000, 1000, false }; /* no cap has anything left */
    for (int i = 0; i < 10; i++)
        s.score = trust_after(&r, &s, &spent, TRUST_SUCCESS).score;
    CHECK_EQ(s.score, 500);
    CHECK_EQ(trust_after(&r, &s, &spent, TRUST_SUCCESS).score, 500);
}

TEST(ten_prints_and_a_thousand_are_worth_one_shape)
{
    const struct trust_rules r = default_rules();
    struct trust_state s = { .score = 500, .start = 500 };
    struct trust_past past = { 0 };
    for (int i = 0; i < 1000; i++) { /* another number each time: another code, the same shape */
        const struct trust_step after = trust_after(&r, &s, &past, TRUST_SUCCESS);
        past.gained_by_shape += after.gain;
        s.score = after.score;
    }
    CHECK_EQ(s.score, 550);
}

/* In any order, as long as the share holds over blocks of ten. */
TEST(below_the_rate_errors_cost_nothing_in_the_end_and_above_it_they_do)
{
    const struct trust_rules r = default_rules();
    const struct trust_past spent = { 1000, 1000, 1000, false };
    for (uint32_t errors = 1; errors <= 6; errors++) { /* of ten */
        struct trust_state s = { .score = 700, .start = 500 };
        for (int i = 0; i < 2000; i++) {
            const struct trust_step after = trust_after(&r, &s, &spent,
                                                        (uint32_t)i % 10 < errors ? TRUST_ERROR : TRUST_SUCCESS);
            s.score = after.score, s.debt = after.debt;
        }
        if (errors <= 3)
            CHECK_EQ(s.score, 700);
        else
            CHECK(s.score < 650);
        CHECK(s.score >= 450); /* and nobody falls far below the start by errors */
    }
}

TEST(the_literal_reading_of_a_failure_can_be_had)
{
    struct trust_rules r = default_rules();
    const struct trust_marks none = { 0 };
    CHECK_EQ(trust_event_of(&r, REASON_ERROR, &none), TRUST_ERROR);
    r.error_is_failure = true;
    CHECK_EQ(trust_event_of(&r, REASON_ERROR, &none), TRUST_FAILURE);
    CHECK_EQ(trust_event_of(&r, REASON_SIGNAL, &none), TRUST_FAILURE);
}

TEST(time_heals_up_to_the_start_unless_an_offence_is_remembered)
{
    const struct trust_rules r = default_rules();
    struct trust_state s = { .score = 400, .start = 500, .at_ms = DAY };
    CHECK_EQ(trust_drift(&r, &s, DAY, NULL), 400);
    CHECK_EQ(trust_drift(&r, &s, DAY + HOUR, NULL), 450);
    CHECK_EQ(trust_drift(&r, &s, DAY + HOUR / 2, NULL), 425);
    CHECK_EQ(trust_drift(&r, &s, 300 * DAY, NULL), 500);
    s.last_offence_ms = DAY;
    CHECK_EQ(trust_drift(&r, &s, 20 * DAY, NULL), 400);
    CHECK_EQ(trust_drift(&r, &s, 30 * DAY, NULL), 500);
    s.score = 900;
    CHECK_EQ(trust_drift(&r, &s, 30 * DAY, NULL), 900);
}

TEST(drift_goes_towards_the_default_and_never_past_it)
{
    state = 5;
    for (int i = 0; i < CASES; i++) {
        struct trust_rules r = any_rules();
        r.recover_per_hour = 0;
        struct trust_state s = any_state(&r);
        uint64_t now = s.at_ms + any(400 * DAY);
        uint32_t after = trust_drift(&r, &s, now, NULL);
        if (s.score >= r.initial)
            CHECK(after <= s.score && after >= r.initial);
        else
            CHECK(after >= s.score && after <= r.initial);
        CHECK_EQ(trust_drift(&r, &s, any(s.at_ms + 1), NULL), s.score); /* the clock was set back */
        uint32_t further = trust_drift(&r, &s, now + any(100 * DAY), NULL);
        CHECK(s.score >= r.initial ? further <= after : further >= after);
        s.at_ms = 0; /* never written: no silence */
        CHECK_EQ(trust_drift(&r, &s, now, NULL), s.score);
    }
}

TEST(drift_is_off_by_default_and_begins_with_the_silence_that_is_configured)
{
    struct trust_rules r = default_rules();
    struct trust_state s = { .score = 900, .start = 500, .at_ms = DAY };
    CHECK_EQ(trust_drift(&r, &s, 300 * DAY, NULL), 900);
    r.drift_per_day = 10;
    r.recover_per_hour = 0;
    r.drift_after_ms = 3 * DAY;
    CHECK_EQ(trust_drift(&r, &s, 4 * DAY - 1, NULL), 900);
    CHECK_EQ(trust_drift(&r, &s, 4 * DAY, NULL), 870);
    CHECK_EQ(trust_drift(&r, &s, 1000 * DAY, NULL), 500);
    s.score = 100;
    CHECK_EQ(trust_drift(&r, &s, 11 * DAY, NULL), 200);
}

TEST(a_bad_family_s_new_agent_starts_lower_and_never_higher)
{
    struct trust_rules r = default_rules();
    CHECK_EQ(trust_start(&r, 0), 500);
    CHECK_EQ(trust_start(&r, 1), 400);
    r.initial = 300;
    CHECK_EQ(trust_start(&r, 1), 300);
}

TEST(what_each_reason_means_for_trust_is_what_the_documentation_says)
{
    static const enum trust_event meaning[REASON_COUNT] = {
        [REASON_COMPLETED] = TRUST_SUCCESS,     [REASON_ERROR] = TRUST_ERROR,    [REASON_SIGNAL] = TRUST_ERROR,
        [REASON_TIMEOUT] = TRUST_FAILURE,       [REASON_OOM] = TRUST_FAILURE,    [REASON_PIDS_LIMIT] = TRUST_FAILURE,
        [REASON_OUTPUT_LIMIT] = TRUST_FAILURE,  [REASON_KILLED] = TRUST_FAILURE, [REASON_POLICY_DENIED] = TRUST_NEUTRAL,
        [REASON_SANDBOX_ERROR] = TRUST_NEUTRAL,
    };
    static const enum trust_event refused[REASON_COUNT] = {
        [REASON_COMPLETED] = TRUST_REFUSAL,     [REASON_ERROR] = TRUST_REFUSAL,  [REASON_SIGNAL] = TRUST_REFUSAL,
        [REASON_TIMEOUT] = TRUST_FAILURE,       [REASON_OOM] = TRUST_FAILURE,    [REASON_PIDS_LIMIT] = TRUST_FAILURE,
        [REASON_OUTPUT_LIMIT] = TRUST_FAILURE,  [REASON_KILLED] = TRUST_REFUSAL, [REASON_POLICY_DENIED] = TRUST_REFUSAL,
        [REASON_SANDBOX_ERROR] = TRUST_NEUTRAL,
    };
    const struct trust_rules r = default_rules();
    for (unsigned i = 0; i < REASON_COUNT; i++) {
        enum run_reason reason = (enum run_reason)i;
        CHECK_EQ(trust_event_of(&r, reason, &(struct trust_marks){ 0 }), meaning[i]);
        CHECK_EQ(trust_event_of(&r, reason, &(struct trust_marks){ .has_refusal = true }), refused[i]);
        CHECK_EQ(trust_event_of(&r, reason, &(struct trust_marks){ .was_stopped = true }), TRUST_NEUTRAL);
        for (int stopped = 0; stopped < 2; stopped++) {
            CHECK_EQ(trust_event_of(&r, reason, &(struct trust_marks){ true, true, true, stopped }), TRUST_VIOLATION);
            CHECK_EQ(trust_event_of(&r, reason, &(struct trust_marks){ false, true, true, stopped }), TRUST_ATTEMPT);
        }
    }
}

/* ---- standing ---- */

static struct offences any_offences(void)
{
    uint32_t count = any32(10);
    return (struct offences){ count, any(1 + (uint64_t)count * 1000), any(5) };
}

TEST(standing_never_improves_by_itself)
{
    char why[160];
    state = 6;
    for (int i = 0; i < CASES; i++) {
        const struct standing_rules r = { any32(6), any(30 * DAY), any(2) };
        const struct offences o = any_offences();
        enum standing now = (enum standing)any(STANDING_COUNT);
        enum standing after = standing_after(&r, now, &o, (uint8_t)any(SEVERITY_COUNT), why);
        CHECK(after >= now && after < STANDING_COUNT);
        CHECK((after != now) == (why[0] != '\0'));
    }
}

TEST(more_offences_and_worse_ones_never_make_a_better_standing)
{
    char why[160];
    state = 7;
    for (int i = 0; i < CASES; i++) {
        const struct standing_rules r = { any32(6), DAY, any(2) };
        enum standing now = (enum standing)any(STANDING_COUNT);
        const struct offences o = any_offences(), more = { o.count + 1, o.weight + any(1001), o.quarantines };
        uint8_t worst = (uint8_t)any(SEVERITY_COUNT);
        enum standing after = standing_after(&r, now, &o, worst, why);
        CHECK(standing_after(&r, now, &more, worst, why) >= after);
        CHECK(standing_after(&r, now, &o, (uint8_t)MIN_OF(worst + any(3), UINT64_C(4)), why) >= after);
    }
}

TEST(an_offence_weighs_less_with_its_age_and_longer_after_each_quarantine)
{
    state = 8;
    for (int i = 0; i < CASES; i++) {
        const struct standing_rules r = { 3, 1 + any(30 * DAY), true };
        const uint64_t past = any(4), age = any(200 * DAY);
        const uint32_t weight = offence_weight(&r, past, age);
        CHECK(weight <= 1000 && offence_weight(&r, past, 0) == 1000);
        CHECK(offence_weight(&r, past, age + any(DAY)) <= weight);
        CHECK(offence_weight(&r, past + 1, age) >= weight);
        CHECK_EQ(offence_weight(&r, past, offence_memory_ms(&r, past)), 0);
    }
}

TEST(three_violations_are_quarantine_and_a_critical_one_is_a_ban_with_the_defaults)
{
    char why[160];
    struct config c;
    config_defaults(&c);
    struct standing_rules r = standing_rules_from(&c);
    const struct offences one = { 1, 1000, 0 }, two = { 2, 2000, 0 }, three = { 3, 3000, 0 }, faded = { 3, 2999, 0 };
    CHECK_EQ(r.quarantine_on_violations, 3);
    CHECK_EQ(r.window_ms, 28 * DAY);
    CHECK_EQ(standing_after(&r, STANDING_GOOD, &two, SEVERITY_HIGH, why), STANDING_GOOD);
    CHECK_EQ(standing_after(&r, STANDING_GOOD, &faded, SEVERITY_HIGH, why), STANDING_GOOD);
    CHECK_EQ(standing_after(&r, STANDING_GOOD, &three, SEVERITY_MEDIUM, why), STANDING_QUARANTINED);
    CHECK(strstr(why, "3 violations within 28 days"));
    CHECK_EQ(standing_after(&r, STANDING_GOOD, &one, SEVERITY_CRITICAL, why), STANDING_BANNED);
    CHECK(strstr(why, "ban_on_severe_violations"));
    CHECK_EQ(standing_after(&r, STANDING_QUARANTINED, &three, SEVERITY_CRITICAL, why), STANDING_BANNED);
    r.ban_on_severe = false;
    CHECK_EQ(standing_after(&r, STANDING_GOOD, &one, SEVERITY_CRITICAL, why), STANDING_GOOD);
    CHECK_EQ(standing_after(&r, STANDING_GOOD, &three, SEVERITY_INFO, why), STANDING_GOOD); /* this run did nothing */
    config_done(&c);
}

TEST(the_act_decides_its_class_and_what_is_unknown_is_a_violation)
{
    static const struct {
        const char *type;
        enum act_class class;
    } cases[] = {
        { "memory_limit", ACT_LIMIT },
        { "excessive_cpu_usage", ACT_LIMIT },
        { "blocked_module", ACT_RESTRICTION },
        { "blocked_builtin", ACT_RESTRICTION },
        { "blocked_command", ACT_RESTRICTION },
        { "interpreter_only", ACT_RESTRICTION },
        { "network_access_attempt", ACT_RESTRICTION },
        { "hostile_write", ACT_ATTEMPT },
        { "hostile_connect", ACT_ATTEMPT },
        { "known_bad_code", ACT_ATTEMPT },
        { "privilege_escalation_attempt", ACT_VIOLATION },
        { "signature_replay", ACT_VIOLATION },
        { "reverse_shells", ACT_VIOLATION },
        { "something_new", ACT_VIOLATION },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        CHECK_EQ(violation_class(cases[i].type), cases[i].class);
        CHECK_EQ(violation_is_security(cases[i].type), cases[i].class >= ACT_ATTEMPT);
    }
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

TEST(a_job_in_a_session_has_a_limit_of_its_own_and_none_of_a_run)
{
    static struct config c;
    static struct profile p;
    c.rate_limiting.enabled = true;
    p.risk_level = RISK_LOW;
    p.rate_limits.max_executions_per_hour = 20;
    p.rate_limits.cooldown_period = 1000;
    p.rate_limits.max_jobs_per_hour = 3;
    const struct limit_rules r = limit_rules_of_job(&c, &p);
    CHECK(r.jobs_per_hour == 3 && !r.runs_per_hour && !r.runs_per_day && !r.cooldown_ms && !r.global_runs_per_hour);
    const struct limit_counts full = { .jobs_hour = 3, .jobs_oldest_ms = 1000, .runs_hour = 99 };
    const struct limit_verdict v = limits_check(&r, &full, 2000);
    CHECK_STR(limit_names[v.limit], "max_jobs_per_hour");
    CHECK(v.wait_ms == LIMIT_HOUR_MS - 1000);
    c.rate_limiting.enabled = false;
    CHECK(!limit_rules_of_job(&c, &p).jobs_per_hour);
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

/* --- installing in a session ------------------------------------------------------------------------------- */

static int decide_command(const struct profile *p, const char *const *words)
{
    struct config c;
    struct error err = { 0 };
    struct run_request r = { .session = SESSION_JOB, .language = LANG_COMMAND };
    config_defaults(&c);
    for (; *words; words++)
        CHECK_EQ(strlist_add(&r.command, *words), 0);
    const int e = verdict_decide(&c, p, &r, &err);
    CHECK(e == 0 || (e == -EACCES && err.blame == BLAME_POLICY && strstr(err.text, "cannot be installed")));
    strlist_done(&r.command);
    config_done(&c);
    return e;
}

TEST(a_command_that_begins_with_an_install_is_refused_where_nothing_may_be_installed)
{
    static const char *const installs[][6] = {
        { "pip", "install", "x" },
        { "/usr/bin/pip3", "-q", "install", "x" },
        { "npm", "ci" },
        { "python3", "-m", "pip", "install", "x" },
        { "npm", "--silent", "i", "x" },
        { "bash", "-c", "pip install x && python3 a.py" },
        { "bash", "-c", "\n  npm install" },
        { "python3.11", "-m", "pip", "download", "x" },
    };
    static const char *const others[][6] = {
        { "pip", "list" },
        { "pip" },
        { "npm", "test" },
        { "echo", "pip", "install", "x" },
        { "python3", "pip", "install" },
        { "python3", "-m", "mypip", "install" },
        { "bash", "-c", "echo pip install x" },
        { "bash", "-c", "pip;install" },
        { "bash", "-c", "" },
        { "bash", "-c" },
        { "./pipeline", "install" },
        { "cat", "npm", "install" },
    };
    struct profile p;
    profile_defaults(&p);
    p.execution.shell_access = SHELL_TRUE;
    for (size_t i = 0; i < ARRAY_LEN(installs); i++)
        CHECK_EQ(decide_command(&p, installs[i]), -EACCES);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        CHECK_EQ(decide_command(&p, others[i]), 0);
    p.execution.allow_package_install = true;
    p.network.mode = NETWORK_NONE;
    CHECK_EQ(decide_command(&p, installs[0]), -EACCES); /* there is no index */
    p.network.mode = NETWORK_BRIDGE;
    CHECK_EQ(decide_command(&p, installs[0]), 0);
    profile_done(&p);
}
