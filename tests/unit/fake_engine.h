/* fake_engine.h - what tests' own engines have in common: a socket to listen at, and requests read whole. */
#pragma once
#include "test.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static inline size_t fake_request_size(const char *data, size_t size)
{
    const char *end = memmem(data, size, "\r\n\r\n", 4),
               *length = end ? memmem(data, (size_t)(end - data), "Content-Length: ", 16) : NULL;
    size_t body = 0;
    for (const char *c = length ? length + 16 : ""; *c >= '0' && *c <= '9'; c++)
        body = 10 * body + (size_t)(*c - '0');
    return end ? (size_t)(end - data) + 4 + body : SIZE_MAX;
}

/* One request, ended by a zero byte. False: none came any more, or none that max holds. */
static inline bool fake_hear(int fd, char *data, size_t max, size_t *ret_size)
{
    size_t size = 0;
    while (size < fake_request_size(data, size)) {
        const ssize_t n = read(fd, data + size, max - 1 - size);
        if (n <= 0)
            return false;
        size += (size_t)n;
    }
    data[size] = '\0';
    *ret_size = size;
    return true;
}

static inline int fake_listen(const char *path, int type)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    (void)snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
    const int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0 && bind(fd, (const void *)&to, sizeof to) == 0);
    CHECK(type != SOCK_STREAM || listen(fd, 8) == 0);
    return fd;
}
