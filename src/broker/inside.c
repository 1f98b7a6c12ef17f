/* inside.c - the broker's side of the socket factory (factory.c): starting it, asking it. */
#include "broker/inside.h"

#include "broker/sockaddr.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>

#define FACTORY_PATIENCE_S 5 /* it answers in microseconds; on a machine that swaps in a second */

int inside_send(int sock, const void *data, size_t size, const int *fds, size_t count)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int) * INSIDE_FD_COUNT)];
        struct cmsghdr align;
    } control = { 0 };
    struct iovec part = { (void *)(uintptr_t)data, size };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
    assert(count <= INSIDE_FD_COUNT);
    if (count) {
        m.msg_control = control.bytes;
        m.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *h = CMSG_FIRSTHDR(&m);
        h->cmsg_level = SOL_SOCKET;
        h->cmsg_type = SCM_RIGHTS;
        h->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(h), fds, sizeof(int) * count);
    }
    return sendmsg(sock, &m, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

ssize_t inside_receive(int sock, void *data, size_t size, int *fds, size_t max, size_t *ret_count)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int) * INSIDE_FD_COUNT)];
        struct cmsghdr align;
    } control;
    struct iovec part = { data, size };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes };
    assert(max <= INSIDE_FD_COUNT);
    *ret_count = 0;
    ssize_t n;
    do
        n = recvmsg(sock, &m, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    struct cmsghdr *h = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
    if (!h || h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS)
        return n < 0 ? -errno : n;
    for (size_t i = 0; i < (h->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
        int fd;
        memcpy(&fd, CMSG_DATA(h) + i * sizeof fd, sizeof fd);
        if (i < max)
            fds[(*ret_count)++] = fd;
        else
            (void)close(fd);
    }
    return n;
}

/* Whether the host has a route to the IPv6 world. 2000::/3 is all of it (RFC 4291); connecting a datagram socket sends nothing. */
static bool host_has_ipv6(void)
{
    static const struct net_address world = { AF_INET6, { 0x20, 0x00, [15] = 1 } };
    union inet_name name;
    socklen_t size = inet_name_of(&world, 53, &name);
    cleanup(closep) int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return fd >= 0 && connect(fd, &name.any, size) == 0;
}

static int await_ready(struct broker *b, int sock, struct error *err)
{
    struct inside_ready ready;
    int fds[INSIDE_FD_COUNT];
    size_t count;
    ssize_t n = inside_receive(sock, &ready, sizeof ready, fds, INSIDE_FD_COUNT, &count);
    if (n == (ssize_t)sizeof ready && ready.error.code == 0 && count == ready.count && count >= INSIDE_FD_ICMP6) {
        b->inside_cookie = ready.cookie;
        b->inside_dns_udp = fds[INSIDE_FD_UDP];
        b->inside_dns_tcp = fds[INSIDE_FD_TCP];
        b->inside_icmp = fds[INSIDE_FD_ICMP];
        b->inside_icmp6 = count > INSIDE_FD_ICMP6 ? fds[INSIDE_FD_ICMP6] : -1;
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        (void)close(fds[i]);
    if (n == (ssize_t)sizeof ready && ready.error.code < 0) {
        *err = ready.error;
        return err->code;
    }
    int e = n == -EAGAIN ? -ETIMEDOUT : n < 0 ? (int)n : -EPIPE;
    return err_set(err, e, BLAME_US, "NETWORK", "the socket factory in the sandbox's network %s",
                   e == -ETIMEDOUT ? "does not answer" : "died while it started");
}

int inside_start(struct broker *b, int net_ns, struct error *err)
{
    int pair[2];
    b->inside = b->inside_dns_udp = b->inside_dns_tcp = b->inside_icmp = b->inside_icmp6 = -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "NETWORK", "socketpair: %m");
    cleanup(closep) int ours = pair[0], theirs = pair[1];
    struct timeval patience = { .tv_sec = FACTORY_PATIENCE_S };
    if (setsockopt(ours, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0)
        return err_set(err, -errno, BLAME_HOST, "NETWORK", "SO_RCVTIMEO: %m");
    bool wants_ipv6 = host_has_ipv6();
    pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        return err_set(err, -errno, BLAME_HOST, "NETWORK", "start the socket factory: %m");
    if (pid == 0)
        factory(theirs, net_ns, parent, wants_ipv6);
    closep(&theirs); /* before we wait: its death must be an end of file */
    int e = await_ready(b, ours, err);
    if (e == 0)
        b->inside = TAKE_FD(ours);
    return e;
}

int inside_udp(struct broker *b, const struct net_address *a, uint16_t port)
{
    struct inside_request r;
    memset(&r, 0, sizeof r); /* padding too: it travels */
    r.port = port;
    r.address = *a;
    int32_t answer;
    int fd = -1;
    size_t count;
    int e = b->inside < 0 ? -EPIPE : inside_send(b->inside, &r, sizeof r, NULL, 0);
    if (e < 0)
        return e;
    ssize_t n = inside_receive(b->inside, &answer, sizeof answer, &fd, 1, &count);
    if (n == (ssize_t)sizeof answer && answer < 0 && count == 0)
        return answer;
    if (n == (ssize_t)sizeof answer && answer == 0 && count == 1)
        return fd;
    /* dead, or too late: a late answer would be taken for that of the next question, so there is no next question */
    if (count)
        (void)close(fd);
    closep(&b->inside);
    return n == -EAGAIN ? -ETIMEDOUT : -EPIPE;
}

int inside_resolver(struct broker *b, int *ret_udp, int *ret_tcp)
{
    if (b->inside_dns_udp < 0 || b->inside_dns_tcp < 0)
        return -EBADF;
    *ret_udp = TAKE_FD(b->inside_dns_udp);
    *ret_tcp = TAKE_FD(b->inside_dns_tcp);
    return 0;
}
