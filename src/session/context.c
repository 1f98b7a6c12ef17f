#include "session/context.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/json.h"
#include "base/message.h"
#include "base/wait.h"
#include "session/internal.h"
#include "watch/event.h"

#define CONTEXT_STACK    (512 * KIB)
#define PAUSED_LOOK_MS   100
#define CHUNK            (64 * KIB) /* a pipe's room: what was written before the last word is no more */
#define RESULTS_MAX      (2 * KERNEL_MAX_CELL)
#define WISH_PATIENCE_MS 30000u /* of the session's clock: a fork of a kernel that has all of its level's memory */

enum cell_state {
    CELL_NONE,
    CELL_WAITS, /* connected; its plan is still to come */
    CELL_READY, /* the plan is there, the kernel is not */
    CELL_RUNS,
    CELL_WARNED, /* interrupted, as its time is over or it is to end */
    CELL_KILLED  /* and its kernel with it */
};

enum wish_state { WISH_NONE, WISH_WAITS, WISH_SENT, WISH_ANSWERED, WISH_LATE };

struct context {
    struct session *session;
    pthread_mutex_t lock; /* around what is marked S */
    pthread_cond_t changed;
    bool is_held;                 /* S: context_hold() */
    enum wish_state wish_state;   /* S */
    enum kernel_wish wish;        /* S */
    uint64_t wish_number;         /* S */
    struct context_answer answer; /* S */
    pthread_t thread;
    bool is_started;
    bool has_ended;            /* S */
    bool wants_interrupt;      /* S: of the cell, once it runs */
    bool is_answered;          /* S: the cell has its outcome, and its exec has not left yet */
    int incoming;              /* S: a cell's connection that the thread has not seen yet; -1: none */
    struct context_cell *next; /* S: whose that is */
    struct context_cell *cell; /* S: the one before it, which the thread has; NULL: it has left */

    int wake;           /* eventfd */
    int own;            /* to the kernel's exec */
    struct client up;   /* to the session's keeper */
    uint64_t tag;       /* the kernel's, for the keeper */
    uint64_t kernel_us; /* when it was ordered */
    int kernel;         /* frames; non-blocking */
    int out[2], report; /* what the kernel writes; non-blocking */
    int events;         /* what the keeper tells of its processes */
    int kernel_events;  /* to the kernel's exec, for what no cell did; -1: it wants none */
    bool is_ready;      /* the kernel has said that it waits */
    bool is_settling;   /* the cell is done; what the keeper was told of it meanwhile is on its way */
    bool is_broken;     /* it is being ended */
    struct kernel_reply reply;
    struct buf request; /* not taken by the kernel yet, from request_at on */
    size_t request_at;
    uint32_t last_id;
    char *message; /* PLAN_MAX_MESSAGE bytes */

    enum cell_state state;
    int sock; /* to the cell's exec; -1: that has gone */
    int cell_out[2], cell_report, cell_events;
    uint64_t cell_tag, timeout_ms, grace_ms, start_us, started_us;
    uint64_t next_ms;       /* session_clock_ms(): the deadline, or when the kernel is to be ended; 0: neither */
    enum run_reason forced; /* why we end it; REASON_COMPLETED: we do not */
};

/* --- making and freeing --------------------------------------------------------------------------------------- */

struct context *context_new(struct session *s)
{
    struct context *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->session = s;
    c->incoming = c->own = c->up.sock = c->kernel = c->out[0] = c->out[1] = c->report = -1;
    c->events = c->kernel_events = c->sock = c->cell_out[0] = c->cell_out[1] = c->cell_report = c->cell_events = -1;
    (void)pthread_mutex_init(&c->lock, NULL);
    wait_init(&c->changed);
    c->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    c->message = malloc(PLAN_MAX_MESSAGE);
    return c->wake < 0 || !c->message ? context_free(c) : c;
}

static void close_kernel(struct context *c)
{
    int *const own[] = { &c->kernel, &c->out[0], &c->out[1], &c->report, &c->events, &c->kernel_events };
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        closep(own[i]);
}

static void close_cell(struct context *c)
{
    int *const own[] = { &c->sock, &c->cell_out[0], &c->cell_out[1], &c->cell_report, &c->cell_events };
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        closep(own[i]);
}

struct context *context_free(struct context *c)
{
    if (!c)
        return NULL;
    close_kernel(c);
    close_cell(c);
    closep(&c->wake);
    closep(&c->own);
    closep(&c->incoming);
    client_stop(&c->up);
    kernel_reply_done(&c->reply);
    buf_done(&c->request);
    (void)pthread_cond_destroy(&c->changed);
    (void)pthread_mutex_destroy(&c->lock);
    free(c->message);
    free(c);
    return NULL;
}

/* --- a cell's end --------------------------------------------------------------------------------------------- */

/* What is there now goes on, as far as it fits into a pipe: nothing is waited for. */
static void drain(int from, int to)
{
    char chunk[CHUNK];
    const ssize_t n = from < 0 ? -1 : read(from, chunk, sizeof chunk);
    if (n > 0 && to >= 0)
        (void)write_all(to, chunk, (size_t)n); /* its reader has gone: so has what it wanted */
}

static void pass_to(int to, const char *message, size_t size)
{
    if (to >= 0)
        (void)send(to, message, size, MSG_NOSIGNAL); /* an exec reads at every turn */
}

/* Its time counts from the cell's beginning; the keeper's, from the kernel's. False: it is no event. */
static bool pass_to_cell(const struct context *c, const char *message, size_t size)
{
    struct watch_event e;
    struct buf b;
    const uint64_t before_us = c->start_us - c->kernel_us;
    if (watch_event_unpack(message, size, &e) < 0)
        return false;
    e.at_us = e.at_us > before_us ? e.at_us - before_us : 0;
    buf_init(&b, WATCH_MESSAGE_MAX);
    watch_event_pack(&b, &e);
    const bool is_good = !b.failed;
    if (is_good)
        pass_to(c->cell_events, b.data, b.size);
    buf_done(&b);
    return is_good;
}

static void pass_events(struct context *c)
{
    char message[WATCH_MESSAGE_MAX];
    for (int i = 0; i < 256 && c->events >= 0; i++) {
        const ssize_t n = recv(c->events, message, sizeof message, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (n <= 0) {
            closep(&c->events);
            return;
        }
        if (c->state < CELL_RUNS || c->cell_events < 0 || !pass_to_cell(c, message, (size_t)n))
            pass_to(c->kernel_events, message, (size_t)n);
    }
}

static void end_cell(struct context *c, struct outcome *o)
{
    struct buf b;
    if (c->forced != REASON_COMPLETED)
        o->reason = (uint8_t)c->forced;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_outcome(&b, c->cell_tag, o);
    closep(&c->cell_out[0]);
    closep(&c->cell_out[1]);
    closep(&c->cell_report);
    closep(&c->cell_events);
    c->state = CELL_NONE;
    c->is_settling = false;
    c->next_ms = 0;
    (void)pthread_mutex_lock(&c->lock);
    c->wants_interrupt = false;
    c->is_answered = true;
    (void)pthread_mutex_unlock(&c->lock);
    if (c->sock >= 0 && !b.failed)
        (void)send(c->sock, b.data, b.size, MSG_NOSIGNAL | MSG_DONTWAIT); /* the one message that it waits for */
    closep(&c->sock);
    buf_done(&b);
    strlist_done(&o->missing);
}

static void drain_all(struct context *c)
{
    drain(c->out[0], c->cell_out[0]);
    drain(c->out[1], c->cell_out[1]);
    drain(c->report, c->cell_report);
    pass_events(c);
}

static void keep_results(struct context *c)
{
    (void)pthread_mutex_lock(&c->lock);
    if (c->cell) {
        buf_init(&c->cell->results, RESULTS_MAX);
        buf_init(&c->cell->error, RESULTS_MAX);
        kernel_results_json(&c->cell->results, &c->reply);
        kernel_error_json(&c->cell->error, &c->reply);
    }
    (void)pthread_mutex_unlock(&c->lock);
}

static void cell_is_done(struct context *c)
{
    struct outcome o = session_outcome(c->session, c->start_us, c->started_us);
    const bool has_error = c->reply.has_error;
    drain_all(c);
    keep_results(c);
    kernel_reply_done(&c->reply); /* it may be large */
    o.has_exit = true;
    o.exit_code = has_error;
    o.reason = has_error ? REASON_ERROR : REASON_COMPLETED;
    if (has_error && session_is_lost(c->session))
        session_tell_lost(&o);
    end_cell(c, &o);
}

/* The kernel has ended, by itself or by us, and the cell that ran with it: its client hears of it when no other cell is
 * let in any more. */
static void cell_is_lost(struct context *c, const struct outcome *kernel)
{
    (void)pthread_mutex_lock(&c->lock);
    c->has_ended = true;
    (void)pthread_mutex_unlock(&c->lock);
    if (c->state == CELL_NONE)
        return;
    if (c->is_settling) { /* it had come to its end before */
        cell_is_done(c);
        return;
    }
    struct outcome o = session_outcome(c->session, c->start_us, c->started_us);
    drain_all(c);
    o.has_exit = kernel && kernel->has_exit;
    o.has_signal = kernel && kernel->has_signal;
    o.exit_code = o.has_exit ? kernel->exit_code : 0;
    o.signal = o.has_signal ? kernel->signal : 0;
    o.reason = (uint8_t)(kernel && kernel->reason != REASON_COMPLETED ? kernel->reason
                         : kernel                                     ? REASON_ERROR
                         : c->is_broken                               ? REASON_KILLED
                                                                      : REASON_SANDBOX_ERROR);
    struct error err = { 0 };
    if (o.reason == REASON_SANDBOX_ERROR)
        outcome_set_error(&o, (err_set(&err, -EPIPE, BLAME_HOST, "KERNEL", "the context's kernel was lost"), &err));
    end_cell(c, &o);
}

/* --- orders ------------------------------------------------------------------------------------------------------ */

static void tell_keeper(struct context *c, uint64_t type, uint64_t word)
{
    const uint64_t words[3] = { type, c->tag, word };
    (void)send(c->up.sock, words, sizeof words, MSG_NOSIGNAL);
}

static void end_kernel(struct context *c)
{
    c->is_broken = true;
    tell_keeper(c, MESSAGE_KILL, REASON_KILLED);
}

/* Twice: the second time its kernel goes, too. */
static void end_running(struct context *c, enum run_reason why)
{
    if (c->forced == REASON_COMPLETED)
        c->forced = why;
    if (c->state >= CELL_WARNED) {
        c->state = CELL_KILLED;
        c->next_ms = 0;
        end_kernel(c);
        return;
    }
    c->state = CELL_WARNED;
    c->next_ms = session_clock_ms(c->session) + c->grace_ms;
    tell_keeper(c, SESSION_SIGNAL, SIGINT);
}

static void stop_cell(struct context *c, enum run_reason why)
{
    if (c->state >= CELL_RUNS) {
        end_running(c, why);
        return;
    }
    struct outcome o = session_outcome(c->session, 0, 0);
    c->forced = why;
    end_cell(c, &o);
}

static void send_request(struct context *c)
{
    while (c->request_at < c->request.size) {
        const ssize_t n = send(c->kernel, c->request.data + c->request_at, c->request.size - c->request_at,
                               MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0)
            return; /* full, or gone, which its outcome tells */
        c->request_at += (size_t)n;
    }
    buf_done(&c->request);
    c->request_at = 0;
}

/* Both are there: the kernel, and a cell for it. */
static void run_cell(struct context *c)
{
    if (c->state != CELL_READY || !c->is_ready || c->is_broken)
        return;
    (void)pthread_mutex_lock(&c->lock);
    const bool is_interrupted = c->wants_interrupt; /* before it began: then it does not */
    buf_done(&c->request);
    buf_init(&c->request, REQUEST_MAX_CODE_BYTES + 64);
    c->request_at = 0;
    if (c->cell && !is_interrupted)
        kernel_request(&c->request, ++c->last_id, c->cell->source, c->cell->size);
    (void)pthread_mutex_unlock(&c->lock);
    if (!c->request.size || c->request.failed) {
        stop_cell(c, REASON_KILLED);
        return;
    }
    kernel_reply_done(&c->reply);
    kernel_reply_begin(&c->reply, c->last_id);
    c->state = CELL_RUNS;
    c->start_us = c->started_us = clock_us();
    c->next_ms = session_clock_ms(c->session) + c->timeout_ms;
    send_request(c);
}

/* --- checkpoints ------------------------------------------------------------------------------------------------- */

/* Something is wished for, and the kernel is there. One that has not answered in time is ended. */
static void send_wish(struct context *c)
{
    (void)pthread_mutex_lock(&c->lock);
    const bool is_late = c->wish_state == WISH_LATE;
    const bool is_due = c->wish_state == WISH_WAITS && c->is_ready && !c->is_broken;
    if (is_late)
        c->wish_state = WISH_NONE;
    if (is_due) {
        buf_done(&c->request);
        buf_init(&c->request, 64);
        c->request_at = 0;
        kernel_wish(&c->request, ++c->last_id, c->wish, c->wish_number);
        c->wish_state = WISH_SENT;
    }
    (void)pthread_mutex_unlock(&c->lock);
    if (is_late)
        end_kernel(c);
    if (is_due) {
        kernel_reply_done(&c->reply);
        kernel_reply_begin(&c->reply, c->last_id);
        send_request(c);
    }
}

static void copy_text(char *to, size_t size, const struct buf *from)
{
    const size_t n = MIN_OF(from->size, size - 1);
    memcpy(to, from->data ? from->data : "", n);
    to[n] = '\0';
}

static void keep_answer(struct context *c)
{
    (void)pthread_mutex_lock(&c->lock);
    copy_text(c->answer.why, sizeof c->answer.why, &c->reply.name);
    copy_text(c->answer.text, sizeof c->answer.text, &c->reply.value);
    c->wish_state = WISH_ANSWERED;
    (void)pthread_cond_broadcast(&c->changed);
    (void)pthread_mutex_unlock(&c->lock);
    kernel_reply_done(&c->reply);
}

static bool has_wish(struct context *c)
{
    (void)pthread_mutex_lock(&c->lock);
    const bool is_sent = c->wish_state == WISH_SENT;
    (void)pthread_mutex_unlock(&c->lock);
    return is_sent;
}

/* --- the kernel's words --------------------------------------------------------------------------------------- */

/* What it did was told to the launcher's end of the session's events before it could say that it is done: that comes
 * to the cell, and not to the next one. */
static void settle_cell(struct context *c)
{
    c->is_settling = true;
    c->next_ms = 0;
    if (c->events < 0 || session_events_are_passed(c->session)) /* fast path: the keeper is not woken */
        cell_is_done(c);
    else
        tell_keeper(c, SESSION_FLUSH, c->last_id);
}

static void on_kernel(struct context *c)
{
    char chunk[CHUNK];
    const ssize_t n = recv(c->kernel, chunk, sizeof chunk, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    const bool is_wish = has_wish(c), was_asked = !c->is_ready || c->state >= CELL_RUNS || is_wish;
    if (n <= 0 || !was_asked || kernel_reply_feed(&c->reply, chunk, (size_t)n) < 0) {
        closep(&c->kernel); /* nothing that it says counts any more */
        end_kernel(c);
        return;
    }
    if (!c->reply.is_done)
        return;
    if (is_wish) {
        keep_answer(c);
        return;
    }
    if (c->is_ready) {
        settle_cell(c);
        return;
    }
    c->is_ready = true;
    run_cell(c);
    send_wish(c);
}

/* --- the kernel's exec, and the session's keeper ---------------------------------------------------------------- */

static int open_pipe(int *ret_read, int *fd)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    closep(fd);
    *ret_read = ends[0];
    *fd = ends[1];
    return 0;
}

static int open_socket(int kind, int *ret, int *fd)
{
    int pair[2];
    if (socketpair(AF_UNIX, kind | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    closep(fd);
    *ret = pair[0];
    *fd = pair[1];
    return 0;
}

/* Its descriptors become ours; a guard's first word, that its program begins, is for no cell. */
static int exchange(struct context *c, int fds[static RUN_FD_MAX])
{
    int e = open_socket(SOCK_STREAM, &c->kernel, &fds[RUN_FD_STDIN]);
    for (size_t i = 0; i < 2 && e == 0; i++)
        e = open_pipe(&c->out[i], &fds[i ? RUN_FD_STDERR : RUN_FD_STDOUT]);
    if (e == 0 && fds[RUN_FD_REPORT] >= 0 && (e = open_pipe(&c->report, &fds[RUN_FD_REPORT])) == 0)
        (void)fcntl(fds[RUN_FD_REPORT], F_SETFL, O_NONBLOCK);
    if (e == 0 && fds[RUN_FD_EVENTS] >= 0) {
        c->kernel_events = TAKE_FD(fds[RUN_FD_EVENTS]);
        e = open_socket(SOCK_SEQPACKET, &c->events, &fds[RUN_FD_EVENTS]);
    }
    return e;
}

static int pass_plan(struct context *c, size_t size, int fds[static RUN_FD_MAX], size_t count)
{
    struct shape shape = { 0 };
    struct job job = { 0 };
    struct bytes ignored[2];
    struct unpack u = unpack_start(c->message, size);
    (void)unpack_u64(&u);
    c->tag = unpack_u64(&u);
    if (c->kernel >= 0 || unpack_run(&u, &shape, &job, &ignored[0], &ignored[1]) < 0 ||
        !run_fds_place(&job, RUN_FD_MAX, fds, count))
        return -EBADMSG;
    int e = exchange(c, fds);
    if (e < 0)
        return e;
    kernel_reply_begin(&c->reply, 0);
    c->kernel_us = clock_us();
    int travelling[RUN_FD_MAX];
    const size_t n = run_fds_gather(&job, RUN_FD_MAX, fds, travelling);
    return send_message(c->up.sock, c->message, size, travelling, n);
}

/* False: the exec has gone, or its plan cannot be passed on. */
static bool on_own(struct context *c)
{
    int fds[RUN_FD_MAX];
    size_t count = 0;
    uint64_t type;
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    const ssize_t n = receive_message(c->own, c->message, PLAN_MAX_MESSAGE, fds, RUN_FD_MAX, &count);
    int e = n < (ssize_t)(2 * sizeof type) ? -EPIPE : 0;
    memcpy(&type, c->message, sizeof type);
    if (e == 0)
        e = type == MESSAGE_RUN ? pass_plan(c, (size_t)n, fds, count)
                                : send_message(c->up.sock, c->message, (size_t)n, NULL, 0);
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&fds[i]);
    return e == 0;
}

/* False: the kernel's outcome, which is the end. */
static bool on_keeper(struct context *c)
{
    struct outcome o = { 0 };
    ssize_t n = recv(c->up.sock, c->message, PLAN_MAX_MESSAGE, 0);
    if (n < 0 && errno == ECONNRESET) /* it ended with an order of ours unread: told before its outcome, and once */
        n = recv(c->up.sock, c->message, PLAN_MAX_MESSAGE, 0);
    if (n < (ssize_t)(2 * sizeof(uint64_t))) {
        cell_is_lost(c, NULL);
        return false;
    }
    struct unpack u = unpack_start(c->message, (size_t)n);
    if (unpack_u64(&u) == SESSION_FLUSH) {
        if (c->is_settling)
            cell_is_done(c);
        return true;
    }
    (void)unpack_u64(&u);
    const bool is_good = unpack_outcome(&u, &o) == 0;
    cell_is_lost(c, is_good ? &o : NULL);
    (void)send(c->own, c->message, (size_t)n, MSG_NOSIGNAL);
    return false;
}

/* --- a cell's exec --------------------------------------------------------------------------------------------- */

static int take_cell_plan(struct context *c, size_t size, int fds[static RUN_FD_MAX], size_t count)
{
    struct shape shape = { 0 };
    struct job job = { 0 };
    struct bytes ignored[2];
    struct unpack u = unpack_start(c->message, size);
    (void)unpack_u64(&u);
    c->cell_tag = unpack_u64(&u);
    if (unpack_run(&u, &shape, &job, &ignored[0], &ignored[1]) < 0 || !run_fds_place(&job, RUN_FD_MAX, fds, count))
        return -EBADMSG;
    c->cell_out[0] = TAKE_FD(fds[RUN_FD_STDOUT]);
    c->cell_out[1] = TAKE_FD(fds[RUN_FD_STDERR]);
    c->cell_report = TAKE_FD(fds[RUN_FD_REPORT]);
    c->cell_events = TAKE_FD(fds[RUN_FD_EVENTS]);
    c->timeout_ms = job.timeout_ms;
    c->grace_ms = job.grace_ms;
    c->state = CELL_READY;
    c->next_ms = session_clock_ms(c->session) + c->timeout_ms; /* also of a kernel that never comes to wait */
    return 0;
}

static void on_cell(struct context *c)
{
    int fds[RUN_FD_MAX];
    size_t count = 0;
    uint64_t words[3] = { 0 };
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    const ssize_t n = receive_message(c->sock, c->message, PLAN_MAX_MESSAGE, fds, RUN_FD_MAX, &count);
    memcpy(words, c->message, MIN_OF((size_t)MAX_OF(n, 0), sizeof words));
    if (n >= (ssize_t)(2 * sizeof *words) && words[0] == MESSAGE_RUN && c->state == CELL_WAITS &&
        take_cell_plan(c, (size_t)n, fds, count) == 0) {
        run_cell(c);
    } else if (n == (ssize_t)sizeof words && words[0] == MESSAGE_KILL && c->state != CELL_WAITS) {
        stop_cell(c, words[2] < REASON_COUNT ? (enum run_reason)words[2] : REASON_KILLED);
    } else { /* it has gone */
        closep(&c->sock);
        stop_cell(c, REASON_KILLED);
    }
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&fds[i]);
}

/* The one before it has ended. */
static void take_incoming(struct context *c)
{
    (void)pthread_mutex_lock(&c->lock);
    if (c->incoming >= 0 && c->state == CELL_NONE) {
        c->sock = TAKE_FD(c->incoming);
        c->cell = c->next;
        c->next = NULL;
        c->is_answered = false;
        c->state = CELL_WAITS;
        c->forced = REASON_COMPLETED;
        c->start_us = c->started_us = 0;
    }
    (void)pthread_mutex_unlock(&c->lock);
}

static void on_wake(struct context *c)
{
    eventfd_t ignored;
    bool interrupts;
    (void)eventfd_read(c->wake, &ignored);
    (void)pthread_mutex_lock(&c->lock);
    interrupts = c->wants_interrupt && c->state >= CELL_RUNS;
    c->wants_interrupt &= !interrupts; /* of one that does not run yet run_cell() hears */
    (void)pthread_mutex_unlock(&c->lock);
    if (interrupts)
        tell_keeper(c, SESSION_SIGNAL, SIGINT);
    send_wish(c);
}

/* --- the thread -------------------------------------------------------------------------------------------------- */

enum { FD_WAKE, FD_UP, FD_OWN, FD_CELL, FD_KERNEL, FD_OUT, FD_ERR, FD_REPORT, FD_EVENTS, FD_COUNT };

/* 0: it has ended. */
static int forward(int *from, int to)
{
    char chunk[CHUNK];
    const ssize_t n = read(*from, chunk, sizeof chunk);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 1;
    if (n <= 0) {
        closep(from);
        return 0;
    }
    if (to >= 0)
        (void)write_all(to, chunk, (size_t)n);
    return 1;
}

static void wait_for_something(struct context *c, struct pollfd f[static FD_COUNT])
{
    const bool runs = c->state >= CELL_RUNS;
    const int fds[FD_COUNT] = { c->wake,
                                c->up.sock,
                                c->own,
                                c->sock,
                                c->kernel,
                                runs ? c->out[0] : -1,
                                runs ? c->out[1] : -1,
                                runs ? c->report : -1,
                                c->events };
    const uint64_t now = session_clock_ms(c->session);
    for (size_t i = 0; i < FD_COUNT; i++)
        f[i] = (struct pollfd){ .fd = fds[i], .events = POLLIN };
    if (c->request.size)
        f[FD_KERNEL].events |= POLLOUT;
    int left = !c->next_ms ? -1 : c->next_ms <= now ? 0 : (int)MIN_OF(c->next_ms - now, (uint64_t)INT32_MAX);
    if (left >= 0 && session_is_paused(c->session)) /* its clock stands still, and nothing tells us of its end */
        left = MAX_OF(left, PAUSED_LOOK_MS);
    if (poll(f, FD_COUNT, left) < 0)
        memset(f, 0, FD_COUNT * sizeof *f); /* EINTR */
}

/* False: it is over. */
static bool turn(struct context *c)
{
    struct pollfd f[FD_COUNT];
    take_incoming(c);
    wait_for_something(c, f);
    if (f[FD_WAKE].revents)
        on_wake(c);
    if (c->next_ms && session_clock_ms(c->session) >= c->next_ms)
        stop_cell(c, REASON_TIMEOUT);
    if (f[FD_EVENTS].revents)
        pass_events(c);
    if (f[FD_OUT].revents)
        (void)forward(&c->out[0], c->cell_out[0]);
    if (f[FD_ERR].revents)
        (void)forward(&c->out[1], c->cell_out[1]);
    if (f[FD_REPORT].revents)
        (void)forward(&c->report, c->cell_report);
    if (f[FD_KERNEL].revents & POLLOUT)
        send_request(c);
    if (f[FD_KERNEL].revents & ~POLLOUT && c->kernel >= 0)
        on_kernel(c);
    if (f[FD_CELL].revents && c->sock >= 0)
        on_cell(c);
    if (f[FD_OWN].revents && !on_own(c)) {
        cell_is_lost(c, NULL);
        return false;
    }
    return !f[FD_UP].revents || on_keeper(c);
}

static void *keep(void *context)
{
    struct context *c = context;
    while (turn(c))
        ;
    (void)pthread_mutex_lock(&c->lock);
    c->has_ended = true;
    (void)pthread_cond_broadcast(&c->changed);
    c->cell = c->next = NULL;
    closep(&c->incoming); /* its exec: «died before it began the run» */
    (void)pthread_mutex_unlock(&c->lock);
    closep(&c->own);
    client_stop(&c->up);
    close_cell(c);
    close_kernel(c);
    return NULL;
}

int context_start(struct context *c, struct client *session, struct client *ret_own, struct error *err)
{
    int theirs = -1;
    pthread_attr_t attr;
    int e = open_socket(SOCK_SEQPACKET, &c->own, &theirs);
    if (e == 0) {
        c->up = *session;
        *session = (struct client){ .sock = -1 };
        (void)pthread_attr_init(&attr);
        (void)pthread_attr_setstacksize(&attr, CONTEXT_STACK);
        e = -pthread_create(&c->thread, &attr, keep, c);
        (void)pthread_attr_destroy(&attr);
    }
    c->is_started = e == 0;
    if (e < 0) {
        closep(&theirs);
        return err_set(err, e, BLAME_HOST, "SESSION", "begin a context: %s", strerror(-e));
    }
    *ret_own = (struct client){ .sock = theirs, .name = "the session" };
    return 0;
}

void context_join(struct context *c)
{
    if (c->is_started)
        (void)pthread_join(c->thread, NULL);
    c->is_started = false;
}

/* --- what others ask --------------------------------------------------------------------------------------- */

static int has_ended(struct error *err)
{
    (void)err_set(err, -ESHUTDOWN, BLAME_CALLER, "SESSION", "the context's kernel has ended");
    return err_remedy(err, "restart the context, or create another one");
}

/* With the lock: nothing is under way. */
static int check_free(struct context *c, struct error *err)
{
    if (c->has_ended)
        return has_ended(err);
    if (!c->cell && !c->next && !c->is_held)
        return 0;
    (void)err_set(err, -EBUSY, BLAME_CALLER, "SESSION",
                  c->is_held ? "a checkpoint of this context is being made or gone back to"
                             : "another cell of this context is under way");
    return err_remedy(err, c->is_held ? "ask again" : "wait for its end, or interrupt it");
}

int context_connect(struct context *c, struct context_cell *cell, struct client *ret, struct error *err)
{
    int ours = -1, theirs = -1;
    int e = open_socket(SOCK_SEQPACKET, &ours, &theirs);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, "SESSION", "socketpair: %s", strerror(-e));
    (void)pthread_mutex_lock(&c->lock);
    e = check_free(c, err);
    if (e == 0) {
        c->incoming = TAKE_FD(theirs);
        c->next = cell;
    }
    (void)pthread_mutex_unlock(&c->lock);
    closep(&theirs);
    if (e < 0) {
        closep(&ours);
        return e;
    }
    (void)eventfd_write(c->wake, 1);
    *ret = (struct client){ .sock = ours, .name = "the kernel" };
    return 0;
}

bool context_is_busy(struct context *c)
{
    (void)pthread_mutex_lock(&c->lock);
    const bool is_busy = !c->has_ended && (c->cell || c->next || c->is_held);
    (void)pthread_mutex_unlock(&c->lock);
    return is_busy;
}

void context_leave(struct context *c, struct context_cell *cell)
{
    (void)pthread_mutex_lock(&c->lock);
    if (c->cell == cell)
        c->cell = NULL;
    if (c->next == cell) {
        c->next = NULL;
        closep(&c->incoming);
    }
    (void)pthread_mutex_unlock(&c->lock);
}

bool context_interrupt(struct context *c)
{
    (void)pthread_mutex_lock(&c->lock);
    const bool is_busy = (c->next || (c->cell && !c->is_answered)) && !c->has_ended;
    c->wants_interrupt |= is_busy;
    (void)pthread_mutex_unlock(&c->lock);
    if (is_busy)
        (void)eventfd_write(c->wake, 1);
    return is_busy;
}

bool context_has_ended(struct context *c)
{
    (void)pthread_mutex_lock(&c->lock);
    const bool has_ended = c->has_ended;
    (void)pthread_mutex_unlock(&c->lock);
    return has_ended;
}

/* --- between cells ------------------------------------------------------------------------------------------- */

int context_hold(struct context *c, struct error *err)
{
    (void)pthread_mutex_lock(&c->lock);
    const int e = check_free(c, err);
    c->is_held |= e == 0;
    (void)pthread_mutex_unlock(&c->lock);
    return e;
}

void context_hold_last(struct context *c)
{
    (void)pthread_mutex_lock(&c->lock);
    while (c->is_held)
        (void)pthread_cond_wait(&c->changed, &c->lock);
    c->is_held = true;
    (void)pthread_mutex_unlock(&c->lock);
}

void context_release(struct context *c)
{
    (void)pthread_mutex_lock(&c->lock);
    c->is_held = false;
    (void)pthread_cond_broadcast(&c->changed);
    (void)pthread_mutex_unlock(&c->lock);
}

/* With the lock. The session may be paused meanwhile. */
static void wait_for_answer(struct context *c)
{
    const uint64_t until_ms = session_clock_ms(c->session) + WISH_PATIENCE_MS;
    while (c->wish_state != WISH_ANSWERED && !c->has_ended && session_clock_ms(c->session) < until_ms)
        (void)wait_until(&c->changed, &c->lock, clock_ms() + 1000);
}

static int is_ending(int code, struct error *err)
{
    (void)err_set(err, code, BLAME_CALLER, "SESSION",
                  "the context's kernel did not answer within %u s, and is being ended", WISH_PATIENCE_MS / 1000);
    return err_remedy(err, "restart the context");
}

/* With the lock. One that was given up stands until the thread has seen it, and ends the kernel for it. */
static int check_wish(const struct context *c, struct error *err)
{
    if (c->has_ended)
        return has_ended(err);
    return c->wish_state == WISH_LATE ? is_ending(-EBUSY, err) : 0;
}

int context_wish(struct context *c, enum kernel_wish wish, uint64_t checkpoint, struct context_answer *ret,
                 struct error *err)
{
    (void)pthread_mutex_lock(&c->lock);
    const int e = check_wish(c, err);
    if (e < 0) {
        (void)pthread_mutex_unlock(&c->lock);
        return e;
    }
    c->wish = wish;
    c->wish_number = checkpoint;
    c->wish_state = WISH_WAITS;
    (void)eventfd_write(c->wake, 1);
    wait_for_answer(c);
    const bool is_answered = c->wish_state == WISH_ANSWERED, is_late = !is_answered && !c->has_ended;
    *ret = c->answer;
    c->wish_state = is_answered ? WISH_NONE : WISH_LATE;
    (void)pthread_mutex_unlock(&c->lock);
    if (is_answered)
        return 0;
    (void)eventfd_write(c->wake, 1);
    return is_late ? is_ending(-ESHUTDOWN, err) : has_ended(err);
}
