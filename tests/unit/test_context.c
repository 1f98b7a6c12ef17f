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

TEST(a_kernels_outcome_is_heard_also_where_it_ended_with_an_order_of_ours_unread)
{
    static const uint64_t order[3], outcome[2] = { MESSAGE_OUTCOME };
    struct context *c = context_new(NULL);
    int keeper[2], own[2];
    uint64_t words[3];
    CHECK(c && socketpair(AF_UNIX, SOCK_SEQPACKET, 0, keeper) == 0 && socketpair(AF_UNIX, SOCK_SEQPACKET, 0, own) == 0);
    c->up.sock = keeper[0];
    c->own = own[0];
    CHECK(send(keeper[0], order, sizeof order, 0) == sizeof order);
    CHECK(send(keeper[1], outcome, sizeof outcome, 0) == sizeof outcome && close(keeper[1]) == 0);
    CHECK(!on_keeper(c));
    CHECK_EQ(recv(own[1], words, sizeof words, MSG_DONTWAIT), (ssize_t)sizeof outcome); /* its exec is told */
    CHECK(close(own[1]) == 0 && !context_free(c));
}
