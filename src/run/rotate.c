#include "run/rotate.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

static bool is_full(const struct stat *st)
{
    return S_ISREG(st->st_mode) && (uint64_t)st->st_size >= ROTATE_BYTES;
}

/* The lock is fd's own and goes with it. Held elsewhere: a process moves it in this moment. */
static bool move_aside(int dir, const char *name, int fd)
{
    struct stat mine, named;
    char old[300];
    int n = snprintf(old, sizeof old, "%s.1", name);
    if (n >= (int)sizeof old || flock(fd, LOCK_EX | LOCK_NB) < 0 || fstat(fd, &mine) < 0 ||
        fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) < 0)
        return false;
    return mine.st_ino == named.st_ino && mine.st_dev == named.st_dev && renameat(dir, name, dir, old) == 0;
}

int rotate_open(int dir, const char *name)
{
    struct stat st;
    int fd = openat(dir, name, ROTATE_FLAGS, 0600);
    if (fd < 0 || fstat(fd, &st) < 0 || !is_full(&st) || !move_aside(dir, name, fd))
        return fd;
    int fresh = openat(dir, name, ROTATE_FLAGS, 0600);
    if (fresh < 0)
        return fd; /* the old one takes this line, too */
    (void)close(fd);
    return fresh;
}

bool rotate_is_due(int fd, const char *path)
{
    struct stat mine, named;
    if (fstat(fd, &mine) < 0 || !S_ISREG(mine.st_mode))
        return false;
    return is_full(&mine) || stat(path, &named) < 0 || named.st_ino != mine.st_ino || named.st_dev != mine.st_dev;
}
