/* class: network
 * what: connects to the harness's listener on the host's loopback by TCP and UDP, over 127.0.0.1, 127.1.2.3, 0.0.0.0, ::1, ::ffff:127.0.0.1 and localhost's other names
 * outside: host_listener_untouched
 */
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

static void try4(const char *ip, int kind, int port)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    inet_pton(AF_INET, ip, &a.sin_addr);
    int s = socket(AF_INET, kind | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s < 0)
        return refused(ip, errno);
    int r = connect(s, (struct sockaddr *)&a, sizeof a);
    if (kind == SOCK_DGRAM) {
        (void)send(s, "escape", 6, 0);
        (void)sendto(s, "escape", 6, MSG_FASTOPEN | MSG_DONTWAIT, (struct sockaddr *)&a, sizeof a);
        struct pollfd p = { s, POLLIN, 0 };
        char answer[16];
        if (poll(&p, 1, 50) == 1 && recv(s, answer, sizeof answer, 0) > 0)
            escaped("the host answered by UDP on %s", ip);
    } else if (r == 0 || errno == EINPROGRESS) {
        struct pollfd p = { s, POLLOUT, 0 };
        int err = ETIMEDOUT;
        socklen_t len = sizeof err;
        if (poll(&p, 1, 300) == 1)
            getsockopt(s, SOL_SOCKET, SO_ERROR, &err, &len);
        if (err == 0)
            escaped("connected to the host's %s:%d", ip, port);
        errno = err;
    }
    refused(ip, errno);
    close(s);
    if (kind == SOCK_STREAM) { /* connect without connect(): TCP fast open */
        s = socket(AF_INET, kind | SOCK_NONBLOCK, 0);
        (void)sendto(s, "escape", 6, MSG_FASTOPEN | MSG_DONTWAIT, (struct sockaddr *)&a, sizeof a);
        struct pollfd p = { s, POLLOUT, 0 };
        int err = ETIMEDOUT;
        socklen_t len = sizeof err;
        if (poll(&p, 1, 100) == 1 && !(p.revents & (POLLERR | POLLHUP)) &&
            getsockopt(s, SOL_SOCKET, SO_ERROR, &err, &len) == 0 && err == 0)
            escaped("connected to the host's %s:%d by fast open", ip, port);
        close(s);
    }
}

static void try6(const char *ip, int port)
{
    struct sockaddr_in6 a = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port) };
    inet_pton(AF_INET6, ip, &a.sin6_addr);
    int s = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0)
        return refused(ip, errno);
    if (connect(s, (struct sockaddr *)&a, sizeof a) == 0)
        escaped("connected to the host's [%s]:%d", ip, port);
    refused(ip, errno);
    close(s);
}

int main(void)
{
    int port = (int)param_num("host_port", 0);
    if (!port)
        contained("no host port given");
    static const char *const four[] = { "127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.2.2", "172.17.0.1" };
    for (int i = 0; i < 5; i++) {
        if (i >
            2) { /* addresses of a host behind NAT: only if there is a route at all; connect() of UDP sends nothing */
            struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(9) };
            inet_pton(AF_INET, four[i], &a.sin_addr);
            int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
            if (s >= 0 && connect(s, (struct sockaddr *)&a, sizeof a) == 0)
                escaped("there is a route to %s", four[i]);
            refused(four[i], errno);
            continue;
        }
        try4(four[i], SOCK_STREAM, port);
        try4(four[i], SOCK_DGRAM, port);
    }
    try6("::1", port);
    try6("::ffff:127.0.0.1", port);
    try6("::", port);
    verdict();
}
