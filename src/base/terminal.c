#include "base/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

int terminal_new(const struct winsize *size)
{
    int locked = 0, fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -errno;
    if (ioctl(fd, TIOCSPTLCK, &locked) == 0 && ioctl(fd, TIOCSWINSZ, size) == 0)
        return fd;
    const int e = -errno;
    (void)close(fd);
    return e;
}

int terminal_sizes(void)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGWINCH);
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
    const int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}
