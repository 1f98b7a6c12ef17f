#include "files/walk.h"

#include "base/kernel.h"
#include "files/internal.h"

static int enter(struct wfile_walk *w, int fd, size_t path_size)
{
    struct wfile_walk_dir *d = &w->dirs[w->depth++];
    d->fd = fd;
    d->at = d->end = 0;
    d->path_size = (uint32_t)path_size;
    return 0;
}

static void leave(struct wfile_walk *w)
{
    closep(&w->dirs[--w->depth].fd);
}

/* What vanished meanwhile is no failure: it was the program's to remove. */
static void fail(struct wfile_walk *w, int error, size_t size)
{
    if (error == -ENOENT || w->failure)
        return;
    w->failure = error;
    memcpy(w->failed, w->path, size);
    w->failed[size] = '\0';
}

int wfile_walk_begin(struct wfile_walk *w, int root, const char *path, uint32_t max_depth, uint32_t max_entries)
{
    w->entries = w->depth = 0;
    w->max_depth = max_depth && max_depth < WFILE_MAX_DEPTH ? max_depth : WFILE_MAX_DEPTH;
    w->left_entries = max_entries && max_entries < WFILE_MAX_ENTRIES ? max_entries : WFILE_MAX_ENTRIES;
    w->is_cut = false;
    w->failure = 0;
    w->path[0] = '\0';
    if (!wfile_path_is_sound(path, strlen(path)))
        return -EINVAL;
    int fd = wfile_resolve(root, path, O_RDONLY | O_DIRECTORY | O_NONBLOCK, FOLLOW_BENEATH);
    return fd < 0 ? fd : enter(w, fd, 0);
}

void wfile_walk_done(struct wfile_walk *w)
{
    while (w->depth)
        leave(w);
}

static const char *next_name(struct wfile_walk *w, struct wfile_walk_dir *d)
{
    for (;;) {
        if (d->at == d->end) {
            long n = sys_getdents64(d->fd, d->entries, sizeof d->entries);
            if (n < 0)
                fail(w, -errno, d->path_size ? d->path_size - 1 : 0);
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

/* The directory that came last is entered when the next entry is asked for. */
static void go_down(struct wfile_walk *w)
{
    size_t end = strlen(w->path);
    const char *name;
    int dir = wfile_walk_dir(w, &name);
    if (w->depth == w->max_depth) {
        if (w->max_depth == WFILE_MAX_DEPTH)
            fail(w, -ENAMETOOLONG, end);
        return;
    }
    int fd = wfile_resolve(dir, name, O_RDONLY | O_DIRECTORY | O_NONBLOCK, FOLLOW_NONE);
    if (fd < 0) {
        /* a link or a file in its place: it changed since we looked, and is neither walked nor told */
        if (fd != -ENOTDIR && fd != -ELOOP)
            fail(w, fd, end);
        return;
    }
    w->path[end++] = '/';
    w->path[end] = '\0';
    (void)enter(w, fd, end);
}

/* False: no entry to be told. */
static bool look(struct wfile_walk *w, const struct wfile_walk_dir *d, const char *name)
{
    struct stat st;
    size_t n = strlen(name);
    if (d->path_size + n + 2 > sizeof w->path) {
        fail(w, -ENAMETOOLONG, d->path_size);
        return false;
    }
    memcpy(w->path + d->path_size, name, n + 1);
    if (fstatat(d->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
        fail(w, -errno, d->path_size + n);
        return false;
    }
    wfile_stat_from(&st, &w->stat);
    return true;
}

bool wfile_walk_next(struct wfile_walk *w)
{
    if (w->depth && w->entries && w->stat.kind == WFILE_DIRECTORY)
        go_down(w);
    while (w->depth) {
        struct wfile_walk_dir *d = &w->dirs[w->depth - 1];
        const char *name = next_name(w, d);
        if (!name) {
            leave(w);
            continue;
        }
        if (w->entries == w->left_entries) {
            w->is_cut = true;
            wfile_walk_done(w);
            break;
        }
        w->entries++;
        if (look(w, d, name))
            return true;
    }
    return false;
}

int wfile_walk_dir(const struct wfile_walk *w, const char **ret_name)
{
    const struct wfile_walk_dir *d = &w->dirs[w->depth - 1];
    *ret_name = w->path + d->path_size;
    return d->fd;
}
