/* A plan goes to the next launcher for as long as none has read it: the connections' other ends are a thread of ours.
 */
#include "run/exec.h"
#include "test.h"

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>

enum fate {
    GONE,    /* nothing can be sent: EPIPE */
    UNREAD,  /* it is closed with the plan unread: ECONNRESET */
    READ,    /* the plan is read, and no answer comes */
    ANSWERS, /* an outcome */
};

struct launchers {
    const enum fate *fates;
    uint32_t count, taken;
    pthread_t threads[16];
    uint32_t thread_count;
};

static void answer(int end)
{
    struct buf b;
    const struct outcome o = { .reason = REASON_ERROR, .exit_code = 3 };
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_outcome(&b, 1, &o);
    CHECK_EQ(send(end, b.data, b.size, MSG_NOSIGNAL), (ssize_t)b.size);
    buf_done(&b);
}

struct other_end {
    int end;
    enum fate fate;
};

static void *live(void *arg)
{
    struct other_end o = *(struct other_end *)arg;
    struct pollfd f = { .fd = o.end, .events = POLLIN };
    static _Thread_local char text[PLAN_MAX_MESSAGE];
    free(arg);
    CHECK_EQ(poll(&f, 1, 60000), 1);
    if (o.fate != UNREAD)
        CHECK(recv(o.end, text, sizeof text, 0) > 0);
    if (o.fate == ANSWERS)
        answer(o.end);
    (void)close(o.end);
    return NULL;
}

static int connect_next(struct exec *s, struct error *err)
{
    struct launchers *l = s->host_context;
    int pair[2];
    (void)err;
    client_stop(&s->client);
    CHECK(l->taken < l->count);
    const enum fate fate = l->fates[l->taken++];
    CHECK_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    s->client = (struct client){ .sock = pair[0] };
    if (fate == GONE) {
        (void)close(pair[1]);
        return 0;
    }
    struct other_end *o = malloc(sizeof *o);
    CHECK(o != NULL);
    *o = (struct other_end){ pair[1], fate };
    CHECK_EQ(pthread_create(&l->threads[l->thread_count++], NULL, live, o), 0);
    return 0;
}

static const struct exec_host with_others = { .serves_others = true, .reconnect = connect_next };

/* The first connection has the plan; -> what exec_follow() says. */
static int follow(const enum fate *fates, uint32_t count, struct exec *s, struct error *err)
{
    struct launchers l = { .fates = fates, .count = count };
    struct arena arena = { 0 };
    const struct paths paths = { 0 };
    *err = (struct error){ 0 };
    exec_init(s, &paths, &arena);
    s->options.json = true;
    s->plan.job.timeout_ms = 60000;
    s->host = &with_others;
    s->host_context = &l;
    CHECK_EQ(connect_next(s, err), 0);
    CHECK_EQ(send(s->client.sock, "plan", 4, 0), 4);
    const int e = exec_follow(s, -1, err);
    CHECK_EQ(l.taken, count);
    client_stop(&s->client);
    for (uint32_t i = 0; i < l.thread_count; i++)
        (void)pthread_join(l.threads[i], NULL);
    exec_close_streams(s);
    arena_done(&arena);
    return e;
}

TEST(a_plan_that_no_launcher_has_read_goes_to_the_next_one)
{
    static const enum fate once[] = { UNREAD, ANSWERS };
    static const enum fate dying[] = { UNREAD, GONE, ANSWERS }; /* it took a connection, and was gone before the plan */
    static const enum fate long_dying[] = { UNREAD, GONE, UNREAD, GONE, GONE, UNREAD, GONE, ANSWERS };
    static const struct {
        const enum fate *fates;
        uint32_t count;
    } cases[] = { { once, ARRAY_LEN(once) }, { dying, ARRAY_LEN(dying) }, { long_dying, ARRAY_LEN(long_dying) } };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct exec s = { 0 };
        struct error err;
        CHECK_EQ(follow(cases[i].fates, cases[i].count, &s, &err), 0);
        CHECK_STR(err.text, "");
        CHECK_EQ(s.outcome.reason, REASON_ERROR);
        CHECK_EQ(s.outcome.exit_code, 3);
    }
}

TEST(a_plan_that_a_launcher_has_read_goes_to_no_other)
{
    static const enum fate fates[] = { UNREAD, GONE, READ };
    struct exec s = { 0 };
    struct error err;
    CHECK_EQ(follow(fates, ARRAY_LEN(fates), &s, &err), -EPIPE);
    CHECK(strstr(err.text, "died during the run"));
}

TEST(a_plan_is_not_sent_for_ever)
{
    static const enum fate fates[] = { UNREAD, GONE, GONE, GONE, GONE, GONE, GONE, GONE, GONE, GONE };
    struct exec s = { 0 };
    struct error err;
    CHECK_EQ(follow(fates, ARRAY_LEN(fates), &s, &err), -EPIPE);
    CHECK(strstr(err.text, "hand over the plan"));
}
