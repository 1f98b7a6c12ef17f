/* factory.c - the process that makes sockets in the sandbox's network namespace. How this works.
 *
 * Forked by inside_start() from the broker, which is in the sandbox's user namespace with every capability there. It
 * enters the network namespace, routes (factory_routes.c), opens what needs a capability, confines itself (confine.c:
 * nothing but CAP_NET_BIND_SERVICE and a few calls is left), says that it is ready, and then answers one question for
 * ever: a UDP socket with this local address, please.
 *
 * Why a request is harmless even if the broker is owned: a socket of the sandbox's namespace reaches the sandbox, which
 * is in there anyway. Why a process of its own: a namespace is entered with capabilities that the broker must not keep.
 */
#include "broker/inside.h"

#include "base/kernel.h"
#include "broker/sockaddr.h"

#include <fcntl.h>
#include <linux/icmp.h>
#include <netinet/icmp6.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#define KIPV6_FREEBIND \
    78 /* linux/in6.h; bind(2) of IPv6 asks for an address of an interface, a local route is not enough */
#define KSO_NETNS_COOKIE 71 /* asm-generic/socket.h, 5.14 */
#define KICMP_FILTER     1  /* linux/icmp.h, level SOL_RAW */
#define KSOL_RAW         255
#define RECEIVE_BYTES \
    (512 << 10) /* the kernel takes as much of it as rmem_max says; 64 relays have 64 MiB at most, whatever that is */

static int bound(const struct net_address *a, uint16_t port, int type, int *ret)
{
    union inet_name name;
    if (a->family != AF_INET && a->family != AF_INET6)
        return -EAFNOSUPPORT;
    socklen_t size = inet_name_of(a, port, &name);
    cleanup(closep) int fd = socket(a->family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){ RECEIVE_BYTES }, sizeof(int)); /* less is smaller bursts */
    if (a->family == AF_INET6 && (setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &(int){ 1 }, sizeof(int)) < 0 ||
                                  setsockopt(fd, IPPROTO_IPV6, KIPV6_FREEBIND, &(int){ 1 }, sizeof(int)) < 0))
        return -errno;
    /* a resolver's connections of the run before (same slot, TIME_WAIT) do not matter; for datagrams it would
     * let the payload share the address, so not there */
    if (type == SOCK_STREAM && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int)) < 0)
        return -errno;
    if (bind(fd, &name.any, size) < 0)
        return -errno;
    *ret = TAKE_FD(fd);
    return 0;
}

/* Port 1 of the loopback is bound and never listens, so it refuses: what becomes of a non-blocking connect that the
 * rules refuse (connect.c). Held for as long as we live; without SO_REUSEADDR no other process can listen there. Where
 * a program has the port already it is that program who refuses, or is met: no more than itself. */
static void hold_closed_port(uint8_t family)
{
    struct net_address here = { AF_INET, { 127, 0, 0, 53 } };
    union inet_name name;
    if (family == AF_INET6)
        here = (struct net_address){ AF_INET6, { [15] = 1 } };
    socklen_t size = inet_name_of(&here, 1, &name);
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        (void)bind(fd, &name.any, size);
}

/* For sending errors (icmp.c); whatever arrives is filtered away. */
static int error_socket(uint8_t family)
{
    bool is_v4 = family == AF_INET;
    cleanup(closep) int fd = socket(family, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC,
                                    is_v4 ? IPPROTO_ICMP : IPPROTO_ICMPV6);
    if (fd < 0)
        return -errno;
    struct icmp6_filter none6;
    ICMP6_FILTER_SETBLOCKALL(&none6);
    uint32_t none4 = UINT32_MAX;
    int e = is_v4 ? setsockopt(fd, KSOL_RAW, KICMP_FILTER, &none4, sizeof none4)
                  : setsockopt(fd, IPPROTO_ICMPV6, ICMP6_FILTER, &none6, sizeof none6);
    return e < 0 ? -errno : TAKE_FD(fd);
}

static int open_resolver(int fds[static INSIDE_FD_COUNT], struct error *err)
{
    static const struct net_address here = { AF_INET, { 127, 0, 0, 53 } };
    int e = bound(&here, 53, SOCK_DGRAM, &fds[INSIDE_FD_UDP]);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, "NETWORK", "the resolver's address 127.0.0.53:53 (UDP): %s", strerror(-e));
    e = bound(&here, 53, SOCK_STREAM, &fds[INSIDE_FD_TCP]);
    if (e == 0 && listen(fds[INSIDE_FD_TCP], 16) < 0)
        e = -errno;
    return e < 0
               ? err_set(err, e, BLAME_HOST, "NETWORK", "the resolver's address 127.0.0.53:53 (TCP): %s", strerror(-e))
               : 0;
}

static int open_all(int net_ns, bool wants_ipv6, int fds[static INSIDE_FD_COUNT], struct inside_ready *ready)
{
    struct error *err = &ready->error;
    bool has_ipv6;
    if (setns(net_ns, CLONE_NEWNET) < 0)
        return err_set(err, -errno, BLAME_HOST, "NETWORK", "enter the sandbox's network namespace: %m");
    int e = factory_routes(wants_ipv6, &has_ipv6, err);
    if (e < 0 || (e = open_resolver(fds, err)) < 0)
        return e;
    hold_closed_port(AF_INET);
    hold_closed_port(AF_INET6);
    fds[INSIDE_FD_ICMP] = error_socket(AF_INET);
    if (fds[INSIDE_FD_ICMP] < 0)
        return err_set(err, fds[INSIDE_FD_ICMP], BLAME_HOST, "NETWORK", "ICMP socket in the sandbox: %s",
                       strerror(-fds[INSIDE_FD_ICMP]));
    ready->count = INSIDE_FD_ICMP6;
    if (has_ipv6 && (fds[INSIDE_FD_ICMP6] = error_socket(AF_INET6)) >= 0)
        ready->count++;
    /* a kernel before 5.14 has no cookies: 0 */
    (void)getsockopt(fds[INSIDE_FD_UDP], SOL_SOCKET, KSO_NETNS_COOKIE, &ready->cookie,
                     &(socklen_t){ sizeof ready->cookie });
    return 0;
}

/* Requests until no process asks any more. One at a time, nothing is kept. */
static void serve(int sock)
{
    struct inside_request r;
    ssize_t n;
    while ((n = recv(sock, &r, sizeof r, 0)) == (ssize_t)sizeof r || (n < 0 && errno == EINTR)) {
        if (n < 0)
            continue;
        cleanup(closep) int fd = -EBADF;
        int32_t e = bound(&r.address, r.port, SOCK_DGRAM, &fd);
        if (send_message(sock, &e, sizeof e, &fd, e == 0) < 0)
            return;
    }
}

_Noreturn void factory(int sock, int net_ns, pid_t parent, bool wants_ipv6)
{
    struct inside_ready ready = { 0 };
    int fds[INSIDE_FD_COUNT] = { -1, -1, -1, -1 };
    /* what the broker has open is not ours: the listener, the launcher's socket */
    if (dup3(sock, 1, O_CLOEXEC) < 0 || dup3(net_ns, 0, O_CLOEXEC) < 0 || sys_close_range(2, ~0u) < 0)
        _exit(1);
    int e = open_all(0, wants_ipv6, fds, &ready);
    (void)close(0);
    /* afterwards it cannot be asked for any more; giving up capabilities does not clear it (commit_creds() in the
     * kernel) */
    if (e == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent))
        _exit(1);
    if (e == 0)
        e = broker_confine(CONFINE_INSIDE, &ready.error); /* keeps CAP_NET_BIND_SERVICE */
    e = send_message(1, &ready, sizeof ready, fds, e == 0 ? ready.count : 0) < 0 ? -EPIPE : e;
    for (size_t i = 0; i < INSIDE_FD_COUNT; i++)
        closep(&fds[i]);
    if (e == 0)
        serve(1);
    _exit(e != 0);
}
