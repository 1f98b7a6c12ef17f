#include "launch/control.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include "launch/private.h"

/* --- answers ----------------------------------------------------------------------------------- */

struct answer {
    struct answer *next;
    size_t size;
    char data[];
};

static void set_events(struct launcher *l)
{
    struct epoll_event e = { .data.u64 = 0 };
    if (l->answer_count < CONTROL_ANSWERS_MAX)
        e.events |= EPOLLIN;
    if (l->answer_count)
        e.events |= EPOLLOUT;
    (void)epoll_ctl(l->epoll, EPOLL_CTL_MOD, CONTROL_FD, &e); /* cannot fail for what is in it */
}

/* False: not now. A client that left needs no answer. */
static bool send_now(const void *data, size_t size)
{
    ssize_t n;
    do
        n = send(CONTROL_FD, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    return n >= 0 || errno != EAGAIN;
}

static void keep(struct launcher *l, const void *data, size_t size)
{
    struct answer *a = malloc(sizeof *a + size), **last = &l->answers;
    if (!a)
        abort(); /* an answer that is lost would be waited for for ever; the client sees the end of file */
    *a = (struct answer){ .size = size };
    memcpy(a->data, data, size);
    while (*last)
        last = &(*last)->next;
    *last = a;
    l->answer_count++;
    set_events(l);
}

static void drop_first(struct launcher *l)
{
    struct answer *a = l->answers;
    l->answers = a->next;
    l->answer_count--;
    free(a);
}

static void send_kept(struct launcher *l)
{
    while (l->answers && send_now(l->answers->data, l->answers->size))
        drop_first(l);
    set_events(l);
}

void control_answer(struct launcher *l, uint64_t tag, const struct outcome *o)
{
    struct buf b;
    if (l->is_leaving)
        return;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_outcome(&b, tag, o);
    if (!b.failed && (l->answers || !send_now(b.data, b.size)))
        keep(l, b.data, b.size);
    buf_done(&b);
}

/* --- requests ---------------------------------------------------------------------------------- */

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

static void on_kill(struct launcher *l, uint64_t tag, struct unpack *u)
{
    uint64_t why = unpack_u64(u);
    if (unpack_end(u) < 0 || why >= REASON_COUNT)
        return;
    for (struct run *r = l->runs; r; r = r->next)
        if (r->tag == tag)
            run_kill(r, (enum run_reason)why);
}

/* Somebody waits for an answer to everything that calls itself a run. */
static void answer_garbage(struct launcher *l, uint64_t tag)
{
    struct error err = { 0 };
    (void)err_set(&err, -EBADMSG, BLAME_HOST, "REQUEST",
                  "a run request arrived damaged or without its descriptors (is `ulimit -n` too low?)");
    run_answer_error(l, tag, &err);
}

/* Safe even if the client is owned: lengths are checked by unpack, values by plan_check(), descriptors are only
 * handed to the sandbox that the same client asked for. */
static void on_run(struct launcher *l, uint64_t tag, struct bytes message, size_t head, int fds[static RUN_FD_MAX],
                   size_t fd_count)
{
    struct run *r = run_new(l, tag, message);
    struct unpack u = unpack_start(r->message + head, message.size - head);
    if (unpack_run(&u, &r->shape, &r->job, &r->shape_bytes, &r->job_bytes) < 0 ||
        !run_fds_place(&r->job, RUN_FD_MAX, fds, fd_count)) {
        close_all(fds, RUN_FD_MAX);
        run_free(r);
        answer_garbage(l, tag);
        return;
    }
    memcpy(r->fds, fds, sizeof r->fds);
    run_start(r);
}

/* False when the client is gone. */
static bool read_request(struct launcher *l)
{
    union {
        char buf[CMSG_SPACE(sizeof(int) * 16)];
        struct cmsghdr align;
    } control;
    struct iovec iov = { l->incoming, PLAN_MAX_MESSAGE };
    struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf,
                          .msg_controllen = sizeof control.buf };
    int fds[RUN_FD_MAX];
    ssize_t n = recvmsg(CONTROL_FD, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR;
    if (n == 0)
        return false;
    size_t fd_count = take_fds(&msg, fds);
    struct unpack u = unpack_start(l->incoming, (size_t)n);
    uint64_t type = unpack_u64(&u), tag = unpack_u64(&u);
    if (type == MESSAGE_RUN && !(msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) {
        on_run(l, tag, (struct bytes){ l->incoming, (uint32_t)n }, (size_t)(u.p - l->incoming), fds, fd_count);
        return true;
    }
    close_all(fds, RUN_FD_MAX);
    if (type == MESSAGE_KILL)
        on_kill(l, tag, &u);
    else if (type == MESSAGE_RUN)
        answer_garbage(l, tag);
    return true;
}

/* --- life ---------------------------------------------------------------------------------------- */

int control_open(struct launcher *l)
{
    struct epoll_event e = { .events = EPOLLIN, .data.u64 = 0 };
    l->incoming = private_alloc(PLAN_MAX_MESSAGE);
    if (!l->incoming)
        return -ENOMEM;
    (void)fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC);
    return epoll_ctl(l->epoll, EPOLL_CTL_ADD, CONTROL_FD, &e) < 0 ? -errno : 0;
}

bool control_on_event(struct launcher *l, uint32_t events)
{
    if (events & EPOLLOUT)
        send_kept(l);
    if (events & EPOLLIN)
        return read_request(l);
    return !(events & (EPOLLHUP | EPOLLERR));
}

void control_close(struct launcher *l)
{
    l->is_leaving = true;
    (void)epoll_ctl(l->epoll, EPOLL_CTL_DEL, CONTROL_FD, NULL);
    while (l->answers)
        drop_first(l);
}
