#include "engine/control.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "base/clock.h"
#include "base/kernel.h"
#include "base/message.h"
#include "engine/run.h"
#include "engine/sweep.h"

#define SWEEP_LIMIT_MS  120000u
#define LEAVE_MS        15000u /* for children to remove what they made */
#define CONNECTION_LEFT 3      /* exit status: there is something to sweep */
#define SWEEP_SOON_US   UINT64_C(1000000)

/* --- answers ---------------------------------------------------------------------------------------------- */

void peer_answer(struct control *c, uint64_t tag, const struct outcome *o)
{
    struct buf b;
    (void)c;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_outcome(&b, tag, o);
    if (!b.failed) /* a client that does not read has one run, and so one answer: it fits the socket. EPIPE: it left */
        (void)send_message(CONTROL_FD, b.data, b.size, NULL, 0);
    buf_done(&b);
}

bool peer_wants_end(const struct control *c)
{
    return c->killed != REASON_COMPLETED || c->is_leaving;
}

/* A process that keeps idle connections sees the end of this one before its next run: at once, so that it is not taken
 * in between.
 */
void peer_retire(struct control *c)
{
    c->has_left = true;
    if (c->is_owner || !c->wish.sweeps)
        return;
    (void)shutdown(CONTROL_FD, SHUT_RDWR);
    c->is_leaving = true;
}

static void refuse(struct control *c, uint64_t tag, int code, const char *text)
{
    struct error err = { 0 };
    (void)err_set(&err, code, BLAME_HOST, "REQUEST", "%s", text);
    struct outcome o = { 0 };
    outcome_set_error(&o, &err);
    peer_answer(c, tag, &o);
}

/* --- sweeping --------------------------------------------------------------------------------------------- */

static uint64_t by_then(void *context, struct pollfd out[static ENGINE_CALLER_POLLS])
{
    (void)out;
    return *(const uint64_t *)context;
}

static void sweep_now(const struct sweep_wish *w, uint64_t max_ms)
{
    struct engine e;
    uint64_t until_ms = clock_ms() + max_ms;
    const struct engine_caller caller = { &until_ms, by_then };
    if (engine_open_for(&e, w->socket, w->answer_ms, &caller, NULL) < 0)
        return; /* the next run tells of an engine that is not there */
    (void)sweep(&e);
    engine_close(&e);
}

static void note_wish(struct control *c, const struct sweep_wish *w)
{
    bool is_new = !str_eq(w->socket, c->wish.socket) || w->every_ms != c->wish.every_ms || w->sweeps != c->wish.sweeps;
    c->wish = *w;
    if (!w->sweeps || !w->every_ms)
        c->sweep_us = UINT64_MAX;
    else if (is_new || c->sweep_us == UINT64_MAX) /* what an earlier service left is swept soon */
        c->sweep_us = clock_us() + SWEEP_SOON_US;
}

static void tell_wish(struct control *c, const struct container *q)
{
    struct sweep_wish w = { .answer_ms = q->answer_ms, .every_ms = q->sweep_ms, .sweeps = q->sweeps };
    if (strlen(q->socket) >= sizeof w.socket)
        return;
    memcpy(w.socket, q->socket, strlen(q->socket));
    if (!c->is_for_one_run && !c->is_owner) {
        if (memcmp(&w, &c->wish, sizeof w) != 0) {
            ssize_t n = write(SWEEP_FD, &w,
                              sizeof w); /* whole or not at all: pipe(7). When it is full, another has told it */
            (void)n;
        }
        c->wish = w;
        return;
    }
    note_wish(c, &w);
}

static void hear_wishes(struct control *c)
{
    struct sweep_wish w;
    while (c->sweep_in >= 0 && read(c->sweep_in, &w, sizeof w) == (ssize_t)sizeof w)
        note_wish(c, &w);
}

/* In a process of its own: an engine that hangs must not keep the program from its clients. */
static void sweep_when_due(struct control *c)
{
    if (!c->is_owner || c->is_for_one_run || clock_us() < c->sweep_us)
        return;
    c->sweep_us = clock_us() + MAX_OF(c->wish.every_ms, (uint64_t)1000) * 1000;
    pid_t parent = getpid(), pid = fork();
    if (pid != 0)
        return;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent)
        sweep_now(&c->wish, SWEEP_LIMIT_MS);
    _exit(0);
}

/* --- connections ------------------------------------------------------------------------------------------------ */

/* The child: nothing of its parent's but the pipe for wishes. */
static _Noreturn void connection_main(pid_t parent, int sock)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM); /* then it removes what it made */
    if (getppid() != parent || dup3(sock, CONTROL_FD, O_CLOEXEC) < 0)
        _exit(125);
    (void)sys_close_range(SWEEP_FD + 1, ~0u);
    struct control *c = calloc(1, sizeof *c);
    if (!c || peer_open(c) < 0)
        _exit(125);
    peer_serve(c);
    _exit(c->has_left ? CONNECTION_LEFT : 0);
}

static void on_connection(struct control *c, int sock)
{
    pid_t parent = getpid();
    if (!is_message_socket(sock) || c->connection_count >= CONNECTIONS_MAX)
        return;
    pid_t pid = fork();
    if (pid == 0)
        connection_main(parent, sock);
    if (pid > 0)
        c->connections[c->connection_count++] = pid;
}

static void forget_connection(struct control *c, pid_t pid, int status)
{
    for (unsigned i = 0; i < c->connection_count; i++) {
        if (c->connections[i] != pid)
            continue;
        c->connections[i] = c->connections[--c->connection_count];
        if (WIFEXITED(status) && WEXITSTATUS(status) == CONNECTION_LEFT && c->sweep_us != UINT64_MAX)
            c->sweep_us = MIN_OF(c->sweep_us, clock_us() + SWEEP_SOON_US);
    }
}

static void reap(struct control *c)
{
    pid_t pid;
    int status;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        forget_connection(c, pid, status);
}

static void on_signals(struct control *c)
{
    struct signalfd_siginfo info;
    while (read(c->signals, &info, sizeof info) == (ssize_t)sizeof info)
        if (info.ssi_signo == SIGTERM)
            c->is_leaving = true;
    reap(c);
}

/* --- requests --------------------------------------------------------------------------------------------- */

static void close_fds(int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        closep(&fds[i]);
}

static void on_run(struct control *c, uint64_t tag, size_t size, int fds[static RUN_FD_MAX], size_t count)
{
    struct request q = { .tag = tag };
    struct unpack u = unpack_start(c->message, size);
    (void)unpack_u64(&u);
    (void)unpack_u64(&u);
    if (unpack_container_run(&u, &q.container, &q.shape, &q.job) < 0 ||
        !run_fds_place(&q.job, RUN_FD_MAX, fds, count) || !q.container.socket) {
        close_fds(fds, RUN_FD_MAX);
        refuse(c, tag, -EBADMSG, "a run request arrived damaged or without its descriptors (is `ulimit -n` too low?)");
        return;
    }
    memcpy(q.fds, fds, sizeof q.fds);
    tell_wish(c, &q.container);
    c->has_run = true;
    c->tag = tag;
    c->killed = REASON_COMPLETED;
    container_run(c, &q);
    c->has_run = false;
}

/* While a run is served its message is in use: another one is only looked at for its head. */
static void on_message(struct control *c, char *data, size_t size, int fds[static RUN_FD_MAX], size_t count)
{
    struct unpack u = unpack_start(data, size);
    uint64_t type = unpack_u64(&u), tag = unpack_u64(&u);
    if (u.failed) {
        c->is_leaving = true;
    } else if (type == MESSAGE_CONTAINER && !c->has_run) {
        on_run(c, tag, size, fds, count); /* takes them */
        return;
    } else if (type == MESSAGE_CONTAINER || type == MESSAGE_RUN) {
        refuse(c, tag, -EBUSY,
               type == MESSAGE_RUN ? "this is the container backend" : "a connection has one run at a time");
    } else if (type == MESSAGE_CONNECTION && c->is_owner && count == 1) {
        on_connection(c, fds[0]);
    } else if (type == MESSAGE_KILL) {
        uint64_t why = unpack_u64(&u);
        if (unpack_end(&u) == 0 && why < REASON_COUNT && why != REASON_COMPLETED && c->has_run && tag == c->tag &&
            c->killed == REASON_COMPLETED)
            c->killed = (enum run_reason)why;
    } else if (type != MESSAGE_CONNECTION) {
        c->is_leaving = true;
    }
    close_fds(fds, RUN_FD_MAX);
}

static void read_request(struct control *c)
{
    static char aside[PLAN_MAX_MESSAGE]; /* what comes while a run is served */
    char *data = c->has_run ? aside : c->message;
    int fds[RUN_FD_MAX];
    size_t count;
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    ssize_t n = receive_message(CONTROL_FD, data, PLAN_MAX_MESSAGE, fds, RUN_FD_MAX, &count);
    if (n <= 0)
        c->is_leaving = true;
    else
        on_message(c, data, (size_t)n, fds, count);
}

void peer_polls(const struct control *c, struct pollfd out[static CONTROL_POLLS])
{
    out[0] = (struct pollfd){ .fd = c->is_leaving ? -1 : CONTROL_FD, .events = POLLIN };
    out[1] = (struct pollfd){ .fd = c->signals, .events = POLLIN };
}

void peer_on_polls(struct control *c, const struct pollfd polled[static CONTROL_POLLS])
{
    if (polled[1].revents)
        on_signals(c);
    if (polled[0].revents && !c->is_leaving)
        read_request(c);
}

void peer_look(struct control *c)
{
    struct pollfd p[CONTROL_POLLS];
    for (unsigned i = 0; i < 16; i++) {
        peer_polls(c, p);
        if (poll(p, CONTROL_POLLS, 0) <= 0)
            return;
        peer_on_polls(c, p);
    }
}

/* --- life ------------------------------------------------------------------------------------------------- */

int peer_open(struct control *c)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGCHLD);
    (void)sigprocmask(SIG_SETMASK, &set, NULL);
    c->sweep_us = UINT64_MAX;
    c->sweep_in = -1;
    c->call_grace_ms = c->call_grace_ms ? c->call_grace_ms : CALL_GRACE_MS;
    c->cleanup_grace_ms = c->cleanup_grace_ms ? c->cleanup_grace_ms : CLEANUP_GRACE_MS;
    c->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    c->message = malloc(PLAN_MAX_MESSAGE);
    (void)fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC);
    if (c->signals < 0 || !c->message)
        return -ENOMEM;
    if (!c->is_owner || c->is_for_one_run)
        return 0;
    int pair[2];
    if (pipe2(pair, O_CLOEXEC | O_NONBLOCK) < 0)
        return -errno;
    /* whatever stands at SWEEP_FD moves away: it is one of ours */
    if (pair[0] == SWEEP_FD || c->signals == SWEEP_FD) {
        int *moved = pair[0] == SWEEP_FD ? &pair[0] : &c->signals;
        *moved = fcntl(SWEEP_FD, F_DUPFD_CLOEXEC, SWEEP_FD + 1);
    }
    if (pair[1] != SWEEP_FD) {
        if (dup3(pair[1], SWEEP_FD, O_CLOEXEC) < 0)
            return -errno;
        (void)close(pair[1]);
    }
    c->sweep_in = pair[0];
    return 0;
}

static int patience_ms(const struct control *c)
{
    if (!c->is_owner || c->is_for_one_run || c->sweep_us == UINT64_MAX)
        return -1;
    uint64_t now = clock_us();
    return c->sweep_us <= now ? 0 : (int)MIN_OF((c->sweep_us - now) / 1000 + 1, (uint64_t)60000);
}

/* Descriptor 3 stays open until then: a process that still listens learns by its end that nothing is left. */
static void leave(struct control *c)
{
    for (unsigned i = 0; i < c->connection_count; i++)
        (void)kill(c->connections[i], SIGTERM);
    for (uint64_t until = clock_ms() + LEAVE_MS; c->connection_count && clock_ms() < until;) {
        struct pollfd p = { .fd = c->signals, .events = POLLIN };
        (void)poll(&p, 1, 100);
        on_signals(c);
    }
    if (c->is_for_one_run && c->wish.sweeps && !c->is_engine_away)
        sweep_now(&c->wish, c->cleanup_grace_ms); /* the command line waits for our end */
}

void peer_serve(struct control *c)
{
    while (!c->is_leaving) {
        struct pollfd p[CONTROL_POLLS + 1];
        peer_polls(c, p);
        p[CONTROL_POLLS] = (struct pollfd){ .fd = c->sweep_in, .events = POLLIN };
        (void)poll(p, CONTROL_POLLS + 1, patience_ms(c));
        peer_on_polls(c, p);
        if (p[CONTROL_POLLS].revents)
            hear_wishes(c);
        sweep_when_due(c);
    }
    leave(c);
    closep(&c->signals);
    closep(&c->sweep_in);
    free(c->message);
    c->message = NULL;
}
