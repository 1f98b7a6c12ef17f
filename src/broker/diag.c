#include "broker/diag.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#ifndef SOL_NETLINK
#define SOL_NETLINK 270
#endif
#define MESSAGE_MAX 2048

static bool join(int fd, int group)
{
    return setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) == 0;
}

static int open_ends(void)
{
    cleanup(closep) int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
    /* the kernel's own port is 0, and what it says reaches no process of that port: without a bind(2) nothing would be
     * heard */
    struct sockaddr_nl self = { .nl_family = AF_NETLINK };
    if (fd < 0 || bind(fd, (struct sockaddr *)&self, sizeof self) < 0 || !join(fd, SKNLGRP_INET_TCP_DESTROY) ||
        !join(fd, SKNLGRP_INET6_TCP_DESTROY))
        return -1;
    return TAKE_FD(fd);
}

int diag_open(struct diag *d)
{
    struct diag_id nobody = { .family = AF_INET, .cookie = UINT64_MAX - 1 };
    struct diag_numbers n;
    struct diag made = { socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG), -1 };
    if (made.questions < 0)
        return -errno;
    int e = diag_ask(&made, &nobody, &n);
    if (e < 0 && e != -ENOENT && e != -ESTALE) { /* the book of TCP is a module of its own */
        diag_close(&made);
        return e;
    }
    made.ends = open_ends();
    *d = made;
    return 0;
}

void diag_close(struct diag *d)
{
    closep(&d->questions);
    closep(&d->ends);
}

static uint64_t cookie_of(const uint32_t words[2])
{
    return (uint64_t)words[1] << 32 | words[0];
}

/* Kernels append to struct tcp_info: what is not there counts as 0. */
static void read_info(const void *data, size_t size, struct diag_numbers *ret)
{
    struct tcp_info info = { 0 };
    memcpy(&info, data, MIN_OF(size, sizeof info));
    /* bytes_acked would count the SYN, and miss what is on its way */
    ret->bytes_out = info.tcpi_bytes_sent >= info.tcpi_bytes_retrans ? info.tcpi_bytes_sent - info.tcpi_bytes_retrans
                                                                     : 0;
    ret->bytes_in = info.tcpi_bytes_received;
}

/* One message of the kernel. 0 or -errno. */
static int read_message(const struct nlmsghdr *h, size_t size, struct diag_numbers *ret)
{
    struct diag_numbers n = { 0 };
    if (size < sizeof *h || h->nlmsg_len < sizeof *h || h->nlmsg_len > size)
        return -EBADMSG;
    if (h->nlmsg_type == NLMSG_ERROR) {
        const struct nlmsgerr *e = (const void *)((const char *)h + NLMSG_HDRLEN);
        return h->nlmsg_len < NLMSG_LENGTH(sizeof *e) || e->error >= 0 ? -EBADMSG : e->error;
    }
    if (h->nlmsg_type != SOCK_DIAG_BY_FAMILY || h->nlmsg_len < NLMSG_LENGTH(sizeof(struct inet_diag_msg)))
        return -EBADMSG;
    const struct inet_diag_msg *m = (const void *)((const char *)h + NLMSG_HDRLEN);
    size_t left = h->nlmsg_len - NLMSG_SPACE(sizeof *m);
    const struct rtattr *a = (const void *)((const char *)h + NLMSG_SPACE(sizeof *m));
    bool has_info = false;
    n.cookie = cookie_of(m->id.idiag_cookie);
    n.is_orphan = m->idiag_inode == 0;
    n.queued = m->idiag_wqueue;
    for (; h->nlmsg_len > NLMSG_SPACE(sizeof *m) && RTA_OK(a, left); a = RTA_NEXT(a, left))
        if (a->rta_type == INET_DIAG_INFO) {
            read_info(RTA_DATA(a), RTA_PAYLOAD(a), &n);
            has_info = true;
        }
    if (!has_info) /* what is left of it is a timer: closed here, and the peer's end is waited for */
        return -ENOENT;
    *ret = n;
    return 0;
}

int diag_ask(const struct diag *d, const struct diag_id *id, struct diag_numbers *ret)
{
    struct {
        struct nlmsghdr h;
        struct inet_diag_req_v2 r;
    } q = { .h = { .nlmsg_len = sizeof q, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST },
            .r = { .sdiag_family = id->family,
                   .sdiag_protocol = IPPROTO_TCP,
                   .idiag_ext = 1 << (INET_DIAG_INFO - 1),
                   .idiag_states = UINT32_MAX } };
    union {
        struct nlmsghdr h;
        char bytes[MESSAGE_MAX];
    } answer;
    q.r.id.idiag_sport = id->local_port;
    q.r.id.idiag_dport = id->remote_port;
    memcpy(q.r.id.idiag_src, id->local, 16);
    memcpy(q.r.id.idiag_dst, id->remote, 16);
    q.r.id.idiag_cookie[0] = (uint32_t)id->cookie;
    q.r.id.idiag_cookie[1] = (uint32_t)(id->cookie >> 32);
    if (send(d->questions, &q, sizeof q, 0) < 0)
        return -errno;
    ssize_t n = recv(d->questions, answer.bytes, sizeof answer, MSG_DONTWAIT); /* it was written within send() */
    return n < 0 ? -errno : read_message(&answer.h, (size_t)n, ret);
}

bool diag_next_end(const struct diag *d, struct diag_numbers *ret)
{
    union {
        struct nlmsghdr h;
        char bytes[MESSAGE_MAX];
    } m;
    for (;;) {
        ssize_t n = d->ends < 0 ? -1 : recv(d->ends, m.bytes, sizeof m, MSG_DONTWAIT);
        if (n < 0 && errno == ENOBUFS) /* some were lost: those are missed when they are asked for */
            continue;
        if (n < 0)
            return false;
        if (read_message(&m.h, (size_t)n, ret) == 0)
            return true;
    }
}
