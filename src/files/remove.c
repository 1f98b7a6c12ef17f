/* remove.c - a tree of any depth with a constant number of descriptors.
 *
 * The walk has WFILE_MAX_DEPTH directories open at most. A directory below that is moved up into the one that is to be
 * removed, under a name of its own, and met there again; so each level is walked a bounded number of times, and nothing
 * is ever reached by «..», which the code could make lead elsewhere.
 */
#include "files/internal.h"
#include "base/kernel.h"

struct removal {
    uint32_t left;  /* entries that this call may still look at */
    int top;        /* descriptor of the directory that is to go */
    uint32_t depth; /* open directories */
};

static int remove_content(struct removal *r, int dir);

/* dir is one that goes, too: that its owner took the rights from it is no reason to keep it. */
static int unlink_in(int dir, const char *name, int flags)
{
    if (unlinkat(dir, name, flags) == 0)
        return 0;
    if (errno != EACCES)
        return -errno;
    return fchmod(dir, 0700) == 0 && unlinkat(dir, name, flags) == 0 ? 0 : -errno;
}

static int open_in(int dir, const char *name)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK;
    int fd = wfile_resolve(dir, name, flags, FOLLOW_NONE);
    return fd == -EACCES && fchmodat(dir, name, 0700, 0) == 0 ? wfile_resolve(dir, name, flags, FOLLOW_NONE) : fd;
}

/* `name` in dir is a directory. Takes it away, or up. What changed its kind meanwhile is met in the next round. */
static int remove_dir(struct removal *r, int dir, const char *name)
{
    char temporary[sizeof WFILE_TEMPORARY + 16];
    int e = unlink_in(dir, name, AT_REMOVEDIR);
    if (e == 0 || e == -ENOENT)
        return 0;
    if (e != -ENOTEMPTY && e != -EEXIST)
        return e == -ENOTDIR ? 0 : e;
    if (r->depth == WFILE_MAX_DEPTH) {
        wfile_temporary_name(temporary);
        if (renameat(dir, name, r->top, temporary) == 0 || errno == ENOENT)
            return 0;
        if (errno != EACCES || fchmodat(dir, name, 0700, 0) < 0) /* its «..» is written, too */
            return -errno;
        return renameat(dir, name, r->top, temporary) < 0 && errno != ENOENT ? -errno : 0;
    }
    cleanup(closep) int fd = open_in(dir, name);
    if (fd < 0)
        return fd == -ENOENT || fd == -ENOTDIR || fd == -ELOOP ? 0 : fd;
    e = remove_content(r, fd);
    if (e == 0)
        e = unlink_in(dir, name, AT_REMOVEDIR);
    return e == -ENOENT || e == -ENOTEMPTY || e == -EEXIST || e == -ENOTDIR ? 0 : e;
}

static int remove_entry(struct removal *r, int dir, const char *name)
{
    if (str_eq(name, ".") || str_eq(name, ".."))
        return 0;
    if (!r->left)
        return -EBUSY;
    r->left--;
    const int e = unlink_in(dir, name, 0);
    return e == -EISDIR ? remove_dir(r, dir, name) : e == -ENOENT ? 0 : e;
}

static int remove_content(struct removal *r, int dir)
{
    _Alignas(8) char entries[2048];
    int e = 0;
    long n = 0;
    r->depth++;
    while (e == 0 && (n = sys_getdents64(dir, entries, sizeof entries)) > 0)
        for (long at = 0; e == 0 && at < n;) {
            const struct kdirent *d = (const struct kdirent *)(const void *)(entries + at);
            e = remove_entry(r, dir, d->name);
            at += d->size;
        }
    r->depth--;
    return e == 0 && n < 0 ? -errno : e;
}

static int remove_tree(int dir, const char *name)
{
    struct removal r = { .left = WFILE_MAX_ENTRIES };
    cleanup(closep) int top = open_in(dir, name);
    if (top < 0)
        return top;
    r.top = top;
    for (;;) {
        int e = remove_content(&r, top);
        if (e < 0)
            return e;
        if (unlinkat(dir, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
            return 0;
        if (errno != ENOTEMPTY && errno != EEXIST)
            return -errno;
        if (!r.left-- || lseek(top, 0, SEEK_SET) < 0)
            return -EBUSY; /* a program that makes files as fast as we remove them */
    }
}

int wfile_remove(int root, const char *path)
{
    char name[NAME_MAX + 1];
    cleanup(closep) int dir = wfile_parent(root, path, false, name);
    if (dir < 0)
        return dir;
    if (unlinkat(dir, name, 0) == 0)
        return 0;
    return errno == EISDIR ? remove_tree(dir, name) : -errno;
}
