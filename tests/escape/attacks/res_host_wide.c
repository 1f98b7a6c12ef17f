/* class: resources
 * what: takes what the whole host has once: contexts of Linux AIO, the page cache of /usr, its disks' time by syncfs,
 * its users' pages of pipes
 */
#include "attack.h"
#include <sys/mman.h>

static void take_aio(void)
{
    unsigned long contexts[64];
    int n = 0;
    while (n < 64) {
        contexts[n] = 0;
        if (syscall(SYS_io_setup, 64, &contexts[n]) < 0)
            break;
        n++;
    }
    int err = errno;
    for (int i = 0; i < n; i++)
        syscall(SYS_io_destroy, contexts[i]);
    if (n)
        escaped("%d contexts of Linux AIO", n);
    refused("io_setup", err);
}

static void evict(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    worked("syncfs", syscall(SYS_syncfs, fd));
    int e = posix_fadvise(fd, 0, 0, 4 /* POSIX_FADV_DONTNEED */);
    if (e == 0)
        escaped("dropped the cache of %s", path);
    refused("fadvise", e);
    close(fd);
}

int main(void)
{
    take_aio();
    evict("/usr/lib/x86_64-linux-gnu/libc.so.6");
    evict("/usr/lib");
    int p[2];
    if (pipe(p) == 0)
        worked("pipe of 1 MiB", fcntl(p[1], 1031 /* F_SETPIPE_SZ */, 1 << 20));
    verdict();
}
