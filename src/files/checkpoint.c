#include "files/checkpoint.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/io.h"
#include "base/parse.h"
#include "files/checkpoint_record.h"
#include "files/internal.h"
#include "files/walk.h"

#define CHUNK         (128 * KIB) /* two of them stay in a processor's own memory */
#define REMOVAL_TRIES 5           /* each looks at WFILE_MAX_ENTRIES */

static int asked_by = -EBADF;

void wfile_checkpoint_asked_by(int sock)
{
    asked_by = sock;
}

/* Who asked has gone, and may have the next request under way: 0 or -ECANCELED. */
static int check_asked(void)
{
    struct pollfd f = { .fd = asked_by };
    return poll(&f, 1, 0) > 0 && f.revents & POLLHUP ? -ECANCELED : 0;
}

/* --- contents ------------------------------------------------------------------------------------------- */

enum carry { CARRY_COMPARE, CARRY_COPY, CARRY_UPDATE };

struct carrier {
    char *from, *to; /* CHUNK each */
    uint64_t left;   /* bytes that may be copied */
};

static int carrier_new(struct carrier *ret, uint64_t max_bytes)
{
    *ret = (struct carrier){ .from = malloc(2 * CHUNK), .left = max_bytes };
    if (!ret->from)
        return -ENOMEM;
    ret->to = ret->from + CHUNK;
    return 0;
}

/* musl's memcmp() goes byte by byte; whole words at a time are five times as fast. */
static bool is_equal(const char *a, const char *b, size_t size)
{
    size_t i = 0;
    for (; i + 64 <= size; i += 64) {
        uint64_t x[8], y[8], difference = 0;
        memcpy(x, a + i, sizeof x);
        memcpy(y, b + i, sizeof y);
        for (size_t k = 0; k < 8; k++)
            difference |= x[k] ^ y[k];
        if (difference)
            return false;
    }
    return memcmp(a + i, b + i, size - i) == 0;
}

/* size bytes; what lies behind the end is zeros. */
static int read_chunk(int fd, char *to, size_t size, uint64_t at)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t n = pread(fd, to + done, size - done, (off_t)(at + done));
        if (n < 0 && errno != EINTR)
            return -errno;
        if (n == 0)
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    memset(to + done, 0, size - done);
    return 0;
}

static int write_chunk(int fd, const char *data, size_t size, uint64_t at)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = pwrite(fd, data + done, size - done, (off_t)(at + done));
        if (n < 0 && errno != EINTR)
            return -errno;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* Holes are not read: a file of a gigabyte with nothing in it costs nothing. */
static uint64_t next_data(int fd, uint64_t at, uint64_t size)
{
    const off_t next = lseek(fd, (off_t)at, SEEK_DATA);
    return next >= 0 ? (uint64_t)next : errno == ENXIO ? size : at;
}

/* One stretch. 1: it differs (CARRY_COMPARE). */
static int carry_chunk(struct carrier *c, int from, int to, uint64_t at, size_t size, enum carry how)
{
    int e = read_chunk(from, c->from, size, at);
    if (e == 0 && how != CARRY_COPY)
        e = read_chunk(to, c->to, size, at);
    if (e < 0 || (how != CARRY_COPY && is_equal(c->from, c->to, size)))
        return e;
    if (how == CARRY_COMPARE)
        return 1;
    if (size > c->left)
        return -EFBIG;
    c->left -= size;
    return write_chunk(to, c->from, size, at);
}

/* Of the first size bytes of `from`; to: of CARRY_COPY it is empty. */
static int carry(struct carrier *c, int from, int to, uint64_t size, enum carry how)
{
    int e = 0;
    for (uint64_t at = 0, n; e == 0 && at < size; at += n) {
        at = next_data(from, at, size);
        if (how != CARRY_COPY)
            at = MIN_OF(at, next_data(to, at, size));
        n = at < size ? MIN_OF(size - at, (uint64_t)CHUNK) : 0;
        if (n && (e = check_asked()) == 0)
            e = carry_chunk(c, from, to, at, (size_t)n, how);
    }
    return e;
}

/* --- making --------------------------------------------------------------------------------------------- */

struct making {
    int root, copies;
    uint64_t number;
    uint32_t copy_count;
    struct carrier carrier;
    struct record before; /* the last one there is */
    struct buf text;
    char failed[WFILE_MAX_PATH];
};

static void copy_name(uint64_t number, uint32_t index, char name[static RECORD_NAME_MAX])
{
    (void)snprintf(name, RECORD_NAME_MAX, "%llu-%u", (unsigned long long)number, index);
}

/* As long as the file is what it was. */
static bool is_as_before(struct making *m, int fd, const struct record_entry *e, const char **ret)
{
    const struct record_entry *old = wfile_record_find(&m->before, e->path);
    if (!old || old->stat.kind != WFILE_REGULAR || old->stat.size != e->stat.size)
        return false;
    cleanup(closep) int copy = openat(m->copies, old->copy, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    *ret = old->copy;
    return copy >= 0 && carry(&m->carrier, fd, copy, e->stat.size, CARRY_COMPARE) == 0;
}

static int copy_file(struct making *m, int fd, uint64_t size, char name[static RECORD_NAME_MAX])
{
    copy_name(m->number, m->copy_count++, name);
    cleanup(closep) int copy = openat(m->copies, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (copy < 0 || ftruncate(copy, (off_t)size) < 0)
        return -errno;
    return carry(&m->carrier, fd, copy, size, CARRY_COPY);
}

static int add_file(struct making *m, struct record_entry *e, int dir, const char *name)
{
    char own[RECORD_NAME_MAX];
    struct stat st;
    cleanup(closep) int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ELOOP || errno == ENXIO ? 0 : -errno;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
        return 0; /* another one by now */
    wfile_stat_from(&st, &e->stat);
    int r = 0;
    if (e->stat.size && !is_as_before(m, fd, e, &e->copy)) {
        r = copy_file(m, fd, e->stat.size, own);
        e->copy = own;
    }
    if (r == 0)
        wfile_record_add(&m->text, e);
    return r;
}

static int add_entry(struct making *m, const struct wfile_walk *w)
{
    char target[PATH_MAX] = "";
    const char *name;
    const int dir = wfile_walk_dir(w, &name);
    struct record_entry e = { .path = w->path, .target = target, .copy = "", .stat = w->stat };
    if (w->stat.kind == WFILE_REGULAR)
        return add_file(m, &e, dir, name);
    if (w->stat.kind == WFILE_LINK)
        wfile_link_text(dir, name, target);
    wfile_record_add(&m->text, &e);
    return 0;
}

/* Everything that lies there. A volume that is mounted below is not entered. */
static int walk(int root, int (*each)(void *context, const struct wfile_walk *w), void *context, uint64_t *ret_entries,
                char failed[static WFILE_MAX_PATH])
{
    struct wfile_walk *w = malloc(sizeof *w);
    int e = w ? wfile_walk_begin(w, root, ".", 0, 0) : -ENOMEM;
    while (e == 0 && wfile_walk_next(w))
        if ((e = check_asked()) < 0 || (e = each(context, w)) < 0)
            (void)snprintf(failed, WFILE_MAX_PATH, "%s", w->path);
    if (e == 0 && w->failure && w->failure != -EXDEV) {
        e = w->failure;
        (void)snprintf(failed, WFILE_MAX_PATH, "%s", w->failed);
    }
    if (e == 0 && w->is_cut)
        e = -EMFILE;
    if (w) {
        *ret_entries = w->entries;
        wfile_walk_done(w);
    }
    free(w);
    return e;
}

static int make_entry(void *context, const struct wfile_walk *w)
{
    return add_entry(context, w);
}

static int open_copies(int store)
{
    if (mkdirat(store, RECORD_COPIES, 0700) < 0 && errno != EEXIST)
        return -errno;
    const int fd = openat(store, RECORD_COPIES, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static void remove_copies(const struct making *m)
{
    char name[RECORD_NAME_MAX];
    for (uint32_t i = 0; i < m->copy_count; i++) {
        copy_name(m->number, i, name);
        (void)unlinkat(m->copies, name, 0);
    }
}

/* A worker that was killed leaves copies without a record: above the last one's number. */
static void remove_unrecorded(const struct making *m, uint64_t last)
{
    DIR *d = wfile_record_names(m->copies);
    for (const struct dirent *e; d && (e = readdir(d));) {
        char number[RECORD_NAME_MAX];
        uint64_t n;
        const size_t digits = strspn(e->d_name, "0123456789");
        if (!digits || digits >= sizeof number)
            continue;
        memcpy(number, e->d_name, digits);
        number[digits] = '\0';
        if (parse_u64(number, &n) == 0 && n > last)
            (void)unlinkat(m->copies, e->d_name, 0);
    }
    if (d)
        (void)closedir(d);
}

/* What it shares copies with. A damaged one shares none: this one has copies of its own, and says so. */
static int read_last(struct making *m, int store, uint64_t last)
{
    const int e = last ? wfile_record_read(store, last, &m->before) : 0;
    if (e != -EBADMSG)
        return e;
    wfile_record_done(&m->before);
    (void)snprintf(m->failed, sizeof m->failed, "checkpoint %llu", (unsigned long long)last);
    return 0;
}

static int make(struct making *m, int store, struct wfile_checkpoint *ret)
{
    uint64_t before, after;
    int e = wfile_record_neighbours(store, m->number, &before, &after);
    if (e == 0 && after)
        e = -EINVAL;
    if (e == 0 && wfile_record_is_there(store, m->number))
        e = -EEXIST;
    if (e == 0)
        remove_unrecorded(m, before);
    if (e == 0)
        e = read_last(m, store, before);
    if (e == 0)
        e = walk(m->root, make_entry, m, &ret->entries, m->failed);
    if (e == 0 && (e = check_asked()) == 0)
        e = wfile_record_write(store, m->number, &m->text);
    if (e < 0)
        remove_copies(m);
    return e;
}

int wfile_checkpoint_make(int root, int store, uint64_t number, uint64_t max_bytes, struct wfile_checkpoint *ret,
                          char failed[static WFILE_MAX_PATH])
{
    struct making *m = calloc(1, sizeof *m);
    if (!m)
        return -ENOMEM;
    m->root = root;
    m->number = number;
    m->copies = open_copies(store);
    int e = m->copies < 0 ? m->copies : carrier_new(&m->carrier, max_bytes);
    if (e == 0)
        e = make(m, store, ret);
    ret->copied_bytes = max_bytes - m->carrier.left;
    (void)snprintf(failed, WFILE_MAX_PATH, "%s", m->failed);
    free(m->carrier.from);
    closep(&m->copies);
    wfile_record_done(&m->before);
    buf_done(&m->text);
    free(m);
    return e;
}

/* --- going back ------------------------------------------------------------------------------------------- */

struct going {
    int root, copies;
    struct carrier carrier;
    struct record record;
    struct buf gone; /* paths of what came since, a NUL behind each */
};

/* Of the thing of this name and kind; without following a link. */
static int open_entry(int root, const char *path, int flags)
{
    return wfile_resolve(root, path, flags | O_NONBLOCK, FOLLOW_NONE);
}

/* Rights of the owner's, which is us, are added by name: a descriptor cannot be had without them, and this process is
 * not dumpable, so that it has no /proc/self/fd. A link that takes the name's place in this moment leads to another
 * file of our own uid, which no job is kept from by its mode (steward/fence.c). */
static int add_rights(int root, const char *path, uint32_t mode)
{
    char name[NAME_MAX + 1];
    cleanup(closep) int dir = wfile_parent(root, path, false, name);
    return dir < 0 ? dir : fchmodat(dir, name, mode, 0) < 0 ? -errno : 0;
}

static bool is_there(int root, const struct record_entry *e, struct wfile_stat *ret)
{
    return wfile_stat(root, e->path, ret, NULL) == 0 && ret->kind == e->stat.kind;
}

/* So that all of it can be looked at: a directory's mode may keep us out. Parents come first. */
static int open_directories(const struct going *g)
{
    for (size_t i = 0; i < g->record.count; i++) {
        const struct record_entry *e = &g->record.entries[i];
        struct wfile_stat now;
        if (e->stat.kind != WFILE_DIRECTORY || !is_there(g->root, e, &now) || (now.mode & 0700) == 0700)
            continue;
        const int r = add_rights(g->root, e->path, now.mode | 0700);
        if (r < 0)
            return r;
    }
    return 0;
}

static int note_gone(void *context, const struct wfile_walk *w)
{
    struct going *g = context;
    const struct record_entry *e = wfile_record_find(&g->record, w->path);
    if (!e || e->stat.kind != w->stat.kind)
        (void)buf_add(&g->gone, w->path, strlen(w->path) + 1);
    return g->gone.failed ? -ENOMEM : 0;
}

/* A program may make files there as fast as we remove them. */
static int remove_one(int root, const char *path)
{
    int e = -EBUSY;
    for (unsigned i = 0; e == -EBUSY && i < REMOVAL_TRIES; i++)
        if ((e = check_asked()) == 0)
            e = wfile_remove(root, path);
    return e == -ENOENT || e == -ENOTDIR ? 0 : e;
}

/* Directories come before what is in them, and take it along. */
static int remove_gone(const struct going *g, const char **ret_failed)
{
    const char *p = g->gone.data, *end = p ? p + g->gone.size : NULL;
    int e = 0;
    for (; e == 0 && p < end; p += strlen(p) + 1) {
        *ret_failed = p;
        e = remove_one(g->root, p);
    }
    return e;
}

static int set_time(int fd, const struct wfile_stat *st)
{
    const struct timespec times[] = { { .tv_nsec = UTIME_OMIT },
                                      { .tv_sec = st->modified_s, .tv_nsec = (long)st->modified_ns } };
    return futimens(fd, times) < 0 ? -errno : 0;
}

/* Open for both, whatever its mode says: it is ours. */
static int open_file(int root, const struct record_entry *e)
{
    char name[NAME_MAX + 1];
    struct wfile_stat now;
    if (!is_there(root, e, &now)) {
        cleanup(closep) int dir = wfile_parent(root, e->path, true, name);
        const int fd = dir < 0 ? dir : openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        return dir < 0 ? dir : fd < 0 ? -errno : fd;
    }
    int fd = open_entry(root, e->path, O_RDWR);
    if (fd != -EACCES)
        return fd;
    const int r = add_rights(root, e->path, now.mode | 0600);
    if (r < 0)
        return r;
    return open_entry(root, e->path, O_RDWR);
}

/* 1: the file is not what it was. */
static int differs(struct going *g, int fd, int copy, const struct record_entry *e)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return -errno;
    if ((uint64_t)st.st_size != e->stat.size)
        return 1;
    return e->copy[0] ? carry(&g->carrier, copy, fd, e->stat.size, CARRY_COMPARE) : 0;
}

static int write_back(struct going *g, int fd, int copy, const struct record_entry *e)
{
    if (ftruncate(fd, (off_t)e->stat.size) < 0)
        return -errno;
    return e->copy[0] ? carry(&g->carrier, copy, fd, e->stat.size, CARRY_UPDATE) : 0;
}

static int restore_file(struct going *g, const struct record_entry *e)
{
    struct stat st;
    cleanup(closep) int copy = e->copy[0] ? openat(g->copies, e->copy, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -EBADF;
    if (e->copy[0] && copy < 0)
        return -errno;
    cleanup(closep) int fd = open_file(g->root, e);
    int r = fd < 0 ? fd : differs(g, fd, copy, e);
    if (r == 1)
        r = write_back(g, fd, copy, e);
    if (r == 0 && fstat(fd, &st) < 0)
        r = -errno;
    if (r == 0 && (st.st_mode & 0777) != e->stat.mode)
        r = fchmod(fd, e->stat.mode) < 0 ? -errno : 0;
    return r < 0 ? r : set_time(fd, &e->stat);
}

static int restore_link(const struct going *g, const struct record_entry *e)
{
    struct wfile_stat now;
    char target[PATH_MAX];
    if (wfile_stat(g->root, e->path, &now, target) == 0 && now.kind == WFILE_LINK && str_eq(target, e->target))
        return 0;
    return wfile_symlink(g->root, e->path, e->target);
}

static int restore_entry(struct going *g, const struct record_entry *e)
{
    int r = 0;
    if (e->stat.kind == WFILE_REGULAR)
        r = restore_file(g, e);
    else if (e->stat.kind == WFILE_LINK)
        r = restore_link(g, e);
    else if (e->stat.kind == WFILE_DIRECTORY)
        r = MIN_OF(wfile_mkdir(g->root, e->path), 0);
    return r;
}

static int restore_one(struct going *g, const struct record_entry *e)
{
    const int r = check_asked();
    return r < 0 ? r : restore_entry(g, e);
}

/* Last, and from the innermost outwards: what is done in a directory changes its time. */
static int restore_directory(const struct going *g, const struct record_entry *e)
{
    cleanup(closep) int fd = open_entry(g->root, e->path, O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return fd;
    const int r = set_time(fd, &e->stat);
    return r == 0 && fchmod(fd, e->stat.mode) < 0 ? -errno : r;
}

static int go_back(struct going *g, const char **ret_failed)
{
    int e = 0;
    for (size_t i = 0; e == 0 && i < g->record.count; i++)
        e = restore_one(g, &g->record.entries[i]), *ret_failed = g->record.entries[i].path;
    for (size_t i = g->record.count; e == 0 && i-- > 0;)
        if (g->record.entries[i].stat.kind == WFILE_DIRECTORY)
            e = restore_directory(g, &g->record.entries[i]), *ret_failed = g->record.entries[i].path;
    return e;
}

int wfile_checkpoint_restore(int root, int store, uint64_t number, char failed[static WFILE_MAX_PATH])
{
    const char *where = "";
    uint64_t ignored;
    struct going g = { .root = root, .copies = open_copies(store) };
    buf_init(&g.gone, 256 * MIB);
    int e = g.copies < 0 ? g.copies : carrier_new(&g.carrier, UINT64_MAX);
    if (e == 0)
        e = wfile_record_read(store, number, &g.record);
    if (e == 0)
        e = open_directories(&g);
    if (e == 0)
        e = walk(root, note_gone, &g, &ignored, failed);
    if (e == 0 && (e = remove_gone(&g, &where)) == 0)
        e = go_back(&g, &where);
    if (e < 0 && where[0])
        (void)snprintf(failed, WFILE_MAX_PATH, "%s", where);
    free(g.carrier.from);
    closep(&g.copies);
    wfile_record_done(&g.record);
    buf_done(&g.gone);
    return e;
}

/* --- forgetting ------------------------------------------------------------------------------------------- */

/* Each file's copy is shared only with the checkpoints next to it: a new one shares those of the last. */
static bool has_copy(const struct record *r, const struct record_entry *e)
{
    const struct record_entry *other = wfile_record_find(r, e->path);
    return other && str_eq(other->copy, e->copy);
}

/* The next one that can be read, towards the older or the newer ones; empty: there is none. What both sides of a
 * damaged one share, that one shares, too. */
static int read_neighbour(int store, uint64_t number, bool is_newer, struct record *ret)
{
    uint64_t next[2];
    int e;
    do {
        wfile_record_done(ret);
        e = wfile_record_neighbours(store, number, &next[0], &next[1]);
        number = next[is_newer];
        if (e == 0 && number)
            e = wfile_record_read(store, number, ret);
    } while (e == -EBADMSG);
    return e;
}

int wfile_checkpoint_forget(int store, uint64_t number)
{
    struct record own = { .count = 0 }, next[2] = { { .count = 0 }, { .count = 0 } };
    cleanup(closep) int copies = open_copies(store);
    int e = copies < 0 ? copies : wfile_record_read(store, number, &own);
    if (e == -EBADMSG) /* the copies that it alone has stay, as long as the session */
        wfile_record_remove(store, number);
    if (e < 0) {
        wfile_record_done(&own);
        return e == -ESRCH || e == -EBADMSG ? 0 : e;
    }
    for (size_t i = 0; i < 2 && e == 0; i++)
        e = read_neighbour(store, number, i, &next[i]);
    if (e == 0)
        wfile_record_remove(store, number);
    for (size_t i = 0; e == 0 && i < own.count; i++)
        if (own.entries[i].copy[0] && !has_copy(&next[0], &own.entries[i]) && !has_copy(&next[1], &own.entries[i]))
            (void)unlinkat(copies, own.entries[i].copy, 0);
    wfile_record_done(&own);
    wfile_record_done(&next[0]);
    wfile_record_done(&next[1]);
    return e;
}
