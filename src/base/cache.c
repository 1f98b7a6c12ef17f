#include "base/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#define TEMP_MAX_AGE_S 60

bool cache_is_ours(const struct stat *st)
{
    return (st->st_uid == geteuid() || st->st_uid == 0) && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

int cache_open(const char *path)
{
    cleanup(closep) int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0)
        return -errno;
    return cache_is_ours(&st) ? TAKE_FD(fd) : -EPERM;
}

static bool is_old_temp(int dir, const char *name)
{
    struct stat st;
    return str_starts(name, ".tmp.") && fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           st.st_mtime < time(NULL) - TEMP_MAX_AGE_S;
}

static void sweep(const struct cache *c, int dir)
{
    cleanup(closep) int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d)
        return;
    fd = -EBADF; /* closedir() closes it */
    size_t count = 0;
    const struct dirent *e;
    while ((e = readdir(d)))
        count += c->is_entry(e->d_name);
    rewinddir(d);
    while ((e = readdir(d)))
        if (is_old_temp(dir, e->d_name) || (count > c->most && c->is_entry(e->d_name)))
            (void)unlinkat(dir, e->d_name, 0); /* another process may have been faster */
    (void)closedir(d);
}

int cache_create(const struct cache *c, int dir, char ret_temp[static CACHE_TEMP_SIZE])
{
    uint64_t nonce = 0;
    if (getrandom(&nonce, sizeof nonce, 0) != (ssize_t)sizeof nonce)
        return -EIO;
    if (nonce % c->sweep_one_in == 0)
        sweep(c, dir);
    (void)snprintf(ret_temp, CACHE_TEMP_SIZE, ".tmp.%016llx", (unsigned long long)nonce);
    int fd = openat(dir, ret_temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return fd < 0 ? -errno : fd;
}
