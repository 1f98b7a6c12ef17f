/* class: network
 * what: passes a socket of the host to a child over a socketpair, which is fine, and from there tries everything again that its first owner may not
 * levels: low
 * outside: host_listener_untouched
 */
#include "peers.h"

int main(void)
{
    int pair[2], s = expect_allowed("before");
    char control[CMSG_SPACE(sizeof(int))] = "", byte = 'x', answer[8] = "";
    struct iovec iov = { &byte, 1 };
    struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
        contained("no socketpair: %s", errname(errno));
    pid_t pid = fork();
    if (pid == 0) {
        union peer bad = forbidden_peer(), nowhere = { .any.sa_family = AF_UNSPEC };
        if (recvmsg(pair[1], &m, 0) != 1)
            _exit(2);
        int got = *(int *)CMSG_DATA(CMSG_FIRSTHDR(&m));
        if (write(got, "again", 5) != 5 || recv(got, answer, 5, MSG_WAITALL) != 5 || memcmp(answer, "again", 5))
            _exit(3);
        (void)connect_to(got, &nowhere);
        (void)connect_to(got, &bad);
        check_peer(got, "by another process");
        (void)!listen(got, 1);
        _exit(0);
    }
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    *c = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof s), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS };
    memcpy(CMSG_DATA(c), &s, sizeof s);
    if (sendmsg(pair[0], &m, 0) != 1)
        contained("not passed: %s", errname(errno));
    int status = 0;
    waitpid(pid, &status, 0);
    if (WEXITSTATUS(status) == 42)
        return 42;
    contained("the child %s", WEXITSTATUS(status) ? "could not use it" : "used it for its own peer only");
}
