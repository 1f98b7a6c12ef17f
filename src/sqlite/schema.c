/* schema.c - the tables, and the way from one version to the next.
 *
 * A process that meets an older (or empty) file brings it up to date under a lock on the directory: the change to WAL
 * mode needs the file alone, and SQLite does not wait for that.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include "sqlite/private.h"

#define SCHEMA_VERSION 6    /* steps[] below */
#define PATIENCE       1000 /* times 10 ms */

static const char version_1[] =
    "CREATE TABLE agents("
    " number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
    " trust INTEGER NOT NULL, trust_at_ms INTEGER NOT NULL,"
    " standing INTEGER NOT NULL DEFAULT 0, standing_reason TEXT NOT NULL DEFAULT '', standing_by TEXT NOT NULL DEFAULT "
    "'',"
    " standing_since_ms INTEGER NOT NULL DEFAULT 0,"
    " released_ms INTEGER NOT NULL DEFAULT 0," /* violations up to here do not count any more */
    " first_seen_ms INTEGER NOT NULL, last_run_ms INTEGER NOT NULL DEFAULT 0,"
    " runs INTEGER NOT NULL DEFAULT 0, successes INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,"
    " violations INTEGER NOT NULL DEFAULT 0, refusals INTEGER NOT NULL DEFAULT 0, cpu_ms INTEGER NOT NULL DEFAULT 0,"
    " public_key TEXT) STRICT;"

    "CREATE TABLE runs("
    " number INTEGER PRIMARY KEY, execution_id TEXT NOT NULL UNIQUE, agent INTEGER NOT NULL, level INTEGER NOT NULL,"
    " language TEXT NOT NULL, code_hash TEXT NOT NULL, started_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL DEFAULT "
    "0,"
    " owner_pid INTEGER NOT NULL, owner_start INTEGER NOT NULL, owner_place TEXT NOT NULL,"
    " state INTEGER NOT NULL DEFAULT 0," /* 0 running, 1 settled, 2 settled and the audit's line is missing */
    " is_recovered INTEGER NOT NULL DEFAULT 0,"
    " reason INTEGER NOT NULL DEFAULT 0, event INTEGER NOT NULL DEFAULT 0," /* enum run_reason, enum trust_event */
    " cpu_ms INTEGER NOT NULL DEFAULT 0, duration_ms INTEGER NOT NULL DEFAULT 0, peak_memory INTEGER NOT NULL DEFAULT "
    "0,"
    " trust_before INTEGER NOT NULL DEFAULT 0, trust_after INTEGER NOT NULL DEFAULT 0, gain INTEGER NOT NULL DEFAULT 0"
    ") STRICT;"
    /* the windows read nothing but these */
    "CREATE INDEX runs_of_agent ON runs(agent, level, started_ms);"
    "CREATE INDEX runs_ended ON runs(agent, level, ended_ms, cpu_ms, event, state) WHERE state > 0;"
    "CREATE INDEX runs_gains ON runs(agent, ended_ms, gain) WHERE gain > 0;"
    "CREATE INDEX runs_of_all ON runs(started_ms);"
    "CREATE INDEX runs_open ON runs(state) WHERE state <> 1;"

    "CREATE TABLE gains(agent INTEGER NOT NULL, code_hash TEXT NOT NULL, gained INTEGER NOT NULL,"
    " PRIMARY KEY(agent, code_hash)) STRICT, WITHOUT ROWID;"

    "CREATE TABLE violations(agent INTEGER NOT NULL, at_ms INTEGER NOT NULL, execution_id TEXT NOT NULL, type TEXT NOT "
    "NULL,"
    " detail TEXT NOT NULL, severity INTEGER NOT NULL, is_security INTEGER NOT NULL) STRICT;"
    "CREATE INDEX violations_of_agent ON violations(agent, is_security, at_ms);"

    "CREATE TABLE points(agent INTEGER NOT NULL, at_ms INTEGER NOT NULL, trust INTEGER NOT NULL,"
    " PRIMARY KEY(agent, at_ms)) STRICT, WITHOUT ROWID;"

    "CREATE TABLE nonces(agent INTEGER NOT NULL, nonce TEXT NOT NULL, at_ms INTEGER NOT NULL,"
    " PRIMARY KEY(agent, nonce)) STRICT, WITHOUT ROWID;"
    "CREATE INDEX nonces_by_time ON nonces(at_ms);"

    "CREATE TABLE once(key TEXT PRIMARY KEY, until_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "PRAGMA user_version=1";

/* The service's: executions and keys. Each index is one more page that accepting an execution writes, so there is none
 * that a listing of the newest ten thousand can do without. */
static const char version_2[] =
    "CREATE TABLE executions("
    " number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key_id TEXT NOT NULL, agent_id TEXT, language TEXT NOT NULL,"
    " level INTEGER NOT NULL,"                                    /* 0: not known yet, else enum risk_level and 1 */
    " state INTEGER NOT NULL, reason INTEGER NOT NULL DEFAULT 0," /* 0: none yet, else enum run_reason and 1 */
    " is_asynchronous INTEGER NOT NULL,"
    " accepted_ms INTEGER NOT NULL, started_ms INTEGER NOT NULL DEFAULT 0, finished_ms INTEGER NOT NULL DEFAULT 0,"
    " trace_id TEXT, idempotency_key TEXT, request_hash TEXT,"
    " owner_pid INTEGER NOT NULL, owner_start INTEGER NOT NULL, owner_place TEXT NOT NULL) STRICT;"
    "CREATE INDEX executions_of_key ON executions(key_id);"
    "CREATE INDEX executions_of_agent ON executions(agent_id) WHERE agent_id IS NOT NULL;"
    "CREATE INDEX executions_open ON executions(state) WHERE state < 2;"
    "CREATE INDEX executions_once ON executions(key_id, idempotency_key) WHERE idempotency_key IS NOT NULL;"
    /* apart, so that rows stay small and are read without them */
    "CREATE TABLE results(execution INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;"

    "CREATE TABLE keys("
    " number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, role INTEGER "
    "NOT NULL,"
    " agents TEXT NOT NULL DEFAULT '', levels INTEGER NOT NULL DEFAULT 0, created_ms INTEGER NOT NULL,"
    " expires_ms INTEGER NOT NULL DEFAULT 0, revoked_ms INTEGER NOT NULL DEFAULT 0, last_used_ms INTEGER NOT NULL "
    "DEFAULT 0) STRICT;"
    "CREATE UNIQUE INDEX keys_by_name ON keys(name) WHERE revoked_ms = 0;" /* the name of a revoked key is free again */
    "PRAGMA user_version=2";

/* What a listener saw. */
static const char version_3[] = "ALTER TABLE results ADD COLUMN events TEXT;"
                                "PRAGMA user_version=3";

/* Restrictions are no offences any more (policy/standing.h): what was counted as such is not, agents that were in
 * quarantine for nothing else are released once, and the audit is told of each (store_recover). */
static const char version_4[] =
    "ALTER TABLE agents ADD COLUMN errors INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE agents ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE agents ADD COLUMN start INTEGER NOT NULL DEFAULT 0;" /* 0: not known */
    "ALTER TABLE agents ADD COLUMN debt INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE agents ADD COLUMN level INTEGER NOT NULL DEFAULT 0;" /* 0: none yet, else enum risk_level and 1 */
    "ALTER TABLE agents ADD COLUMN last_offence_ms INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE agents ADD COLUMN quarantines INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE agents ADD COLUMN shapes INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE agents ADD COLUMN hours INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE agents ADD COLUMN last_hour INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE agents ADD COLUMN first_work_ms INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE agents ADD COLUMN is_vouched INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE agents ADD COLUMN key_id TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE agents ADD COLUMN notice TEXT NOT NULL DEFAULT '';" /* for the audit, then '' */
    "CREATE INDEX agents_of_key ON agents(key_id, first_seen_ms) WHERE key_id <> '';"
    "CREATE INDEX agents_noticed ON agents(notice) WHERE notice <> '';"

    "ALTER TABLE runs ADD COLUMN shape TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE runs ADD COLUMN tree TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE runs ADD COLUMN size INTEGER NOT NULL DEFAULT 0;"

    "ALTER TABLE keys ADD COLUMN allow_risk_override INTEGER NOT NULL DEFAULT 0;"

    "CREATE TABLE shapes(agent INTEGER NOT NULL, shape TEXT NOT NULL, gained INTEGER NOT NULL DEFAULT 0,"
    " is_work INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(agent, shape)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE sums(agent INTEGER NOT NULL, source INTEGER NOT NULL, plus INTEGER NOT NULL, minus INTEGER NOT NULL,"
    " times INTEGER NOT NULL, PRIMARY KEY(agent, source)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE known(kind INTEGER NOT NULL, hash TEXT NOT NULL, agent INTEGER NOT NULL, type TEXT NOT NULL,"
    " at_ms INTEGER NOT NULL, PRIMARY KEY(kind, hash, agent)) STRICT, WITHOUT ROWID;"
    "CREATE INDEX known_of_agent ON known(agent);"
    "CREATE TABLE refusals(agent INTEGER NOT NULL, at_ms INTEGER NOT NULL) STRICT;"
    "CREATE INDEX refusals_of_agent ON refusals(agent, at_ms);"

    "UPDATE violations SET is_security = 0 WHERE type IN ('blocked_module', 'blocked_builtin', 'blocked_command',"
    " 'interpreter_only', 'network_access_attempt', 'scan_blocked');"
    "UPDATE agents SET last_offence_ms = coalesce((SELECT max(at_ms) FROM violations v WHERE v.agent = agents.number"
    " AND v.is_security = 1 AND v.at_ms > agents.released_ms), 0);"
    "UPDATE agents SET violations = (SELECT count(*) FROM violations v WHERE v.agent = agents.number AND v.is_security "
    "= 1)"
    " WHERE EXISTS (SELECT 1 FROM violations v WHERE v.agent = agents.number);"
    "UPDATE agents SET standing = 0, standing_reason = '', standing_by = '', standing_since_ms = 0,"
    " released_ms = max(released_ms, standing_since_ms),"
    " notice = 'released once: it was in quarantine only for what its risk level did not offer, which is no violation "
    "any more'"
    " WHERE standing = 1 AND standing_by = 'policy' AND last_offence_ms = 0"
    " AND EXISTS (SELECT 1 FROM violations v WHERE v.agent = agents.number AND v.at_ms > agents.released_ms);"
    "UPDATE agents SET quarantines = 1 WHERE standing = 1 AND standing_by = 'policy';"
    "PRAGMA user_version=4";

/* What an agent's good runs did (baseline.c). run: the agent's good run that had it last. */
static const char version_5[] =
    "ALTER TABLE agents ADD COLUMN learned INTEGER NOT NULL DEFAULT 0;"
    "CREATE TABLE baseline(agent INTEGER NOT NULL, what TEXT NOT NULL, run INTEGER NOT NULL, times INTEGER NOT NULL,"
    " first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL, PRIMARY KEY(agent, what)) STRICT, WITHOUT ROWID;"
    "PRAGMA user_version=5";

/* meter.c. agent 0: of all of the key together, so that what a key used is few rows. What was before is not in it: the
 * runs that are kept tell neither key nor memory nor bytes. */
static const char version_6[] =
    "ALTER TABLE runs ADD COLUMN key_id TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE meter(agent INTEGER NOT NULL, key_id TEXT NOT NULL, hour INTEGER NOT NULL,"
    " runs INTEGER NOT NULL, unmeasured INTEGER NOT NULL, cpu_us INTEGER NOT NULL, memory_mib_ms INTEGER NOT NULL,"
    " bytes_in INTEGER NOT NULL, bytes_out INTEGER NOT NULL, PRIMARY KEY(agent, key_id, hour)) STRICT, WITHOUT ROWID;"
    "CREATE INDEX meter_by_hour ON meter(hour);"
    "PRAGMA user_version=6";

static const char *const steps[SCHEMA_VERSION] = {
    version_1, version_2, version_3, version_4, version_5, version_6
}; /* [n]: from version n to the next */

static int ask_version(struct sqlite *s, uint64_t *ret, struct error *err)
{
    struct query q = query_start(&s->sql, "PRAGMA user_version");
    *ret = query_row(&q) ? query_get_u64(&q, 0) : 0;
    return query_done(&q, err);
}

static int exec(struct sqlite *s, const char *sql, struct error *err)
{
    int rc = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK ? 0 : sqlite_fail(s, rc, "schema", err);
}

static int newer(struct sqlite *s, uint64_t version, struct error *err)
{
    (void)err_set(err, -EPROTO, BLAME_HOST, "STORE", "%s has schema version %llu, and this version knows up to %d",
                  s->path, (unsigned long long)version, SCHEMA_VERSION);
    return err_remedy(err,
                      "use the newer sandbox-agent that wrote it, or set sandbox.paths.state_dir to another directory");
}

/* Our tables must not be laid into another program's database. */
static int check_empty(struct sqlite *s, struct error *err)
{
    struct query q = query_start(&s->sql, "SELECT count(*) FROM sqlite_schema");
    uint64_t n = query_row(&q) ? query_get_u64(&q, 0) : 0;
    int e = query_done(&q, err);
    if (e < 0 || n == 0)
        return e;
    (void)err_set(err, -EPROTO, BLAME_HOST, "STORE", "%s is the database of another program", s->path);
    return err_remedy(err, "move it aside, or set sandbox.paths.state_dir to a directory of its own");
}

static void pause_shortly(void)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

/* Another process may just be reading the version; the busy handler is not asked for this lock. A commit writes whole
 * pages, and a run changes a few hundred bytes in each of some 25: so they are small, where the file is a new one. */
static int make_wal(struct sqlite *s, struct error *err)
{
    int rc = SQLITE_BUSY;
    for (int i = 0; i < PATIENCE && (rc & 0xFF) == SQLITE_BUSY; i++) {
        rc = sqlite3_exec(s->db, "PRAGMA page_size=1024; PRAGMA journal_mode=WAL", NULL, NULL, NULL);
        if ((rc & 0xFF) == SQLITE_BUSY)
            pause_shortly();
    }
    return rc == SQLITE_OK ? 0 : sqlite_fail(s, rc, "journal_mode", err);
}

static int bring_up_to_date(struct sqlite *s, struct error *err)
{
    uint64_t version = 0;
    int e = make_wal(s, err);
    if (e < 0 || (e = transaction_begin(&s->sql, err)) < 0)
        return e;
    e = ask_version(s, &version, err); /* again: another process may have been here before us */
    if (e == 0 && version == 0)
        e = check_empty(s, err);
    for (; e == 0 && version < SCHEMA_VERSION; version++)
        e = exec(s, steps[version], err);
    return transaction_end(&s->sql, e, err);
}

static int lock_directory(const char *path)
{
    cleanup(freep) char *dir = strdup(path);
    char *slash = dir ? strrchr(dir, '/') : NULL;
    if (!slash)
        return -ENOMEM;
    *slash = '\0';
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), e = fd < 0 ? -errno : -EWOULDBLOCK;
    for (int i = 0; i < PATIENCE && e == -EWOULDBLOCK; i++) {
        e = flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : 0;
        if (e == -EWOULDBLOCK)
            pause_shortly();
    }
    if (e < 0)
        closep(&fd);
    return e < 0 ? e : fd;
}

int schema_ready(struct sqlite *s, struct error *err)
{
    uint64_t version = 0;
    int e = ask_version(s, &version, err);
    if (e < 0 || version == SCHEMA_VERSION)
        return e;
    if (version > SCHEMA_VERSION)
        return newer(s, version, err);
    cleanup(closep) int lock = lock_directory(s->path);
    if (lock < 0)
        return err_set(err, lock, BLAME_HOST, "STORE", "lock the directory of %s: %s", s->path, strerror(-lock));
    return bring_up_to_date(s, err);
}
