/* connect.c - connect(2): judged on the file and the address that were taken at one moment, and performed on exactly
 * these.
 *
 * What may be asked, and what becomes of it:
 *
 *   TCP, inside      to the sandbox's own loopback: performed on the caller's file; elsewhere, if the rules agree: a
 * socket of the host TCP, of the host already handed over: says how it stands; after a failure, judged and made anew
 *   UDP, inside      performed on the caller's file, after a relay was opened for the address (udp.c)
 *   AF_UNIX          let continue, since a path is resolved in the caller's place: connect_unix() says when
 *   AF_NETLINK       performed on the caller's file
 *   all else         refused
 */
#include "broker/handover.h"
#include "broker/options.h"
#include "broker/request.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>

/* A port of the sandbox's loopback that refuses: the factory holds it, and does not listen (factory.c). */
static const struct sockaddr_in closed4 = { .sin_family = AF_INET, .sin_port = 0x0100, .sin_addr.s_addr = 0x3500007f };
static const struct sockaddr_in6 closed6 = { .sin6_family = AF_INET6,
                                             .sin6_port = 0x0100,
                                             .sin6_addr = IN6ADDR_LOOPBACK_INIT };

/* A program that polls its non-blocking socket whatever connect(2) said must not take it for connected: a fresh socket
 * is writable, and its SO_ERROR is 0. So the socket is given what a refused connection leaves behind: POLLERR, POLLHUP,
 * SO_ERROR ECONNREFUSED. */
static void look_refused(const struct target *t)
{
    const struct sockaddr *to = t->domain == AF_INET ? (const void *)&closed4 : (const void *)&closed6;
    if (t->place == TARGET_INSIDE && target_is_tcp(t) && (t->flags & O_NONBLOCK))
        (void)connect(t->fd, to, t->domain == AF_INET ? sizeof closed4 : sizeof closed6);
}

static void refuse(struct broker *b, struct request *r, const char *rule, int error)
{
    look_refused(&r->target);
    request_answer_refused(b, r, rule, error);
}

/* --- performed on the caller's own file ------------------------------------------------------------------------- */

/* Never waits in the call: the file is non-blocking for that moment, and a caller that would wait is answered later. */
static void perform(struct broker *b, struct request *r)
{
    int fd = r->target.fd, error = 0;
    bool is_blocking = !(r->target.flags & O_NONBLOCK);
    if (is_blocking)
        (void)fcntl(fd, F_SETFL, r->target.flags | O_NONBLOCK);
    if (connect(fd, (struct sockaddr *)&r->to.raw, r->to.size) < 0)
        error = errno;
    if (is_blocking)
        (void)fcntl(fd, F_SETFL, r->target.flags);
    if (is_blocking && (error == EINPROGRESS || error == EALREADY))
        handover_wait(b, r->ask, TAKE_FD(r->target.fd));
    else
        notify_answer(&b->notify, r->ask->id, 0, error);
}

/* --- TCP to the host's network ------------------------------------------------------------------------------------ */

/* From what was judged, not from what was written. */
static socklen_t host_address(const struct request *r, struct sockaddr_storage *ret)
{
    const struct net_address *a = &r->to.address;
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(r->to.port) };
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(r->to.port) };
    *ret = (struct sockaddr_storage){ 0 };
    if (r->target.domain == AF_INET) {
        memcpy(&v4.sin_addr, a->bytes, 4);
        memcpy(ret, &v4, sizeof v4);
        return sizeof v4;
    }
    if (a->family == AF_INET) { /* ::ffff:a.b.c.d, so that getpeername() is as the program wrote it */
        memset(&v6.sin6_addr.s6_addr[10], 0xff, 2);
        memcpy(&v6.sin6_addr.s6_addr[12], a->bytes, 4);
    } else {
        memcpy(&v6.sin6_addr, a->bytes, 16);
        if (r->to.size >= sizeof v6)
            memcpy(&v6.sin6_scope_id, (const char *)&r->to.raw + offsetof(struct sockaddr_in6, sin6_scope_id),
                   sizeof v6.sin6_scope_id);
    }
    memcpy(ret, &v6, sizeof v6);
    return sizeof v6;
}

/* A socket of the host on its way to the address. 0: it is there already; EINPROGRESS; or the errno of socket(2) or
 * connect(2), and no socket. On loopback all is decided before the first call returns, which does not say so: a
 * blocking caller's second one does. */
static int set_out(const struct request *r, bool is_blocking, int buffer, int *ret_sock)
{
    struct sockaddr_storage to;
    socklen_t size = host_address(r, &to);
    cleanup(closep) int sock = socket(r->target.domain, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
    if (sock < 0)
        return errno;
    options_copy(r->target.domain, r->target.fd, sock, buffer);
    int error = connect(sock, (struct sockaddr *)&to, size) < 0 ? errno : 0;
    if (error == EINPROGRESS && is_blocking)
        error = connect(sock, (struct sockaddr *)&to, size) < 0 ? errno : 0;
    if (error == EALREADY)
        error = EINPROGRESS;
    if (error == 0 || error == EINPROGRESS)
        *ret_sock = TAKE_FD(sock);
    return error;
}

/* What the caller has now is told and noted while it goes on: a microsecond of its time is worth more than one of ours.
 */
static void note(struct broker *b, const struct request *r, int sock, int buffer, const struct watch_event *e)
{
    notify_tell(&b->notify, e);
    traffic_add(b, sock, buffer, e);
    if (b->notify.watch & NOTIFY_WORDS)
        words_note(&b->words, r->ask->pid, clock_ms());
}

static void give(struct broker *b, struct request *r, int sock, int buffer, int state)
{
    cleanup(closep) int held = sock;
    struct watch_event e = request_describe(b, r, 0);
    int error = handover(b, r->ask, &r->target, held);
    if (error > 0)
        notify_answer(&b->notify, r->ask->id, 0, error);
    if (error)
        return;
    e.connection = b->next_connection++;
    if (b->notify.watch & NOTIFY_STDIO)
        feeds_note(&b->feeds, r->ask->pid); /* before it can go on and write */
    if (state == EINPROGRESS && !(r->target.flags & O_NONBLOCK)) {
        note(b, r, held, buffer, &e);
        handover_wait(b, r->ask, TAKE_FD(held));
    } else { /* fast path */
        handover_answer(b, r->ask, held, state);
        note(b, r, held, buffer, &e);
    }
}

static void connect_host(struct broker *b, struct request *r)
{
    const char *limit = NULL;
    int sock = -1, buffer = traffic_buffer_of_next(b), state = traffic_permit(b, clock_ms(), &limit);
    if (state) {
        refuse(b, r, limit, state);
        return;
    }
    state = set_out(r, !(r->target.flags & O_NONBLOCK), buffer, &sock);
    if (sock >= 0) {
        give(b, r, sock, buffer, state);
    } else { /* refused at once: the caller keeps its own socket */
        request_tell_allowed(b, r, state);
        notify_answer(&b->notify, r->ask->id, 0, state);
    }
}

/* Why this one may go where: the decision is in r->decision afterwards. False: refused, told and answered. */
static bool may_connect(struct broker *b, struct request *r)
{
    request_decide(b, r);
    if (r->decision.place != NET_REFUSE)
        return true;
    refuse(b, r, NULL, EACCES);
    return false;
}

static int tcp_state(int sock)
{
    uint8_t state = 0; /* the first byte of struct tcp_info */
    socklen_t size = sizeof state;
    return getsockopt(sock, IPPROTO_TCP, TCP_INFO, &state, &size) < 0 ? -1 : state;
}

static void connect_tcp(struct broker *b, struct request *r)
{
    int state = r->target.protocol == IPPROTO_TCP ? tcp_state(r->target.fd) : TCP_CLOSE;
    if (r->to.family == AF_UNSPEC || state != TCP_CLOSE) /* disconnecting; or its state answers for itself */
        perform(b, r);
    else if (r->to.family != r->target.domain)
        notify_refuse(&b->notify, r->ask->id, EAFNOSUPPORT);
    else if (!may_connect(b, r))
        return;
    else if (r->decision.place == NET_HOST)
        connect_host(b, r);
    else {
        request_tell_allowed(b, r, 0);
        perform(b, r);
    }
}

/* A socket that was handed over. It is never given an address of the caller's choice: what it says is how it stands. */
static void connect_again(struct broker *b, struct request *r)
{
    int error = 0, state = tcp_state(r->target.fd);
    struct sockaddr_storage peer;
    socklen_t size = sizeof error;
    if (r->to.family == AF_UNSPEC) {
        notify_refuse(&b->notify, r->ask->id, EOPNOTSUPP);
    } else if (state == TCP_SYN_SENT || state == TCP_SYN_RECV) {
        if (r->target.flags & O_NONBLOCK)
            notify_refuse(&b->notify, r->ask->id, EALREADY);
        else
            handover_wait(b, r->ask, TAKE_FD(r->target.fd));
    } else if (state == TCP_CLOSE) {
        if (getsockopt(r->target.fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 || error)
            notify_answer(&b->notify, r->ask->id, 0, error ? error : errno);
        else if (r->to.family != r->target.domain)
            notify_refuse(&b->notify, r->ask->id, EAFNOSUPPORT);
        else if (may_connect(b, r) && r->decision.place == NET_HOST)
            connect_host(b, r);
        else if (r->decision.place == NET_SANDBOX) /* no socket of the sandbox is there any more */
            refuse(b, r, "a socket that was outside does not come back", EACCES);
    } else {
        size = sizeof peer;
        if (getpeername(r->target.fd, (struct sockaddr *)&peer, &size) < 0 || handover_is_untold(r->target.fd) ||
            connect(r->target.fd, (struct sockaddr *)&peer, size) == 0) /* 0 once after EINPROGRESS */
            handover_answer(b, r->ask, r->target.fd, 0); /* which a second signal may keep from arriving, too */
        else
            notify_answer(&b->notify, r->ask->id, 0, errno);
    }
}

/* --- the others
 * --------------------------------------------------------------------------------------------------------- */

static void connect_udp(struct broker *b, struct request *r)
{
    if (r->to.family == AF_UNSPEC) {
        perform(b, r);
        return;
    }
    if (r->to.family != AF_INET && r->to.family != r->target.domain) {
        notify_refuse(&b->notify, r->ask->id, EAFNOSUPPORT);
        return;
    }
    int error = datagrams_open(b, r);
    if (error) {
        refuse(b, r, datagrams_refusal(r), error);
        return;
    }
    if (r->decision.place == NET_SANDBOX || r->to.port == 53) /* else it is told when a datagram goes there (udp.c) */
        request_tell_allowed(b, r, 0);
    perform(b, r);
}

/* A path or an abstract name belongs to the caller's root and namespaces, so the kernel has to perform this call for
 * the caller itself. While it does, another thread may have put a socket of the host at that number, and an address of
 * its choice in that memory. Two things stop that: the payload's landlock domain, which forbids its own TCP connects
 * (6.7), or that there is no other thread. */
static void connect_unix(struct broker *b, struct request *r)
{
    notify_tell_unix(&b->notify, r->ask);
    if (b->notify.watch & NOTIFY_VOLUMES) /* a path may lead to a socket of the host: launch/connector.c */
        broker_say(b, BROKER_UNIX, r->ask, "");
    else if (b->is_tcp_fenced || target_is_alone(r->ask->pid))
        notify_continue(&b->notify, r->ask->id);
    else
        notify_refuse(&b->notify, r->ask->id, EACCES);
}

static void connect_inet(struct broker *b, struct request *r)
{
    const struct target *t = &r->target;
    if (t->place == TARGET_INSIDE && target_is_tcp(t))
        connect_tcp(b, r);
    else if (t->place == TARGET_INSIDE && target_is_udp(t))
        connect_udp(b, r);
    else if (t->place == TARGET_HOST && target_is_tcp(t))
        connect_again(b, r);
    else
        refuse(b, r, t->place == TARGET_INSIDE ? "neither TCP nor UDP" : "a socket of somewhere else", EACCES);
}

static void dispatch(struct broker *b, struct request *r)
{
    switch (r->target.domain) {
    case AF_UNIX:
        connect_unix(b, r);
        break;
    case AF_INET:
    case AF_INET6:
        connect_inet(b, r);
        break;
    case AF_NETLINK:
        if (r->target.place == TARGET_INSIDE) {
            perform(b, r);
            break;
        } /* fall through */
    default:
        notify_refuse(&b->notify, r->ask->id, EACCES);
    }
}

void connect_asked(struct broker *b, const struct seccomp_notif *ask)
{
    struct request r = { .ask = ask, .target = { .fd = -1 } };
    int error = target_take(b, ask, &r.target);
    if (!error)
        error = asked_read(ask, ask->data.args[1], ask->data.args[2], &r.to);
    asked_any_is_loopback(&r.to);
    if (!notify_is_alive(&b->notify, ask->id)) /* what was read may be of another process by now */
        error = -1;
    if (error > 0)
        notify_refuse(&b->notify, ask->id, error);
    else if (error == 0)
        dispatch(b, &r);
    target_done(&r.target);
}
