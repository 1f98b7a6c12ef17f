/* watch.c - changes of a directory, by inotify, as the worker inside tells them.
 *
 * A directory that appears is watched, too, where all below is asked for; what lies in it by then is told as created,
 * since it may have come before the watch (it may be told twice). One that is renamed is watched anew under its new
 * name. A list of WFILE_MAX_WATCHED at most: what is beyond it is told as WFILE_OVERFLOW.
 *
 * No directory is kept open: of one that is, the kernel does not tell that it was removed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>

#include "files/internal.h"

#define WANTED                                                                                                     \
    (IN_CREATE | IN_MODIFY | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | \
     IN_ONLYDIR | IN_EXCL_UNLINK)

struct watched {
    int wd;
    char *path; /* relative to what is watched; "": that itself */
};

struct wfile_watch {
    int root, fd;
    char top[WFILE_MAX_PATH];      /* the directory that was asked for */
    bool is_deep, is_cut, is_full; /* there are more directories than are watched; also: no other can be */
    uint32_t count;
    struct watched dirs[WFILE_MAX_WATCHED];
    bool (*each)(void *ctx, const struct wfile_event *e);
    void *ctx;
    bool is_over; /* `each` has said no, or the directory itself is gone */
};

static void tell(struct wfile_watch *w, enum wfile_change change, bool is_dir, const char *name)
{
    const struct wfile_event e = { .change = change, .is_directory = is_dir, .name = name };
    if (!w->is_over && !w->each(w->ctx, &e))
        w->is_over = true;
}

/* --- the list ------------------------------------------------------------------------------------------- */

static struct watched *find(struct wfile_watch *w, int wd)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->dirs[i].wd == wd)
            return &w->dirs[i];
    return NULL;
}

static void drop(struct wfile_watch *w, struct watched *d)
{
    free(d->path);
    *d = w->dirs[--w->count];
}

/* The same directory has the same number, also under another name. */
static bool note(struct wfile_watch *w, int wd, const char *path)
{
    struct watched *d = find(w, wd);
    if (d)
        drop(w, d);
    if (w->count == WFILE_MAX_WATCHED)
        return false;
    d = &w->dirs[w->count];
    *d = (struct watched){ wd, strdup(path) };
    w->count += d->path != NULL;
    return d->path != NULL;
}

static bool join(char *to, const char *above, const char *name)
{
    const char *slash = above[0] && name[0] ? "/" : "";
    return snprintf(to, WFILE_MAX_PATH, "%s%s%s", above, slash, name) < (int)WFILE_MAX_PATH;
}

/* Changes the working directory, by which alone inotify takes one that was resolved (jobs may have no /proc). */
static int add_directory(struct wfile_watch *w, const char *full)
{
    cleanup(closep) int dir = wfile_resolve(w->root, full, O_PATH | O_DIRECTORY, FOLLOW_BENEATH);
    if (dir < 0)
        return dir;
    if (fchdir(dir) < 0)
        return -errno;
    const int wd = inotify_add_watch(w->fd, ".", WANTED), e = -errno;
    return chdir("/") < 0 ? -errno : wd < 0 ? e : wd;
}

/* path: relative to top. */
static int add(struct wfile_watch *w, const char *path)
{
    char full[WFILE_MAX_PATH];
    const int wd = join(full, w->top, path) ? add_directory(w, full) : -ENAMETOOLONG;
    if (wd < 0)
        return wd;
    if (note(w, wd, path))
        return 0;
    (void)inotify_rm_watch(w->fd, wd);
    return -ENOSPC;
}

/* Of those that are there, and not gone meanwhile. */
static void add_or_cut(struct wfile_watch *w, const char *path)
{
    const int e = add(w, path);
    w->is_cut |= e < 0 && e != -ENOENT && e != -ENOTDIR;
    w->is_full |= e == -ENOSPC;
}

struct below {
    struct wfile_watch *watch;
    const char *path;
    bool is_told; /* as created */
};

static bool add_entry(void *context, const struct wfile_entry *e)
{
    const struct below *b = context;
    struct wfile_watch *w = b->watch;
    const bool is_dir = e->stat.kind == WFILE_DIRECTORY;
    char path[WFILE_MAX_PATH];
    if (!join(path, b->path, e->name)) {
        w->is_cut = true;
        return true;
    }
    if (is_dir)
        add_or_cut(w, path);
    if (b->is_told)
        tell(w, WFILE_CREATE, is_dir, path);
    return !w->is_over && !(w->is_full && !b->is_told);
}

static void add_below(struct wfile_watch *w, const char *path, bool is_told)
{
    struct below b = { w, path, is_told };
    char full[WFILE_MAX_PATH];
    bool is_cut = false;
    if (join(full, w->top, path)) /* gone meanwhile: it is told */
        (void)wfile_list(w->root, full, WFILE_MAX_DEPTH, 0, add_entry, &b, &is_cut);
    w->is_cut |= is_cut;
}

static void drop_below(struct wfile_watch *w, const char *path)
{
    const size_t n = strlen(path);
    for (uint32_t i = w->count; i-- > 0;)
        if (strncmp(w->dirs[i].path, path, n) == 0 && (!w->dirs[i].path[n] || w->dirs[i].path[n] == '/')) {
            (void)inotify_rm_watch(w->fd, w->dirs[i].wd);
            drop(w, &w->dirs[i]);
        }
}

/* --- what happened ------------------------------------------------------------------------------------------ */

static void on_directory(struct wfile_watch *w, uint32_t mask, const char *path)
{
    const bool was_cut = w->is_cut;
    if (mask & IN_MOVED_FROM)
        drop_below(w, path);
    if (mask & (IN_CREATE | IN_MOVED_TO)) {
        add_or_cut(w, path);
        add_below(w, path, true);
    }
    if (w->is_cut && !was_cut)
        tell(w, WFILE_OVERFLOW, false, "");
}

static void on_change(struct wfile_watch *w, const struct watched *d, uint32_t mask, const char *name)
{
    static const struct {
        uint32_t mask;
        enum wfile_change change;
    } changes[] = { { IN_CREATE | IN_MOVED_TO, WFILE_CREATE },
                    { IN_MODIFY, WFILE_WRITE },
                    { IN_DELETE, WFILE_REMOVE },
                    { IN_MOVED_FROM, WFILE_RENAME },
                    { IN_ATTRIB, WFILE_CHMOD } };
    char path[WFILE_MAX_PATH];
    if (str_starts(name, WFILE_TEMPORARY) || !join(path, d->path, name)) /* on its way to its name (files.h) */
        return;
    for (size_t i = 0; i < ARRAY_LEN(changes); i++)
        if (mask & changes[i].mask)
            tell(w, changes[i].change, mask & IN_ISDIR, path);
    if (w->is_deep && mask & IN_ISDIR)
        on_directory(w, mask, path);
}

static void on_event(struct wfile_watch *w, const struct inotify_event *e)
{
    struct watched *d = find(w, e->wd);
    if (e->mask & IN_Q_OVERFLOW) {
        tell(w, WFILE_OVERFLOW, false, "");
    } else if (!d) { /* of one that was dropped meanwhile */
        return;
    } else if (e->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)) {
        if (!d->path[0]) { /* gone, or elsewhere by now */
            tell(w, WFILE_GONE, true, "");
            w->is_over = true;
        } else if (e->mask & IN_IGNORED) {
            drop(w, d);
        }
    } else if (e->len) { /* without a name: of the directory itself, which the one above tells */
        on_change(w, d, e->mask, e->name);
    }
}

/* --- its life ----------------------------------------------------------------------------------------------- */

int wfile_watch_begin(int root, const char *path, bool is_deep, bool (*each)(void *ctx, const struct wfile_event *e),
                      void *ctx, struct wfile_watch **ret, bool *ret_is_cut)
{
    struct wfile_watch *w = calloc(1, sizeof *w);
    int e;
    if (!w)
        return -ENOMEM;
    w->each = each;
    w->ctx = ctx;
    w->is_deep = is_deep;
    w->root = root;
    w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    e = w->fd < 0                                                          ? (errno == EMFILE ? -EUSERS : -errno)
        : snprintf(w->top, sizeof w->top, "%s", path) < (int)sizeof w->top ? 0
                                                                           : -ENAMETOOLONG;
    if (e == 0)
        e = add(w, "");
    if (e == -ENOSPC)
        e = -EUSERS;
    if (e < 0) {
        (void)wfile_watch_end(w);
        return e;
    }
    if (is_deep)
        add_below(w, "", false);
    *ret_is_cut = w->is_cut;
    *ret = w;
    return 0;
}

int wfile_watch_fd(const struct wfile_watch *w)
{
    return w->fd;
}

bool wfile_watch_read(struct wfile_watch *w)
{
    _Alignas(struct inotify_event) char events[16 * KIB];
    const ssize_t n = read(w->fd, events, sizeof events);
    for (ssize_t at = 0; at < n && !w->is_over;) {
        const struct inotify_event *e = (const struct inotify_event *)(events + at);
        on_event(w, e);
        at += (ssize_t)(sizeof *e + e->len);
    }
    return !w->is_over && (n > 0 || errno == EAGAIN || errno == EINTR);
}

struct wfile_watch *wfile_watch_end(struct wfile_watch *w)
{
    if (!w)
        return NULL;
    while (w->count)
        drop(w, &w->dirs[w->count - 1]);
    closep(&w->fd);
    free(w);
    return NULL;
}
