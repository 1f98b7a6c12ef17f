#include "broker/resolver.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/prctl.h>

#include "base/clock.h"
#include "base/kernel.h"

/* --- the process --- */

enum { FD_BROKER = 3, FD_UDP, FD_TCP, FD_COUNT }; /* and nothing behind them */

/* Puts our three descriptors where we want them, by way of high numbers since each may stand in another's place; closes
 * all others. */
static int settle(int broker, int udp, int tcp)
{
    const int from[] = { broker, udp, tcp };
    int high[ARRAY_LEN(from)];
    for (size_t i = 0; i < ARRAY_LEN(from); i++)
        if ((high[i] = fcntl(from[i], F_DUPFD_CLOEXEC, FD_COUNT)) < 0)
            return -errno;
    for (size_t i = 0; i < ARRAY_LEN(from); i++)
        if (dup3(high[i], FD_BROKER + (int)i, O_CLOEXEC) < 0)
            return -errno;
    return sys_close_range(FD_COUNT, ~0u) < 0 ? -errno : 0;
}

/* The first message to the broker is a struct error: code 0 is «ready», anything else is why not. */
static _Noreturn void be_the_resolver(const struct net_rules *rules, int broker, int udp, int tcp)
{
    struct error err = { 0 };
    struct servers servers;
    struct resolver *r = NULL;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* end of file on the broker's socket tells the same */
    int n = settle(broker, udp, tcp), to = n < 0 ? broker : FD_BROKER;
    if (n < 0)
        err_set(&err, n, BLAME_HOST, "RESOLVER", "descriptors of the resolver: %s", strerror(-n));
    else if ((n = servers_read(rules, &servers, &err)) == 0 &&
             !(r = resolver_new(rules, &servers, FD_BROKER, FD_UDP, FD_TCP)))
        n = err_set(&err, -ENOMEM, BLAME_HOST, "RESOLVER", "no memory for the resolver");
    else if (n == 0)
        n = broker_confine(CONFINE_RESOLVER, &err);
    if (send(to, &err, sizeof err, MSG_NOSIGNAL) < 0 || n < 0)
        _exit(1);
    _exit(resolver_run(r) < 0);
}

/* --- the broker's side --- */

struct resolver_link {
    struct source source; /* the resolver's socket */
    struct source
        room; /* a duplicate of the events' socket, watched while that is full; -1: no process listens to events */
};

/* Nothing the resolver says is believed that cannot be checked: it reads what any host sends. */
static bool is_well_formed(const struct resolver_message *m)
{
    if (m->verdict > WATCH_REFUSED || m->count > DNS_RECORDS_MAX || m->error > 4095 ||
        !memchr(m->name, 0, sizeof m->name) || !memchr(m->rule, 0, sizeof m->rule) ||
        !memchr(m->text, 0, sizeof m->text))
        return false;
    for (size_t i = 0; i < m->count; i++)
        if (m->addresses[i].address.family != AF_INET && m->addresses[i].address.family != AF_INET6)
            return false;
    for (const char *p = m->name; *p; p++)
        if (*p <= ' ' || *p > '~')
            return false;
    return true;
}

/* The rules decide once more, here: a resolver that was taken over can say which public address a permitted name has,
 * as any host on the way from the servers could, and no more. */
static void record(struct broker *b, const struct resolver_message *m)
{
    struct net_decision d;
    if (m->verdict != WATCH_ALLOWED && !m->count)
        return;
    net_decide_name(&b->rules, m->name, &d);
    for (size_t i = 0; i < m->count && d.place == NET_HOST; i++)
        if (net_may_answer(&b->rules, m->name, &m->addresses[i].address))
            net_names_add(b->names, &m->addresses[i].address, m->name, m->addresses[i].ttl_s, clock_ms());
}

static void tell_event(struct broker *b, const struct resolver_message *m)
{
    struct watch_event e = { .at_us = clock_us() - b->notify.start_us,
                             .kind = WATCH_NAME,
                             .verdict = m->verdict,
                             .error = m->error,
                             .args = { m->type },
                             .name = m->name,
                             .text = m->rule,
                             .argv = m->text[0] ? m->text : NULL };
    notify_tell(&b->notify, &e);
}

/* Without a resolver the sandbox would go on with half a network, and without the events that its questions are: the
 * run ends. */
static void link_failed(struct broker *b, struct source *s, const char *why)
{
    broker_say(b, BROKER_FAILED, NULL, why);
    broker_unwatch(b, s);
}

static void listen_to(struct broker *b, struct source *s, uint32_t what)
{
    struct epoll_event e = { .events = what, .data.ptr = s };
    (void)epoll_ctl(b->epoll, EPOLL_CTL_MOD, s->fd, &e); /* it is there: nothing to fail with */
}

static void on_room(struct broker *b, struct source *room, uint32_t events)
{
    struct resolver_link *l = (struct resolver_link *)((char *)room - offsetof(struct resolver_link, room));
    (void)events; /* an error, too: it is no reason to wait */
    (void)epoll_ctl(b->epoll, EPOLL_CTL_DEL, room->fd, NULL);
    if (l->source.fd >= 0)
        listen_to(b, &l->source, EPOLLIN);
}

/* No process takes our events at this moment: the resolver waits for our word, and so does who asked. No question goes
 * untold. */
static bool must_wait(struct broker *b, struct resolver_link *l)
{
    if (l->room.fd < 0 || notify_has_room(&b->notify) || broker_watch(b, &l->room, EPOLLOUT) < 0)
        return false;
    listen_to(b, &l->source, 0);
    return true;
}

static void on_link(struct broker *b, struct source *s, uint32_t events)
{
    struct resolver_message m;
    (void)events;
    if (must_wait(b, (struct resolver_link *)s)) /* source is its first member */
        return;
    ssize_t n = recv(s->fd, &m, sizeof m, MSG_DONTWAIT | MSG_TRUNC);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        link_failed(b, s, "the resolver has ended");
        return;
    }
    if (n != (ssize_t)sizeof m || !is_well_formed(&m)) {
        link_failed(b, s, "the resolver says what it never says");
        return;
    }
    record(b, &m);
    tell_event(b, &m);
    if (send(s->fd, &m.sequence, sizeof m.sequence, MSG_DONTWAIT | MSG_NOSIGNAL) <
        0) /* there is room: it asks for 64 at most */
        link_failed(b, s, "the resolver does not listen");
}

/* Its first message: why it cannot, or that it is ready. */
static int hear_ready(int link, struct error *err)
{
    struct error said;
    ssize_t n;
    do
        n = recv(link, &said, sizeof said, 0);
    while (n < 0 && errno == EINTR);
    if (n != (ssize_t)sizeof said)
        return err_set(err, -EIO, BLAME_US, "RESOLVER", "the resolver ended before it was ready");
    said.step[sizeof said.step - 1] = said.text[sizeof said.text - 1] = said.remedy[sizeof said.remedy - 1] = '\0';
    if (said.code < 0 && err)
        *err = said;
    return said.code < 0 ? said.code : 0;
}

static int watch_link(struct broker *b, int fd, struct error *err)
{
    struct resolver_link *l = calloc(1, sizeof *l);
    int r = -ENOMEM;
    if (l) {
        l->source = (struct source){ on_link, fd };
        l->room = (struct source){ on_room, b->notify.events < 0 ? -1 : fcntl(b->notify.events, F_DUPFD_CLOEXEC, 3) };
        r = broker_watch(b, &l->source, EPOLLIN);
    }
    if (r < 0) {
        if (l)
            closep(&l->room.fd);
        free(l);
        return err_set(err, r, BLAME_HOST, "RESOLVER", "the resolver's socket cannot be watched: %s", strerror(-r));
    }
    b->resolver = l;
    return 0;
}

void resolver_done(struct broker *b)
{
    struct resolver_link *l = TAKE_PTR(b->resolver);
    if (!l)
        return;
    broker_unwatch(b, &l->source);
    broker_unwatch(b, &l->room);
    free(l);
}

int resolver_start(struct broker *b, int udp, int tcp, struct error *err)
{
    cleanup(closep) int udp_socket = udp;
    cleanup(closep) int tcp_socket = tcp;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "RESOLVER", "socketpair: %s", strerror(errno));
    cleanup(closep) int ours = pair[0];
    cleanup(closep) int theirs = pair[1];
    pid_t pid = fork();
    if (pid < 0)
        return err_set(err, -errno, BLAME_HOST, "RESOLVER", "fork of the resolver: %s", strerror(errno));
    if (pid == 0)
        be_the_resolver(&b->rules, theirs, udp_socket, tcp_socket);
    closep(&theirs);
    int r = hear_ready(ours, err);
    if (r == 0)
        r = watch_link(b, ours, err);
    if (r == 0)
        (void)TAKE_FD(ours);
    return r;
}
