/* orders.c - what the host says: a table of frames, in which state each may come, and what it does. */
#include "entry/entry.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include "base/rlimits.h"

#define BIT(state)   (1u << (state))
#define SINCE(state) (~0u << (state))

/* A stack that has grown once needs no leave to grow: RLIMIT_STACK is the payload's to lower (entry.h). */
static __attribute__((noinline)) void grow_stack(void)
{
    volatile char depth[64 * 1024];
    for (size_t i = 0; i < sizeof depth; i += 1024)
        depth[i] = 0;
}

static void on_child(int sig)
{
    (void)sig; /* ppoll() ends; that is all */
}

/* Nothing from inside stops us, and a host that went away is seen by errno. */
static void guard_signals(struct entry *e)
{
    sigset_t all;
    struct sigaction child = { .sa_handler = on_child, .sa_flags = SA_NOCLDSTOP };
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    e->waiting_mask = all;
    (void)sigdelset(&e->waiting_mask, SIGCHLD);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)sigaction(SIGCHLD, &child, NULL);
}

/* Podman without root sets none that it is told by its API (4.3). What cannot be lowered the facts tell. */
static void lower_own_limits(const struct entry_plan *p)
{
    const struct rlimit_plan own[] = {
        { RLIMIT_CORE, "core", 0, 0 },
        { RLIMIT_FSIZE, "fsize", p->fsize, p->fsize },
        { RLIMIT_NOFILE, "nofile", MAX_OF(p->nofile_soft, (uint64_t)ENTRY_LEAST_NOFILE),
          MAX_OF(p->nofile_hard, (uint64_t)ENTRY_LEAST_NOFILE) },
    };
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        if ((own[i].which != RLIMIT_FSIZE || p->fsize) && (own[i].which != RLIMIT_NOFILE || p->nofile_hard))
            (void)rlimit_lower(&own[i], NULL);
}

static int order_plan(struct entry *e, const void *data, size_t size)
{
    struct entry_facts facts;
    struct error err = { 0 };
    memcpy(e->plan_bytes, data, size); /* a frame's, so it fits */
    if (frame_get_plan(e->plan_bytes, size, &e->plan) < 0)
        return -EBADMSG;
    /* only now: until here it may be a person's terminal */
    if (fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK) < 0 || fcntl(STDOUT_FILENO, F_SETFL, O_NONBLOCK) < 0)
        return -errno;
    guard_signals(e);
    if (copies_make(&e->plan.copies, &err) < 0) {
        tell_failed(e, &err);
        return 0;
    }
    lower_own_limits(&e->plan);
    program_find(e);
    facts_gather(e, &facts);
    tell_fields(e, FRAME_FACTS, entry_facts_fields, entry_facts_field_count, &facts);
    e->state = STATE_GO_WANTED;
    return 0;
}

static int order_go(struct entry *e, const void *data, size_t size)
{
    struct error err = { 0 };
    (void)data;
    if (size)
        return -EBADMSG;
    grow_stack();
    leftover_prepare(e);
    connect_prepare(e);
    int r = forks_prepare(e);
    if (r < 0)
        (void)err_set(&err, r, BLAME_HOST, "EXEC", "count processes in /proc: %s", strerror(-r));
    if (r < 0 || payload_start(e, &err) < 0)
        tell_failed(e, &err);
    else {
        e->state = STATE_RUNNING;
        deadline_start(e);
    }
    return 0;
}

static int order_stdin(struct entry *e, const void *data, size_t size)
{
    if (e->has_stdin_end)
        return -EBADMSG;
    if (e->stdin_fd < 0) { /* the payload wants no more of it */
        e->taken += size;
        return 0;
    }
    return queue_put(&e->in, data, size) ? 0 : -EBADMSG; /* beyond its window */
}

static int order_stdin_end(struct entry *e, const void *data, size_t size)
{
    (void)data;
    if (size || e->has_stdin_end)
        return -EBADMSG;
    e->has_stdin_end = true;
    return 0;
}

static int order_signal(struct entry *e, const void *data, size_t size)
{
    uint64_t signal;
    if (frame_get_u64(data, size, &signal) < 0)
        return -EBADMSG;
    if (signal != SIGTERM && signal != SIGINT && signal != SIGHUP && signal != SIGQUIT && signal != SIGKILL)
        return 0;
    payload_wake_with(e, (int)signal);
    return 0;
}

static int order_bye(struct entry *e, const void *data, size_t size)
{
    (void)data;
    e->is_ending = true;
    return size ? -EBADMSG : 0;
}

static const struct order {
    uint32_t type, states;
    int (*run)(struct entry *e, const void *data, size_t size);
} orders[] = {
    { FRAME_PLAN, BIT(STATE_PLAN_WANTED), order_plan },     { FRAME_GO, BIT(STATE_GO_WANTED), order_go },
    { FRAME_STDIN, SINCE(STATE_RUNNING), order_stdin },     { FRAME_STDIN_END, SINCE(STATE_RUNNING), order_stdin_end },
    { FRAME_SIGNAL, SINCE(STATE_GO_WANTED), order_signal }, { FRAME_BYE, SINCE(STATE_GO_WANTED), order_bye },
};

int order_take(void *entry, uint32_t type, const void *data, size_t size)
{
    struct entry *e = entry;
    for (const struct order *o = orders; o < orders + ARRAY_LEN(orders); o++)
        if (o->type == type)
            return o->states & BIT(e->state) ? o->run(e, data, size) : -EBADMSG;
    return -EBADMSG;
}
