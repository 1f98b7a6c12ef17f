/* directory.c - the store's directory and file: ours alone, or none. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include "base/dirs.h"
#include "sqlite/private.h"

static int refuse(const char *path, const char *why, const char *remedy, struct error *err)
{
    (void)err_set(err, -EPERM, BLAME_HOST, "STORE", "%s: %s", path, why);
    return err_remedy(err, "%s, or set sandbox.paths.state_dir to a directory of your own", remedy);
}

static int judge(const char *path, const struct stat *st, struct error *err)
{
    if (st->st_uid != geteuid())
        return refuse(path, "belongs to another user, who could change what is remembered of agents",
                      "run as its owner, or give it to this user", err);
    if (st->st_mode & (S_IWGRP | S_IWOTH))
        return refuse(path, "others may write it, and could change what is remembered of agents", "chmod go-w it", err);
    return 0;
}

static int open_dir(const char *dir, struct error *err)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = open(dir, flags), e = 0;
    if (fd < 0 && errno == ENOENT) {
        e = make_dirs(dir, 0700);
        fd = e == 0 ? open(dir, flags) : -1;
    }
    if (fd >= 0)
        return fd;
    e = e < 0 ? e : -errno;
    if (e == -ELOOP || e == -ENOTDIR)
        return refuse(dir, "a symbolic link, or no directory", "make it a directory", err);
    (void)err_set(err, e, BLAME_HOST, "STORE", "directory %s: %s", dir, strerror(-e));
    return err_remedy(err, "make it writable for this user, or set sandbox.paths.state_dir");
}

static int judge_file(int dir, const char *path, const char *name, struct error *err)
{
    struct stat st;
    cleanup(closep) int fd = openat(dir, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    if (fd < 0 && errno == ELOOP)
        return refuse(path, "a symbolic link", "put the file itself there", err);
    if (fd < 0 || fstat(fd, &st) < 0) {
        (void)err_set(err, -errno, BLAME_HOST, "STORE", "%s: %m", path);
        return err_remedy(err, "make it writable for this user, or set sandbox.paths.state_dir");
    }
    if (!S_ISREG(st.st_mode))
        return refuse(path, "not a regular file", "move it aside", err);
    int e = judge(path, &st, err);
    if (e == 0 && (st.st_mode & 077) && fchmod(fd, 0600) < 0)
        e = err_set(err, -errno, BLAME_HOST, "STORE", "chmod 600 %s: %m", path);
    return e;
}

int place_prepare(const char *path, struct error *err)
{
    struct stat st;
    cleanup(freep) char *dir = strdup(path);
    char *slash = dir ? strrchr(dir, '/') : NULL;
    if (!dir)
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    if (path[0] != '/' || !slash || slash == dir || !slash[1])
        return err_set(err, -EINVAL, BLAME_CALLER, "STORE", "%s: expected an absolute path of a file in a directory",
                       path);
    *slash = '\0';
    cleanup(closep) int fd = open_dir(dir, err);
    if (fd < 0)
        return fd;
    if (fstat(fd, &st) < 0)
        return err_set(err, -errno, BLAME_HOST, "STORE", "directory %s: %m", dir);
    int e = judge(dir, &st, err);
    /* before any connection of this process is open: closing a descriptor would drop SQLite's locks on the file */
    return e < 0 ? e : judge_file(fd, path, slash + 1, err);
}
