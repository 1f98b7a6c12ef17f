#include "base/io.h"

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
