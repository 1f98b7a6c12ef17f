/* wal_file.c - the pages of a transaction go into the WAL by one write.
 *
 * SQLite writes 24 bytes and then the page, for each page: two thirds of what a commit takes here. So its VFS is used
 * with another xWrite for the WAL alone: frames are kept until the one that commits is whole. Only then does SQLite
 * write what makes them visible (the WAL's index), so no other process ever sees a frame that is not in the file, and
 * what a process had when it was killed was not committed, as before.
 *
 * SQLite has the write lock as long as frames are kept: it writes them all within one commit, since no page is spilled
 * before (PRAGMA cache_spill, sqlite.c). Kept frames of a transaction that was given up would be written over those of
 * another process. When a write fails, the kept ones are gone and the commit fails.
 */
#include <pthread.h>
#include "sqlite/private.h"

#define HEADER_SIZE 24
#define KEPT_MAX    0x1ffff /* more is no one write: SQLite masks a write's size by this */

/* Behind SQLite's own file, which has this place because of szOsFile. */
struct wal_file {
    const sqlite3_io_methods *base;
    sqlite3_io_methods own;
    sqlite3_int64 at;
    int size, room;
    bool needs_page, is_commit;
    char *kept;
};

static sqlite3_vfs *base_vfs;

static struct wal_file *of(sqlite3_file *f)
{
    return (struct wal_file *)((char *)f + (base_vfs->szOsFile + 15) / 16 * 16);
}

static int flush(sqlite3_file *f)
{
    struct wal_file *w = of(f);
    const int size = w->size;
    w->size = 0;
    w->needs_page = false;
    return size ? w->base->xWrite(f, w->kept, size, w->at) : SQLITE_OK;
}

/* Whether it has been kept; else it is not of this kind, or there is no memory. */
static bool keep(struct wal_file *w, const char *data, int n, sqlite3_int64 at)
{
    const bool is_header = n == HEADER_SIZE, is_next = w->size && at == w->at + w->size;
    if (is_header == w->needs_page || (w->size && !is_next) || (!w->size && !is_header))
        return false;
    if (w->room - w->size < n) {
        char *more = realloc(w->kept, (size_t)w->size + (size_t)n + 32 * KIB);
        if (!more)
            return false;
        w->kept = more;
        w->room = w->size + n + (int)(32 * KIB);
    }
    if (!w->size)
        w->at = at;
    memcpy(w->kept + w->size, data, (size_t)n);
    w->size += n;
    w->needs_page = is_header;
    if (is_header)
        w->is_commit = data[4] || data[5] || data[6] || data[7]; /* the database's size in pages */
    return true;
}

static int write_frames(sqlite3_file *f, const void *data, int n, sqlite3_int64 at)
{
    struct wal_file *w = of(f);
    if (!keep(w, data, n, at)) {
        int rc = flush(f);
        if (rc != SQLITE_OK)
            return rc;
        if (n != HEADER_SIZE || !keep(w, data, n, at))
            return w->base->xWrite(f, data, n, at);
    }
    const bool has_room = w->size + HEADER_SIZE + n <= KEPT_MAX;
    return !w->needs_page && (w->is_commit || !has_room) ? flush(f) : SQLITE_OK;
}

static int read_from(sqlite3_file *f, void *ret, int n, sqlite3_int64 at)
{
    int rc = flush(f);
    return rc == SQLITE_OK ? of(f)->base->xRead(f, ret, n, at) : rc;
}

static int cut(sqlite3_file *f, sqlite3_int64 size)
{
    int rc = flush(f);
    return rc == SQLITE_OK ? of(f)->base->xTruncate(f, size) : rc;
}

static int sync_file(sqlite3_file *f, int flags)
{
    int rc = flush(f);
    return rc == SQLITE_OK ? of(f)->base->xSync(f, flags) : rc;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *ret)
{
    int rc = flush(f);
    return rc == SQLITE_OK ? of(f)->base->xFileSize(f, ret) : rc;
}

static int close_file(sqlite3_file *f)
{
    struct wal_file *w = of(f);
    free(w->kept); /* nothing that was committed is there */
    w->kept = NULL;
    w->size = w->room = 0;
    return w->base->xClose(f);
}

/* All that is not replaced goes to SQLite's own function, with the file that it made. */
static int open_file(sqlite3_vfs *ours, const char *name, sqlite3_file *f, int flags, int *ret_flags)
{
    (void)ours;
    int rc = base_vfs->xOpen(base_vfs, name, f, flags, ret_flags);
    if (rc != SQLITE_OK || !(flags & SQLITE_OPEN_WAL) || !f->pMethods)
        return rc;
    struct wal_file *w = of(f);
    *w = (struct wal_file){ .base = f->pMethods, .own = *f->pMethods };
    w->own.xWrite = write_frames;
    w->own.xRead = read_from;
    w->own.xTruncate = cut;
    w->own.xSync = sync_file;
    w->own.xFileSize = file_size;
    w->own.xClose = close_file;
    f->pMethods = &w->own;
    return rc;
}

static sqlite3_vfs vfs;

static void make(void)
{
    base_vfs = sqlite3_vfs_find(NULL);
    vfs = *base_vfs;
    vfs.zName = "sandbox-agent";
    vfs.pNext = NULL;
    vfs.szOsFile = (base_vfs->szOsFile + 15) / 16 * 16 + (int)sizeof(struct wal_file);
    vfs.xOpen = open_file;
    (void)sqlite3_vfs_register(&vfs, 0);
}

const char *wal_file_vfs(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, make);
    return vfs.zName;
}
