#include "broker/handover.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/time.h>

#define UNTOLD 16 /* more calls are not interrupted within the microseconds between replacing and answering */

struct pending {
    struct source source;     /* first; fd: the socket */
    uint64_t id, deadline_ms; /* 0: none */
    struct pending *next;
};

/* --- the descriptor --------------------------------------------------------------------------------------- */

/* The number may have been closed and used again while we connected: another file must not be lost to that. What is
 * left is the moment between this look and the kernel's exchange, in which a program could only hit itself. */
static bool is_still_there(const struct seccomp_notif *ask, const struct target *t)
{
    cleanup(closep) int now = target_take_fd(ask->pid, (int)ask->data.args[0]);
    return now >= 0 && target_cookie(now) == target_cookie(t->fd);
}

int handover(struct broker *b, const struct seccomp_notif *ask, const struct target *t, int sock)
{
    struct seccomp_notif_addfd add = { .id = ask->id,
                                       .flags = SECCOMP_ADDFD_FLAG_SETFD,
                                       .srcfd = (uint32_t)sock,
                                       .newfd = (uint32_t)ask->data.args[0],
                                       .newfd_flags = target_close_on_exec(ask->pid, (int)ask->data.args[0]) };
    if (!is_still_there(ask, t))
        return notify_is_alive(&b->notify, ask->id) ? EBADF : -1;
    if (!(t->flags & O_NONBLOCK) && fcntl(sock, F_SETFL, t->flags & O_ACCMODE) < 0)
        return errno;
    if (ioctl(b->notify.listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) < 0)
        return errno == ENOENT || errno == EINPROGRESS ? -1 : errno;
    return 0;
}

/* --- the answer --------------------------------------------------------------------------------------------- */

static uint64_t untold[UNTOLD]; /* cookies; 0: free */
static size_t untold_next;

void handover_answer(struct broker *b, const struct seccomp_notif *ask, int sock, int error)
{
    struct seccomp_notif_resp a = { .id = ask->id, .error = -error };
    if (ioctl(b->notify.listener, SECCOMP_IOCTL_NOTIF_SEND, &a) == 0 || error)
        return;
    untold[untold_next++ % UNTOLD] = target_cookie(sock);
}

bool handover_is_untold(int sock)
{
    uint64_t cookie = target_cookie(sock);
    for (size_t i = 0; cookie && i < UNTOLD; i++)
        if (untold[i] == cookie) {
            untold[i] = 0;
            return true;
        }
    return false;
}

int handover_state(int sock)
{
    struct sockaddr_storage peer;
    uint8_t state = 0; /* the first byte of struct tcp_info */
    int error = 0;
    socklen_t size = sizeof state;
    if (getsockopt(sock, IPPROTO_TCP, TCP_INFO, &state, &size) < 0)
        return errno;
    if (state == TCP_SYN_SENT || state == TCP_SYN_RECV)
        return EALREADY;
    size = sizeof error;
    if (getsockopt(sock, SOL_SOCKET, SO_ERROR, &error, &size) < 0 || error)
        return error ? error : errno;
    size = sizeof peer;
    if (state == TCP_CLOSE || getpeername(sock, (struct sockaddr *)&peer, &size) < 0)
        return ECONNABORTED; /* as inet_stream_connect() */
    /* the socket's own state follows only by another connect(), which answers 0 once: then a second one of the program
     * gets its EISCONN. It cannot connect anew: the address is the peer's. */
    (void)connect(sock, (struct sockaddr *)&peer, size);
    return 0;
}

/* --- waiting -------------------------------------------------------------------------------------------------- */

static void forget(struct broker *b, struct pending *p)
{
    struct pending **at = &b->pendings;
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    broker_unwatch(b, &p->source);
    free(p);
}

static void settle(struct broker *b, struct pending *p, int error)
{
    struct seccomp_notif ask = { .id = p->id };
    handover_answer(b, &ask, p->source.fd, error);
    forget(b, p);
}

static void on_ready(struct broker *b, struct source *s, uint32_t events)
{
    struct pending *p = (struct pending *)s;
    int error = handover_state(s->fd);
    (void)events;
    if (error != EALREADY)
        settle(b, p, error);
}

static uint64_t deadline_of(int sock)
{
    struct timeval t = { 0 };
    socklen_t size = sizeof t;
    if (getsockopt(sock, SOL_SOCKET, SO_SNDTIMEO, &t, &size) < 0 || (t.tv_sec == 0 && t.tv_usec == 0))
        return 0;
    return clock_ms() + (uint64_t)t.tv_sec * 1000 + (uint64_t)(t.tv_usec + 999) / 1000;
}

void handover_wait(struct broker *b, const struct seccomp_notif *ask, int sock)
{
    cleanup(closep) int fd = sock;
    int error = handover_state(fd);
    struct pending *p = error == EALREADY ? calloc(1, sizeof *p) : NULL;
    if (!p) {
        handover_answer(b, ask, fd, error == EALREADY ? ENOBUFS : error);
        return;
    }
    *p = (struct pending){ .source = { on_ready, TAKE_FD(fd) }, .id = ask->id, .next = b->pendings };
    p->deadline_ms = deadline_of(p->source.fd);
    b->pendings = p;
    if (broker_watch(b, &p->source, EPOLLOUT) < 0)
        settle(b, p, ENOBUFS);
}

void connect_tick(struct broker *b, uint64_t now_ms)
{
    struct pending *next;
    for (struct pending *p = b->pendings; p; p = next) {
        next = p->next;
        if (!notify_is_alive(&b->notify, p->id))
            forget(b, p);
        else if (p->deadline_ms && now_ms >= p->deadline_ms)
            settle(b, p, EINPROGRESS); /* connect(2) after SO_SNDTIMEO */
    }
}
