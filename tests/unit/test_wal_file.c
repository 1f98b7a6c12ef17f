/* What SQLite's other processes and its recovery make of a WAL that is written by wal_file.c. */
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include "base/io.h"
#include "sqlite/private.h"
#include "test.h"

struct place {
    char dir[64], path[96];
    sqlite3 *db;
};

static void run(sqlite3 *db, const char *sql)
{
    CHECK_EQ(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
}

static int64_t ask(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *q = NULL;
    CHECK_EQ(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    CHECK_EQ(sqlite3_step(q), SQLITE_ROW);
    const int64_t n = sqlite3_column_int64(q, 0);
    (void)sqlite3_finalize(q);
    return n;
}

static sqlite3 *open_by(const char *path, const char *vfs)
{
    sqlite3 *db = NULL;
    CHECK_EQ(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs), SQLITE_OK);
    run(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0; PRAGMA cache_spill=OFF");
    return db;
}

static void begin(struct place *p)
{
    *p = (struct place){ .dir = "/tmp/test-wal-XXXXXX" };
    CHECK(mkdtemp(p->dir) != NULL);
    (void)snprintf(p->path, sizeof p->path, "%s/a", p->dir);
    p->db = open_by(p->path, wal_file_vfs());
    run(p->db, "CREATE TABLE t(n INTEGER PRIMARY KEY, v BLOB)");
}

static void end(struct place *p)
{
    static const char *const names[] = { "a", "a-wal", "a-shm", "b", "b-wal", "b-shm", "" };
    char path[128];
    (void)sqlite3_close(p->db);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", p->dir, names[i]);
        (void)remove(path);
    }
}

static void copy(const struct place *p, const char *end)
{
    char from[128], to[128];
    struct buf b;
    buf_init(&b, 64 * MIB);
    (void)snprintf(from, sizeof from, "%s/a%s", p->dir, end);
    (void)snprintf(to, sizeof to, "%s/b%s", p->dir, end);
    CHECK_EQ(read_file(from, &b), 0);
    FILE *f = fopen(to, "we");
    CHECK(f && fwrite(b.data, 1, b.size, f) == b.size && fclose(f) == 0);
    buf_done(&b);
}

/* After a crash: whoever opens the files reads the WAL frame by frame, up to the first wrong sum. */
static int64_t ask_after_crash(const struct place *p, const char *sql)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/b-shm", p->dir);
    (void)remove(path);
    copy(p, "");
    copy(p, "-wal");
    (void)snprintf(path, sizeof path, "%s/b", p->dir);
    sqlite3 *db = open_by(path, NULL);
    CHECK_EQ(ask(db, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
    const int64_t n = ask(db, sql);
    (void)sqlite3_close(db);
    return n;
}

static uint64_t writes(void)
{
    struct buf b;
    buf_init(&b, 4 * KIB);
    if (read_file("/proc/self/io", &b) < 0)
        SKIP("the kernel does not count writes");
    const char *at = strstr(b.data, "syscw: ");
    CHECK(at != NULL);
    uint64_t n = 0;
    for (at += 7; *at >= '0' && *at <= '9'; at++)
        n = n * 10 + (uint64_t)(*at - '0');
    buf_done(&b);
    return n;
}

#define UP_TO(n) "WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < " n ") "
#define COUNT    "SELECT count(*) FROM t"

TEST(a_transaction_of_many_pages_is_one_write)
{
    struct place p;
    begin(&p);
    run(p.db, "BEGIN IMMEDIATE;" UP_TO("20") "INSERT INTO t SELECT n, zeroblob(3000) FROM up");
    const uint64_t before = writes();
    CHECK_EQ(writes() - before, 0);
    run(p.db, "COMMIT");
    CHECK_EQ(writes() - before, 1);
    CHECK_EQ(ask_after_crash(&p, COUNT), 20);
    end(&p);
}

TEST(what_is_committed_is_seen_by_others_and_after_a_crash_and_nothing_else_is)
{
    struct place p;
    char sql[160];
    int64_t rows = 0;
    begin(&p);
    sqlite3 *other = open_by(p.path, NULL); /* as another process: it knows the WAL by its index and its file */
    for (int i = 0; i < 40; i++) {
        const int count = 1 + i * i % 90; /* also longer than what is kept */
        (void)snprintf(sql, sizeof sql,
                       "BEGIN IMMEDIATE;" UP_TO("%d") "INSERT INTO t(v) SELECT randomblob(2500) FROM up", count);
        run(p.db, sql);
        CHECK_EQ(ask(other, COUNT), rows);
        if (i % 5 == 0) {
            CHECK_EQ(ask_after_crash(&p, COUNT), rows);
            run(p.db, "ROLLBACK");
            run(other, "INSERT INTO t(v) VALUES(zeroblob(9000))"); /* where those frames would have been */
            rows++;
        } else {
            run(p.db, "COMMIT");
            rows += count;
        }
        CHECK_EQ(ask(other, COUNT), rows);
        CHECK_EQ(ask(p.db, COUNT), rows);
        if (i % 7 == 0)
            CHECK_EQ(ask_after_crash(&p, COUNT), rows);
        if (i % 9 == 0)
            run(i % 2 ? other : p.db, "PRAGMA wal_checkpoint(RESTART)"); /* the WAL begins anew */
    }
    CHECK_EQ(ask_after_crash(&p, COUNT), rows);
    (void)sqlite3_close(other);
    end(&p);
}

TEST(a_commit_that_cannot_be_written_fails_and_the_next_one_is_whole)
{
    struct place p;
    struct rlimit was, small = { 0, 0 };
    begin(&p);
    run(p.db, "INSERT INTO t VALUES(1, 'a')");
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &was), 0);
    small.rlim_max = was.rlim_max;
    small.rlim_cur = 40 * KIB;
    void (*const before)(int) = signal(SIGXFSZ, SIG_IGN);
    run(p.db, "BEGIN IMMEDIATE;" UP_TO("30") "INSERT INTO t SELECT n + 1, randomblob(3000) FROM up");
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const int rc = sqlite3_exec(p.db, "COMMIT", NULL, NULL, NULL);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &was), 0);
    (void)signal(SIGXFSZ, before);
    CHECK(rc != SQLITE_OK);
    if (!sqlite3_get_autocommit(p.db))
        run(p.db, "ROLLBACK");
    CHECK_EQ(ask(p.db, COUNT), 1);
    CHECK_EQ(ask_after_crash(&p, COUNT), 1);
    run(p.db, "INSERT INTO t VALUES(2, 'b')");
    CHECK_EQ(ask_after_crash(&p, COUNT), 2);
    end(&p);
}
