#include "policy/alerts.h"
#include "test.h"

static bool holds(const struct config *c, enum alert_kind kind, struct alert_counts n)
{
    char text[200];
    const struct alert_rules r = alert_rules_from(c);
    bool does = alert_holds(&r, kind, &n, text);
    CHECK(!does || strlen(text) > 5);
    return does;
}

TEST(alerts_hold_from_the_contract_s_numbers_on)
{
    struct config c;
    config_defaults(&c);
    CHECK(!holds(&c, ALERT_FAILURE_RATE, (struct alert_counts){ .window_runs = 10, .window_failures = 4 }));
    CHECK(holds(&c, ALERT_FAILURE_RATE, (struct alert_counts){ .window_runs = 10, .window_failures = 5 }));
    CHECK(!holds(&c, ALERT_FAILURE_RATE, (struct alert_counts){ .window_runs = 4, .window_failures = 4 }));
    CHECK(!holds(&c, ALERT_EXECUTIONS, (struct alert_counts){ .volume_runs = 99 }));
    CHECK(holds(&c, ALERT_EXECUTIONS, (struct alert_counts){ .volume_runs = 100 }));
    CHECK(!holds(&c, ALERT_LIMIT, (struct alert_counts){ .share = 899, .limit = "x" }));
    CHECK(holds(&c, ALERT_LIMIT, (struct alert_counts){ .share = 900, .limit = "x" }));
    CHECK(!holds(&c, ALERT_LIMIT, (struct alert_counts){ .share = 1000 }));
    c.monitoring.alerts.enabled = false;
    CHECK(!holds(&c, ALERT_EXECUTIONS, (struct alert_counts){ .volume_runs = 1000 }));
    config_done(&c);
}

TEST(an_alert_takes_its_threshold_and_window_from_the_configuration)
{
    struct config c;
    config_defaults(&c);
    strlist_done(&c.monitoring.alerts.conditions);
    CHECK(strlist_add(&c.monitoring.alerts.conditions, "name=excessive_executions\x1fthreshold=3\x1fwindow=120") == 0);
    const struct alert_rules r = alert_rules_from(&c);
    CHECK_EQ(r.conditions[ALERT_EXECUTIONS].window_ms, 120000);
    CHECK(holds(&c, ALERT_EXECUTIONS, (struct alert_counts){ .volume_runs = 3 }));
    CHECK(!holds(&c, ALERT_EXECUTIONS, (struct alert_counts){ .volume_runs = 2 }));
    CHECK(!holds(&c, ALERT_LIMIT, (struct alert_counts){ .share = 1000, .limit = "x" })); /* not configured */
    config_done(&c);
}
