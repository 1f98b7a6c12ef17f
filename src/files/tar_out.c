#include <stdio.h>

#include "files/internal.h"
#include "files/tar_header.h"
#include "files/walk.h"

#define OWNER_ID     1000u                  /* the session's user; no program has to believe it */
#define MAX_USTAR    UINT64_C(077777777777) /* what 11 octal digits hold: 8 GiB */
#define MAX_EXTENDED (9u * KIB)             /* a path and a link's text of 4 KiB each, with their keys, and a size */

struct tar_out {
    int root, error;
    bool is_links, is_over; /* is_links: the second round; is_over: the end marks are out, or on their way */
    uint64_t left_bytes;
    struct tar_out_counts counts;
    uint64_t left; /* of the file that is being read: bytes, and then the padding */
    size_t padding;
    int fd;
    char path[WFILE_MAX_PATH];
    char pending[3 * TAR_BLOCK + MAX_EXTENDED]; /* headers that are still to be read */
    size_t at, end;
    struct wfile_walk walk;
};

int tar_out_begin(int root, const char *path, uint64_t max_bytes, struct tar_out **ret)
{
    struct tar_out *t = calloc(1, sizeof *t);
    if (!t)
        return -ENOMEM;
    t->fd = -EBADF;
    t->left_bytes = max_bytes;
    int e = wfile_path_is_sound(path, strlen(path)) ? wfile_walk_begin(&t->walk, root, path, 0, 0) : -EINVAL;
    /* the second round begins at the same directory, whatever its name leads to by then */
    t->root = e < 0 ? -EBADF : fcntl(t->walk.dirs[0].fd, F_DUPFD_CLOEXEC, 3);
    if (e == 0 && t->root < 0)
        e = -errno;
    if (e < 0)
        return (void)tar_out_free(t), e;
    *ret = t;
    return 0;
}

struct tar_out *tar_out_free(struct tar_out *t)
{
    if (t) {
        wfile_walk_done(&t->walk);
        closep(&t->fd);
        closep(&t->root);
    }
    free(t);
    return NULL;
}

const char *tar_out_failed(const struct tar_out *t)
{
    return t->error ? t->path : "";
}

struct tar_out_counts tar_out_counts(const struct tar_out *t)
{
    return t->counts;
}

/* --- headers ------------------------------------------------------------------------------------------- */

static void put_octal(char *to, size_t size, uint64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%0*llo", (int)size - 1, (unsigned long long)value);
    memcpy(to, text, size); /* with the NUL */
}

static void put_text(char *to, size_t size, const char *text)
{
    memcpy(to, text, MIN_OF(size, strlen(text)));
}

static struct tar_header *add_header(struct tar_out *t, char type, const char *name, uint64_t size)
{
    struct tar_header *h = (struct tar_header *)(void *)(t->pending + t->end);
    memset(h, 0, sizeof *h);
    t->end += sizeof *h;
    h->type = type;
    put_text(h->name, sizeof h->name, name);
    put_octal(h->size, sizeof h->size, MIN_OF(size, MAX_USTAR));
    put_octal(h->mode, sizeof h->mode, 0644);
    put_octal(h->uid, sizeof h->uid, OWNER_ID);
    put_octal(h->gid, sizeof h->gid, OWNER_ID);
    put_octal(h->mtime, sizeof h->mtime, 0);
    memcpy(h->magic, "ustar", 6);
    memcpy(h->version, "00", 2);
    return h;
}

static void sign(struct tar_header *h)
{
    (void)snprintf(h->sum, sizeof h->sum, "%06o", tar_sum(h)); /* six digits, NUL, and the eighth byte a space */
    h->sum[7] = ' ';
}

/* «LENGTH key=value\n», where LENGTH counts its own digits. */
static void add_record(struct buf *b, const char *key, const char *value)
{
    size_t rest = strlen(key) + strlen(value) + 3, size = rest + 1;
    while (size != rest + (size_t)snprintf(NULL, 0, "%zu", size))
        size = rest + (size_t)snprintf(NULL, 0, "%zu", size);
    (void)buf_addf(b, "%zu %s=%s\n", size, key, value);
}

/* What ustar has no room for, in a header of its own before the entry's. Names are bytes as they are, UTF-8 or not, as
 * GNU's tar has them: pax's word for that (hdrcharset) is one that it does not know. */
static int add_extended(struct tar_out *t, const char *path, const char *target, uint64_t size)
{
    char number[24];
    struct buf b;
    buf_init(&b, MAX_EXTENDED);
    if (strlen(path) > TAR_NAME_MAX)
        add_record(&b, "path", path);
    if (strlen(target) > TAR_NAME_MAX)
        add_record(&b, "linkpath", target);
    if (size > MAX_USTAR) {
        (void)snprintf(number, sizeof number, "%llu", (unsigned long long)size);
        add_record(&b, "size", number);
    }
    int e = b.failed ? -ENAMETOOLONG : 0;
    if (e == 0 && b.size) {
        sign(add_header(t, 'x', "pax", b.size));
        memcpy(t->pending + t->end, b.data, b.size);
        memset(t->pending + t->end + b.size, 0, tar_padding(b.size));
        t->end += b.size + tar_padding(b.size);
    }
    buf_done(&b);
    return e;
}

static int add_entry(struct tar_out *t, char type, const char *target, const struct wfile_stat *st)
{
    t->at = t->end = 0;
    int e = add_extended(t, t->path, target, st->size);
    if (e < 0)
        return e;
    struct tar_header *h = add_header(t, type, t->path, st->size);
    put_octal(h->mode, sizeof h->mode, st->mode);
    if (st->modified_s > 0 && (uint64_t)st->modified_s <= MAX_USTAR)
        put_octal(h->mtime, sizeof h->mtime, (uint64_t)st->modified_s);
    put_text(h->link, sizeof h->link, target);
    sign(h);
    t->counts.entries++;
    return 0;
}

/* --- entries ----------------------------------------------------------------------------------------- */

static int begin_file(struct tar_out *t, int dir, const char *name)
{
    struct wfile_stat st;
    cleanup(closep) int fd = wfile_resolve(dir, name, O_RDONLY | O_NONBLOCK | O_NOCTTY, FOLLOW_NONE);
    struct stat now;
    if (fd == -ENOENT || fd == -ELOOP || fd == -ENXIO)
        return 0; /* gone, or something else since we looked */
    if (fd < 0 || fstat(fd, &now) < 0)
        return fd < 0 ? fd : -errno;
    wfile_stat_from(&now, &st);
    if (st.kind != WFILE_REGULAR)
        return 0;
    if (st.size > t->left_bytes)
        return -EFBIG;
    int e = add_entry(t, '0', "", &st);
    if (e < 0)
        return e;
    t->left_bytes -= st.size;
    t->counts.bytes += st.size;
    t->left = st.size;
    t->padding = tar_padding(st.size);
    t->fd = TAKE_FD(fd);
    return 0;
}

static int begin_link(struct tar_out *t, int dir, const char *name)
{
    char target[PATH_MAX];
    struct wfile_stat st = t->walk.stat;
    wfile_link_text(dir, name, target);
    st.size = 0;
    return target[0] ? add_entry(t, '2', target, &st) : 0;
}

static int begin_directory(struct tar_out *t)
{
    size_t end = strlen(t->path);
    if (end + 2 > sizeof t->path)
        return -ENAMETOOLONG;
    t->path[end] = '/';
    t->path[end + 1] = '\0';
    return add_entry(t, '5', "", &t->walk.stat);
}

static int begin_entry(struct tar_out *t)
{
    const char *name;
    int dir = wfile_walk_dir(&t->walk, &name);
    memcpy(t->path, t->walk.path, strlen(t->walk.path) + 1);
    if (t->is_links)
        return t->walk.stat.kind == WFILE_LINK ? begin_link(t, dir, name) : 0;
    switch (t->walk.stat.kind) {
    case WFILE_REGULAR:
        return begin_file(t, dir, name);
    case WFILE_DIRECTORY:
        return begin_directory(t);
    case WFILE_LINK:
        return 0;
    default:
        t->counts.left_out++;
        return 0;
    }
}

/* The walk met its end: the links' turn, or the end marks. */
static int end_walk(struct tar_out *t)
{
    if (t->walk.failure || t->walk.is_cut) {
        memcpy(t->path, t->walk.failed, t->walk.failure ? strlen(t->walk.failed) + 1 : 1);
        return t->walk.failure ? t->walk.failure : -EMFILE;
    }
    t->path[0] = '\0';
    if (!t->is_links) {
        t->is_links = true;
        return wfile_walk_begin(&t->walk, t->root, ".", 0, 0);
    }
    t->is_over = true;
    t->at = 0;
    t->end = 2 * TAR_BLOCK;
    memset(t->pending, 0, t->end);
    return 0;
}

/* --- bytes ------------------------------------------------------------------------------------------- */

static size_t take_pending(struct tar_out *t, char *to, size_t max)
{
    size_t n = MIN_OF(max, t->end - t->at);
    memcpy(to, t->pending + t->at, n);
    t->at += n;
    return n;
}

/* Of the file's content, and zeros where there is less of it than there was. */
static ssize_t take_content(struct tar_out *t, char *to, size_t max)
{
    size_t wanted = (size_t)MIN_OF((uint64_t)max, t->left);
    ssize_t n;
    do
        n = read(t->fd, to, wanted);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    if (n == 0) {
        memset(to, 0, wanted);
        n = (ssize_t)wanted;
    }
    t->left -= (uint64_t)n;
    return n;
}

static size_t take_padding(struct tar_out *t, char *to, size_t max)
{
    size_t n = MIN_OF(max, t->padding);
    memset(to, 0, n);
    t->padding -= n;
    if (!t->padding)
        closep(&t->fd);
    return n;
}

static ssize_t next_bytes(struct tar_out *t, char *to, size_t max)
{
    for (;;) {
        if (t->at < t->end)
            return (ssize_t)take_pending(t, to, max);
        if (t->left)
            return take_content(t, to, max);
        if (t->padding)
            return (ssize_t)take_padding(t, to, max);
        closep(&t->fd);
        if (t->is_over)
            return 0;
        int e = wfile_walk_next(&t->walk) ? begin_entry(t) : end_walk(t);
        if (e < 0)
            return e;
    }
}

ssize_t tar_out_read(struct tar_out *t, char *to, size_t max)
{
    ssize_t n = t->error ? t->error : next_bytes(t, to, max);
    if (n < 0)
        t->error = (int)n;
    return n;
}
