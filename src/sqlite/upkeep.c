/* upkeep.c - the store of a long-lived service: it alone uses it, its WAL copied beside the work, and a way to see that
 * others have written. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include "sqlite/private.h"
#include "store/service.h"

#define SAFETY_PAGES 65536 /* should sqlite_checkpoint() never be called: 64 MiB, or 256 */

static int take_directory(struct sqlite *s, struct error *err)
{
    const char *slash = strrchr(s->path, '/');
    const char *path = arena_printf(&s->sql.arena, "%.*s/service.lock", (int)(slash - s->path), s->path);
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_set(err, -errno, BLAME_HOST, "STORE", "%s: %m", path);
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        s->service_lock = fd;
        s->sql.is_service = true;
        return 0;
    }
    int e = errno == EWOULDBLOCK ? -EALREADY : -errno;
    (void)close(fd);
    (void)err_set(err, e, BLAME_HOST, "STORE", "%s: %s", path,
                  e == -EALREADY ? "another service has this state directory" : strerror(-e));
    return err_remedy(err, "stop the other sandboxd, or set sandbox.paths.state_dir to another directory");
}

int sqlite_set_service(void *self, struct error *err)
{
    struct sqlite *s = self;
    sql_begin_call(&s->sql);
    int e = s->service_lock >= 0 ? 0 : take_directory(s, err);
    if (e < 0)
        return e;
    (void)sqlite3_wal_autocheckpoint(s->db, SAFETY_PAGES);
    /* a WAL that was long once is cut when it begins anew; and the indexes of ten thousand executions stay in memory */
    int rc = sqlite3_exec(s->db, "PRAGMA journal_size_limit=16777216; PRAGMA cache_size=-16384", NULL, NULL, NULL);
    return rc == SQLITE_OK ? 0 : sqlite_fail(s, rc, "configure", err);
}

static int checkpoint(sqlite3 *db, uint64_t *ret_pages)
{
    int pages = 0, copied = 0;
    int rc = sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, &pages, &copied);
    if (ret_pages)
        *ret_pages = pages > 0 ? (uint64_t)pages : 0;
    return rc == SQLITE_BUSY ? SQLITE_OK : rc; /* another connection is just doing it */
}

/* Not by store_open(): it looks at the file through a descriptor, and closing one drops the locks that this process has
 * on it. SQLite's own connections know of each other. */
int sqlite_checkpoint(const void *self, uint64_t *ret_pages, struct error *err)
{
    const struct sqlite *s = self;
    sqlite3 *db = NULL;
    int rc = sqlite3_open_v2(s->path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
                             NULL);
    if (rc == SQLITE_OK) {
        (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        (void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        (void)sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        rc = sqlite3_exec(db, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL);
    }
    if (rc == SQLITE_OK)
        rc = checkpoint(db, ret_pages);
    struct sqlite own = { .db = db, .path = s->path }; /* for the words of its complaint */
    int e = rc == SQLITE_OK ? 0 : sqlite_fail(&own, rc, "checkpoint", err);
    (void)sqlite3_close(db);
    return e;
}

int sqlite_checkpoint_rest(void *self, struct error *err)
{
    struct sqlite *s = self;
    int rc = checkpoint(s->db, NULL);
    return rc == SQLITE_OK ? 0 : sqlite_fail(s, rc, "checkpoint", err);
}

int sqlite_version(void *self, uint64_t *ret, struct error *err)
{
    struct sqlite *s = self;
    struct query q = query_start(&s->sql, "PRAGMA data_version");
    uint64_t version = query_row(&q) ? query_get_u64(&q, 0) : 0;
    int e = query_done(&q, err);
    if (e == 0)
        *ret = version;
    return e;
}
