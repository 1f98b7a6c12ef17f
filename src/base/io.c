#include "base/io.h"

#include <fcntl.h>

int write_all(int fd, const void *data, size_t n)
{
    for (const char *p = data; n;) {
        ssize_t w = write(fd, p, n);
        if (w < 0 && errno == EINTR)
            continue;
        if (w <= 0)
            return w < 0 ? -errno : -ENOSPC;
        p += w;
        n -= (size_t)w;
    }
    return 0;
}

int read_open_file(int fd, struct buf *b)
{
    char chunk[4096];
    ssize_t n;
    while ((n = read(fd, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0 && buf_add(b, chunk, (size_t)n) < 0)
            return -EFBIG;
    return n < 0 ? -errno : 0;
}

int read_file(const char *path, struct buf *b)
{
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return fd < 0 ? -errno : read_open_file(fd, b);
}
