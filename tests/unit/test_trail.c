/* What the audit is told of runs whose process died. */
#include "audit_place.h"
#include "run/trail.h"

static void say(struct trail *t, const char *action)
{
    struct error err = { 0 };
    const struct audit_event e = { .action = action,
                                   .kind = "event",
                                   .category = "process",
                                   .type = "info",
                                   .outcome = "unknown",
                                   .message = "said",
                                   .execution_id = "exec-1",
                                   .now_ms = 1700000000000 };
    CHECK_EQ(audit_write(&t->audit, &e, &err), 0);
}

static int recover(struct trail *t)
{
    struct error err = { 0 };
    const struct recovered r = {
        .execution_id = "exec-1", .agent_id = "agent", .reason = REASON_SANDBOX_ERROR, .started_ms = 1700000000000
    };
    return trail_recovered(t, &r, &err);
}

static unsigned ends(struct place *p)
{
    size_t size;
    unsigned count = 0;
    char *text = place_read(place_path(p, "audit.jsonl"), &size);
    for (const char *at = text; (at = strstr(at, "\"execution-recovered\"")); at++)
        count++;
    free(text);
    return count;
}

/* retry: node_lost; the node that was lost may be the one that has it again. */
TEST(each_decision_of_a_run_that_is_run_again_gets_its_end_and_no_other)
{
    struct place p;
    struct trail t = { 0 };
    place_init(&p);
    t.arena = &p.arena;
    CHECK_EQ(place_open(&p, &t.audit), 0);
    t.is_open = true;
    t.user = "0";
    CHECK(recover(&t) >= 0);
    CHECK_EQ(ends(&p), 0); /* it had not begun */
    for (unsigned round = 1; round <= 3; round++) {
        say(&t, "execution-decided");
        for (int again = 0; again < 2; again++) {
            CHECK(recover(&t) >= 0);
            CHECK_EQ(ends(&p), round);
        }
    }
    say(&t, "execution-decided");
    say(&t, "execution-finished");
    CHECK(recover(&t) >= 0);
    CHECK_EQ(ends(&p), 3);
    trail_close(&t);
    place_done(&p);
}
