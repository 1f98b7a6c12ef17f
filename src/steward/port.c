#include "steward/steward.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/message.h"

/* What loopback does with a connect() that does not wait is known when that has returned, though it says EINPROGRESS;
 * only a listener whose queue is full leaves it open. */
static int begin(const struct sockaddr *to, socklen_t size, int *ret)
{
    int error = 0;
    socklen_t n = sizeof error;
    cleanup(closep) int fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -errno;
    if (connect(fd, to, size) < 0 && errno != EINPROGRESS)
        return -errno;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) < 0 || error)
        return error ? -error : -errno;
    *ret = TAKE_FD(fd);
    return 0;
}

static int begin_any(uint16_t port, int *ret)
{
    const struct sockaddr_in four = { .sin_family = AF_INET,
                                      .sin_port = htons(port),
                                      .sin_addr = { htonl(INADDR_LOOPBACK) } };
    const struct sockaddr_in6 six = { .sin6_family = AF_INET6,
                                      .sin6_port = htons(port),
                                      .sin6_addr = IN6ADDR_LOOPBACK_INIT };
    const int e = begin((const struct sockaddr *)&four, sizeof four, ret);
    if (e != -ECONNREFUSED)
        return e;
    return begin((const struct sockaddr *)&six, sizeof six, ret) == 0 ? 0 : e; /* a server of ::1 only */
}

void port_connect(uint64_t port, int sock)
{
    cleanup(closep) int fd = -EBADF;
    const int e = port && port <= UINT16_MAX ? begin_any((uint16_t)port, &fd) : -EINVAL;
    const uint64_t error = (uint64_t)-e;
    (void)send_message(sock, &error, sizeof error, &fd, e == 0); /* a request that was given up needs no answer */
}
