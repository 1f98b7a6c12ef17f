/* listen.c - listen(2) and bind(2): performed on exactly the file that was judged. */
#include "broker/target.h"

#include <sys/socket.h>
#include <sys/un.h>

static bool is_inet(const struct target *t)
{
    return t->domain == AF_INET || t->domain == AF_INET6;
}

/* What a socket that listens is bound to. */
static void describe_bound(const struct target *t, struct watch_event *e)
{
    struct asked_address a = { .size = sizeof a.raw };
    struct sockaddr_in6 v6;
    struct sockaddr_in v4;
    if (getsockname(t->fd, (struct sockaddr *)&a.raw, &a.size) < 0)
        return;
    if (a.raw.ss_family == AF_INET6) {
        memcpy(&v6, &a.raw, sizeof v6);
        a.port = ntohs(v6.sin6_port);
        a.address = net_address_from(AF_INET6, &v6.sin6_addr);
    } else {
        memcpy(&v4, &a.raw, sizeof v4);
        a.port = ntohs(v4.sin_port);
        a.address = net_address_from(AF_INET, &v4.sin_addr);
    }
    asked_describe(&a, t, e);
}

/* Performed by us on the file that was judged: a socket of the host must never listen. Only where no process could have
 * exchanged it is the caller let do it itself: the kernel notes who listens at a local socket (SO_PEERCRED), and that
 * should not be us. */
static int perform(const struct seccomp_notif *ask, const struct target *t, bool *ret_continues)
{
    if (t->place != TARGET_INSIDE)
        return EINVAL;
    *ret_continues = t->domain == AF_UNIX && target_is_alone(ask->pid);
    if (*ret_continues)
        return 0;
    return listen(t->fd, (int)ask->data.args[1]) < 0 ? errno : 0;
}

void listen_asked(struct broker *b, const struct seccomp_notif *ask)
{
    struct target t = { .fd = -1 };
    bool continues = false;
    int error = target_take(b, ask, &t);
    if (!notify_is_alive(&b->notify, ask->id)) {
        target_done(&t);
        return;
    }
    if (!error)
        error = perform(ask, &t, &continues);
    if (t.fd >= 0 && is_inet(&t)) {
        struct watch_event e = notify_event(&b->notify, ask, WATCH_LISTEN);
        describe_bound(&t, &e);
        e.error = (uint32_t)error;
        e.flags = WATCH_INSIDE;
        e.verdict = error ? WATCH_REFUSED : WATCH_ALLOWED;
        notify_tell(&b->notify, &e);
    }
    if (continues)
        notify_continue(&b->notify, ask->id);
    else
        notify_refuse(&b->notify, ask->id, error);
    target_done(&t);
}

/* --- bind(2) ------------------------------------------------------------------------------------------ */

/* A path is resolved in the caller's place, with its landlock domain and umask: only the kernel can do that for it.
 * An abstract name belongs to the socket's namespace. */
static bool names_a_path(const struct asked_address *a)
{
    return a->family == AF_UNIX && a->size > sizeof(sa_family_t) && ((const struct sockaddr_un *)&a->raw)->sun_path[0];
}

/* While the kernel performs the call for the caller, another thread may have put a socket of the host at that number (a
 * failed connection's, which is bound to no port any more) and another address in that memory: it would take a TCP port
 * of the host. As for connect_unix(): the payload's landlock domain forbids its own TCP binds (6.7), or there is no
 * other thread, or the call is refused. */
static int bind_path(const struct broker *b, const struct seccomp_notif *ask, bool *ret_continues)
{
    *ret_continues = b->is_tcp_fenced || target_is_alone(ask->pid);
    return *ret_continues ? 0 : EACCES;
}

/* Performed by us on the file that was judged; a socket of the host is bound already, or must not be. */
static int perform_bind(const struct broker *b, const struct seccomp_notif *ask, const struct target *t,
                        const struct asked_address *to, bool *ret_continues)
{
    if (t->place != TARGET_INSIDE)
        return EINVAL;
    if (t->domain == AF_UNIX && names_a_path(to))
        return bind_path(b, ask, ret_continues);
    return bind(t->fd, (const struct sockaddr *)&to->raw, to->size) < 0 ? errno : 0;
}

void bind_asked(struct broker *b, const struct seccomp_notif *ask)
{
    struct target t = { .fd = -1 };
    struct asked_address to = { 0 };
    bool continues = false;
    int error = target_take(b, ask, &t);
    if (!error)
        error = asked_read(ask, ask->data.args[1], ask->data.args[2], &to);
    if (!notify_is_alive(&b->notify, ask->id)) { /* what was read may be of another process by now */
        target_done(&t);
        return;
    }
    if (!error)
        error = perform_bind(b, ask, &t, &to, &continues);
    if (t.fd >= 0 && is_inet(&t) && to.size) {
        struct watch_event e = notify_event(&b->notify, ask, WATCH_BIND);
        asked_describe(&to, &t, &e);
        e.error = (uint32_t)error;
        e.flags = WATCH_INSIDE;
        e.verdict = t.place == TARGET_INSIDE ? WATCH_ALLOWED : WATCH_REFUSED;
        notify_tell(&b->notify, &e);
    }
    if (continues)
        notify_continue(&b->notify, ask->id);
    else
        notify_refuse(&b->notify, ask->id, error);
    target_done(&t);
}
