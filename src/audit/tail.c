#include "audit/tail.h"

#include <sys/stat.h>
#include "audit/files.h"
#include "audit/reader.h"

/* Where the last n lines of a file begin; *ret_count: how many there are. */
static uint64_t last_lines(int fd, uint64_t size, uint64_t n, uint64_t *ret_count)
{
    char chunk[16384];
    uint64_t at = size, newlines = 0;
    *ret_count = 0;
    while (at) {
        size_t want = (size_t)MIN_OF(at, sizeof chunk);
        if (pread(fd, chunk, want, (off_t)(at - want)) != (ssize_t)want)
            break;
        for (size_t i = want; i; i--) {
            if (chunk[i - 1] != '\n')
                continue;
            if (newlines++ == n) { /* the one that ends the line before */
                *ret_count = n;
                return at - want + i;
            }
        }
        at -= want;
    }
    *ret_count = newlines;
    return 0;
}

/* Whole lines from *offset on; *offset stands behind the last. */
static int give(int fd, uint64_t *offset, uint64_t until, search_hit *hit, void *context)
{
    struct reader r;
    struct raw_line raw;
    struct audit_line l;
    bool is_enough = false;
    int e = reader_init(&r, fd, *offset, until);
    while (e == 0 && !is_enough && reader_next(&r, &raw) && raw.has_newline) {
        *offset = raw.offset + raw.bytes;
        if (raw.is_whole && audit_line_read(raw.p, raw.size, &l) == 0)
            is_enough = !hit(context, raw.p, raw.size, &l);
    }
    if (e == 0)
        e = r.fault;
    reader_done(&r);
    return e < 0 ? e : is_enough;
}

static int fault(const struct tail *t, int e, struct error *err)
{
    return err_set(err, e, BLAME_HOST, "AUDIT", "read the audit in %s: %s", t->dir, strerror(-e));
}

/* From file i on; the last one stays open. */
static int give_files(struct tail *t, const struct audit_files *files, size_t i, uint64_t offset, search_hit *hit,
                      void *context)
{
    int e = 0;
    for (; e == 0 && i < files->count; i++, offset = 0) {
        closep(&t->fd);
        t->fd = files_open(files, i);
        if (t->fd < 0)
            return t->fd == -ENOENT ? 0 : t->fd; /* renamed this moment: the next look finds it */
        struct stat st;
        if (fstat(t->fd, &st) < 0)
            return -errno;
        t->dev = st.st_dev;
        t->ino = st.st_ino;
        t->offset = offset;
        e = give(t->fd, &t->offset, UINT64_MAX, hit, context);
    }
    return e;
}

int tail_begin(const char *dir, uint64_t n, search_hit *hit, void *context, struct tail *ret, struct error *err)
{
    struct audit_files files;
    uint64_t offset = 0;
    *ret = (struct tail){ .dir = dir, .fd = -1 };
    int e = files_list(dir, false, &files, err);
    if (e < 0)
        return e;
    size_t i = files.count;
    while (i && (n || i == files.count)) {
        uint64_t found = 0;
        cleanup(closep) int fd = files_open(&files, --i);
        if (fd < 0)
            break;
        offset = last_lines(fd, files.list[i].size, n, &found);
        n -= found;
    }
    if (files.count)
        e = give_files(ret, &files, i, offset, hit, context);
    files_done(&files);
    return e < 0 ? fault(ret, e, err) : e;
}

int tail_more(struct tail *t, search_hit *hit, void *context, struct error *err)
{
    struct audit_files files;
    size_t next = 0;
    int e = t->fd < 0 ? 0 : give(t->fd, &t->offset, UINT64_MAX, hit, context);
    if (e != 0)
        return e < 0 ? fault(t, e, err) : e;
    if ((e = files_list(t->dir, false, &files, err)) < 0)
        return e;
    for (size_t i = 0; i < files.count && t->fd >= 0; i++)
        if (files.list[i].ino == t->ino && files.list[i].dev == t->dev)
            next = i + 1;
    if (t->fd >= 0 && !next && files.count) /* ours is gone: only the current file can be new */
        next = files.count - 1;
    /* a line may have come into ours between the two looks */
    if (next < files.count && t->fd >= 0)
        e = give(t->fd, &t->offset, UINT64_MAX, hit, context);
    if (e == 0 && next < files.count)
        e = give_files(t, &files, next, 0, hit, context);
    files_done(&files);
    return e < 0 ? fault(t, e, err) : e;
}

void tail_done(struct tail *t)
{
    closep(&t->fd);
}
