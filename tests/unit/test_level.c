/* The risk level: what must hold for every configuration, every agent and every finding. */
#include "policy/level.h"
#include "test.h"

static uint32_t state = 88172645;
static uint32_t any(uint32_t below)
{
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return state % below;
}

static struct config any_config(void)
{
    struct config c;
    config_defaults(&c);
    uint32_t high = any(3) ? 0 : any(1001), medium = high + any(1001 - high), low = medium + any(1001 - medium);
    c.sandbox.risk_mapping.high_risk_threshold = high;
    c.sandbox.risk_mapping.medium_risk_threshold = medium;
    c.sandbox.risk_mapping.low_risk_threshold = low;
    c.sandbox.default_risk_level = (uint8_t)any(RISK_COUNT);
    c.agixt.execution.laxest_level = (uint8_t)(any(4) ? RISK_LOW : any(RISK_COUNT));
    c.agixt.execution.allow_risk_override = any(4) == 0;
    c.agixt.execution.auto_risk_detection = any(4) != 0;
    c.agixt.trust.enabled = any(4) != 0;
    c.agixt.analysis.threshold = any(2) ? (uint32_t)any(1001) : 0;
    c.agixt.analysis.needs_risk = any(2) ? (uint32_t)any(1001) : 0;
    return c;
}

static struct level_facts any_facts(void)
{
    struct level_facts f = { .has_agent = any(3) != 0,
                             .trust = any(1001),
                             .held = (int)any(RISK_COUNT + 1) - 1,
                             .evidence = { any(20), any(8), any(48) * UINT64_C(3600000), any(3) == 0, any(1001) },
                             .is_nameless = any(4) == 0,
                             .is_known_bad = any(8) == 0,
                             .was_asked = any(2) != 0,
                             .asked = (enum risk_level)any(RISK_COUNT),
                             .was_scanned = any(4) != 0 };
    f.has_own_profile = f.was_asked && any(4) == 0;
    f.risk_increase = f.was_scanned && any(2) ? any(1001) : 0;
    f.need_count = f.was_scanned && any(2) ? (uint32_t)any(12) : 0;
    f.finding_count = f.risk_increase ? 1 : 0;
    return f;
}

/* RISK_COUNT: refused, which is stricter than every level. */
static enum risk_level decide(const struct config *c, const struct level_facts *f)
{
    struct level_result found = { .level = RISK_COUNT, .by_trust = RISK_COUNT };
    struct strlist reasons = { 0 };
    struct error err = { 0 };
    char way[256];
    int e = level_decide(c, f, &found, &reasons, &err);
    CHECK(e == 0 ? found.level < RISK_COUNT && reasons.count > 0 : err.blame == BLAME_POLICY && err.remedy[0]);
    strlist_done(&reasons);
    if (e == 0)
        level_way_up(c, f, found.level, way);
    return e == 0 ? found.level : RISK_COUNT;
}

/* The reasons' numbers, typed. */
TEST(the_sum_is_what_the_reasons_say)
{
    for (int i = 0; i < 20000; i++) {
        struct config c = any_config();
        const struct level_facts f = any_facts();
        struct level_result r = { 0 };
        struct strlist reasons = { 0 };
        struct error err = { 0 };
        char taken[64], begin[80];
        if (level_decide(&c, &f, &r, &reasons, &err) == 0) {
            const struct level_sum *s = &r.sum;
            CHECK_EQ(r.has_sum, f.has_agent || !f.was_asked);
            CHECK_EQ(s->left, s->score > s->counted ? s->score - s->counted : 0);
            (void)snprintf(taken, sizeof taken, "%s - %s = %s: level", level_number(s->score).text,
                           level_number(s->counted).text, level_number(s->left).text);
            (void)snprintf(begin, sizeof begin, "(low from %s, medium from %s", level_number(s->low_from).text,
                           level_number(s->medium_from).text);
            bool says_taken = false;
            STRLIST_FOREACH(reason, &reasons)
            {
                says_taken |= str_starts(reason, taken);
                CHECK(!strstr(reason, "(low from") || strstr(reason, begin));
            }
            CHECK_EQ(says_taken, s->counted > 0);
        }
        strlist_done(&reasons);
        config_done(&c);
    }
}

TEST(more_trust_is_never_stricter_and_more_risk_never_laxer)
{
    for (int i = 0; i < 100000; i++) {
        struct config c = any_config();
        struct level_facts f = any_facts();
        enum risk_level before = decide(&c, &f);
        struct level_facts more = f;
        more.trust = f.trust + any(1001 - f.trust);
        CHECK(decide(&c, &more) <= before);
        more = f;
        if (f.was_scanned)
            more.risk_increase = f.risk_increase + any(1001 - f.risk_increase);
        CHECK(decide(&c, &more) >= before);
        config_done(&c);
    }
}

TEST(what_was_asked_for_is_exceeded_only_where_the_configuration_allows_it)
{
    for (int i = 0; i < 100000; i++) {
        struct config c = any_config();
        struct level_facts f = any_facts(), unasked = f;
        unasked.was_asked = unasked.has_own_profile = false;
        enum risk_level free_choice = decide(&c, &unasked), level = decide(&c, &f);
        if (f.has_agent && !c.agixt.execution.allow_risk_override)
            CHECK(level >= free_choice);
        if (f.was_asked)
            CHECK(level >= f.asked); /* never laxer than wished */
        CHECK(level >= (enum risk_level)c.agixt.execution.laxest_level);
        config_done(&c);
    }
}

TEST(the_contract_s_numbers_give_the_contract_s_levels)
{
    static const struct {
        uint32_t trust, risk;
        enum risk_level level;
    } cases[] = { { 1000, 0, RISK_LOW },  { 800, 0, RISK_LOW },     { 799, 0, RISK_MEDIUM },  { 500, 0, RISK_MEDIUM },
                  { 499, 0, RISK_HIGH },  { 0, 0, RISK_HIGH },      { 900, 100, RISK_LOW },   { 900, 101, RISK_MEDIUM },
                  { 500, 50, RISK_HIGH }, { 500, 49, RISK_MEDIUM }, { 1000, 1000, RISK_HIGH } };
    struct config c;
    config_defaults(&c);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct level_facts f = { .has_agent = true,
                                 .trust = cases[i].trust,
                                 .held = -1,
                                 .evidence.is_vouched = true,
                                 .was_scanned = true,
                                 .risk_increase = cases[i].risk };
        CHECK_EQ(decide(&c, &f), cases[i].level);
    }
    config_done(&c);
}

TEST(an_anonymous_run_has_the_level_it_asks_for_and_the_scan_makes_the_default_stricter)
{
    struct config c;
    config_defaults(&c);
    c.sandbox.default_risk_level = RISK_LOW;
    struct level_facts f = { .was_scanned = true, .risk_increase = 100 };
    CHECK_EQ(decide(&c, &f), RISK_MEDIUM);
    f.was_asked = true, f.asked = RISK_LOW;
    CHECK_EQ(decide(&c, &f), RISK_LOW);
    config_done(&c);
}

static struct config shipped(void)
{
    struct config c;
    config_defaults(&c);
    return c;
}

TEST(a_level_that_is_held_is_lost_only_clearly_below_its_threshold)
{
    struct config c = shipped();
    struct level_facts f = { .has_agent = true, .held = RISK_MEDIUM, .trust = 450, .evidence.is_vouched = true };
    CHECK_EQ(decide(&c, &f), RISK_MEDIUM);
    f.trust = 449;
    CHECK_EQ(decide(&c, &f), RISK_HIGH);
    f.trust = 450, f.held = RISK_HIGH; /* from below the whole threshold counts */
    CHECK_EQ(decide(&c, &f), RISK_HIGH);
    f.trust = 750, f.held = RISK_LOW;
    CHECK_EQ(decide(&c, &f), RISK_LOW);
    f.trust = 749;
    CHECK_EQ(decide(&c, &f), RISK_MEDIUM);
    f.trust = 750, f.was_scanned = true, f.risk_increase = 50; /* what is only held has nothing to spare */
    CHECK_EQ(decide(&c, &f), RISK_MEDIUM);
    config_done(&c);
}

TEST(low_takes_evidence_or_an_administrator_s_word)
{
    struct config c = shipped();
    struct level_facts f = { .has_agent = true, .held = -1, .trust = 1000 };
    const struct level_evidence enough = { .shapes = 10, .hours = 4, .age_ms = UINT64_C(24) * 3600 * 1000 };
    CHECK_EQ(decide(&c, &f), RISK_MEDIUM);
    f.evidence = enough;
    CHECK_EQ(decide(&c, &f), RISK_LOW);
    f.evidence.shapes--;
    CHECK_EQ(decide(&c, &f), RISK_MEDIUM);
    f.evidence = enough, f.evidence.hours--;
    CHECK_EQ(decide(&c, &f), RISK_MEDIUM);
    f.evidence = enough, f.evidence.age_ms--;
    CHECK_EQ(decide(&c, &f), RISK_MEDIUM);
    f.evidence = (struct level_evidence){ .is_vouched = true };
    CHECK_EQ(decide(&c, &f), RISK_LOW);
    f.evidence = (struct level_evidence){ .start = 800 }; /* default_score: the configuration's word */
    CHECK_EQ(decide(&c, &f), RISK_LOW);
    f.is_known_bad = true;
    CHECK_EQ(decide(&c, &f), RISK_HIGH);
    config_done(&c);
}

TEST(what_a_program_needs_costs_no_level_unless_the_configuration_says_so)
{
    struct config c = shipped();
    struct level_facts f = { .has_agent = true,
                             .held = RISK_LOW,
                             .trust = 800,
                             .evidence.is_vouched = true,
                             .was_scanned = true,
                             .need_count = 12,
                             .needs = "network, programs" };
    CHECK_EQ(decide(&c, &f), RISK_LOW);
    f.trust = 500, f.held = -1;
    CHECK_EQ(decide(&c, &f), RISK_MEDIUM);
    f.risk_increase = 300; /* a finding is no fact */
    CHECK_EQ(decide(&c, &f), RISK_HIGH);
    f.risk_increase = 49; /* agixt.analysis.threshold */
    CHECK_EQ(decide(&c, &f), RISK_MEDIUM);
    f.risk_increase = 50;
    CHECK_EQ(decide(&c, &f), RISK_HIGH);
    f.risk_increase = 0, c.agixt.analysis.needs_risk = 10; /* twelve of them */
    CHECK_EQ(decide(&c, &f), RISK_HIGH);
    f.trust = 900, f.held = RISK_LOW;
    CHECK_EQ(decide(&c, &f), RISK_MEDIUM);
    f.need_count = 10;
    CHECK_EQ(decide(&c, &f), RISK_LOW);
    f.has_agent = false, c.sandbox.default_risk_level = RISK_MEDIUM;
    CHECK_EQ(decide(&c, &f), RISK_HIGH);
    config_done(&c);
}

TEST(a_refusal_says_how_far_the_next_level_is_or_what_lowered_it)
{
    struct config c = shipped();
    char way[256];
    struct level_facts f = { .has_agent = true, .held = RISK_HIGH, .trust = 400 };
    level_way_up(&c, &f, RISK_HIGH, way);
    CHECK(strstr(way, "is 0.400, and medium begins at 0.500: 2 more successful runs that level high permits"));
    f.trust = 499;
    level_way_up(&c, &f, RISK_HIGH, way);
    CHECK(strstr(way, "1 more successful run that"));
    f = (struct level_facts){ .has_agent = true,
                              .held = RISK_MEDIUM,
                              .trust = 600,
                              .was_scanned = true,
                              .risk_increase = 300,
                              .finding_count = 1,
                              .worst_rule = "python-socket" };
    level_way_up(&c, &f, RISK_HIGH, way);
    CHECK(strstr(way, "gives medium; the scan lowered it: python-socket"));
    f = (struct level_facts){ .has_agent = true, .held = RISK_MEDIUM, .trust = 900 };
    level_way_up(&c, &f, RISK_MEDIUM, way);
    CHECK(strstr(way, "0 of 10 shapes of programs"));
    f.has_agent = false;
    level_way_up(&c, &f, RISK_HIGH, way);
    CHECK_STR(way, "");
    config_done(&c);
}

TEST(a_request_without_an_agent_has_the_default_s_level_until_its_key_earns_or_loses_another)
{
    struct config c = shipped();
    struct level_facts f = { .has_agent = true, .is_nameless = true, .held = -1, .trust = 500, .evidence.start = 500 };
    for (unsigned usual = 0; usual < RISK_COUNT; usual++) {
        c.sandbox.default_risk_level = (uint8_t)usual;
        f.trust = 500, f.evidence.is_vouched = false;
        CHECK_EQ(decide(&c, &f), usual);
        f.trust = 300;
        CHECK_EQ(decide(&c, &f), RISK_HIGH);
        f.trust = 900, f.evidence.is_vouched = true;
        CHECK_EQ(decide(&c, &f), RISK_LOW);
        f.evidence.is_vouched = false; /* a score alone has earned nothing */
        CHECK_EQ(decide(&c, &f), usual);
    }
    config_done(&c);
}
