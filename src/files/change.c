#include "files/internal.h"

#include <stdio.h>
#include <sys/vfs.h>
#include "base/io.h"
#include "base/kernel.h"

#define OWN_FDS "/proc/self/fd"

/* --- a file on its way ------------------------------------------------------------------------------- */

/* What chmod(2) gives: that of the file that is replaced, where the caller names none. */
static uint32_t mode_for(int dir, const char *name, uint32_t mode)
{
    struct stat st;
    if (mode != WFILE_MODE_KEEP)
        return mode & 0777;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
        return st.st_mode & 0777;
    return 0644;
}

int wfile_put_begin(int root, const char *path, uint32_t mode, uint64_t max_bytes, struct wfile_put *ret)
{
    struct wfile_put p = WFILE_PUT_NONE;
    struct stat st;
    size_t end = strlen(path);
    if (end && path[end - 1] == '/')
        return -EISDIR;
    cleanup(closep) int dir = wfile_parent(root, path, true, p.name);
    if (dir < 0)
        return dir;
    if (fstatat(dir, p.name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode))
        return -EISDIR; /* now, not when it is whole */
    wfile_temporary_name(p.temporary);
    p.fd = openat(dir, p.temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (p.fd < 0)
        return -errno;
    p.mode = mode_for(dir, p.name, mode);
    p.left = max_bytes;
    p.dir = TAKE_FD(dir);
    *ret = p;
    return 0;
}

int wfile_put_hide(struct wfile_put *p)
{
    struct statfs fs;
    if (fstatfs(p->fd, &fs) < 0 || fs.f_type != WFILE_IN_MEMORY || access(OWN_FDS, F_OK) < 0)
        return -ENOTSUP;
    const int fd = openat(p->dir, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
    if (fd < 0)
        return -ENOTSUP;
    (void)unlinkat(p->dir, p->temporary, 0);
    closep(&p->fd);
    p->fd = fd;
    p->is_hidden = true;
    return 0;
}

int wfile_put_room(struct wfile_put *p, uint64_t at, uint64_t size)
{
    if (size > p->left || at > INT64_MAX - size)
        return -EFBIG;
    int e;
    do
        e = fallocate(p->fd, FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)size) < 0 ? -errno : 0;
    while (e == -EINTR);
    if (e == 0)
        p->left -= size;
    return e;
}

/* By the way that needs no right: linkat(2). */
static int give_name(struct wfile_put *p)
{
    char path[sizeof OWN_FDS + 16];
    (void)snprintf(path, sizeof path, OWN_FDS "/%d", p->fd);
    return linkat(AT_FDCWD, path, p->dir, p->temporary, AT_SYMLINK_FOLLOW) < 0 ? -errno : 0;
}

int wfile_put_write(struct wfile_put *p, const void *data, size_t size)
{
    if (size > p->left)
        return -EFBIG;
    p->left -= size;
    return write_all(p->fd, data, size);
}

int wfile_put_end(struct wfile_put *p, int64_t modified_s)
{
    const struct timespec times[] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = modified_s } };
    int e = fchmod(p->fd, p->mode) < 0 ? -errno : 0;
    if (e == 0 && modified_s != INT64_MIN)
        (void)futimens(p->fd, times); /* a time that the file system cannot keep is no reason to fail */
    if (e == 0 && p->is_hidden)
        e = give_name(p);
    closep(&p->fd);
    if (e == 0)
        e = wfile_take_place(p->dir, p->temporary, p->name);
    wfile_put_abort(p);
    return e;
}

void wfile_put_abort(struct wfile_put *p)
{
    closep(&p->fd);
    if (p->dir >= 0)
        (void)unlinkat(p->dir, p->temporary, 0);
    closep(&p->dir);
}

/* --- names ------------------------------------------------------------------------------------------- */

int wfile_mkdir(int root, const char *path)
{
    char name[NAME_MAX + 1];
    struct stat st;
    cleanup(closep) int dir = wfile_parent(root, path, true, name);
    if (dir < 0)
        return dir;
    if (mkdirat(dir, name, 0755) == 0)
        return 1;
    if (errno != EEXIST)
        return -errno;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return -errno;
    return S_ISDIR(st.st_mode) ? 0 : -EEXIST;
}

int wfile_move(int root, const char *from, const char *to, bool replaces)
{
    char name[NAME_MAX + 1], new_name[NAME_MAX + 1];
    struct stat st;
    cleanup(closep) int dir = wfile_parent(root, from, false, name);
    if (dir < 0)
        return dir;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return -errno; /* before directories are made for it */
    cleanup(closep) int new_dir = wfile_parent(root, to, true, new_name);
    if (new_dir < 0)
        return new_dir;
    const unsigned flags = replaces ? 0 : 1; /* RENAME_NOREPLACE, which musl does not name */
    return syscall(SYS_renameat2, dir, name, new_dir, new_name, flags) < 0 ? -errno : 0;
}

int wfile_symlink(int root, const char *path, const char *target)
{
    char name[NAME_MAX + 1], temporary[sizeof WFILE_TEMPORARY + 16];
    cleanup(closep) int dir = wfile_parent(root, path, true, name);
    if (dir < 0)
        return dir;
    wfile_temporary_name(temporary);
    if (symlinkat(target, dir, temporary) < 0)
        return -errno;
    return wfile_take_place(dir, temporary, name);
}

int wfile_link(int root, const char *path, const char *existing)
{
    char name[NAME_MAX + 1], old_name[NAME_MAX + 1], temporary[sizeof WFILE_TEMPORARY + 16];
    cleanup(closep) int old_dir = wfile_parent(root, existing, false, old_name);
    if (old_dir < 0)
        return old_dir;
    cleanup(closep) int dir = wfile_parent(root, path, true, name);
    if (dir < 0)
        return dir;
    wfile_temporary_name(temporary);
    if (linkat(old_dir, old_name, dir, temporary, 0) < 0) /* no AT_SYMLINK_FOLLOW: a link gets a second name itself */
        return -errno;
    return wfile_take_place(dir, temporary, name);
}
