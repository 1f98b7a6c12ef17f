#include "broker/target.h"

#include <sys/socket.h>

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

/* Performed by us on the file that was judged: a socket of the host must never listen. Only where nobody could have
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
        notify_answer(&b->notify, ask->id, 0, error);
    target_done(&t);
}

/* Within the sandbox's namespace binding is nobody's business but its own. A socket of the host is refused; one that is
 * put in its place meanwhile gains a port at which it cannot listen. */
void bind_asked(struct broker *b, const struct seccomp_notif *ask)
{
    struct target t = { .fd = -1 };
    struct asked_address to = { 0 };
    int error = target_take(b, ask, &t);
    if (!error && is_inet(&t) && t.place != TARGET_INSIDE)
        error = EINVAL;
    if (!error && is_inet(&t))
        error = asked_read(ask, ask->data.args[1], ask->data.args[2], &to);
    if (notify_is_alive(&b->notify, ask->id)) {
        if (!error && is_inet(&t)) {
            struct watch_event e = notify_event(&b->notify, ask, WATCH_BIND);
            asked_describe(&to, &t, &e);
            e.flags = WATCH_INSIDE;
            notify_tell(&b->notify, &e);
        }
        if (error)
            notify_answer(&b->notify, ask->id, 0, error);
        else
            notify_continue(&b->notify, ask->id);
    }
    target_done(&t);
}
