/* sqlite.c - the connection: opening, statements, transactions, and what SQLite's complaints mean to a person.
 *
 * Waiting: only a transaction's first statement waits for a lock (BEGIN IMMEDIATE takes the write lock), so no process
 * holds one lock and waits for another. SQLite's own busy handler sleeps up to 100 ms at a time; ours sleeps a part of
 * a millisecond, since the transactions here last that long.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include "sqlite/private.h"
#include "base/clock.h"

#define BUSY_MS   10000u /* one attempt; transaction_begin makes three */
#define WAL_BYTES (400 * KIB)

static int when_busy(void *arg, int count)
{
    struct sqlite *s = arg;
    if (count == 0)
        s->busy_since_ms = clock_ms();
    else if (clock_ms() - s->busy_since_ms >= BUSY_MS)
        return 0;
    s->busy_seed = s->busy_seed * 1103515245u + 12345u; /* so that two who wait do not wake together for ever */
    long us = 50 + (long)(s->busy_seed >> 16) % (count < 10 ? 200 : 1000);
    (void)nanosleep(&(struct timespec){ .tv_nsec = us * 1000 }, NULL);
    return 1;
}

static int damaged(struct sqlite *s, struct error *err)
{
    (void)err_set(err, -EUCLEAN, BLAME_HOST, "STORE", "%s is damaged or no store of ours: %s", s->path,
                  s->db ? sqlite3_errmsg(s->db) : "not a database");
    return err_remedy(err,
                      "move %s* aside (it is left as it is) and start again: a new one begins, with every agent at its "
                      "first trust; a backup, if there is one, may take its place",
                      s->path);
}

int sqlite_fail(struct sqlite *s, int rc, const char *doing, struct error *err)
{
    switch (rc & 0xFF) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
        return damaged(s, err);
    case SQLITE_FULL:
        (void)err_set(err, -ENOSPC, BLAME_HOST, "STORE", "%s: %s: the disk is full", s->path, doing);
        return err_remedy(err, "make room on the file system of %s, or set sandbox.paths.state_dir", s->path);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        (void)err_set(err, -EACCES, BLAME_HOST, "STORE", "%s: %s: it cannot be written: %s", s->path, doing,
                      sqlite3_errmsg(s->db));
        return err_remedy(err, "make the directory writable for this user, or set sandbox.paths.state_dir");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        (void)err_set(err, -EBUSY, BLAME_HOST, "STORE", "%s: %s: other processes kept it for half a minute", s->path,
                      doing);
        return err_remedy(err, "look for a stopped sandbox-ledger, or another program that has it open: fuser %s",
                          s->path);
    case SQLITE_NOMEM:
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "%s: no memory", doing);
    case SQLITE_IOERR:
        (void)err_set(err, -EIO, BLAME_HOST, "STORE", "%s: %s: %s", s->path, doing, sqlite3_errmsg(s->db));
        return err_remedy(err, "see dmesg: the disk or its file system fails");
    default:
        return err_set(err, -EIO, BLAME_US, "STORE", "%s: %s: %s (%d)", s->path, doing, sqlite3_errmsg(s->db), rc);
    }
}

/* --- statements ---------------------------------------------------------------------------------- */

static struct sqlite *ours(struct sql *s)
{
    return (struct sqlite *)s;
}

static sqlite3_stmt *statement(struct sqlite *s, const char *sql, int *ret_rc)
{
    for (uint32_t i = 0; i < s->statement_count; i++)
        if (s->statements[i].sql == sql)
            return s->statements[i].stmt;
    assert(s->statement_count < STORE_MAX_STATEMENTS); /* our own literals: a test that uses them all meets this */
    sqlite3_stmt *stmt = NULL;
    *ret_rc = sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL);
    if (*ret_rc == SQLITE_OK) {
        s->statements[s->statement_count].sql = sql;
        s->statements[s->statement_count++].stmt = stmt;
    }
    return stmt;
}

static void start(struct query *q, const char *sql)
{
    q->rc = SQLITE_OK; /* then ROW or DONE; otherwise the first failure */
    q->next = 1;
    q->stmt = statement(ours(q->store), sql, &q->rc);
}

static void bind_number(struct query *q, uint64_t v)
{
    if (q->rc == SQLITE_OK) /* SQLite's integers have a sign; nothing of ours reaches 2^63 */
        q->rc = sqlite3_bind_int64(q->stmt, q->next++, (int64_t)MIN_OF(v, (uint64_t)INT64_MAX));
}

static void bind_bytes(struct query *q, const char *v, size_t size)
{
    if (q->rc == SQLITE_OK)
        q->rc = v ? sqlite3_bind_text64(q->stmt, q->next, v, size, SQLITE_STATIC, SQLITE_UTF8)
                  : sqlite3_bind_null(q->stmt, q->next);
    q->next++;
}

static bool step(struct query *q)
{
    if (q->was_sent) {
        q->was_sent = false;
        return q->rc == SQLITE_ROW;
    }
    if (q->rc == SQLITE_OK || q->rc == SQLITE_ROW)
        q->rc = sqlite3_step(q->stmt);
    return q->rc == SQLITE_ROW;
}

/* There is nothing to wait for: it is asked at its place in the sequence. */
static void send_now(struct query *q)
{
    (void)step(q);
    q->was_sent = true;
}

static uint64_t get_number(struct query *q, int column)
{
    int64_t v = q->rc == SQLITE_ROW ? sqlite3_column_int64(q->stmt, column) : 0;
    return v > 0 ? (uint64_t)v : 0;
}

static const char *get_bytes(struct query *q, int column, size_t *ret_size)
{
    const unsigned char *v = q->rc == SQLITE_ROW ? sqlite3_column_text(q->stmt, column) : NULL;
    *ret_size = v ? (size_t)sqlite3_column_bytes(q->stmt, column) : 0;
    return (const char *)v;
}

static int done(struct query *q, struct error *err)
{
    int rc = q->rc == SQLITE_ROW || q->rc == SQLITE_DONE ? SQLITE_OK : q->rc;
    int e = rc == SQLITE_OK ? 0 : sqlite_fail(ours(q->store), rc, q->stmt ? sqlite3_sql(q->stmt) : "prepare", err);
    if (q->stmt) {
        (void)sqlite3_reset(q->stmt); /* says the step's failure again */
        (void)sqlite3_clear_bindings(q->stmt);
    }
    return e;
}

static uint64_t changes(struct sql *s)
{
    return (uint64_t)sqlite3_changes(ours(s)->db);
}

/* --- transactions -------------------------------------------------------------------------------- */

/* Takes the write lock at once. Waits for others; BUSY is no outcome a caller ever sees before half a minute. */
static int begin(struct sql *s, struct error *err)
{
    int rc = SQLITE_BUSY;
    for (int i = 0; i < 3 && (rc & 0xFF) == SQLITE_BUSY; i++) {
        struct query q = query_start(s, "BEGIN IMMEDIATE");
        (void)query_row(&q);
        rc = q.rc;
        (void)sqlite3_reset(q.stmt);
    }
    return rc == SQLITE_DONE ? 0 : sqlite_fail(ours(s), rc, "begin", err);
}

static int sync_wal(struct sqlite *s, struct error *err)
{
    sqlite3_file *wal = NULL;
    int rc = sqlite3_file_control(s->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &wal);
    if (rc == SQLITE_OK && wal && wal->pMethods)
        rc = wal->pMethods->xSync(wal, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
    return rc == SQLITE_OK ? 0 : sqlite_fail(s, rc, "sync", err);
}

static int commit(struct sql *s, bool is_durable, struct error *err)
{
    int e = query_run(s, err, "COMMIT", 0, NULL);
    return e == 0 && is_durable ? sync_wal(ours(s), err) : e;
}

static int rollback(struct sql *s, struct error *err)
{
    return sqlite3_get_autocommit(ours(s)->db) ? 0 /* some failures have rolled back already */
                                               : query_run(s, err, "ROLLBACK", 0, NULL);
}

static const struct sql_driver driver = {
    .start = start,
    .number = bind_number,
    .bytes = bind_bytes,
    .send = send_now,
    .row = step,
    .get_number = get_number,
    .get_bytes = get_bytes,
    .done = done,
    .changes = changes,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
};

/* --- opening ------------------------------------------------------------------------------------- */

static int configure(struct sqlite *s, struct error *err)
{
    int rc = sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
                             wal_file_vfs());
    if (rc != SQLITE_OK)
        return sqlite_fail(s, rc, "open", err);
    (void)sqlite3_extended_result_codes(s->db, 1);
    (void)sqlite3_busy_handler(s->db, when_busy, s);
    /* hostile content of the file must not become code: no views or triggers are ours */
    (void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    (void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    (void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    /* Each command line has a ledger of its own, and the last one to leave would copy the WAL into the file and remove
     * it: two syncs then, and two more for the next one's new WAL. So it stays, and is copied when it has WAL_BYTES:
     * what the next one has to read to find its way. */
    (void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    rc = sqlite3_exec(s->db, "PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY; PRAGMA cache_spill=OFF", NULL, NULL,
                      NULL);
    int e = rc == SQLITE_OK ? schema_ready(s, err) : sqlite_fail(s, rc, "configure", err);
    if (e < 0)
        return e;
    struct query q = query_start(&s->sql, "PRAGMA page_size"); /* 4 KiB in files of earlier versions */
    const uint64_t page = query_row(&q) ? query_get_u64(&q, 0) : 0;
    e = query_done(&q, err);
    if (page)
        (void)sqlite3_wal_autocheckpoint(s->db, (int)(WAL_BYTES / page));
    return e;
}

static void close_sqlite(void *self)
{
    struct sqlite *s = self;
    for (uint32_t i = 0; i < s->statement_count; i++)
        (void)sqlite3_finalize(s->statements[i].stmt);
    (void)sqlite3_close(s->db); /* all statements are final: it cannot be busy */
    if (s->service_lock >= 0)
        (void)close(s->service_lock);
    sql_done(&s->sql);
    free(s->path);
    free(s);
}

static const struct store_ops ops = {
    .call = sql_call,
    .close = close_sqlite,
    .act_for = sql_act_for,
    .set_service = sqlite_set_service,
    .checkpoint = sqlite_checkpoint,
    .checkpoint_rest = sqlite_checkpoint_rest,
    .version = sqlite_version,
    .execution_accept = sql_execution_accept,
    .execution_start = sql_execution_start,
    .execution_finish = sql_execution_finish,
    .execution_release = sql_execution_release,
    .execution_get = sql_execution_get,
    .executions = sql_executions,
    .executions_orphaned = sql_executions_orphaned,
    .executions_prune = sql_executions_prune,
    .execution_counts = sql_execution_counts,
    .key_used = sql_key_used,
};

int store_open(const char *path, struct store **ret, struct error *err)
{
    int e = place_prepare(path, err);
    if (e < 0)
        return e;
    struct sqlite *s = calloc(1, sizeof *s);
    if (!s)
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    s->service_lock = -1;
    e = sql_init(&s->sql, &ops, &driver, NULL, err);
    if (e == 0 && !(s->path = strdup(path)))
        e = err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    s->busy_seed = (uint32_t)s->sql.own_pid;
    if (e == 0)
        e = configure(s, err);
    if (e < 0) {
        (void)store_close(&s->sql.handle);
        return e;
    }
    *ret = &s->sql.handle;
    return 0;
}
