#include "broker/route.h"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#define ANSWER_MAX 4096

struct question {
    struct nlmsghdr head;
    struct rtmsg route;
    char attributes[RTA_SPACE(16) + RTA_SPACE(sizeof(uint32_t))];
};

int route_open(void)
{
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    return fd < 0 ? -errno : fd;
}

static void add_attribute(struct question *q, uint16_t type, const void *data, size_t size)
{
    struct rtattr *a = (struct rtattr *)(void *)((char *)q + NLMSG_ALIGN(q->head.nlmsg_len));
    assert((char *)a + RTA_SPACE(size) <= (char *)(q + 1));
    a->rta_type = type;
    a->rta_len = (unsigned short)RTA_LENGTH(size);
    memcpy(RTA_DATA(a), data, size);
    q->head.nlmsg_len = NLMSG_ALIGN(q->head.nlmsg_len) + (uint32_t)RTA_SPACE(size);
}

/* The type of the route (RTN_*), or -errno: there is none, or it was not to be had. */
static int route_type(int routes, const struct net_address *a, uint32_t interface)
{
    static uint32_t last;
    const size_t size = a->family == AF_INET ? 4 : 16;
    struct question q = { .head = { .nlmsg_len = NLMSG_LENGTH(sizeof q.route),
                                    .nlmsg_type = RTM_GETROUTE,
                                    .nlmsg_flags = NLM_F_REQUEST,
                                    .nlmsg_seq = ++last },
                          .route = { .rtm_family = a->family, .rtm_dst_len = (unsigned char)(size * 8) } };
    union {
        struct nlmsghdr head;
        char bytes[ANSWER_MAX];
    } answer;
    add_attribute(&q, RTA_DST, a->bytes, size);
    if (interface)
        add_attribute(&q, RTA_OIF, &interface, sizeof interface);
    if (send(routes, &q, q.head.nlmsg_len, 0) < 0)
        return -errno;
    ssize_t n;
    do /* it was answered within send(); an answer to another question would be left from an error */
        n = recv(routes, answer.bytes, sizeof answer, MSG_DONTWAIT);
    while (n >= (ssize_t)sizeof answer.head && answer.head.nlmsg_seq != last);
    if (n < 0)
        return -errno;
    if (n >= (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr)) && answer.head.nlmsg_type == NLMSG_ERROR) {
        const struct nlmsgerr *e = (const void *)(answer.bytes + NLMSG_HDRLEN);
        return e->error < 0 ? e->error : -EBADMSG;
    }
    if (n < (ssize_t)NLMSG_LENGTH(sizeof(struct rtmsg)) || answer.head.nlmsg_type != RTM_NEWROUTE)
        return -EBADMSG;
    const struct rtmsg *r = (const void *)(answer.bytes + NLMSG_HDRLEN);
    return r->rtm_type;
}

static bool leads_home(int routes, const struct net_address *a, uint32_t interface)
{
    int type = route_type(routes, a, interface);
    if (type < 0) /* without a route nothing is reached: the connect will say so */
        return type != -ENETUNREACH && type != -EHOSTUNREACH && type != -EACCES && type != -EINVAL;
    return type == RTN_LOCAL || type == RTN_BROADCAST || type == RTN_ANYCAST || type == RTN_MULTICAST;
}

bool route_is_local(int routes, const struct net_address *a, uint32_t interface)
{
    struct net_address within;
    if (routes < 0)
        return false;
    for (size_t i = 0; net_embedded(a, i, &within); i++) /* a tunnel of the host's own ends there */
        if (leads_home(routes, &within, 0))
            return true;
    return leads_home(routes, a, interface);
}
