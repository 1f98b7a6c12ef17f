/* What a caller may: bindings of keys. Who is let in is tests/integration/service/test_auth.py. */
#include "daemon/auth.h"
#include "test.h"

TEST(a_key_without_bindings_may_act_for_anybody_at_any_level)
{
    const struct caller c = { .role = KEY_RUN };
    CHECK_EQ(auth_may(&c, NULL, -1, NULL), 0);
    CHECK_EQ(auth_may(&c, "a1", RISK_HIGH, NULL), 0);
}

TEST(a_key_bound_to_agents_acts_for_them_only_and_for_nobody_unnamed)
{
    struct caller c = { .role = KEY_RUN };
    struct error err = { 0 };
    CHECK(strlist_add(&c.agents, "a1") == 0 && strlist_add(&c.agents, "a2") == 0);
    CHECK_EQ(auth_may(&c, "a2", -1, NULL), 0);
    CHECK_EQ(auth_may(&c, "a", -1, &err), -EPERM);
    CHECK(err.blame == BLAME_POLICY && strstr(err.text, "not for agent a") && err.remedy[0]);
    CHECK_EQ(auth_may(&c, "a1\na2", -1, NULL), -EPERM);
    CHECK_EQ(auth_may(&c, NULL, -1, &err), -EPERM);
    CHECK(strstr(err.text, "named agents only"));
    strlist_done(&c.agents);
}

TEST(a_key_bound_to_levels_is_for_them_only)
{
    const struct caller c = { .role = KEY_RUN, .levels = 1u << RISK_HIGH };
    CHECK_EQ(auth_may(&c, NULL, -1, NULL), 0); /* not decided yet: it is asked again */
    CHECK_EQ(auth_may(&c, NULL, RISK_HIGH, NULL), 0);
    CHECK_EQ(auth_may(&c, NULL, RISK_LOW, NULL), -EPERM);
    CHECK_EQ(auth_may(&c, NULL, RISK_MEDIUM, NULL), -EPERM);
}
