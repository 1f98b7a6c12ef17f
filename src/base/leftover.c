#include "base/leftover.h"

#include <fcntl.h>
#include <sys/stat.h>
#include "base/kernel.h"

#define R(m, max) FIELD_U(struct workspace_rest, m, max)
const struct field workspace_rest_fields[] = { R(too_large, UINT32_MAX),
                                               R(too_many, UINT32_MAX),
                                               R(too_deep, UINT32_MAX),
                                               R(too_long, UINT32_MAX),
                                               R(special, UINT32_MAX),
                                               R(mounts, UINT32_MAX),
                                               R(unreadable, UINT32_MAX),
                                               R(bytes, UINT64_MAX),
                                               R(is_cut, 1),
                                               R(is_late, 1) };
#undef R
const size_t workspace_rest_field_count = ARRAY_LEN(workspace_rest_fields);

bool leftover_path_is_sound(const char *path)
{
    uint32_t dirs = 0;
    if (strlen(path) > WORKSPACE_MAX_PATH)
        return false;
    for (const char *p = path;; p++) {
        size_t n = strcspn(p, "/");
        if (n == 0 || (p[0] == '.' && (n == 1 || (n == 2 && p[1] == '.'))))
            return false;
        p += n;
        if (!*p)
            return true;
        if (++dirs > WORKSPACE_MAX_DEPTH)
            return false;
    }
}

/* --- opening ------------------------------------------------------------------------------------------ */

/* In a container openat2(2) may be refused, or not be there (gVisor). A name without «/» that is no link leads nowhere
 * else either, but onto a mount. */
static int open_plainly(const struct leftover *l, int dir, const char *name, int flags)
{
    struct stat st;
    cleanup(closep) int fd = openat(dir, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0)
        return -1;
    if (l->depth && st.st_dev != l->dev) {
        errno = EXDEV;
        return -1;
    }
    return TAKE_FD(fd);
}

static int open_below(struct leftover *l, int dir, const char *name, int flags)
{
    const struct kopen_how how = { .flags = (uint64_t)(flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC),
                                   .resolve = KRESOLVE_BENEATH | KRESOLVE_NO_SYMLINKS | KRESOLVE_NO_MAGICLINKS |
                                              KRESOLVE_NO_XDEV };
    int fd = l->is_without_openat2 ? -1 : sys_openat2(dir, name, &how);
    if (fd >= 0 || (!l->is_without_openat2 && errno != ENOSYS && errno != EPERM))
        return fd;
    l->is_without_openat2 = true;
    return open_plainly(l, dir, name, flags);
}

static void count_failure(struct workspace_rest *r)
{
    if (errno == EXDEV)
        r->mounts++;
    else
        r->unreadable++;
}

/* --- the walk ------------------------------------------------------------------------------------------ */

static void enter(struct leftover *l, int fd, size_t path_size)
{
    struct leftover_dir *d = &l->dirs[l->depth++];
    d->fd = fd;
    d->at = d->end = 0;
    d->path_size = (uint32_t)path_size;
}

static void leave(struct leftover *l)
{
    closep(&l->dirs[--l->depth].fd);
}

int leftover_begin(struct leftover *l, int dir, uint64_t max_bytes)
{
    struct stat st;
    l->rest = (struct workspace_rest){ 0 };
    l->left_bytes = max_bytes;
    l->files = l->entries = l->depth = 0;
    l->is_without_openat2 = false;
    cleanup(closep) int fd = open_below(l, dir, ".", O_RDONLY | O_DIRECTORY);
    if (fd < 0 || fstat(fd, &st) < 0) {
        l->rest.unreadable = errno == EACCES; /* chmod 0 /workspace: the program's right */
        return -errno;
    }
    l->dev = st.st_dev;
    enter(l, TAKE_FD(fd), 0);
    return 0;
}

void leftover_done(struct leftover *l)
{
    while (l->depth)
        leave(l);
}

/* -> the name of the next entry, or NULL: there is none */
static const char *next_name(struct leftover *l, struct leftover_dir *d)
{
    for (;;) {
        if (d->at == d->end) {
            long n = sys_getdents64(d->fd, d->entries, sizeof d->entries);
            l->rest.unreadable += n < 0;
            if (n <= 0)
                return NULL;
            d->at = 0;
            d->end = (uint32_t)n;
        }
        const struct kdirent *e = (const struct kdirent *)(const void *)(d->entries + d->at);
        d->at += e->size;
        if (!str_eq(e->name, ".") && !str_eq(e->name, ".."))
            return e->name;
    }
}

static int on_file(struct leftover *l, int dir, const char *name, uint64_t size)
{
    struct workspace_rest *r = &l->rest;
    struct stat st;
    bool is_large = size > l->left_bytes || size > WORKSPACE_MAX_FILE_BYTES;
    if (l->files >= WORKSPACE_MAX_FILES || is_large) {
        r->too_large += is_large;
        r->too_many += !is_large;
        r->bytes += MIN_OF(size, UINT64_MAX - r->bytes);
        return -1;
    }
    cleanup(closep) int fd = open_below(l, dir, name, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) < 0) {
        count_failure(r);
        return -1;
    }
    if (!S_ISREG(st.st_mode)) {
        r->unreadable++;
        return -1;
    }
    l->files++;
    l->left_bytes -= size;
    return TAKE_FD(fd);
}

static void on_dir(struct leftover *l, int dir, const char *name, size_t path_size)
{
    if (l->depth > WORKSPACE_MAX_DEPTH) {
        l->rest.too_deep++;
        return;
    }
    int fd = open_below(l, dir, name, O_RDONLY | O_DIRECTORY);
    if (fd < 0) {
        count_failure(&l->rest);
        return;
    }
    l->path[path_size] = '/';
    enter(l, fd, path_size + 1);
}

/* A file, or -1: none, or a directory which is entered. */
static int on_entry(struct leftover *l, const struct leftover_dir *d, const char *name, uint64_t *ret_size)
{
    struct stat st;
    size_t n = strlen(name), end = d->path_size + n;
    if (end + 1 > WORKSPACE_MAX_PATH) {
        l->rest.too_long++;
        return -1;
    }
    if (fstatat(d->fd, name, &st, AT_SYMLINK_NOFOLLOW) <
        0) { /* AT_NO_AUTOMOUNT, which gVisor refuses, is implied since Linux 4.11 */
        l->rest.unreadable++;
        return -1;
    }
    memcpy(l->path + d->path_size, name, n + 1);
    *ret_size = (uint64_t)st.st_size;
    if (st.st_dev != l->dev)
        l->rest.mounts++;
    else if (S_ISDIR(st.st_mode))
        on_dir(l, d->fd, name, end);
    else if (S_ISREG(st.st_mode))
        return on_file(l, d->fd, name, (uint64_t)st.st_size);
    else
        l->rest.special++;
    return -1;
}

int leftover_next(struct leftover *l, uint64_t *ret_size)
{
    while (l->depth) {
        struct leftover_dir *d = &l->dirs[l->depth - 1];
        const char *name = next_name(l, d);
        if (!name) {
            leave(l);
            continue;
        }
        if (l->entries++ == WORKSPACE_MAX_ENTRIES) {
            l->rest.is_cut = true;
            leftover_done(l);
            break;
        }
        int fd = on_entry(l, d, name, ret_size);
        if (fd >= 0)
            return fd;
    }
    return -1;
}

void leftover_take_back(struct leftover *l, uint64_t size)
{
    l->files--;
    l->left_bytes += size;
    l->rest.unreadable++;
}
