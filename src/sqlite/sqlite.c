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
#include "base/process.h"

#define BUSY_MS 10000u /* one attempt; transaction_begin makes three */

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

struct query query_start(struct sqlite *s, const char *sql)
{
    struct query q = { .store = s, .next = 1 };
    q.stmt = statement(s, sql, &q.rc);
    return q;
}

void query_u64(struct query *q, uint64_t v)
{
    if (q->rc == SQLITE_OK) /* SQLite's integers have a sign; nothing of ours reaches 2^63 */
        q->rc = sqlite3_bind_int64(q->stmt, q->next++, (int64_t)MIN_OF(v, (uint64_t)INT64_MAX));
}

void query_text(struct query *q, const char *v)
{
    if (q->rc == SQLITE_OK)
        q->rc = v ? sqlite3_bind_text(q->stmt, q->next, v, -1, SQLITE_STATIC) : sqlite3_bind_null(q->stmt, q->next);
    q->next++;
}

void query_bytes(struct query *q, const char *v, size_t size)
{
    if (q->rc == SQLITE_OK)
        q->rc = sqlite3_bind_text64(q->stmt, q->next, v, size, SQLITE_STATIC, SQLITE_UTF8);
    q->next++;
}

bool query_row(struct query *q)
{
    if (q->rc == SQLITE_OK || q->rc == SQLITE_ROW)
        q->rc = sqlite3_step(q->stmt);
    return q->rc == SQLITE_ROW;
}

uint64_t query_get_u64(struct query *q, int column)
{
    int64_t v = q->rc == SQLITE_ROW ? sqlite3_column_int64(q->stmt, column) : 0;
    return v > 0 ? (uint64_t)v : 0;
}

const char *query_get_text(struct query *q, int column)
{
    const unsigned char *v = q->rc == SQLITE_ROW ? sqlite3_column_text(q->stmt, column) : NULL;
    return v ? arena_copy(&q->store->arena, (const char *)v) : NULL;
}

const char *query_get_bytes(struct query *q, int column, size_t *ret_size)
{
    const unsigned char *v = q->rc == SQLITE_ROW ? sqlite3_column_text(q->stmt, column) : NULL;
    *ret_size = v ? (size_t)sqlite3_column_bytes(q->stmt, column) : 0;
    return v ? arena_copy_bytes(&q->store->arena, v, *ret_size) : NULL;
}

int query_done(struct query *q, struct error *err)
{
    int rc = q->rc == SQLITE_ROW || q->rc == SQLITE_DONE ? SQLITE_OK : q->rc;
    int e = rc == SQLITE_OK ? 0 : sqlite_fail(q->store, rc, q->stmt ? sqlite3_sql(q->stmt) : "prepare", err);
    if (q->stmt) {
        (void)sqlite3_reset(q->stmt); /* says the step's failure again */
        (void)sqlite3_clear_bindings(q->stmt);
    }
    return e;
}

int query_run(struct sqlite *s, struct error *err, const char *sql, size_t n, const uint64_t *values)
{
    struct query q = query_start(s, sql);
    for (size_t i = 0; i < n; i++)
        query_u64(&q, values[i]);
    (void)query_row(&q);
    return query_done(&q, err);
}

/* --- transactions -------------------------------------------------------------------------------- */

int transaction_begin(struct sqlite *s, struct error *err)
{
    int rc = SQLITE_BUSY;
    for (int i = 0; i < 3 && (rc & 0xFF) == SQLITE_BUSY; i++) {
        struct query q = query_start(s, "BEGIN IMMEDIATE");
        (void)query_row(&q);
        rc = q.rc;
        (void)sqlite3_reset(q.stmt);
    }
    return rc == SQLITE_DONE ? 0 : sqlite_fail(s, rc, "begin", err);
}

static const char rollback[] = "ROLLBACK"; /* one address, so one statement */

int transaction_end(struct sqlite *s, int e, struct error *err)
{
    if (e == 0 && !s->arena.failed) {
        e = query_run(s, err, "COMMIT", 0, NULL);
        if (e == 0)
            return 0;
    } else if (e == 0) {
        e = err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    }
    if (!sqlite3_get_autocommit(s->db))              /* some failures have rolled back already */
        (void)query_run(s, NULL, rollback, 0, NULL); /* the first failure is the one to tell */
    return e;
}

int transaction_drop(struct sqlite *s, struct error *err)
{
    return query_run(s, err, rollback, 0, NULL);
}

int sqlite_sync(struct sqlite *s, struct error *err)
{
    sqlite3_file *wal = NULL;
    int rc = sqlite3_file_control(s->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &wal);
    if (rc == SQLITE_OK && wal && wal->pMethods)
        rc = wal->pMethods->xSync(wal, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
    return rc == SQLITE_OK ? 0 : sqlite_fail(s, rc, "sync", err);
}

void sqlite_begin_call(struct sqlite *s)
{
    arena_done(&s->arena);
    s->arena.failed = false;
}

const char *cut_text(struct sqlite *s, const char *text, size_t max)
{
    size_t n = text ? strlen(text) : 0;
    if (n <= max)
        return text ? text : "";
    while (max > 0 && ((unsigned char)text[max] & 0xC0) == 0x80) /* not within a character of UTF-8 */
        max--;
    return arena_printf(&s->arena, "%.*s", (int)max, text);
}

/* --- opening ------------------------------------------------------------------------------------- */

static int configure(struct sqlite *s, struct error *err)
{
    int rc = sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
                             NULL);
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
     * it: two syncs then, and two more for the next one's new WAL. So it stays, and is copied when it has 100 pages:
     * what the next one has to read to find its way is 400 KiB at most. */
    (void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    rc = sqlite3_exec(s->db, "PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY; PRAGMA wal_autocheckpoint=100", NULL,
                      NULL, NULL);
    return rc == SQLITE_OK ? schema_ready(s, err) : sqlite_fail(s, rc, "configure", err);
}

static void close_sqlite(void *self)
{
    struct sqlite *s = self;
    for (uint32_t i = 0; i < s->statement_count; i++)
        (void)sqlite3_finalize(s->statements[i].stmt);
    (void)sqlite3_close(s->db); /* all statements are final: it cannot be busy */
    if (s->service_lock >= 0)
        (void)close(s->service_lock);
    arena_done(&s->arena);
    free(s->place);
    free(s->path);
    free(s);
}

/* The reply that belongs to the verb (store/message.h). */
static int answer(struct sqlite *s, enum ledger_request verb, const void *request, void *ret, struct error *err)
{
    const struct ledger_key *key = request;
    struct ledger_number *number = ret;
    bool taken = false;
    int e;
    switch (verb) {
    case LEDGER_AGENT:
        return sqlite_agent(s, key->id, key->key_id, ret, err);
    case LEDGER_WHY:
        return sqlite_why(s, key->id, ret, err);
    case LEDGER_AGENTS:
        return sqlite_agents(s, key->id, ret, err);
    case LEDGER_HISTORY:
        return sqlite_history(s, key->id, ret, err);
    case LEDGER_USAGE:
        return sqlite_usage(s, request, ret, err);
    case LEDGER_RESERVE:
        return sqlite_reserve(s, request, ret, err);
    case LEDGER_COUNTS:
        return sqlite_counts(s, request, ret, err);
    case LEDGER_SETTLE:
        return sqlite_settle(s, request, ret, err);
    case LEDGER_REFUSE:
        return sqlite_refuse(s, request, ret, err);
    case LEDGER_STEER:
        return sqlite_steer(s, request, ret, err);
    case LEDGER_RECOVER:
        return sqlite_recover(s, key->now_ms, ret, err);
    case LEDGER_AUDITED:
        return sqlite_audited(s, key->id, err);
    case LEDGER_PRUNE:
        return sqlite_prune(s, key->now_ms, &number->value, err);
    case LEDGER_ONCE:
        e = sqlite_once(s, key->id, key->now_ms, key->window_ms, &taken, err);
        number->value = taken;
        return e;
    case LEDGER_KEY_ADD:
        return sqlite_key_add(s, request, err);
    case LEDGER_KEYS:
        return sqlite_keys(s, ret, err);
    case LEDGER_KEY_REVOKE:
        return sqlite_key_revoke(s, key->id, key->now_ms, err);
    case LEDGER_REQUESTS:
        break;
    }
    return err_set(err, -EBADMSG, BLAME_US, "STORE", "a request that is none");
}

static int call(struct store *handle, enum ledger_request verb, const void *request, void *ret, struct error *err)
{
    int e = answer(handle->self, verb, request, ret, err);
    return e < 0 ? e : store_adopt(handle, verb, ret, err);
}

static const struct store_ops ops = {
    .call = call,
    .close = close_sqlite,
    .set_service = sqlite_set_service,
    .checkpoint = sqlite_checkpoint,
    .checkpoint_rest = sqlite_checkpoint_rest,
    .version = sqlite_version,
    .execution_accept = sqlite_execution_accept,
    .execution_start = sqlite_execution_start,
    .execution_finish = sqlite_execution_finish,
    .execution_release = sqlite_execution_release,
    .execution_get = sqlite_execution_get,
    .executions = sqlite_executions,
    .executions_orphaned = sqlite_executions_orphaned,
    .executions_prune = sqlite_executions_prune,
    .execution_counts = sqlite_execution_counts,
    .key_used = sqlite_key_used,
};

void store_act_for(struct store *handle, uint64_t pid)
{
    struct sqlite *s = sqlite_of(handle);
    s->own_pid = pid;
    s->own_start = process_start(pid);
}

int store_open(const char *path, struct store **ret, struct error *err)
{
    int e = place_prepare(path, err);
    if (e < 0)
        return e;
    struct sqlite *s = calloc(1, sizeof *s);
    if (!s)
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    s->service_lock = -1;
    s->handle = (struct store){ .ops = &ops, .self = s };
    if (!(s->path = strdup(path)) || !(s->place = owner_place())) {
        (void)store_close(&s->handle);
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    }
    store_act_for(&s->handle, (uint64_t)getpid());
    s->busy_seed = (uint32_t)s->own_pid;
    e = configure(s, err);
    if (e < 0) {
        (void)store_close(&s->handle);
        return e;
    }
    *ret = &s->handle;
    return 0;
}
