#include <stdio.h>
#include "run/told.h"
#include "test.h"

TEST(an_alert_that_was_told_is_so_until_its_window_is_over_for_its_agent_and_kind)
{
    static struct told t;
    told_init(&t);
    CHECK(!told_is(&t, "a", ALERT_EXECUTIONS, 0));
    told_add(&t, "a", ALERT_EXECUTIONS, 1000);
    told_add(&t, "a", ALERT_REFUSALS, 500);
    CHECK(told_is(&t, "a", ALERT_EXECUTIONS, 999) && !told_is(&t, "a", ALERT_EXECUTIONS, 1000));
    CHECK(told_is(&t, "a", ALERT_REFUSALS, 499) && !told_is(&t, "a", ALERT_REFUSALS, 500));
    CHECK(!told_is(&t, "a", ALERT_FAILURE_RATE, 1) && !told_is(&t, "b", ALERT_EXECUTIONS, 1));
}

/* With more agents than there are places some are forgotten, and none is taken for another. */
TEST(of_many_agents_none_is_taken_for_another)
{
    static struct told t;
    char id[16];
    uint32_t known = 0;
    told_init(&t);
    for (unsigned i = 0; i < 1000; i++) {
        (void)snprintf(id, sizeof id, "agent-%u", i);
        CHECK(!told_is(&t, id, ALERT_EXECUTIONS, 1));
        told_add(&t, id, ALERT_EXECUTIONS, 1000 + i);
        CHECK(told_is(&t, id, ALERT_EXECUTIONS, 999 + i) && !told_is(&t, id, ALERT_EXECUTIONS, 1000 + i));
    }
    for (unsigned i = 0; i < 1000; i++) {
        (void)snprintf(id, sizeof id, "agent-%u", i);
        known += told_is(&t, id, ALERT_EXECUTIONS, 1);
    }
    CHECK(known > 0 && known <= TOLD_AGENTS);
}
