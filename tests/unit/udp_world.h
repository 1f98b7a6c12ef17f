/* udp_world.h - a host and a sandbox in network namespaces of our own, and the broker's UDP between them.
 *
 * in_world() forks the *host*: a process in a fresh user and network namespace, where every address is a local one,
 * that runs the broker's loop and echo servers; and in it the *guest*, in a second network namespace with loopback
 * only, that runs the test's function. What a seccomp notification does in earnest (asking for a relay) and what only
 * the test wants (a server, time) the guest asks for over a socket.
 */
#pragma once
#include "base/clock.h"
#include "broker/inside.h"
#include "broker/sockaddr.h"
#include "broker/udp.h"
#include "test.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <sys/wait.h>

/* AddressSanitizer makes calls of its own before _exit(), which the factory's filter kills */
#if defined __SANITIZE_ADDRESS__
#define WORLD_IS_SANITIZED true
#else
#define WORLD_IS_SANITIZED false
#endif

struct world_options {
    bool host_is_bare;     /* loopback only: no route to anywhere */
    bool loopback_is_down; /* the guest's; there inside_start() must fail */
    bool is_confined;      /* the host's process, as a broker is in earnest */
    uint32_t max_connections;
    uint64_t max_bytes;
    bool has_names; /* and an echo server where the resolver would be */
};
#define WORLD_SKIPPED    77
#define WORLD_PATIENCE_S 60 /* of a loaded machine: nothing waits for so long, but what does not come */
/* For the guest. A wrong expectation ends it. */
#define EXPECT(e)                                                                                     \
    do {                                                                                              \
        if (!(e)) {                                                                                   \
            (void)fprintf(stderr, "# %s:%d: not so: %s (errno %d)\n", __FILE__, __LINE__, #e, errno); \
            _exit(1);                                                                                 \
        }                                                                                             \
    } while (0)
#define EXPECT_EQ(a, b)                                                                                               \
    do {                                                                                                              \
        long long a_ = (long long)(a), b_ = (long long)(b);                                                           \
        if (a_ != b_) {                                                                                               \
            (void)fprintf(stderr, "# %s:%d: %s is %lld, %s is %lld (errno %d)\n", __FILE__, __LINE__, #a, a_, #b, b_, \
                          errno);                                                                                     \
            _exit(1);                                                                                                 \
        }                                                                                                             \
    } while (0)

enum world_ask {
    WORLD_OPEN /* udp_open(): its errno */,
    WORLD_SERVE,
    WORLD_SILENCE /* value: ms that seem to pass */,
    WORLD_STOP_SERVING,
    WORLD_LIVE,
    WORLD_BYTES,
    WORLD_FLOWS,
    WORLD_EVENT /* kind of the next, 0: none */,
    WORLD_DONE /* the guest's last: all was as expected */
};
struct world_question {
    enum world_ask what;
    struct net_address address;
    uint64_t value; /* port, or milliseconds */
};
struct world_answer {
    int64_t value;
    struct watch_event event; /* without its texts */
    char text[64];
};
static struct watch_event world_event; /* the last WORLD_EVENT's, and its text */
static char world_text[64];
static int world_socket; /* the guest's end */

/* --- the guest's side ------------------------------------------------------------------------------- */

static struct net_address address_of(const char *text)
{
    uint8_t bytes[16] = { 0 };
    struct net_address a = { 0 };
    if (text) {
        a.family = strchr(text, ':') ? AF_INET6 : AF_INET;
        EXPECT(inet_pton(a.family, text, bytes) == 1);
        memcpy(a.bytes, bytes, sizeof bytes);
    }
    return a;
}

/* address as text; NULL where there is none */
static int64_t world_ask(enum world_ask what, const char *address, uint64_t value)
{
    struct world_question q = { what, address_of(address), value };
    struct world_answer a;
    EXPECT(send(world_socket, &q, sizeof q, MSG_NOSIGNAL) == (ssize_t)sizeof q);
    EXPECT(recv(world_socket, &a, sizeof a, 0) == (ssize_t)sizeof a);
    world_event = a.event;
    memcpy(world_text, a.text, sizeof a.text);
    return a.value;
}

static union inet_name world_name(const char *address, uint16_t port, socklen_t *ret_size)
{
    union inet_name n;
    struct net_address a = address_of(address);
    *ret_size = inet_name_of(&a, port, &n);
    return n;
}

static int world_unconnected(int family)
{
    struct timeval patience = { .tv_sec = WORLD_PATIENCE_S };
    int fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    EXPECT(fd >= 0);
    EXPECT(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0);
    return fd;
}

/* A datagram socket that is connected: after WORLD_OPEN. */
static int world_connected(const char *address, uint16_t port)
{
    socklen_t size;
    union inet_name n = world_name(address, port, &size);
    int fd = world_unconnected(n.any.sa_family);
    EXPECT(connect(fd, &n.any, size) == 0);
    return fd;
}

/* --- the host's side --------------------------------------------------------------------------------- */

struct world {
    struct broker broker;
    struct source guest, servers[4];
    int events; /* the listener's end */
    uint64_t ahead_ms;
    bool is_over, is_done;
};
static struct world the_world; /* of the host process */

static void set_loopback(bool up)
{
    cleanup(closep) int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct ifreq r = { .ifr_name = "lo", .ifr_flags = up ? IFF_UP | IFF_RUNNING : 0 };
    EXPECT(ioctl(fd, SIOCSIFFLAGS, &r) == 0);
}

/* A user namespace in which we are somebody: what makes files must be. */
static void write_map(const char *path, const char *text)
{
    cleanup(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);
    EXPECT(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
}

static bool own_namespaces(void)
{
    char users[32], groups[32];
    (void)snprintf(users, sizeof users, "0 %u 1", (unsigned)geteuid());
    (void)snprintf(groups, sizeof groups, "0 %u 1", (unsigned)getegid());
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
        return false;
    write_map("/proc/self/setgroups", "deny");
    write_map("/proc/self/uid_map", users);
    write_map("/proc/self/gid_map", groups);
    return true;
}

static void echo(struct broker *b, struct source *s, uint32_t events)
{
    static char bytes[65536];
    union inet_name from;
    socklen_t size = sizeof from;
    (void)b, (void)events;
    ssize_t n = recvfrom(s->fd, bytes, sizeof bytes, MSG_DONTWAIT, &from.any, &size);
    if (n >= 0)
        (void)sendto(s->fd, bytes, (size_t)n, MSG_DONTWAIT, &from.any, size);
}

static int64_t serve(struct world *w, int fd)
{
    for (size_t i = 0; i < ARRAY_LEN(w->servers); i++)
        if (w->servers[i].fd < 0) {
            w->servers[i] = (struct source){ echo, fd };
            return broker_watch(&w->broker, &w->servers[i], EPOLLIN);
        }
    return -ENFILE;
}

static int64_t start_server(struct world *w, const struct net_address *a, uint16_t port)
{
    union inet_name n;
    socklen_t size = inet_name_of(a, port, &n);
    int fd = socket(a->family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (a->family == AF_INET6)
        (void)setsockopt(fd, IPPROTO_IPV6, 78 /* IPV6_FREEBIND */, &(int){ 1 }, sizeof(int));
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){ 4 << 20 }, sizeof(int));
    return bind(fd, &n.any, size) < 0 ? -errno : serve(w, fd);
}

static int64_t stop_servers(struct world *w)
{
    for (size_t i = 0; i < ARRAY_LEN(w->servers); i++)
        if (w->servers[i].fd >= 0) {
            broker_unwatch(&w->broker, &w->servers[i]);
            w->servers[i].fd = -1;
        }
    return 0;
}

static int64_t count_flows(const struct broker *b)
{
    int64_t n = 0;
    for (size_t i = 0; b->relays && i < UDP_FLOWS; i++)
        n += b->relays->flows[i].source.fd >= 0;
    return n;
}

static int64_t next_event(struct world *w, struct world_answer *ret)
{
    static char bytes[WATCH_MESSAGE_MAX];
    ssize_t n = recv(w->events, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n <= 0)
        return 0;
    EXPECT(watch_event_unpack(bytes, (size_t)n, &ret->event) == 0);
    (void)snprintf(ret->text, sizeof ret->text, "%s", ret->event.text ? ret->event.text : "");
    return ret->event.kind;
}

static int64_t answer(struct world *w, const struct world_question *q, struct world_answer *ret)
{
    struct broker *b = &w->broker;
    switch (q->what) {
    case WORLD_OPEN:
        return udp_open(b, &q->address, (uint16_t)q->value, 1);
    case WORLD_SERVE:
        return start_server(w, &q->address, (uint16_t)q->value);
    case WORLD_STOP_SERVING:
        return stop_servers(w);
    case WORLD_SILENCE:
        udp_tick(b, clock_ms() + q->value);
        return 0;
    case WORLD_LIVE:
        return b->live_connections;
    case WORLD_BYTES:
        return (int64_t)b->total_bytes;
    case WORLD_FLOWS:
        return count_flows(b);
    case WORLD_EVENT:
        return next_event(w, ret);
    case WORLD_DONE:
        w->is_done = true;
        return 0;
    default:
        return -EINVAL;
    }
}

static void guest_asks(struct broker *b, struct source *s, uint32_t events)
{
    struct world *w = &the_world;
    struct world_question q;
    struct world_answer a = { 0 };
    (void)b, (void)events;
    if (recv(s->fd, &q, sizeof q, MSG_DONTWAIT) != (ssize_t)sizeof q) {
        w->is_over = true;
        return;
    }
    a.value = answer(w, &q, &a);
    (void)send(s->fd, &a, sizeof a, MSG_NOSIGNAL);
}

static void run_loop(struct world *w)
{
    struct epoll_event ready[16];
    while (!w->is_over) {
        int n = epoll_wait(w->broker.epoll, ready, ARRAY_LEN(ready), WORLD_PATIENCE_S * 1000);
        EXPECT(n > 0 || (n < 0 && errno == EINTR));
        for (int i = 0; i < n; i++) {
            struct source *s = ready[i].data.ptr;
            s->on_event(&w->broker, s, ready[i].events);
        }
    }
}

/* The guest: in a network namespace of its own from before it tells so. */
static pid_t start_guest(const struct world_options *o, int host_end, int guest_end, void (*guest)(void))
{
    pid_t pid = fork();
    EXPECT(pid >= 0);
    if (pid > 0)
        return pid;
    (void)close(host_end);
    (void)alarm(2 * WORLD_PATIENCE_S);
    world_socket = guest_end;
    EXPECT(unshare(CLONE_NEWNET) == 0);
    set_loopback(!o->loopback_is_down);
    char byte = 0;
    EXPECT(send(world_socket, &byte, 1, 0) == 1);
    if (recv(world_socket, &byte, 1, 0) != 1)
        _exit(1); /* the host says why */
    if (guest)
        guest();
    EXPECT_EQ(world_ask(WORLD_DONE, NULL, 0), 0);
    _exit(0);
}

static void start_broker(struct world *w, const struct world_options *o, int events, pid_t guest)
{
    char path[40];
    struct error err = { 0 };
    struct broker *b = &w->broker;
    (void)snprintf(path, sizeof path, "/proc/%d/ns/net", (int)guest);
    cleanup(closep) int net = open(path, O_RDONLY | O_CLOEXEC);
    EXPECT(net >= 0);
    b->notify = (struct notify){ .listener = -1, .events = events, .start_us = clock_us() };
    b->launcher = -1;
    b->next_connection = 1;
    b->routes = -1; /* every address here is a local one */
    b->rules.max_connections = o->max_connections;
    b->rules.max_bytes = o->max_bytes;
    b->rules.has_names = o->has_names;
    EXPECT_EQ(strlist_add(&b->rules.ports, "7007"), 0);
    EXPECT_EQ(net_rules_compile(&b->rules, &err), 0);
    b->epoll = epoll_create1(EPOLL_CLOEXEC);
    int e = inside_start(b, net, &err);
    if (o->loopback_is_down) { /* a world that must not come to be */
        EXPECT_EQ(e, -ENETDOWN);
        EXPECT(strstr(err.text, "loopback is down") && err.remedy[0]);
        _exit(0);
    }
    if (e < 0)
        (void)fprintf(stderr, "# inside_start: %s\n", err.text);
    EXPECT_EQ(e, 0);
    int udp, tcp;
    EXPECT_EQ(inside_resolver(b, &udp, &tcp), 0);
    EXPECT_EQ(inside_resolver(b, &udp, &tcp), -EBADF); /* they are given away once */
    EXPECT(b->inside_cookie != 0);
    if (o->has_names)
        EXPECT_EQ(serve(w, udp), 0);
}

static _Noreturn void host(const struct world_options *o, void (*guest)(void))
{
    struct world *w = &the_world;
    struct error err = { 0 };
    bool has_ipv6;
    int pair[2], events[2], status;
    char byte = 0;
    (void)alarm(2 * WORLD_PATIENCE_S);
    if (!own_namespaces()) {
        (void)fprintf(stderr, "# user and network namespaces: %s\n", strerror(errno));
        _exit(WORLD_SKIPPED);
    }
    set_loopback(true);
    EXPECT(o->host_is_bare || factory_routes(true, &has_ipv6, &err) == 0);
    EXPECT(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    EXPECT(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, events) == 0);
    for (size_t i = 0; i < ARRAY_LEN(w->servers); i++)
        w->servers[i].fd = -1;
    pid_t pid = start_guest(o, pair[0], pair[1], guest);
    (void)close(pair[1]);
    EXPECT(recv(pair[0], &byte, 1, 0) == 1);
    w->events = events[1];
    start_broker(w, o, events[0], pid);
    w->guest = (struct source){ guest_asks, pair[0] };
    EXPECT_EQ(broker_watch(&w->broker, &w->guest, EPOLLIN), 0);
    EXPECT(send(pair[0], &byte, 1, 0) == 1);
    if (o->is_confined && broker_confine(CONFINE_BROKER, &err) < 0) {
        (void)fprintf(stderr, "# %s\n", err.text);
        _exit(1);
    }
    run_loop(w);
    if (o->is_confined)
        _exit(!w->is_done); /* a broker may not wait for anybody */
    EXPECT(waitpid(pid, &status, 0) == pid);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    udp_done(&w->broker);
    net_rules_done(&w->broker.rules);
    EXPECT_EQ(w->broker.live_connections, 0);
    EXPECT_EQ(count_flows(&w->broker), 0);
    /* the factory ends when nobody can ask any more */
    (void)close(w->broker.inside);
    EXPECT(wait(&status) > 0);
    EXPECT(WORLD_IS_SANITIZED || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    _exit(0);
}

/* Exit status of the guest, or WORLD_SKIPPED with a reason on stderr. */
static int in_world(const struct world_options *o, void (*guest)(void))
{
    int status;
    (void)fflush(stdout);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        host(o, guest);
    CHECK(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
