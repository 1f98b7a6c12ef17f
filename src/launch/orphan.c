/* orphan.c - ends a TCP socket that a run has left: closed by its program, with bytes that the peer does not take.
 *
 * They lie in the host's memory, up to a minute (TCP_USER_TIMEOUT, broker/options.h). The broker knows the sockets; to
 * end one takes CAP_NET_ADMIN (SOCK_DESTROY), which a launcher of root has. An ordinary user's has not, and the minute
 * holds.
 *
 * Why this is harmless even if the broker is owned: only a socket that no program has open any more is ended, so the
 * most that it can do is to cut the last bytes of a connection that another process has closed, whose address, ports
 * and cookie (64 bits) it would have to know.
 */
#include "broker/start.h"
#include "launch/run.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_MAX 4096

struct question {
    struct nlmsghdr head;
    struct inet_diag_req_v2 socket;
};

static struct question question_about(const struct diag_id *id)
{
    struct question q = { .head = { .nlmsg_len = sizeof q, .nlmsg_flags = NLM_F_REQUEST },
                          .socket = {
                              .sdiag_family = id->family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = UINT32_MAX } };
    q.socket.id.idiag_sport = id->local_port;
    q.socket.id.idiag_dport = id->remote_port;
    memcpy(q.socket.id.idiag_src, id->local, 16);
    memcpy(q.socket.id.idiag_dst, id->remote, 16);
    q.socket.id.idiag_cookie[0] = (uint32_t)id->cookie;
    q.socket.id.idiag_cookie[1] = (uint32_t)(id->cookie >> 32);
    return q;
}

/* The kernel answers within send(). */
static bool is_orphan(int sock, struct question q)
{
    union {
        struct nlmsghdr head;
        char bytes[ANSWER_MAX];
    } a;
    q.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    if (send(sock, &q, sizeof q, 0) < 0)
        return false;
    ssize_t n = recv(sock, a.bytes, sizeof a, MSG_DONTWAIT);
    const struct inet_diag_msg *m = (const void *)(a.bytes + NLMSG_HDRLEN);
    return n >= (ssize_t)NLMSG_LENGTH(sizeof *m) && a.head.nlmsg_type == SOCK_DIAG_BY_FAMILY && m->idiag_inode == 0;
}

void orphan_abort(const struct diag_id *id)
{
    if (geteuid() != 0)
        return;
    cleanup(closep) int sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    struct question q = question_about(id);
    if (sock < 0 || !id->cookie || !is_orphan(sock, q))
        return;
    q.head.nlmsg_type = SOCK_DESTROY;
    (void)send(sock, &q, sizeof q, 0); /* refused, or not in this kernel: TCP_USER_TIMEOUT ends it */
}
