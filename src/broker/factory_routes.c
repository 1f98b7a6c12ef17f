/* factory_routes.c - every address is one of the sandbox's own (AnyIP).
 *
 *     local 0.0.0.0/0 dev lo src 192.0.2.1
 *     local ::/0      dev lo src 2001:db8::1
 *
 * With these two routes a socket may be bound to any address, and what is sent to that address within the namespace
 * arrives there. 127.0.0.0/8 and ::1 have routes of their own, which are longer and win: loopback is what it was. A TCP
 * connection that is tried natively meets no process and is refused by our own loopback, at once.
 *
 * The source: without `src` a datagram to 93.184.216.34 would come *from* 93.184.216.34. 192.0.2.1 (TEST-NET-1, RFC
 * 5737) belongs to no host, so nothing of the world is covered by it, and it is no loopback address:
 * getaddrinfo(AI_ADDRCONFIG) of glibc asks for one that is not, and orders answers by the scope of the source. The IPv6
 * one (RFC 3849) exists only where the host itself has a way to the IPv6 world; programs without it do not try IPv6
 * first.
 */
#include "broker/inside.h"

#include <arpa/inet.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define OWN_IPV4 "192.0.2.1"
#define OWN_IPV6 "2001:db8::1"

struct netlink_request {
    struct nlmsghdr head;
    union {
        struct rtmsg route;
        struct ifaddrmsg address;
    };
    char attributes[128];
};

static void add_attribute(struct netlink_request *r, uint16_t type, const void *data, size_t size)
{
    struct rtattr *a = (struct rtattr *)(void *)((char *)r + NLMSG_ALIGN(r->head.nlmsg_len));
    assert((char *)a + RTA_SPACE(size) <= (char *)(r + 1));
    a->rta_type = type;
    a->rta_len = (unsigned short)RTA_LENGTH(size);
    memcpy(RTA_DATA(a), data, size);
    r->head.nlmsg_len = NLMSG_ALIGN(r->head.nlmsg_len) + (uint32_t)RTA_SPACE(size);
}

/* Sends and waits for the acknowledgement: 0 or -errno. */
static int ask(int sock, struct netlink_request *r)
{
    r->head.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE |
                          NLM_F_REPLACE; /* a slot's network was routed by the run before */
    if (send(sock, r, r->head.nlmsg_len, 0) < 0)
        return -errno;
    struct {
        struct nlmsghdr head;
        struct nlmsgerr error;
        char echo[256];
    } answer;
    ssize_t n = recv(sock, &answer, sizeof answer, 0);
    if (n < 0)
        return -errno;
    if ((size_t)n < offsetof(__typeof__(answer), echo) || answer.head.nlmsg_type != NLMSG_ERROR)
        return -EPROTO;
    return answer.error.error;
}

static int add_address(int sock, int lo, uint8_t family, const void *address, size_t size)
{
    struct netlink_request r = { 0 };
    r.head.nlmsg_len = NLMSG_LENGTH(sizeof r.address);
    r.head.nlmsg_type = RTM_NEWADDR;
    r.address = (struct ifaddrmsg){ .ifa_family = family,
                                    .ifa_prefixlen = (uint8_t)(size * 8),
                                    .ifa_index = (uint32_t)lo,
                                    .ifa_flags = IFA_F_PERMANENT |
                                                 IFA_F_NODAD }; /* else tentative for a moment: no source for a route */
    add_attribute(&r, IFA_LOCAL, address, size);
    add_attribute(&r, IFA_ADDRESS, address, size);
    return ask(sock, &r);
}

static int add_route(int sock, int lo, uint8_t family, const void *source, size_t size)
{
    struct netlink_request r = { 0 };
    r.head.nlmsg_len = NLMSG_LENGTH(sizeof r.route);
    r.head.nlmsg_type = RTM_NEWROUTE;
    r.route = (struct rtmsg){ .rtm_family = family,
                              .rtm_table = RT_TABLE_LOCAL,
                              .rtm_protocol = RTPROT_STATIC,
                              .rtm_scope = RT_SCOPE_HOST,
                              .rtm_type = RTN_LOCAL };
    add_attribute(&r, RTA_OIF, &lo, sizeof lo);
    if (source)
        add_attribute(&r, RTA_PREFSRC, source, size);
    return ask(sock, &r);
}

static int check_loopback(int *ret_index, struct error *err)
{
    cleanup(closep) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq r = { .ifr_name = "lo" };
    if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &r) < 0)
        return err_set(err, -errno, BLAME_HOST, "NETWORK", "look at the sandbox's loopback: %m");
    if (!(r.ifr_flags & IFF_UP)) {
        (void)err_set(err, -ENETDOWN, BLAME_US, "NETWORK",
                      "the sandbox's loopback is down: its datagrams would reach no process");
        return err_remedy(err,
                          "network.mode bridge needs the shape's loopback; a plan without it must not start a broker");
    }
    if (ioctl(fd, SIOCGIFINDEX, &r) < 0)
        return err_set(err, -errno, BLAME_HOST, "NETWORK", "index of the sandbox's loopback: %m");
    *ret_index = r.ifr_ifindex;
    return 0;
}

static int route_ipv6(int sock, int lo, bool wants_ipv6, bool *ret_ipv6, struct error *err)
{
    struct in6_addr own;
    (void)inet_pton(AF_INET6, OWN_IPV6, &own);
    int e = wants_ipv6 ? add_address(sock, lo, AF_INET6, &own, sizeof own) : 0;
    if (e == 0)
        e = add_route(sock, lo, AF_INET6, wants_ipv6 ? &own : NULL, sizeof own);
    /* no IPv6 in this kernel, or disable_ipv6: the kernel's words for it */
    *ret_ipv6 = e == 0 || e == -EEXIST;
    if (*ret_ipv6 || e == -EOPNOTSUPP || e == -EAFNOSUPPORT || e == -EACCES || e == -ENODEV)
        return 0;
    return err_set(err, e, BLAME_HOST, "NETWORK", "route ::/0 to the sandbox's loopback: %s", strerror(-e));
}

int factory_routes(bool wants_ipv6, bool *ret_ipv6, struct error *err)
{
    int lo = 0, e = check_loopback(&lo, err);
    if (e < 0)
        return e;
    cleanup(closep) int sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (sock < 0)
        return err_set(err, -errno, BLAME_HOST, "NETWORK", "netlink socket: %m");
    struct in_addr own;
    (void)inet_pton(AF_INET, OWN_IPV4, &own);
    e = add_address(sock, lo, AF_INET, &own, sizeof own);
    if (e < 0 && e != -EEXIST)
        return err_set(err, e, BLAME_HOST, "NETWORK", "address " OWN_IPV4 " for the sandbox's loopback: %s",
                       strerror(-e));
    e = add_route(sock, lo, AF_INET, &own, sizeof own);
    if (e < 0 && e != -EEXIST)
        return err_set(err, e, BLAME_HOST, "NETWORK", "route 0.0.0.0/0 to the sandbox's loopback: %s", strerror(-e));
    return route_ipv6(sock, lo, wants_ipv6, ret_ipv6, err);
}
