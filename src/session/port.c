#include "session/internal.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/message.h"

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71 /* Linux 5.14 */
#endif

static bool is_option(int fd, int option, int expected)
{
    int value = -1;
    socklen_t size = sizeof value;
    return getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 && value == expected;
}

bool session_port_is_sure(void)
{
    uint64_t ours = 0;
    socklen_t size = sizeof ours;
    cleanup(closep) int own = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return own < 0 || getsockopt(own, SOL_SOCKET, SO_NETNS_COOKIE, &ours, &size) == 0 || errno != ENOPROTOOPT;
}

/* In our own namespace the same address would be the host's. Before Linux 5.14 the kernel does not say, which the
 * session is told (keeper.c). Where it says so of our own socket and not of this one, this one is refused. */
static bool is_of_our_namespace(int fd)
{
    uint64_t its = 0, ours = 0;
    socklen_t size = sizeof its;
    cleanup(closep) int own = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (own < 0)
        return true;
    if (getsockopt(own, SOL_SOCKET, SO_NETNS_COOKIE, &ours, &size) < 0)
        return errno != ENOPROTOOPT;
    return getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &its, &size) < 0 || its == ours;
}

/* What it is connected to there is for the code inside to say anyway. */
bool session_port_is_good(int fd)
{
    return (is_option(fd, SO_DOMAIN, AF_INET) || is_option(fd, SO_DOMAIN, AF_INET6)) &&
           is_option(fd, SO_PROTOCOL, IPPROTO_TCP) && !is_of_our_namespace(fd);
}

static int take_answer(int sock, uint16_t port, uint64_t until_ms, int *ret, struct error *err)
{
    struct pollfd f = { .fd = sock, .events = POLLIN };
    const uint64_t now = clock_ms();
    uint64_t error = 0;
    size_t count = 0;
    cleanup(closep) int fd = -EBADF;
    int ready = poll(&f, 1, (int)(until_ms - MIN_OF(until_ms, now)));
    if (ready <= 0)
        return err_set(err, -ETIMEDOUT, BLAME_HOST, "SESSION", "the session's sandbox does not answer");
    ssize_t n = receive_message(sock, &error, sizeof error, &fd, 1, &count);
    if (n == 0 || n == -ECONNRESET)
        return err_set(err, -ESHUTDOWN, BLAME_CALLER, "SESSION", "the session has ended");
    if (n == (ssize_t)sizeof error && error == ECONNREFUSED)
        return err_set(err, -ECONNREFUSED, BLAME_CALLER, "SESSION", "nothing listens at port %u of the session", port);
    if (n == (ssize_t)sizeof error && error && error < 4096)
        return err_set(err, -EIO, BLAME_GUEST, "SESSION", "connect to port %u of the session: %s", port,
                       strerror((int)error));
    if (n != (ssize_t)sizeof error || count != 1 || !session_port_is_good(fd))
        return err_set(err, -EBADMSG, BLAME_GUEST, "SESSION", "what came from the session is no connection of its own");
    *ret = TAKE_FD(fd);
    return 0;
}

int session_port(struct session *s, uint16_t port, uint64_t max_ms, int *ret, struct error *err)
{
    const uint64_t until_ms = clock_ms() + max_ms;
    cleanup(closep) int sock = -EBADF;
    int e = session_request_port(s, port, until_ms, &sock, err);
    if (e < 0)
        return e;
    e = take_answer(sock, port, until_ms, ret, err);
    session_files_done(s, SESSION_WORKER_PORT);
    return e;
}
