#include "daemon/notify.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "base/clock.h"
#include "base/parse.h"

#define FIRST_SOCKET 3 /* SD_LISTEN_FDS_START */

/* Both kinds of addresses: a path, or «@name» in the abstract namespace, where the length counts and no NUL ends it. */
static bool manager_address(struct sockaddr_un *ret, socklen_t *ret_size)
{
    const char *path = getenv("NOTIFY_SOCKET");
    size_t n = path ? strlen(path) : 0;
    if (n < 2 || n >= sizeof ret->sun_path || (path[0] != '/' && path[0] != '@'))
        return false;
    *ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
    memcpy(ret->sun_path, path, n);
    if (path[0] == '@')
        ret->sun_path[0] = '\0';
    *ret_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n);
    return true;
}

static void tell(const char *text)
{
    struct sockaddr_un to;
    socklen_t size;
    if (!manager_address(&to, &size))
        return;
    cleanup(closep) int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) /* a manager that does not listen has lost more than this */
        (void)sendto(fd, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&to, size);
}

void notify_ready(void)
{
    tell("READY=1");
}

void notify_reloading(void)
{
    char text[80];
    (void)snprintf(text, sizeof text, "RELOADING=1\nMONOTONIC_USEC=%llu", (unsigned long long)clock_us());
    tell(text);
}

void notify_stopping(void)
{
    tell("STOPPING=1");
}

void notify_status(const char *fmt, ...)
{
    char text[208] = "STATUS=";
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text + 7, sizeof text - 7, fmt, ap);
    va_end(ap);
    for (char *p = text; (p = strchr(p, '\n'));) /* a line break would begin another variable */
        *p = ' ';
    tell(text);
}

static bool is_for_us(const char *name, uint64_t expected)
{
    const char *text = getenv(name);
    uint64_t value;
    return text && parse_u64(text, &value) == 0 && value == expected;
}

static bool is_listening_stream(int fd)
{
    int type = 0, listens = 0;
    socklen_t size = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM &&
           getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens;
}

size_t notify_sockets(int ret_fds[static NOTIFY_MAX_SOCKETS])
{
    const char *text = getenv("LISTEN_FDS");
    uint64_t count = 0;
    size_t found = 0;
    if (!text || parse_u64(text, &count) < 0 || !is_for_us("LISTEN_PID", (uint64_t)getpid()))
        count = 0;
    for (int fd = FIRST_SOCKET; (uint64_t)(fd - FIRST_SOCKET) < MIN_OF(count, (uint64_t)NOTIFY_MAX_SOCKETS); fd++) {
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
        if (is_listening_stream(fd))
            ret_fds[found++] = fd;
    }
    (void)unsetenv("LISTEN_FDS");
    (void)unsetenv("LISTEN_PID");
    (void)unsetenv("LISTEN_FDNAMES");
    return found;
}
