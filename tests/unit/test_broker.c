/* The broker's answers to network calls, with real namespaces, a real filter and real processes: a payload in a user
 * and network namespace of its own, a broker beside it, servers on the host's loopback. As root and as an ordinary
 * user. */
#include "test.h"

#include "base/clock.h"
#include "base/strlist.h"
#include "broker/handover.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#define PATIENCE_MS 60000 /* of a loaded machine: only for what does not come */

/* --- servers on the host ---------------------------------------------------------------------------------- */

struct server {
    int fd;
    uint16_t port;
    pid_t echo; /* 0: nobody accepts */
};

static void server_open(struct server *s, int backlog)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof a;
    *s = (struct server){ .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
    CHECK(s->fd >= 0 && bind(s->fd, (struct sockaddr *)&a, size) == 0);
    CHECK(backlog < 0 || listen(s->fd, backlog) == 0);
    CHECK(getsockname(s->fd, (struct sockaddr *)&a, &size) == 0);
    s->port = ntohs(a.sin_port);
}

static _Noreturn void serve_echo(int fd)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        char bytes[4096];
        int c = accept(fd, NULL, NULL);
        for (ssize_t n; c >= 0 && (n = read(c, bytes, sizeof bytes)) > 0;)
            (void)!write(c, bytes, (size_t)n);
        (void)close(c);
    }
}

static void server_echo(struct server *s)
{
    server_open(s, 128);
    s->echo = fork();
    if (s->echo == 0)
        serve_echo(s->fd);
    CHECK(s->echo > 0);
}

static void server_close(struct server *s)
{
    if (s->echo > 0) {
        (void)kill(s->echo, SIGKILL);
        (void)waitpid(s->echo, NULL, 0);
    }
    (void)close(s->fd);
}

static bool server_was_met(const struct server *s) /* somebody connected, accepted or not */
{
    struct pollfd p = { .fd = s->fd, .events = POLLIN };
    return poll(&p, 1, 0) == 1;
}

/* --- a sandbox with a broker ------------------------------------------------------------------------------- */

struct world {
    pid_t payload, broker;
    int listener, events, launcher; /* ends of ours */
    struct net_rules rules;
    bool is_tcp_fenced, has_no_broker, is_confined;
    uint64_t inside_cookie;
    size_t events_buffer;
};
/* What runs inside: returns 0, or the line of what went wrong. */
typedef int payload_main(const uint16_t *ports);
#define WANT(e)                                                                               \
    do {                                                                                      \
        if (!(e)) {                                                                           \
            (void)fprintf(stderr, "# inside, line %d: %s (errno %d)\n", __LINE__, #e, errno); \
            return __LINE__;                                                                  \
        }                                                                                     \
    } while (0)

static int ask_for_network_calls(void)
{
#define ASK(nr) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (nr), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)
    struct sock_filter f[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ASK(SYS_connect),
        ASK(SYS_bind),
        ASK(SYS_listen),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendto, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog p = { ARRAY_LEN(f), f };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &p);
}

static void send_fd(int sock, int fd, uint64_t cookie)
{
    union {
        char bytes[CMSG_SPACE(sizeof fd)];
        struct cmsghdr h;
    } control = { 0 };
    struct iovec part = { &cookie, sizeof cookie };
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control
    };
    control.h = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd) };
    memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &fd, sizeof fd);
    (void)sendmsg(sock, &m, MSG_NOSIGNAL);
}

static int receive_fd(int sock, uint64_t *ret_cookie)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr h;
    } control = { 0 };
    struct iovec part = { ret_cookie, sizeof *ret_cookie };
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control
    };
    int fd = -1;
    if (recvmsg(sock, &m, MSG_CMSG_CLOEXEC) > 0 && CMSG_FIRSTHDR(&m))
        memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return fd;
}

static bool loopback_up(void)
{
    struct ifreq r = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
    cleanup(closep) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &r) == 0;
}

static _Noreturn void be_payload(int sock, payload_main *inside, const uint16_t *ports)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)alarm(2 * PATIENCE_MS / 1000);
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0 || !loopback_up())
        _exit(2);
    int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    uint64_t cookie = broker_namespace_of(probe);
    (void)close(probe);
    int listener = ask_for_network_calls();
    send_fd(sock, listener, cookie);
    (void)close(listener);
    (void)close(sock);
    _exit(inside(ports) ? 1 : 0);
}

static void be_broker_of(const struct world *w, int listener, int events, int launcher)
{
    static const struct sock_filter all[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
    struct broker b = { .launcher = launcher,
                        .inside = -1,
                        .routes = -1,
                        .next_connection = 1,
                        .is_tcp_fenced = w->is_tcp_fenced,
                        .inside_cookie = w->inside_cookie,
                        .notify = { .listener = listener,
                                    .events = events,
                                    .verdicts = all,
                                    .verdict_count = 1,
                                    .start_us = clock_us() } };
    struct error err = { 0 };
    cleanup(closep) int ours = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)alarm(2 * PATIENCE_MS / 1000);
    struct buf packed;
    buf_init(&packed, 65536);
    net_rules_pack(&packed, &w->rules);
    if (packed.failed || net_rules_unpack(packed.data, packed.size, &b.rules) < 0)
        _exit(3);
    b.host_cookie = broker_namespace_of(ours);
    b.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (traffic_start(&b, &err) < 0) {
        (void)fprintf(stderr, "# %s\n", err.text);
        _exit(1);
    }
    notify_prepare(listener);
    if (w->is_confined && broker_confine(CONFINE_BROKER, &err) < 0) {
        (void)fprintf(stderr, "# %s\n", err.text);
        _exit(4);
    }
    _exit(broker_loop(&b) < 0);
}

static void world_start(struct world *w, payload_main *inside, const uint16_t *ports)
{
    int birth[2], events[2], launcher[2];
    CHECK(strlist_add(&w->rules.ports, "all") == 0);
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, birth) == 0);
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, events) == 0);
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, launcher) == 0);
    if (w->events_buffer) {
        int size = (int)w->events_buffer;
        CHECK(setsockopt(events[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0);
    }
    (void)fflush(NULL);
    w->payload = fork();
    CHECK(w->payload >= 0);
    if (w->payload == 0) {
        (void)close(birth[0]);
        be_payload(birth[1], inside, ports);
    }
    (void)close(birth[1]);
    w->listener = receive_fd(birth[0], &w->inside_cookie);
    (void)close(birth[0]);
    if (w->listener < 0)
        SKIP("no user namespace, or no seccomp listener, for this user");
    if (!w->inside_cookie)
        SKIP("the kernel has no SO_NETNS_COOKIE (before 5.14)");
    w->broker = w->has_no_broker ? 0 : fork();
    if (w->broker == 0 && !w->has_no_broker) {
        (void)close(events[0]);
        (void)close(launcher[0]);
        be_broker_of(w, w->listener, events[1], launcher[1]);
    }
    if (!w->has_no_broker)
        closep(&w->listener);
    (void)close(events[1]);
    (void)close(launcher[1]);
    w->events = events[0];
    w->launcher = launcher[0];
}

/* Of the payload: its exit code, 128 + signal. */
static int world_wait(struct world *w)
{
    int status = 0;
    CHECK(waitpid(w->payload, &status, 0) == w->payload);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void world_end(struct world *w)
{
    int status = 0;
    (void)close(w->launcher);
    if (w->broker > 0) {
        CHECK(waitpid(w->broker, &status, 0) == w->broker);
        CHECK_EQ(status, 0);
    }
    closep(&w->listener);
    (void)close(w->events);
    strlist_done(&w->rules.allow);
    strlist_done(&w->rules.ports);
    strlist_done(&w->rules.deny);
}

static void world_allow(struct world *w, uint16_t port)
{
    CHECK(strlist_addf(&w->rules.allow, "127.0.0.1/32:%u", port) == 0);
}

/* The next event of this kind that the broker told. Texts borrow from a static buffer. */
static bool next_event(const struct world *w, enum watch_kind kind, struct watch_event *ret)
{
    static char bytes[WATCH_MESSAGE_MAX];
    struct pollfd p = { .fd = w->events, .events = POLLIN };
    while (poll(&p, 1, PATIENCE_MS) == 1) {
        ssize_t n = recv(w->events, bytes, sizeof bytes, MSG_DONTWAIT);
        if (n <= 0)
            return false;
        CHECK_EQ(watch_event_unpack(bytes, (size_t)n, ret), 0);
        if (ret->kind == kind)
            return true;
    }
    return false;
}

/* Takes events until the payload ends; then as world_wait(). */
static int world_drain(struct world *w)
{
    char bytes[WATCH_MESSAGE_MAX];
    int status;
    while (waitpid(w->payload, &status, WNOHANG) == 0) {
        struct pollfd p = { .fd = w->events, .events = POLLIN };
        if (poll(&p, 1, 20) == 1 && recv(w->events, bytes, sizeof bytes, MSG_DONTWAIT) == 0)
            (void)usleep(1000); /* its broker is gone */
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* --- what runs inside ------------------------------------------------------------------------------------------ */

static int dial(int fd, uint16_t port)
{
    struct sockaddr_in a = { .sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                             .sin_port = htons(port) };
    return connect(fd, (struct sockaddr *)&a, sizeof a);
}

static uint16_t peer_port(int fd)
{
    struct sockaddr_in a;
    socklen_t size = sizeof a;
    return getpeername(fd, (struct sockaddr *)&a, &size) == 0 ? ntohs(a.sin_port) : 0;
}

static bool echoes(int fd)
{
    char bytes[5] = "";
    return write(fd, "hello", 5) == 5 && recv(fd, bytes, 5, MSG_WAITALL) == 5 && memcmp(bytes, "hello", 5) == 0;
}

static int error_of(int fd)
{
    int e = -1;
    socklen_t size = sizeof e;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &e, &size) < 0 ? -1 : e;
}

static int inside_blocking(const uint16_t *ports)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    WANT(dial(fd, ports[0]) == 0);
    WANT(peer_port(fd) == ports[0]);
    WANT(!(fcntl(fd, F_GETFL) & O_NONBLOCK) && fcntl(fd, F_GETFD) == 0);
    WANT(echoes(fd));
    WANT(dial(fd, ports[0]) < 0 && errno == EISCONN);
    WANT(shutdown(fd, SHUT_WR) == 0 && recv(fd, &(char){ 0 }, 1, 0) == 0); /* the server saw our end, and we its */
    return 0;
}

TEST(a_blocking_connect_gets_a_connected_socket_of_the_host)
{
    struct server s;
    struct world w = { 0 };
    struct watch_event e;
    server_echo(&s);
    world_allow(&w, s.port);
    world_start(&w, inside_blocking, &s.port);
    CHECK_EQ(world_wait(&w), 0);
    CHECK(next_event(&w, WATCH_CONNECT, &e));
    CHECK_EQ(e.verdict, WATCH_ALLOWED);
    CHECK_EQ(e.port, s.port);
    CHECK_EQ(e.family, AF_INET);
    CHECK_EQ(e.protocol, IPPROTO_TCP);
    CHECK_EQ(e.connection, 1);
    CHECK_EQ(e.pid, w.payload);
    CHECK(next_event(&w, WATCH_CLOSED, &e));
    CHECK_EQ(e.connection, 1);
    CHECK_EQ(e.bytes_out, 5);
    CHECK_EQ(e.bytes_in - (e.bytes_in == 6), 5); /* the peer's end counts as one */
    world_end(&w);
    server_close(&s);
}

static int inside_non_blocking(const uint16_t *ports)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct pollfd p = { .fd = fd, .events = POLLOUT };
    WANT(dial(fd, ports[0]) < 0 && errno == EINPROGRESS);
    WANT(poll(&p, 1, PATIENCE_MS) == 1 && p.revents == POLLOUT);
    WANT(error_of(fd) == 0);
    WANT(fcntl(fd, F_GETFL) & O_NONBLOCK && fcntl(fd, F_GETFD) == FD_CLOEXEC);
    WANT(peer_port(fd) == ports[0]);
    WANT(dial(fd, ports[0]) == 0); /* once, as the kernel does */
    WANT(dial(fd, ports[0]) < 0 && errno == EISCONN);
    WANT(fcntl(fd, F_SETFL, 0) == 0 && echoes(fd));
    /* and one that fails: poll says so, the next connect of the same socket works */
    fd = p.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    WANT(dial(fd, ports[1]) < 0 && errno == EINPROGRESS);
    WANT(poll(&p, 1, PATIENCE_MS) == 1 && (p.revents & POLLERR));
    WANT(dial(fd, ports[1]) < 0 && errno == ECONNREFUSED);
    WANT(dial(fd, ports[0]) < 0 && errno == EINPROGRESS);
    WANT(poll(&p, 1, PATIENCE_MS) == 1 && p.revents == POLLOUT && error_of(fd) == 0);
    return peer_port(fd) == ports[0] ? 0 : __LINE__;
}

TEST(a_non_blocking_connect_is_as_the_kernel_has_it)
{
    struct server s, closed;
    struct world w = { 0 };
    server_echo(&s);
    server_open(&closed, -1); /* bound, and refuses */
    world_allow(&w, s.port);
    world_allow(&w, closed.port);
    world_start(&w, inside_non_blocking, (uint16_t[]){ s.port, closed.port });
    CHECK_EQ(world_wait(&w), 0);
    world_end(&w);
    server_close(&s);
    server_close(&closed);
}

static int inside_refused(const uint16_t *ports)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a000001), .sin_port = htons(80) };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(80) };
    WANT(connect(fd, (struct sockaddr *)&a, sizeof a) < 0 && errno == EACCES);
    a.sin_addr.s_addr = htonl(0xa9fea9fe);
    WANT(connect(fd, (struct sockaddr *)&a, sizeof a) < 0 && errno == EACCES);
    int six = socket(AF_INET6, SOCK_STREAM, 0);
    WANT(inet_pton(AF_INET6, "::ffff:169.254.169.254", &v6.sin6_addr) == 1);
    WANT(connect(six, (struct sockaddr *)&v6, sizeof v6) < 0 && errno == EACCES);
    WANT(connect(six, (struct sockaddr *)&a, sizeof a) < 0 && errno == EAFNOSUPPORT);
    WANT(connect(fd, (struct sockaddr *)&a, 4) < 0 && errno == EINVAL);
    WANT(connect(fd, (struct sockaddr *)8, sizeof a) < 0 && errno == EFAULT);
    WANT(connect(999, (struct sockaddr *)&a, sizeof a) < 0 && errno == EBADF);
    WANT(connect(2, (struct sockaddr *)&a, sizeof a) < 0 && errno == ENOTSOCK);
    return dial(fd, ports[0]) == 0 && echoes(fd) ? 0 : __LINE__;
}

TEST(a_refused_address_is_told_and_the_socket_stays_usable)
{
    struct server s;
    struct world w = { 0 };
    struct watch_event e;
    char text[WATCH_ADDRESS_MAX];
    server_echo(&s);
    world_allow(&w, s.port);
    world_start(&w, inside_refused, &s.port);
    CHECK_EQ(world_wait(&w), 0);
    CHECK(next_event(&w, WATCH_CONNECT, &e));
    CHECK_EQ(e.verdict, WATCH_REFUSED);
    CHECK_EQ(e.error, EACCES);
    watch_event_address(&e, text);
    CHECK_STR(text, "10.0.0.1:80");
    CHECK(e.text && e.text[0]);
    CHECK(next_event(&w, WATCH_CONNECT, &e) && next_event(&w, WATCH_CONNECT, &e));
    watch_event_address(&e, text);
    CHECK_STR(text, "169.254.169.254:80"); /* seen through its mapped form */
    world_end(&w);
    server_close(&s);
}

/* What a scanner does, whatever connect() said: waits until the socket is writable and asks for its error. */
static int inside_refused_non_blocking(const uint16_t *ports)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a000001), .sin_port = htons(80) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), poll_fd = epoll_create1(0);
    struct epoll_event e = { .events = EPOLLOUT }, got;
    WANT(epoll_ctl(poll_fd, EPOLL_CTL_ADD, fd, &e) == 0);
    WANT(connect(fd, (struct sockaddr *)&a, sizeof a) < 0 && errno == EACCES);
    WANT(epoll_wait(poll_fd, &got, 1, PATIENCE_MS) == 1 &&
         (got.events & (EPOLLERR | EPOLLHUP)) == (EPOLLERR | EPOLLHUP));
    struct pollfd p = { .fd = fd, .events = POLLOUT };
    WANT(poll(&p, 1, 0) == 1 && (p.revents & (POLLERR | POLLHUP)) == (POLLERR | POLLHUP));
    WANT(peer_port(fd) == 0 && errno == ENOTCONN);
    WANT(error_of(fd) == ECONNREFUSED);
    WANT(send(fd, "x", 1, MSG_NOSIGNAL) < 0);
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(80) };
    int six = socket(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK, 0);
    WANT(inet_pton(AF_INET6, "fd00::1", &v6.sin6_addr) == 1);
    WANT(connect(six, (struct sockaddr *)&v6, sizeof v6) < 0 && errno == EACCES);
    p.fd = six;
    WANT(poll(&p, 1, PATIENCE_MS) == 1 && error_of(six) == ECONNREFUSED);
    /* the same socket may still be used for what is allowed */
    WANT(dial(fd, ports[0]) < 0 && errno == EINPROGRESS);
    p.fd = fd;
    WANT(poll(&p, 1, PATIENCE_MS) == 1 && p.revents == POLLOUT && error_of(fd) == 0 && peer_port(fd) == ports[0]);
    return 0;
}

TEST(a_refused_non_blocking_connect_looks_refused)
{
    struct server s;
    struct world w = { 0 };
    server_echo(&s);
    world_allow(&w, s.port);
    world_start(&w, inside_refused_non_blocking, &s.port);
    CHECK_EQ(world_drain(&w), 0);
    world_end(&w);
    server_close(&s);
}

/* One connection at once; its peer takes nothing. Closed with a full buffer it is in the way until TCP_USER_TIMEOUT. */
static int inside_closes_full(const uint16_t *ports)
{
    static char bytes[1 << 16];
    int fd = socket(AF_INET, SOCK_STREAM, 0), ms = 2000, next;
    WANT(setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof ms) == 0);
    WANT(dial(fd, ports[0]) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
    while (send(fd, bytes, sizeof bytes, MSG_NOSIGNAL) > 0) {
    }
    WANT(errno == EAGAIN && close(fd) == 0);
    next = socket(AF_INET, SOCK_STREAM, 0);
    WANT(dial(next, ports[1]) < 0 && errno == ENOBUFS);
    for (uint64_t until = clock_ms() + PATIENCE_MS; dial(next, ports[1]) < 0 && clock_ms() < until;)
        (void)usleep(50000);
    return peer_port(next) == ports[1] ? 0 : __LINE__;
}

TEST(a_connection_that_was_closed_full_counts_until_its_peer_is_given_up)
{
    struct server silent, s;
    struct world w = { .rules.max_connections = 1 };
    server_open(&silent, 8);
    server_echo(&s);
    world_allow(&w, silent.port);
    world_allow(&w, s.port);
    world_start(&w, inside_closes_full, (uint16_t[]){ silent.port, s.port });
    CHECK_EQ(world_drain(&w), 0);
    world_end(&w);
    server_close(&silent);
    server_close(&s);
}

static int inside_has_buffers(const uint16_t *ports)
{
    int size[2] = { 0 }, patience = 0;
    for (int i = 0; i < 12; i++) { /* the first few are as the kernel likes */
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        socklen_t n = sizeof size[0];
        WANT(dial(fd, ports[0]) == 0);
        WANT(getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size[0], &n) == 0 &&
             getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size[1], &n) == 0);
        WANT(getsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, &n) == 0 && patience == 60000);
    }
    /* 12 connections: 32 MiB each way are more than 208 KiB for each */
    return size[0] <= 2 * 212992 && size[1] <= 2 * 212992 && size[0] >= 65536 ? 0 : __LINE__;
}

TEST(buffers_of_connections_have_a_size)
{
    struct server s;
    struct world w = { .rules.max_connections = 12 };
    server_echo(&s);
    world_allow(&w, s.port);
    world_start(&w, inside_has_buffers, &s.port);
    CHECK_EQ(world_drain(&w), 0);
    world_end(&w);
    server_close(&s);
}

static int inside_binds(const uint16_t *ports)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "\0of the sandbox" };
    socklen_t size = sizeof a, un_size = offsetof(struct sockaddr_un, sun_path) + 15;
    int first = socket(AF_INET, SOCK_STREAM, 0), second = socket(AF_INET, SOCK_STREAM, 0);
    WANT(bind(first, (struct sockaddr *)&a, size) == 0 && getsockname(first, (struct sockaddr *)&a, &size) == 0);
    WANT(ntohs(a.sin_port) != 0);
    WANT(bind(first, (struct sockaddr *)&a, size) < 0 && errno == EINVAL);
    WANT(bind(second, (struct sockaddr *)&a, size) < 0 && errno == EADDRINUSE);
    WANT(bind(second, (struct sockaddr *)&a, 3) < 0 && errno == EINVAL);
    WANT(bind(second, (struct sockaddr *)8, size) < 0 && errno == EFAULT);
    WANT(bind(999, (struct sockaddr *)&a, size) < 0 && errno == EBADF);
    a.sin_addr.s_addr = htonl(0x08080808);
    WANT(bind(second, (struct sockaddr *)&a, size) < 0 && errno == EADDRNOTAVAIL);
    int local = socket(AF_UNIX, SOCK_STREAM, 0), same = socket(AF_UNIX, SOCK_STREAM, 0);
    WANT(bind(local, (struct sockaddr *)&un, un_size) == 0);
    WANT(bind(same, (struct sockaddr *)&un, un_size) < 0 && errno == EADDRINUSE);
    WANT(bind(same, (struct sockaddr *)&un, sizeof(sa_family_t)) == 0); /* a name of the kernel's choice */
    /* a socket of the host whose connection has failed is bound to nothing any more, and stays so */
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    WANT(dial(fd, ports[0]) == 0 && echoes(fd));
    WANT(bind(fd, (struct sockaddr *)&(struct sockaddr_in){ .sin_family = AF_INET }, size) < 0 && errno == EINVAL);
    fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    WANT(dial(fd, ports[1]) < 0 && errno == EINPROGRESS);
    WANT(poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, PATIENCE_MS) == 1 && error_of(fd) == ECONNREFUSED);
    WANT(bind(fd, (struct sockaddr *)&(struct sockaddr_in){ .sin_family = AF_INET }, size) < 0 && errno == EINVAL);
    return 0;
}

TEST(bind_is_performed_on_the_file_that_was_judged)
{
    struct server s, closed;
    struct world w = { 0 };
    server_echo(&s);
    server_open(&closed, -1);
    world_allow(&w, s.port);
    world_allow(&w, closed.port);
    world_start(&w, inside_binds, (uint16_t[]){ s.port, closed.port });
    CHECK_EQ(world_drain(&w), 0);
    world_end(&w);
    server_close(&s);
    server_close(&closed);
}

static void *wait_for_ever(void *arg)
{
    (void)arg;
    (void)pause();
    return NULL;
}

static int inside_binds_a_path_with_threads(const uint16_t *ports)
{
    pthread_t t;
    struct sockaddr_un un = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    (void)snprintf(un.sun_path, sizeof un.sun_path, "/tmp/test-broker-bind-%d", (int)getpid());
    WANT(pthread_create(&t, NULL, wait_for_ever, NULL) == 0);
    int r = bind(fd, (struct sockaddr *)&un, sizeof un), error = errno;
    (void)unlink(un.sun_path);
    if (ports[0]) /* fenced by landlock */
        return r == 0 ? 0 : __LINE__;
    return r < 0 && error == EACCES ? 0 : __LINE__;
}

TEST(a_path_is_bound_by_threads_only_where_landlock_forbids_tcp)
{
    for (uint16_t fenced = 0; fenced < 2; fenced++) {
        struct world w = { .is_tcp_fenced = fenced };
        world_start(&w, inside_binds_a_path_with_threads, &fenced);
        CHECK_EQ(world_drain(&w), 0);
        world_end(&w);
    }
}

static int inside_own_loopback(const uint16_t *ports)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof a;
    int server = socket(AF_INET, SOCK_STREAM, 0), fd = socket(AF_INET, SOCK_STREAM, 0);
    WANT(bind(server, (struct sockaddr *)&a, size) == 0 && listen(server, 5) == 0);
    WANT(getsockname(server, (struct sockaddr *)&a, &size) == 0);
    WANT(dial(fd, ntohs(a.sin_port)) == 0 && peer_port(fd) == ntohs(a.sin_port));
    WANT(!(fcntl(fd, F_GETFL) & O_NONBLOCK));
    WANT(dial(fd, ntohs(a.sin_port)) < 0 && errno == EISCONN);
    WANT(accept(server, NULL, NULL) >= 0);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    a.sin_addr.s_addr = 0; /* «any» is loopback */
    WANT(connect(fd, (struct sockaddr *)&a, size) == 0);
    fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    WANT(dial(fd, ntohs(a.sin_port)) < 0 && errno == EINPROGRESS);
    WANT(error_of(fd) == 0 && peer_port(fd) == ntohs(a.sin_port));
    fd = socket(AF_INET, SOCK_STREAM, 0);
    WANT(dial(fd, ports[0]) < 0 && errno == ECONNREFUSED); /* the host has a server there; it is not ours */
    return 0;
}

TEST(the_sandboxes_own_loopback_is_its_own)
{
    struct server s;
    struct world w = { 0 };
    struct watch_event e;
    server_echo(&s);
    world_start(&w, inside_own_loopback, &s.port);
    CHECK_EQ(world_wait(&w), 0);
    CHECK(next_event(&w, WATCH_LISTEN, &e));
    CHECK(e.port != 0);
    CHECK(next_event(&w, WATCH_CONNECT, &e));
    CHECK(e.flags & WATCH_INSIDE);
    world_end(&w);
    server_close(&s);
}

static int inside_options(const uint16_t *ports)
{
    int fd = socket(AF_INET6, SOCK_STREAM, 0), one = 1, size = 65536, idle = 77, v = 0;
    struct timeval patience = { .tv_sec = PATIENCE_MS / 1000 };
    struct sockaddr_in6 a = { .sin6_family = AF_INET6, .sin6_port = htons(ports[0]) }, peer;
    socklen_t n = sizeof v;
    WANT(setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one) == 0);
    WANT(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0);
    WANT(setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle) == 0);
    WANT(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size) == 0);
    WANT(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0);
    WANT(inet_pton(AF_INET6, "::ffff:127.0.0.1", &a.sin6_addr) == 1);
    WANT(connect(fd, (struct sockaddr *)&a, sizeof a) == 0);
    WANT(getsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &v, &n) == 0 && v == 1);
    WANT(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &v, &n) == 0 && v == 1);
    WANT(getsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &v, &n) == 0 && v == 77);
    WANT(getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &v, &n) == 0 && v == 2 * 65536);
    n = sizeof patience;
    WANT(getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, &n) == 0 && patience.tv_sec == PATIENCE_MS / 1000);
    n = sizeof peer;
    WANT(getpeername(fd, (struct sockaddr *)&peer, &n) == 0);
    WANT(peer.sin6_family == AF_INET6 && memcmp(&peer.sin6_addr, &a.sin6_addr, 16) == 0 &&
         peer.sin6_port == a.sin6_port);
    return echoes(fd) ? 0 : __LINE__;
}

TEST(what_was_set_on_the_socket_is_kept_and_a_mapped_address_stays_mapped)
{
    struct server s;
    struct world w = { 0 };
    server_echo(&s);
    world_allow(&w, s.port);
    world_start(&w, inside_options, &s.port);
    CHECK_EQ(world_wait(&w), 0);
    world_end(&w);
    server_close(&s);
}

static int inside_host_socket(const uint16_t *ports)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct pollfd p = { .fd = fd, .events = POLLOUT };
    struct sockaddr_in a = { .sin_family = AF_INET };
    struct sockaddr none = { .sa_family = AF_UNSPEC };
    WANT(dial(fd, ports[1]) < 0 && errno == EINPROGRESS &&
         poll(&p, 1, PATIENCE_MS) == 1); /* it failed: a closed socket of the host */
    WANT(bind(fd, (struct sockaddr *)&a, sizeof a) < 0 && errno == EINVAL);
    WANT(listen(fd, 5) < 0 && errno == EINVAL);
    WANT(connect(fd, &none, sizeof none) < 0 && errno == EOPNOTSUPP);
    WANT(dial(fd, ports[0]) < 0 && errno == ECONNREFUSED);
    WANT(dial(fd, 9) < 0 && errno == EACCES); /* the sandbox's own loopback is out of reach for it */
    a.sin_addr.s_addr = htonl(0x0a000001);
    a.sin_port = htons(80);
    WANT(connect(fd, (struct sockaddr *)&a, sizeof a) < 0 && errno == EACCES);
    return 0;
}

TEST(a_socket_of_the_host_can_neither_listen_nor_bind_nor_connect_where_it_may_not)
{
    struct server s, closed;
    struct world w = { 0 };
    server_echo(&s);
    server_open(&closed, -1);
    world_allow(&w, s.port);
    world_allow(&w, closed.port);
    world_start(&w, inside_host_socket, (uint16_t[]){ s.port, closed.port });
    CHECK_EQ(world_wait(&w), 0);
    world_end(&w);
    server_close(&s);
    server_close(&closed);
}

/* --- hostile ones ----------------------------------------------------------------------------------------------------
 */

static struct sockaddr_in shared;
static volatile bool is_over;
static void *flip(void *arg)
{
    const uint16_t *ports = arg;
    for (size_t i = 0; !is_over; i++)
        __atomic_store_n(&shared.sin_port, htons(ports[i & 1]), __ATOMIC_RELAXED);
    return NULL;
}

static int inside_racing(const uint16_t *ports)
{
    pthread_t t;
    int met = 0, refused = 0, tries = 0;
    const uint64_t until = clock_ms() + PATIENCE_MS;
    shared = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    WANT(pthread_create(&t, NULL, flip, (void *)(uintptr_t)ports) == 0);
    for (; tries < 400 || ((!met || !refused) && clock_ms() < until);
         tries++) { /* and until the other thread has had a processor */
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&shared, sizeof shared) == 0)
            met += peer_port(fd) == ports[0] ? 1 : 1000000;
        else
            refused += errno == ECONNREFUSED || errno == EACCES
                           ? 1
                           : 1000000; /* the sandbox's own loopback has nobody there */
        (void)close(fd);
    }
    is_over = true;
    (void)pthread_join(t, NULL);
    WANT(met + refused == tries && met > 0 && refused > 0);
    return 0;
}

TEST(an_address_that_changes_while_it_is_judged_is_connected_to_as_it_was_judged)
{
    struct server good, forbidden;
    struct world w = { 0 };
    server_echo(&good);
    server_open(&forbidden, 128);
    world_allow(&w, good.port);
    world_start(&w, inside_racing, (uint16_t[]){ good.port, forbidden.port });
    CHECK_EQ(world_drain(&w), 0);
    CHECK(!server_was_met(&forbidden));
    world_end(&w);
    server_close(&good);
    server_close(&forbidden);
}

/* A listener whose queue is full: connections to it stay under way. */
static void server_full(struct server *s, int fill[static 4])
{
    struct pollfd queue = { .events = POLLIN };
    server_open(s, 0);
    for (int i = 0; i < 4; i++) {
        fill[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        (void)dial(fill[i], s->port);
    }
    queue.fd = s->fd;
    CHECK_EQ(poll(&queue, 1, PATIENCE_MS), 1); /* one is in it, and that is all that it holds */
}

/* Until this process waits for something. */
static void wait_asleep(pid_t pid)
{
    char path[40], text[512];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    for (uint64_t until = clock_ms() + PATIENCE_MS; clock_ms() < until; (void)usleep(1000)) {
        cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
        const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
        text[MAX_OF(n, (ssize_t)0)] = '\0';
        const char *state = strrchr(text, ')');
        if (n < 0 || (state && state[1] && state[2] == 'S'))
            return;
    }
}

static int inside_killed(const uint16_t *ports)
{
    pid_t child = fork();
    if (child == 0)
        _exit(dial(socket(AF_INET, SOCK_STREAM, 0), ports[1]) == 0);
    wait_asleep(child);
    (void)usleep(50000); /* it waits for an answer that does not come */
    WANT(waitpid(child, NULL, WNOHANG) == 0);
    WANT(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return dial(fd, ports[0]) == 0 && echoes(fd) ? 0 : __LINE__;
}

TEST(a_caller_killed_while_it_waits_leaves_the_broker_well)
{
    struct server good, full;
    struct world w = { 0 };
    int fill[4];
    server_echo(&good);
    server_full(&full, fill);
    world_allow(&w, good.port);
    world_allow(&w, full.port);
    world_start(&w, inside_killed, (uint16_t[]){ good.port, full.port });
    CHECK_EQ(world_wait(&w), 0);
    world_end(&w);
    for (int i = 0; i < 4; i++)
        (void)close(fill[i]);
    server_close(&good);
    server_close(&full);
}

static int inside_timeout(const uint16_t *ports)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct timeval patience = { .tv_usec = 300000 };
    WANT(setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) == 0);
    WANT(dial(fd, ports[0]) < 0 && errno == EINPROGRESS);
    fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    WANT(dial(fd, ports[0]) < 0 && errno == EINPROGRESS);
    WANT(dial(fd, ports[0]) < 0 && errno == EALREADY);
    return 0;
}

TEST(a_connect_that_takes_long_ends_by_the_sockets_timeout)
{
    struct server full;
    struct world w = { 0 };
    int fill[4];
    server_full(&full, fill);
    world_allow(&w, full.port);
    world_start(&w, inside_timeout, &full.port);
    CHECK_EQ(world_wait(&w), 0);
    world_end(&w);
    for (int i = 0; i < 4; i++)
        (void)close(fill[i]);
    server_close(&full);
}

static volatile int signals;
static void on_signal(int n)
{
    (void)n;
    signals++;
}

/* How many signals came while it waited to be connected: one, or none where whoever sends it was too late. */
static int interrupt_connect(uint16_t port, unsigned patience_ms)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), before = signals;
    struct timeval patience = { .tv_sec = patience_ms / 1000, .tv_usec = patience_ms % 1000 * 1000 };
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        wait_asleep(parent);
        (void)usleep(20000); /* and its broker has begun */
        (void)kill(parent, SIGUSR1);
        _exit(0);
    }
    const bool waited = dial(fd, port) < 0 && errno == EINPROGRESS; /* begun again, and waited for */
    const int came = signals - before;
    (void)close(fd);
    return waited && waitpid(child, NULL, 0) == child ? came : -1;
}

static int inside_interrupted(const uint16_t *ports)
{
    struct sigaction again = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
    int came = 0;
    WANT(sigaction(SIGUSR1, &again, NULL) == 0);
    for (unsigned patience_ms = 200; came == 0 && patience_ms < PATIENCE_MS; patience_ms *= 2)
        came = interrupt_connect(ports[0], patience_ms);
    WANT(came == 1);
    return 0;
}

TEST(an_interrupted_connect_goes_on_waiting)
{
    struct server full;
    struct world w = { 0 };
    int fill[4];
    server_full(&full, fill);
    world_allow(&w, full.port);
    world_start(&w, inside_interrupted, &full.port);
    CHECK_EQ(world_wait(&w), 0);
    world_end(&w);
    for (int i = 0; i < 4; i++)
        (void)close(fill[i]);
    server_close(&full);
}

/* The test itself is the broker here, so that the moment is known: the number is closed and used again between taking
 * and replacing. */
static int signal_pipe[2], done_pipe[2];
static void *reuse(void *arg)
{
    char c;
    int number = *(int *)arg;
    if (read(signal_pipe[0], &c, 1) != 1)
        return NULL;
    int other = open("/dev/null", O_RDWR);
    (void)dup2(other, number);
    (void)!write(done_pipe[1], "d", 1);
    return NULL;
}

static int inside_reuse(const uint16_t *ports)
{
    pthread_t t;
    struct stat st;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    WANT(pthread_create(&t, NULL, reuse, &fd) == 0);
    WANT(dial(fd, ports[0]) < 0 && errno == EBADF);
    (void)pthread_join(t, NULL);
    WANT(fstat(fd, &st) == 0 && S_ISCHR(st.st_mode)); /* the other file is still there */
    return 0;
}

TEST(a_number_that_was_used_again_meanwhile_is_not_replaced)
{
    struct server s;
    struct world w = { .has_no_broker = true };
    struct seccomp_notif ask;
    struct target t;
    char c;
    server_echo(&s);
    CHECK(pipe2(signal_pipe, O_CLOEXEC) == 0 && pipe2(done_pipe, O_CLOEXEC) == 0);
    world_start(&w, inside_reuse, &s.port);
    struct broker b = { .routes = -1, .notify = { .listener = w.listener, .events = -1 } };
    CHECK_EQ(notify_receive(&b.notify, &ask), 1);
    CHECK_EQ(target_take(&b, &ask, &t), 0);
    int sock = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_EQ(dial(sock, s.port), 0);
    CHECK(write(signal_pipe[1], "s", 1) == 1 && read(done_pipe[0], &c, 1) == 1);
    CHECK_EQ(handover(&b, &ask, &t, sock), EBADF);
    notify_answer(&b.notify, ask.id, 0, EBADF);
    CHECK_EQ(world_wait(&w), 0);
    target_done(&t);
    (void)close(sock);
    for (int i = 0; i < 2; i++) {
        (void)close(signal_pipe[i]);
        (void)close(done_pipe[i]);
    }
    world_end(&w);
    server_close(&s);
}

static void *sit(void *arg)
{
    (void)pause();
    return arg;
}

static int dial_unix(void)
{
    struct sockaddr_un a = { .sun_family = AF_UNIX, .sun_path = "/nonexistent/socket" };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int e = connect(fd, (struct sockaddr *)&a, sizeof a) < 0 ? errno : 0;
    (void)close(fd);
    return e;
}

static int inside_unix(const uint16_t *ports)
{
    pthread_t t;
    WANT(dial_unix() == ENOENT);
    WANT(pthread_create(&t, NULL, sit, NULL) == 0);
    int e = dial_unix();
    WANT(e == ports[0]);
    return 0;
}

TEST(a_local_connect_continues_only_where_nobody_could_exchange_its_socket)
{
    for (int fenced = 0; fenced <= 1; fenced++) {
        struct world w = { .is_tcp_fenced = fenced };
        world_start(&w, inside_unix, (uint16_t[]){ fenced ? ENOENT : EACCES });
        CHECK_EQ(world_wait(&w), 0);
        world_end(&w);
    }
}

/* --- limits
 * ------------------------------------------------------------------------------------------------------------------ */

static int inside_many(const uint16_t *ports)
{
    int ok = 0, busy = 0, fds[5];
    for (int i = 0; i < 5; i++) {
        fds[i] = socket(AF_INET, SOCK_STREAM, 0);
        if (dial(fds[i], ports[0]) == 0)
            ok++;
        else
            busy += errno == ENOBUFS;
    }
    WANT(ok == 3 && busy == 2);
    (void)close(fds[0]);
    for (uint64_t until = clock_ms() + PATIENCE_MS; clock_ms() < until;) { /* its end is heard of */
        (void)usleep(10000);
        if (dial(fds[4], ports[0]) == 0)
            return 0;
    }
    return __LINE__;
}

TEST(connections_at_a_time_are_limited_and_closed_ones_make_room)
{
    struct server s;
    struct world w = { .rules.max_connections = 3 };
    struct watch_event e;
    server_open(&s, 128);
    world_allow(&w, s.port);
    world_start(&w, inside_many, &s.port);
    CHECK(next_event(&w, WATCH_CLOSED, &e));
    CHECK_EQ(e.connection, 1);
    CHECK_EQ(world_wait(&w), 0);
    world_end(&w);
    server_close(&s);
}

static int inside_sender(const uint16_t *ports)
{
    static char bytes[65536];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    WANT(dial(fd, ports[0]) == 0);
    for (int i = 0; i < 4; i++)
        WANT(write(fd, bytes, sizeof bytes) == sizeof bytes &&
             recv(fd, bytes, sizeof bytes, MSG_WAITALL) == sizeof bytes);
    for (uint64_t until = clock_ms() + PATIENCE_MS; clock_ms() < until;
         (void)usleep(10000)) { /* the broker counts now and then */
        int more = socket(AF_INET, SOCK_STREAM, 0);
        if (dial(more, ports[0]) < 0)
            return errno == EACCES ? 0 : __LINE__;
        (void)close(more);
    }
    return __LINE__;
}

TEST(bytes_beyond_the_limit_are_told_to_the_launcher_and_nothing_connects_any_more)
{
    struct server s;
    struct world w = { .rules.max_bytes = 100000 };
    struct broker_message m;
    struct watch_event e;
    struct pollfd p;
    server_echo(&s);
    world_allow(&w, s.port);
    world_start(&w, inside_sender, &s.port);
    p = (struct pollfd){ .fd = w.launcher, .events = POLLIN };
    CHECK(poll(&p, 1, PATIENCE_MS) == 1 && recv(w.launcher, &m, sizeof m, 0) == (ssize_t)sizeof m);
    CHECK_EQ(m.type, BROKER_LIMIT);
    CHECK_STR(m.text, "network.max_bytes");
    CHECK_EQ(world_wait(&w), 0);
    CHECK(next_event(&w, WATCH_TRAFFIC, &e));
    CHECK(e.bytes_out + e.bytes_in > 0);
    do
        CHECK(next_event(&w, WATCH_CLOSED, &e));
    while (e.connection != 1);
    CHECK_EQ(e.bytes_out, 4 * 65536);
    world_end(&w);
    server_close(&s);
}

static int inside_flood(const uint16_t *ports)
{
    (void)ports;
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a000001), .sin_port = htons(80) };
    for (int i = 0; i < 300; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        WANT(connect(fd, (struct sockaddr *)&a, sizeof a) < 0 && errno == EACCES);
        (void)close(fd);
    }
    return 0;
}

TEST(askers_wait_while_nobody_takes_the_events_and_none_is_lost)
{
    struct world w = { .events_buffer = 4096 };
    struct watch_event e;
    int count = 0;
    world_start(&w, inside_flood, NULL);
    (void)usleep(200000);
    CHECK_EQ(waitpid(w.payload, NULL, WNOHANG), 0); /* it waits */
    while (count < 300 && next_event(&w, WATCH_CONNECT, &e))
        count++;
    CHECK_EQ(count, 300);
    CHECK_EQ(world_wait(&w), 0);
    world_end(&w);
}

/* --- confinement
 * ----------------------------------------------------------------------------------------------------------------- */

static bool write_file(const char *path, const char *text)
{
    cleanup(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);
    return fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

static bool own_user_namespace(void)
{
    char uids[40], gids[40];
    (void)snprintf(uids, sizeof uids, "%u %u 1", geteuid(), geteuid());
    (void)snprintf(gids, sizeof gids, "%u %u 1", getegid(), getegid());
    return unshare(CLONE_NEWUSER) == 0 && write_file("/proc/self/setgroups", "deny") &&
           write_file("/proc/self/uid_map", uids) && write_file("/proc/self/gid_map", gids);
}

#if defined __SANITIZE_ADDRESS__
static const bool is_sanitized = true; /* its runtime makes calls of its own, and wants memory for shadows */
#else
static const bool is_sanitized = false;
#endif

/* In a child: 0, its exit code, or 128 + the signal that ended it. */
static int confined(enum confine_role role, int (*then)(void))
{
    int status = 0;
    (void)fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct error err = { 0 };
        if (role == CONFINE_BROKER && !own_user_namespace()) /* where it may make a mount namespace, whoever we are */
            _exit(77);
        if (broker_confine(role, &err) < 0) {
            (void)fprintf(stderr, "# %s\n", err.text);
            _exit(78);
        }
        _exit(then());
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int then_files(void)
{
    cleanup(closep) int own = open("/proc/self/status", O_RDONLY | O_CLOEXEC),
                        other = open("/etc/passwd", O_RDONLY | O_CLOEXEC),
                        up = open("../../../../etc/passwd", O_RDONLY | O_CLOEXEC);
    return own < 0 ? 1 : other >= 0 ? 2 : up >= 0 ? 3 : 0;
}
static int then_write(void)
{
    return open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC) >= 0;
}
static int then_local_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0;
}
static int then_open(void)
{
    return open("/proc/self/status", O_RDONLY | O_CLOEXEC) >= 0;
}
static int then_process(void)
{
    return fork() >= 0;
}
static int then_inet(void)
{
    return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0) < 0;
}

TEST(a_confined_broker_sees_proc_and_nothing_else)
{
    if (is_sanitized)
        SKIP("AddressSanitizer makes calls that are not permitted");
    int code = confined(CONFINE_BROKER, then_files);
    if (code == 77)
        SKIP("no user namespace for this user");
    CHECK_EQ(code, 0);
    CHECK_EQ(confined(CONFINE_BROKER, then_inet), 0);
    CHECK_EQ(confined(CONFINE_BROKER, then_write), 128 + SIGSYS);
    CHECK_EQ(confined(CONFINE_BROKER, then_local_socket), 128 + SIGSYS);
    CHECK_EQ(confined(CONFINE_BROKER, then_process), 128 + SIGSYS);
}

TEST(a_confined_resolver_has_its_sockets_and_nothing_else)
{
    if (is_sanitized)
        SKIP("AddressSanitizer makes calls that are not permitted");
    for (enum confine_role role = CONFINE_INSIDE; role <= CONFINE_RESOLVER; role++) {
        CHECK_EQ(confined(role, then_inet), 0);
        CHECK_EQ(confined(role, then_open), 128 + SIGSYS);
        CHECK_EQ(confined(role, then_local_socket), 128 + SIGSYS);
        CHECK_EQ(confined(role, then_process), 128 + SIGSYS);
    }
}

TEST(a_confined_broker_connects_as_any_other)
{
    struct server s;
    struct world w = { .is_confined = true };
    struct watch_event e;
    if (is_sanitized)
        SKIP("AddressSanitizer makes calls that are not permitted");
    if (geteuid() != 0)
        SKIP("only root may make a mount namespace without a user namespace");
    server_echo(&s);
    world_allow(&w, s.port);
    world_start(&w, inside_blocking, &s.port);
    CHECK_EQ(world_wait(&w), 0);
    CHECK(next_event(&w, WATCH_CLOSED, &e));
    CHECK_EQ(e.bytes_out, 5);
    world_end(&w);
    server_close(&s);
}

/* --- speed
 * ------------------------------------------------------------------------------------------------------------------------
 */

static int compare(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* What nine of ten connects take longer than: the machine's other work is in the rest of them. */
static uint64_t best_tenth_ns(uint16_t port, int rounds)
{
    static uint64_t took[1000];
    for (int i = 0; i < rounds; i++) {
        struct timespec from, to;
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        (void)clock_gettime(CLOCK_MONOTONIC, &from);
        bool ok = dial(fd, port) == 0;
        (void)clock_gettime(CLOCK_MONOTONIC, &to);
        (void)close(fd);
        took[i] = ok ? (uint64_t)(to.tv_sec - from.tv_sec) * 1000000000u + (uint64_t)to.tv_nsec - (uint64_t)from.tv_nsec
                     : UINT64_MAX;
    }
    qsort(took, (size_t)rounds, sizeof took[0], compare);
    return took[rounds / 10];
}

static int inside_latency(const uint16_t *ports)
{
    uint64_t t = best_tenth_ns(ports[0], 1000);
    (void)fprintf(stderr, "# a brokered connect takes %llu us (the best tenth of 1000)\n",
                  (unsigned long long)t / 1000);
    return t < 5000000 ? 0 : __LINE__; /* 5 ms: this is no benchmark; bench/ is */
}

TEST(a_brokered_connect_takes_microseconds)
{
    struct server s;
    struct world w = { 0 };
    server_echo(&s);
    world_allow(&w, s.port);
    (void)fprintf(stderr, "# a plain connect takes %llu us\n", (unsigned long long)best_tenth_ns(s.port, 1000) / 1000);
    world_start(&w, inside_latency, &s.port);
    CHECK_EQ(world_drain(&w), 0);
    world_end(&w);
    server_close(&s);
}

/* --- words of mining protocols ------------------------------------------------------------------------------------ */

#define HEX "0e0eb0f3c1b206a1d9f1e5c7a0b1c2d3e4f5061728394a5b6c7d8e9f0011223344556677889900aabbccddeeff0011223344"

static bool is_mining(const char *text)
{
    return words_find(text, strlen(text)) != NULL;
}

TEST(words_of_pools_are_known_in_every_protocol_of_xmrigs)
{
    CHECK(is_mining("x{\"id\":1,\"method\": \"mining.subscribe\"}"));
    CHECK(is_mining("{\"method\":\"eth_submitLogin\"}"));
    CHECK(is_mining("{\"method\":\"login\",\"params\":{\"login\":\"4AbC\",\"pass\":\"x\",\"algo\":[\"rx/0\"]}}"));
    CHECK(is_mining("{\"method\":\"job\",\"params\":{\"blob\":\"" HEX "\",\"job_id\":\"1\",\"target\":\"b8\"}}"));
    CHECK(is_mining("{\"job_id\": \"1\", \"target\": \"b88d0600\", \"seed_hash\": \"" HEX "\"}"));
    CHECK(is_mining("{\"previousblockhash\":\"" HEX "\",\"coinbasevalue\": 625000000,\"bits\":\"1d00ffff\"}"));
    CHECK(!is_mining("{\"hash\":\"" HEX "\",\"previousblockhash\":\"" HEX "\",\"bits\":\"1d00ffff\"}")); /* read */
    CHECK(!is_mining("\"coinbasevalue\" (numeric) beside \"previousblockhash\" (string)"));              /* its help */
    CHECK(is_mining("{\"method\": \"submit\", \"params\": {\"job_id\": \"1\", \"nonce\": \"00000001\"}}"));
}

TEST(words_of_queues_and_logins_are_not_those_of_pools)
{
    char far[4096];
    CHECK(!is_mining("{\"login\":\"me\",\"pass\":\"x\",\"agent\":\"browser\"}"));
    CHECK(!is_mining("{\"job_id\":\"run-7\",\"target\":\"loss\",\"algo\":\"sgd\",\"blob\":\"s3://runs/7\"}"));
    CHECK(!is_mining("{\"method\":\"submit\",\"params\":{\"job_id\":\"7\",\"queue\":\"night\"}}"));
    CHECK(!is_mining("{\"blob\":\"" HEX "\",\"sha\":\"" HEX "\"}"));
    memset(far, ' ', sizeof far); /* no message has its members so far apart */
    memcpy(far, "\"job_id\"", 8);
    memcpy(far + sizeof far - 32, "\"seed_hash\" \"target\"", 20);
    CHECK(!words_find(far, sizeof far));
}

/* Written piece by piece, so that the text to be found lies nowhere else in our memory. */
static enum words_place place_of(const char *before, const char *a, const char *b, const char *after)
{
    char command[64], *message = calloc(1, 256);
    CHECK(message);
    (void)snprintf(command, sizeof command, "%s%s", a, b);
    (void)snprintf(message, 256, "%s%s%s%s", before, a, b, after);
    enum words_place place = words_find_text((uint32_t)getpid(), command, strlen(command));
    memset(message, 0, 256);
    free(message);
    return place;
}

TEST(a_command_that_came_is_found_at_the_end_of_a_line_or_between_quotes)
{
#if defined __SANITIZE_ADDRESS__
    SKIP("AddressSanitizer keeps other copies of what this process has in its memory");
#endif
    CHECK_EQ(place_of(":boss!b@home PRIVMSG #room :!run ", "uname -s", "r -first", "\r\n:home PING x\r\n"), WORDS_LINE);
    CHECK_EQ(place_of("id: 7\ndata: ", "uname -s", "r -second", "\n\nid: 8\n"), WORDS_LINE);
    CHECK_EQ(place_of("{\"command\": \"", "uname -s", "r -third", "\"}\r\n"), WORDS_STRING);
    CHECK_EQ(place_of("do this:\n```bash\n", "uname -s", "r -fourth", "\n```\nthat is all\n"), WORDS_NOWHERE);
    CHECK_EQ(place_of("printf %s '", "uname -s", "r -fifth", "' | sha256sum\n"), WORDS_NOWHERE);
    CHECK_EQ(place_of("{\"text\": \"say ", "uname -s", "r -sixth", "\"}\r\n"), WORDS_NOWHERE);
}
