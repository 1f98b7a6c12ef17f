#include "launch/control.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include "launch/private.h"
#include "launch/slot.h"

struct connection {
    struct connection *next;
    struct launcher *launcher;
    int sock;
    struct answer *answers; /* that the client did not take yet */
    unsigned answer_count;
};

static bool is_owner(const struct connection *c)
{
    return c->sock == CONTROL_FD;
}

/* --- answers ----------------------------------------------------------------------------------- */

struct answer {
    struct answer *next;
    size_t size;
    char data[];
};

static void set_events(struct connection *c)
{
    struct epoll_event e = { .data.u64 = (uint64_t)(uintptr_t)c | EVENT_CONNECTION };
    if (c->answer_count < CONTROL_ANSWERS_MAX)
        e.events |= EPOLLIN;
    if (c->answer_count)
        e.events |= EPOLLOUT;
    (void)epoll_ctl(c->launcher->epoll, EPOLL_CTL_MOD, c->sock, &e); /* cannot fail for what is in it */
}

/* False: not now. A client that left needs no answer. */
static bool send_now(const struct connection *c, const void *data, size_t size)
{
    ssize_t n;
    do
        n = send(c->sock, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    return n >= 0 || errno != EAGAIN;
}

static void keep(struct connection *c, const void *data, size_t size)
{
    struct answer *a = malloc(sizeof *a + size), **last = &c->answers;
    if (!a)
        abort(); /* an answer that is lost would be waited for for ever; the client sees the end of file */
    *a = (struct answer){ .size = size };
    memcpy(a->data, data, size);
    while (*last)
        last = &(*last)->next;
    *last = a;
    c->answer_count++;
    set_events(c);
}

static void drop_first(struct connection *c)
{
    struct answer *a = c->answers;
    c->answers = a->next;
    c->answer_count--;
    free(a);
}

static void send_kept(struct connection *c)
{
    while (c->answers && send_now(c, c->answers->data, c->answers->size))
        drop_first(c);
    set_events(c);
}

static void send_or_keep(struct connection *c, const struct buf *b)
{
    if (!b->failed && (c->answers || !send_now(c, b->data, b->size)))
        keep(c, b->data, b->size);
}

static void tell(struct connection *c, uint64_t tag, const struct outcome *o,
                 void (*pack)(struct buf *b, uint64_t tag, const struct outcome *o))
{
    struct buf b;
    if (!c)
        return;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack(&b, tag, o);
    send_or_keep(c, &b);
    buf_done(&b);
}

void control_answer(struct connection *c, uint64_t tag, const struct outcome *o)
{
    tell(c, tag, o, pack_outcome);
}

void control_opened(struct connection *c, uint64_t tag, const struct outcome *o)
{
    tell(c, tag, o, pack_opened);
}

static void tell_words(struct connection *c, const uint64_t words[static 4])
{
    struct buf b;
    if (!c)
        return;
    buf_init(&b, 4 * sizeof *words + 1);
    (void)buf_add(&b, words, 4 * sizeof *words);
    send_or_keep(c, &b);
    buf_done(&b);
}

void control_paused(struct connection *c, uint64_t tag, bool is_paused, int error)
{
    const uint64_t words[] = { MESSAGE_PAUSED, tag, is_paused, (uint64_t)error };
    tell_words(c, words);
}

void control_room(struct connection *c, uint64_t tag, uint64_t mark, int error)
{
    const uint64_t words[] = { MESSAGE_ROOM, tag, mark, (uint64_t)error };
    tell_words(c, words);
}

/* --- descriptors that came ------------------------------------------------------------------------ */

static void close_all(int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        closep(&fds[i]);
}

/* -> how many came, also of those beyond RUN_FD_MAX, which are closed: no request is right with so many */
static size_t take_fds(struct msghdr *msg, int fds[static RUN_FD_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    for (struct cmsghdr *h = CMSG_FIRSTHDR(msg); h; h = CMSG_NXTHDR(msg, h)) {
        if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS)
            continue;
        size_t n = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < n; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(h) + i * sizeof fd, sizeof fd);
            if (count < RUN_FD_MAX)
                fds[count] = fd;
            else
                (void)close(fd);
            count++;
        }
    }
    return count;
}

/* --- connections ------------------------------------------------------------------------------------- */

static int connection_new(struct launcher *l, int sock)
{
    struct connection *c = calloc(1, sizeof *c);
    if (!c)
        return -ENOMEM;
    *c = (struct connection){ .next = l->connections, .launcher = l, .sock = sock };
    l->connections = c;
    l->connection_count++;
    struct epoll_event e = { .events = EPOLLIN, .data.u64 = (uint64_t)(uintptr_t)c | EVENT_CONNECTION };
    if (epoll_ctl(l->epoll, EPOLL_CTL_ADD, sock, &e) == 0)
        return 0;
    int error = -errno;
    l->connections = c->next;
    l->connection_count--;
    free(c);
    return error;
}

static void connection_free(struct connection *c)
{
    struct launcher *l = c->launcher;
    struct connection **p = &l->connections;
    while (*p != c)
        p = &(*p)->next;
    *p = c->next;
    l->connection_count--;
    for (struct run *r = l->runs; r; r = r->next)
        if (r->connection == c) {
            r->connection = NULL;
            run_kill(r, REASON_KILLED);
        }
    while (c->answers)
        drop_first(c);
    if (is_owner(c)) /* stays open until we end: a process that still listens learns by it when nothing is left */
        (void)epoll_ctl(l->epoll, EPOLL_CTL_DEL, c->sock, NULL);
    else
        unwatch(l, &c->sock);
    free(c);
}

/* Safe even if the client is owned: a connection is read by the code that reads descriptor 3 and can do less, since it
 * opens no others; runs asked for over it are checked alike, and volumes are opened with the rights of descriptor 3's
 * peer, whichever process made the socket. There are CONTROL_CONNECTIONS_MAX at most, of some 64 bytes and a
 * descriptor. A client that sends both ends of a pair, or its own end of descriptor 3, has us listen to ourselves: what
 * we say is no request, and if thereby we never hear of its end we stay as long as if it had stayed itself. */
static void on_connection(struct launcher *l, int fds[static RUN_FD_MAX], size_t fd_count)
{
    bool has_room = l->connection_count <= CONTROL_CONNECTIONS_MAX; /* descriptor 3 is one of them */
    if (fd_count != 1 || !has_room || !is_message_socket(fds[0]) || connection_new(l, fds[0]) < 0)
        close_all(fds, RUN_FD_MAX); /* which its other end sees */
}

/* --- requests ---------------------------------------------------------------------------------- */

/* Tags are the connection's own: no process can end, or guess at, a run of another one. */
static void on_kill(struct connection *c, uint64_t tag, struct unpack *u)
{
    uint64_t why = unpack_u64(u);
    if (unpack_end(u) < 0 || why >= REASON_COUNT)
        return;
    for (struct run *r = c->launcher->runs; r; r = r->next)
        if (r->connection == c && r->tag == tag)
            run_kill(r, (enum run_reason)why);
}

static struct run *find_run(const struct connection *c, uint64_t tag)
{
    struct run *r = c->launcher->runs;
    while (r && (r->connection != c || r->tag != tag))
        r = r->next;
    return r;
}

/* Safe even if the client is owned: it can have asked for as many tasks when the run began. */
static void on_room(struct connection *c, uint64_t tag, struct unpack *u)
{
    const uint64_t tasks = unpack_u64(u), mark = unpack_u64(u);
    struct run *r = find_run(c, tag);
    if (unpack_end(u) < 0)
        return;
    const int e = r ? run_set_room(r, tasks) : ESRCH;
    if (mark)
        control_room(c, tag, mark, e);
}

/* Safe even if the client is owned: it can let no other run stand still than one of its own, and that no longer than
 * the run may last. */
static void on_pause(struct connection *c, uint64_t tag, struct unpack *u)
{
    const uint64_t on = unpack_u64(u);
    struct run *r = find_run(c, tag);
    if (unpack_end(u) < 0 || on > 1)
        return;
    if (r)
        freeze_set(r, on == 1);
    else
        control_paused(c, tag, false, ESRCH);
}

/* A process waits for an answer to everything that calls itself a run. */
static void answer_garbage(struct connection *c, uint64_t tag)
{
    struct error err = { 0 };
    (void)err_set(&err, -EBADMSG, BLAME_HOST, "REQUEST",
                  "a run request arrived damaged or without its descriptors (is `ulimit -n` too low?)");
    run_answer_error(c->launcher, c, tag, &err);
}

static void answer_full(struct connection *c, uint64_t tag)
{
    struct error err = { 0 };
    (void)err_set(&err, -EAGAIN, BLAME_HOST, "REQUEST", "%u runs are alive in this launcher", RUNS_MAX);
    run_answer_error(c->launcher, c, tag, &err);
}

/* Safe even if the client is owned: lengths are checked by unpack, values by plan_check(), descriptors are only
 * handed to the sandbox that the same client asked for. */
static void on_run(struct connection *c, uint64_t tag, struct bytes message, size_t head, int fds[static RUN_FD_MAX],
                   size_t fd_count)
{
    struct run *r = run_new(c->launcher, c, tag, message);
    struct unpack u = unpack_start(r->message + head, message.size - head);
    if (unpack_run(&u, &r->shape, &r->job, &r->shape_bytes, &r->job_bytes) < 0 ||
        !run_fds_place(&r->job, RUN_FD_MAX, fds, fd_count)) {
        close_all(fds, RUN_FD_MAX);
        run_free(r);
        answer_garbage(c, tag);
        return;
    }
    memcpy(r->fds, fds, sizeof r->fds);
    run_start(r);
}

/* The instance has ended meanwhile, which its own outcome has told; or there never was one. */
static void answer_unknown(struct connection *c, uint64_t tag)
{
    struct error err = { 0 };
    struct outcome o = { .is_unused = true };
    (void)err_set(&err, -ESRCH, BLAME_HOST, "PARK", "the sandbox that was opened early is gone");
    outcome_set_error(&o, &err);
    control_answer(c, tag, &o);
}

static struct run *find_parked(struct connection *c, uint64_t tag)
{
    for (struct run *r = c->launcher->runs; r; r = r->next)
        if (r->connection == c && r->tag == tag && r->job.park_fd && !r->has_work && !r->is_told)
            return r;
    return NULL;
}

/* Safe even if the client is owned: the work fills files and a pipe of a sandbox that this connection opened, once. */
static void on_work(struct connection *c, uint64_t tag, struct unpack u, int fds[static RUN_FD_MAX], size_t fd_count)
{
    static struct work w;
    struct bytes bytes = { u.p, (uint32_t)(u.end - u.p) };
    struct run *r = find_parked(c, tag);
    if (!r) {
        close_all(fds, RUN_FD_MAX);
        answer_unknown(c, tag);
        return;
    }
    if (unpack_work(&u, &w) < 0 || fd_count != 1 || w.timeout_ms == 0)
        run_kill(r, REASON_SANDBOX_ERROR);
    else
        run_give_work(r, &w, bytes, fds[0]);
    close_all(fds, RUN_FD_MAX);
}

static void on_message(struct connection *c, struct bytes message, bool is_whole, int fds[static RUN_FD_MAX],
                       size_t fd_count)
{
    struct unpack u = unpack_start(message.data, message.size);
    uint64_t type = unpack_u64(&u), tag = unpack_u64(&u);
    bool has_room = c->launcher->run_count < RUNS_MAX;
    if (type == MESSAGE_RUN && is_whole && has_room) {
        on_run(c, tag, message, message.size - (size_t)(u.end - u.p), fds, fd_count);
        return;
    }
    if (type == MESSAGE_CONNECTION && is_whole && is_owner(c) && unpack_end(&u) == 0) {
        on_connection(c->launcher, fds, fd_count);
        return;
    }
    if (type == MESSAGE_WORK && is_whole) {
        on_work(c, tag, u, fds, fd_count);
        return;
    }
    close_all(fds, RUN_FD_MAX);
    if (type == MESSAGE_KILL)
        on_kill(c, tag, &u);
    else if (type == MESSAGE_PAUSE)
        on_pause(c, tag, &u);
    else if (type == MESSAGE_ROOM)
        on_room(c, tag, &u);
    else if (type == MESSAGE_RUN && is_whole)
        answer_full(c, tag);
    else if (type == MESSAGE_RUN)
        answer_garbage(c, tag);
}

/* False when the client is gone. */
static bool read_request(struct connection *c)
{
    struct launcher *l = c->launcher;
    union {
        char buf[CMSG_SPACE(sizeof(int) * 16)];
        struct cmsghdr align;
    } control;
    struct iovec iov = { l->incoming, PLAN_MAX_MESSAGE };
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf, .msg_controllen = sizeof control.buf
    };
    int fds[RUN_FD_MAX];
    ssize_t n = recvmsg(c->sock, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR;
    if (n == 0)
        return false;
    size_t fd_count = take_fds(&msg, fds);
    on_message(c, (struct bytes){ l->incoming, (uint32_t)n }, !(msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)), fds,
               fd_count);
    return true;
}

/* --- life ---------------------------------------------------------------------------------------- */

int control_open(struct launcher *l)
{
    socklen_t size = sizeof l->peer;
    l->incoming = private_alloc(PLAN_MAX_MESSAGE);
    if (!l->incoming)
        return -ENOMEM;
    if (getsockopt(CONTROL_FD, SOL_SOCKET, SO_PEERCRED, &l->peer, &size) < 0 || l->peer.uid == (uid_t)-1)
        return -ENOTCONN; /* no process known: (uid_t)-1 would later mean «stay root» */
    (void)fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC);
    return connection_new(l, CONTROL_FD);
}

bool control_on_event(struct connection *c, uint32_t events)
{
    bool is_there = true;
    if (events & EPOLLOUT)
        send_kept(c);
    if (events & EPOLLIN)
        is_there = read_request(c);
    else
        is_there = !(events & (EPOLLHUP | EPOLLERR));
    if (is_there || is_owner(c))
        return is_there;
    connection_free(c);
    return true;
}

void control_close(struct launcher *l)
{
    l->is_leaving = true;
    while (l->connections)
        connection_free(l->connections);
}
