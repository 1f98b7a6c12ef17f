/* inside.c - the broker's side of the socket factory (factory.c): starting it, asking it. */
#include "broker/inside.h"

#include "broker/sockaddr.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>

#define FACTORY_PATIENCE_S 5 /* it answers in microseconds; on a machine that swaps in a second */

/* Whether the host has a route to the IPv6 world. 2000::/3 is all of it (RFC 4291); connecting a datagram socket sends
 * nothing. */
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
    ssize_t n = receive_message(sock, &ready, sizeof ready, fds, INSIDE_FD_COUNT, &count);
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
    int e = b->inside < 0 ? -EPIPE : send_message(b->inside, &r, sizeof r, NULL, 0);
    if (e < 0)
        return e;
    ssize_t n = receive_message(b->inside, &answer, sizeof answer, &fd, 1, &count);
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
