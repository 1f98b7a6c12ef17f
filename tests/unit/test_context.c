/* What no client can bring about in time: a context's states, without a kernel. The module is compiled into this file,
 * under other names, for its struct. */
#define context_new       own_context_new
#define context_free      own_context_free
#define context_start     own_context_start
#define context_join      own_context_join
#define context_connect   own_context_connect
#define context_leave     own_context_leave
#define context_is_busy   own_context_is_busy
#define context_interrupt own_context_interrupt
#define context_has_ended own_context_has_ended
#define context_hold      own_context_hold
#define context_release   own_context_release
#define context_hold_last own_context_hold_last
#define context_wish      own_context_wish
#include "session/context.c"

#include "test.h"

TEST(a_wish_that_was_given_up_is_not_hidden_by_the_next)
{
    struct context *c = context_new(NULL);
    struct context_answer said = { 0 };
    struct error err = { 0 };
    CHECK(c);
    c->wish_state = WISH_LATE;
    CHECK_EQ(context_wish(c, KERNEL_CHECKPOINT, 1, &said, &err), -EBUSY);
    CHECK(c->wish_state == WISH_LATE && strstr(err.text, "being ended") && err.remedy[0]);
    c->has_ended = true;
    CHECK_EQ(context_wish(c, KERNEL_CHECKPOINT, 1, &said, &err), -ESHUTDOWN);
    CHECK(!context_free(c));
}
