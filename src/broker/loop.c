/* loop.c - one loop, no threads: what asks is answered, what waits is looked after. */
#include "broker/broker.h"

#include "base/clock.h"

#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "filter/syscalls.h"

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif

uint64_t broker_namespace_of(int sock)
{
    uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    return getsockopt(sock, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) < 0 ? 0 : cookie;
}

int broker_watch(struct broker *b, struct source *s, uint32_t events)
{
    struct epoll_event e = { .events = events, .data.ptr = s };
    return epoll_ctl(b->epoll, EPOLL_CTL_ADD, s->fd, &e) < 0 ? -errno : 0;
}

void broker_unwatch(struct broker *b, struct source *s)
{
    (void)epoll_ctl(b->epoll, EPOLL_CTL_DEL, s->fd,
                    NULL); /* closing is not enough where the file has other descriptors */
    closep(&s->fd);
    broker_forget(b, s);
}

void broker_forget(struct broker *b, const struct source *s)
{
    for (size_t i = 0; i < BROKER_BATCH; i++)
        if (b->batch[i] == s)
            b->batch[i] = NULL;
}

void broker_say(struct broker *b, enum broker_says type, const struct seccomp_notif *ask, const char *text)
{
    struct broker_message m = { .type = type };
    if (ask) {
        m.id = ask->id;
        m.pid = ask->pid;
        m.nr = (uint32_t)ask->data.nr;
        m.ask = *ask;
    }
    (void)snprintf(m.text, sizeof m.text, "%s", text);
    (void)send(b->launcher, &m, sizeof m, MSG_NOSIGNAL); /* a launcher that is gone ends us by itself */
}

/* --- asking and answering ------------------------------------------------------------------------------ */

static void network_asked(struct broker *b, const struct seccomp_notif *ask)
{
    switch (ask->data.nr) {
    case NR_connect:
        connect_asked(b, ask);
        break;
    case NR_listen:
        listen_asked(b, ask);
        break;
    case NR_bind:
        bind_asked(b, ask);
        break;
    case NR_sendmsg:
        sendmsg_asked(b, ask, false);
        break;
    case NR_sendmmsg:
        sendmsg_asked(b, ask, true);
        break;
    case NR_setsockopt:
        setsockopt_asked(b, ask);
        break;
    default:
        sendto_asked(b, ask);
    }
}

void broker_answer(struct broker *b, const struct seccomp_notif *ask)
{
    if ((b->notify.watch & NOTIFY_STDIO) && (ask->data.nr == NR_execve || ask->data.nr == NR_execveat))
        feeds_before_exec(b, &b->feeds, ask, clock_ms());
    if (notify_common(&b->notify, ask))
        return;
    if (notify_classify(ask) == NOTIFY_IS_FORK)
        broker_say(b, BROKER_FORK, ask, "");
    else
        network_asked(b, ask);
}

/* No process takes our events at this moment: a process that asks waits, so that nothing happens that is not told. */
static void hold(struct broker *b)
{
    struct epoll_event none = { .events = 0, .data.ptr = &b->from_listener };
    if (broker_watch(b, &b->from_events, EPOLLOUT) < 0)
        return;
    (void)epoll_ctl(b->epoll, EPOLL_CTL_MOD, b->from_listener.fd, &none);
    b->is_held = true;
}

static void on_events_room(struct broker *b, struct source *s, uint32_t events)
{
    struct epoll_event all = { .events = EPOLLIN, .data.ptr = &b->from_listener };
    (void)events; /* an error, too: it is no reason to wait */
    (void)epoll_ctl(b->epoll, EPOLL_CTL_DEL, s->fd, NULL);
    (void)epoll_ctl(b->epoll, EPOLL_CTL_MOD, b->from_listener.fd, &all);
    b->is_held = false;
}

/* No process lives inside: what their connections carried in the end. The launcher, who knows that it is over, ends us.
 */
static void finish(struct broker *b)
{
    udp_done(b);
    traffic_finish(b);
}

static void on_listener(struct broker *b, struct source *s, uint32_t events)
{
    struct seccomp_notif ask;
    if (!(events & EPOLLIN)) { /* the last one inside is gone. Receiving would block (seen on 6.1) */
        finish(b);
        (void)epoll_ctl(b->epoll, EPOLL_CTL_DEL, s->fd, NULL);
        return;
    }
    if (!notify_has_room(&b->notify)) {
        hold(b);
        return;
    }
    int e = notify_receive(&b->notify, &ask);
    if (e < 0)
        b->is_ended = true; /* askers get ENOSYS when the listener closes: refused, never let through */
    else if (e > 0)
        broker_answer(b, &ask);
}

static void on_launcher(struct broker *b, struct source *s, uint32_t events)
{
    char byte;
    if ((events & (EPOLLHUP | EPOLLERR)) || recv(s->fd, &byte, 1, MSG_DONTWAIT) == 0)
        b->is_ended = true;
}

/* --- the loop -------------------------------------------------------------------------------------------- */

/* 60000: nothing is due */
static int next_late_ms(const struct broker *b)
{
    uint64_t due = b->notify.pace.count ? pace_due_us(&b->notify.pace) : 0, now = clock_us();
    return !due ? 60000 : due <= now ? 0 : (int)MIN_OF((due - now + 999) / 1000, UINT64_C(60000));
}

static int next_tick_ms(const struct broker *b)
{
    if (traffic_wants_ticks(b) || udp_wants_ticks(b) || b->pendings)
        return 100;
    uint64_t due = words_due_ms(&b->words), now = clock_ms();
    return !due || due > now + 60000 ? 60000 : due <= now ? 0 : (int)(due - now);
}

static void tick(struct broker *b)
{
    uint64_t now = clock_ms();
    connect_tick(b, now);
    traffic_tick(b, now);
    udp_tick(b, now);
    words_tick(b, &b->words, now);
    feeds_tick(b, &b->feeds, now);
    if (b->deadline_ms && now > b->deadline_ms)
        b->is_ended = true;
}

static int watch_ours(struct broker *b)
{
    b->from_listener = (struct source){ on_listener, b->notify.listener };
    b->from_launcher = (struct source){ on_launcher, b->launcher };
    b->from_events = (struct source){ on_events_room, b->notify.events };
    int e = broker_watch(b, &b->from_listener, EPOLLIN);
    return e < 0 ? e : broker_watch(b, &b->from_launcher, EPOLLIN);
}

int broker_loop(struct broker *b)
{
    struct epoll_event ready[BROKER_BATCH];
    uint64_t ticked = 0;
    int e = watch_ours(b);
    while (e == 0 && !b->is_ended) {
        int n = epoll_wait(b->epoll, ready, BROKER_BATCH, MIN_OF(next_tick_ms(b), next_late_ms(b)));
        if (n < 0 && errno != EINTR)
            e = -errno;
        for (int i = 0; i < n; i++)
            b->batch[i] = ready[i].data.ptr;
        for (int i = 0; i < n; i++) {
            struct source *s = b->batch[i];
            b->batch[i] = NULL;
            if (s)
                s->on_event(b, s, ready[i].events);
        }
        notify_refuse_late(&b->notify);
        uint64_t now = clock_ms();
        if (now - ticked >= 50) {
            ticked = now;
            tick(b);
        }
    }
    finish(b);
    return e;
}
