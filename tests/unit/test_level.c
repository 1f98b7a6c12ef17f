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
    return c;
}

static struct level_facts any_facts(void)
{
    struct level_facts f = { .has_agent = any(3) != 0,
                             .trust = any(1001),
                             .was_asked = any(2) != 0,
                             .asked = (enum risk_level)any(RISK_COUNT),
                             .was_scanned = any(4) != 0 };
    f.has_own_profile = f.was_asked && any(4) == 0;
    f.risk_increase = f.was_scanned && any(2) ? any(1001) : 0;
    f.finding_count = f.risk_increase ? 1 : 0;
    return f;
}

/* RISK_COUNT: refused, which is stricter than every level. */
static enum risk_level decide(const struct config *c, const struct level_facts *f)
{
    enum risk_level level = RISK_COUNT;
    struct strlist reasons = { 0 };
    struct error err = { 0 };
    int e = level_decide(c, f, &level, &reasons, &err);
    CHECK(e == 0 ? level < RISK_COUNT && reasons.count > 0 : err.blame == BLAME_POLICY && err.remedy[0]);
    strlist_done(&reasons);
    return e == 0 ? level : RISK_COUNT;
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
    } cases[] = { { 1000, 0, RISK_LOW }, { 800, 0, RISK_LOW },     { 799, 0, RISK_MEDIUM }, { 500, 0, RISK_MEDIUM },
                  { 499, 0, RISK_HIGH }, { 0, 0, RISK_HIGH },      { 900, 100, RISK_LOW },  { 900, 101, RISK_MEDIUM },
                  { 500, 1, RISK_HIGH }, { 1000, 1000, RISK_HIGH } };
    struct config c;
    config_defaults(&c);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct level_facts f = {
            .has_agent = true, .trust = cases[i].trust, .was_scanned = true, .risk_increase = cases[i].risk
        };
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
