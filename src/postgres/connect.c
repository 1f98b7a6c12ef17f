/* connect.c - the connection: how it is made, how long it is waited for, and what its failures mean to a person.
 *
 * It is always in libpq's pipeline mode: commands are sent one behind the other, and their answers are read together
 * (connection_wait) where one of them is needed. So the statements of a verb that only write cost no way there and
 * back.
 */
#include <poll.h>
#include <stdio.h>
#include "base/clock.h"
#include "base/parse.h"
#include "base/secret_file.h"
#include "postgres/private.h"

#define CONNECT_S     "3"
#define STATEMENT_MS  15000u /* the server ends a statement after it, also one that waits for a lock */
#define PAUSE_MS      100u
#define LONG_PAUSE_MS 5000u
#define LOOK_MS       250u
#define NOWHERE       "/nonexistent"
/* A connection that the network lost holds its locks, also that of the node's name, until the server finds out: by
 * itself after two hours, and by these after 25 s. */
#define SERVER_LOOKS                                                                                        \
    "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=" \
    "20000 "
#define PASSWORD_MAX 1024

static int away(struct postgres *p, const char *why, struct error *err)
{
    for (const char *next; (next = strstr(why, "\nconnection to server")) != NULL;)
        why = next + 1;                  /* of several addresses, the one that was tried last */
    const size_t n = strcspn(why, "\n"); /* the first line says it */
    (void)err_set(err, -EHOSTDOWN, BLAME_HOST, "STORE", "%s: %.*s", p->where, (int)MIN_OF(n, (size_t)160),
                  n ? why : "the connection was lost");
    return err_remedy(err, "see that PostgreSQL runs and that store.* names it; it is tried again by itself");
}

void connection_drop(struct postgres *p)
{
    PQfinish(p->conn);
    p->conn = NULL;
    p->queued = 0;
    for (uint32_t i = 0; i < p->statement_count; i++)
        p->statements[i].is_prepared = false;
}

/* --- failures ------------------------------------------------------------------------------------ */

static int explain(struct postgres *p, const char *state, const char *message, struct error *err)
{
    if (str_eq(state, "40P01") || str_eq(state, "40001")) {
        p->is_conflict = true;
        (void)err_set(err, -EBUSY, BLAME_HOST, "STORE", "%s: transactions kept each other waiting", p->where);
        return err_remedy(err, "try again");
    }
    if (str_eq(state, "57014") || str_eq(state, "55P03")) {
        (void)err_set(err, -EBUSY, BLAME_HOST, "STORE", "%s: no answer within %u s", p->where, STATEMENT_MS / 1000);
        return err_remedy(err, "look at pg_stat_activity for a transaction that holds its locks, and at its disk");
    }
    if (str_starts(state, "53")) {
        (void)err_set(err, -ENOSPC, BLAME_HOST, "STORE", "%s: %s", p->where, message);
        return err_remedy(err, "it lacks disk, memory or connections: see its log");
    }
    if (str_eq(state, "42501")) {
        (void)err_set(err, -EACCES, BLAME_HOST, "STORE", "%s: %s", p->where, message);
        return err_remedy(err, "give the role of store.user what docs/fleet.md lists");
    }
    if (str_eq(state, "25006")) {
        (void)err_set(err, -EHOSTDOWN, BLAME_HOST, "STORE", "%s is a standby, which takes no writes", p->where);
        return err_remedy(err, "set store.host to the primary");
    }
    if (str_starts(state, "57P") || str_starts(state, "08"))
        return away(p, message, err);
    if (str_eq(state, "XX001") || str_eq(state, "XX002")) {
        (void)err_set(err, -EUCLEAN, BLAME_HOST, "STORE", "%s is damaged: %s", p->where, message);
        return err_remedy(err, "restore a backup");
    }
    return err_set(err, -EIO, BLAME_US, "STORE", "%s: %s (%s)", p->where, message, state);
}

static int keep(struct postgres *p, struct error *err)
{
    if (err && err != &p->error)
        *err = p->error;
    return p->error.code;
}

/* A COMMIT without an answer: its reservation is closed when there is a connection again, and the server has decided.
 * connection_need() has seen to the room. */
static void doubt_commit(struct postgres *p)
{
    if (!p->is_committing)
        return;
    (void)err_set(&p->error, -EHOSTDOWN, BLAME_HOST, "STORE",
                  "%s was lost while it committed: it may have been done, or not", p->where);
    (void)err_remedy(&p->error, "see that PostgreSQL runs; look before you do it again");
    if (!*p->booked.runs || p->doubtful_count == POSTGRES_DOUBTFUL)
        return;
    p->doubtful[p->doubtful_count++] = p->booked;
    p->next_look_ms = 0;
}

int connection_fail(struct postgres *p, const PGresult *r, struct error *err)
{
    if (p->has_failed) {
        if (p->conn && PQstatus(p->conn) != CONNECTION_OK)
            connection_drop(p);
        return keep(p, err);
    }
    const char *state = r ? PQresultErrorField(r, PG_DIAG_SQLSTATE) : NULL;
    const char *message = r ? PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    const bool is_lost = PQstatus(p->conn) != CONNECTION_OK || !state ||
                         str_starts(state, "57P"); /* it says that it goes */
    p->has_failed = true;
    if (!state)
        (void)away(p, PQerrorMessage(p->conn), &p->error);
    else
        (void)explain(p, state, message ? message : "", &p->error);
    if (is_lost) {
        doubt_commit(p);
        connection_drop(p);
    }
    return keep(p, err);
}

/* --- sending and waiting ------------------------------------------------------------------------- */

static int late(struct postgres *p, struct error *err)
{
    p->has_failed = true;
    (void)err_set(&p->error, -EHOSTDOWN, BLAME_HOST, "STORE", "%s has not answered for %u s", p->where,
                  p->patience_ms / 1000);
    (void)err_remedy(&p->error, "see that its machine lives and can be reached; it is tried again by itself");
    doubt_commit(p);
    connection_drop(p);
    return keep(p, err);
}

/* Until there is a result, or the connection is lost. 0 or negative. */
static int wait_for_result(struct postgres *p, uint64_t until_ms, struct error *err)
{
    for (;;) {
        const int flushed = PQflush(p->conn);
        if (flushed < 0 || (flushed == 0 && !PQisBusy(p->conn)))
            return flushed < 0 ? connection_fail(p, NULL, err) : 0;
        struct pollfd f = { .fd = PQsocket(p->conn), .events = (short)(POLLIN | (flushed ? POLLOUT : 0)) };
        const uint64_t now = clock_ms();
        const int n = now >= until_ms ? 0 : poll(&f, 1, (int)(until_ms - now));
        if (n == 0)
            return late(p, err);
        if ((n < 0 && errno != EINTR) || (n > 0 && !PQconsumeInput(p->conn)))
            return connection_fail(p, NULL, err);
    }
}

static void take_failure(struct postgres *p, const PGresult *r, struct statement *prepared)
{
    const ExecStatusType status = PQresultStatus(r);
    if (prepared)
        prepared->is_prepared = false;
    if (status != PGRES_PIPELINE_ABORTED)
        (void)connection_fail(p, r, NULL);
}

/* The answer of the command at this place of the queue. */
static void take(struct postgres *p, PGresult *r, uint32_t at)
{
    const ExecStatusType status = PQresultStatus(r);
    struct query *reader = at < p->queued ? p->queue[at].reader : NULL;
    struct statement *prepared = at < p->queued ? p->queue[at].prepared : NULL;
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        take_failure(p, r, prepared);
    else if (!prepared && *PQcmdTuples(r))
        (void)parse_u64(PQcmdTuples(r), &p->changes);
    if (reader && status == PGRES_TUPLES_OK)
        reader->rows = r;
    else
        PQclear(r);
}

int connection_wait(struct postgres *p, struct error *err)
{
    const uint64_t until_ms = clock_ms() + p->patience_ms;
    uint32_t at = 0;
    if (!p->conn)
        return p->has_failed ? keep(p, err) : away(p, "", err);
    if (!PQpipelineSync(p->conn))
        return connection_fail(p, NULL, err);
    for (bool is_over = false; !is_over;) {
        int e = wait_for_result(p, until_ms, err);
        if (e < 0)
            return e;
        PGresult *r = PQgetResult(p->conn);
        is_over = PQresultStatus(r) == PGRES_PIPELINE_SYNC;
        if (!r && PQstatus(p->conn) != CONNECTION_OK)
            return connection_fail(p, NULL, err);
        if (r && !is_over) {
            take(p, r, at++);
        } else {
            PQclear(r);
        }
        if (!p->conn)
            return keep(p, err);
    }
    p->queued = 0;
    return p->has_failed ? keep(p, err) : 0;
}

int connection_make_room(struct postgres *p)
{
    return p->queued + 2 > POSTGRES_QUEUE ? connection_wait(p, NULL) : 0;
}

int connection_send(struct postgres *p, const char *sql, struct error *err)
{
    if (p->has_failed || connection_make_room(p) < 0)
        return keep(p, err);
    if (!PQsendQueryParams(p->conn, sql, 0, NULL, NULL, NULL, NULL, 0))
        return connection_fail(p, NULL, err);
    p->queue[p->queued].prepared = NULL;
    p->queue[p->queued++].reader = NULL;
    return 0;
}

/* --- connecting ---------------------------------------------------------------------------------- */

static int read_password(struct postgres *p, char *ret, size_t size, struct error *err)
{
    char text[PASSWORD_MAX], *at = text;
    *ret = '\0';
    if (!p->options.password_file)
        return 0;
    int e = secret_file_read("store.password_file", p->options.password_file, text, sizeof text, err);
    const char *line = e == 0 ? secret_file_line(&at) : NULL;
    (void)snprintf(ret, size, "%s", line ? line : "");
    explicit_bzero(text, sizeof text);
    return e < 0 || line ? e
                         : err_set(err, -EINVAL, BLAME_CALLER, "STORE", "store.password_file: %s has no first line",
                                   p->options.password_file);
}

void postgres_forget_environment(void)
{
    char name[64];
    for (char **at = environ; at && *at;) {
        const size_t n = strcspn(*at, "=");
        if (str_starts(*at, "PG") && n < sizeof name) {
            (void)snprintf(name, sizeof name, "%.*s", (int)n, *at);
            (void)unsetenv(name); /* the next one is in its place now */
        } else {
            at++;
        }
    }
}

/* All that matters is named here, so that no file below HOME says where we connect to. libpq takes "" and NULL for «not
 * said»: hence the files that do not exist, and postgres_forget_environment(). */
static PGconn *open_connection(struct postgres *p, const char *password)
{
    const struct store_place *o = &p->options;
    const bool is_local = o->host[0] == '/';
    char port[8], options[512];
    (void)snprintf(port, sizeof port, "%u", (unsigned)o->port);
    (void)snprintf(options, sizeof options,
                   "-c statement_timeout=%u -c idle_in_transaction_session_timeout=60000 -c synchronous_commit=%s "
                   "-c default_transaction_isolation=read\\ committed -c jit=off " SERVER_LOOKS
                   "-c plan_cache_mode=force_generic_plan " /* they look for keys: to plan each anew costs a tenth */
                   /* and a plan that was made while a table was small is kept when it has grown */
                   "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off",
                   STATEMENT_MS, o->is_durable ? "on" : "off");
    const char *const keys[] = { "host",
                                 "port",
                                 "dbname",
                                 "user",
                                 "password",
                                 "passfile",
                                 "sslmode",
                                 "sslrootcert",
                                 "sslcert",
                                 "sslkey",
                                 "sslcrl",
                                 "gssencmode",
                                 "connect_timeout",
                                 "options",
                                 "application_name",
                                 "client_encoding",
                                 "tcp_user_timeout",
                                 "keepalives_idle",
                                 "target_session_attrs",
                                 NULL };
    const char *const values[] = { o->host,
                                   port,
                                   o->database,
                                   o->user,
                                   password,
                                   NOWHERE,
                                   is_local ? "disable" : "verify-full",
                                   o->ca_file ? o->ca_file : "/etc/ssl/certs/ca-certificates.crt",
                                   o->certificate ? o->certificate : NOWHERE,
                                   o->key ? o->key : NOWHERE,
                                   NOWHERE,
                                   "disable",
                                   CONNECT_S,
                                   options,
                                   "sandbox-agent",
                                   "UTF8",
                                   "10000",
                                   "10",
                                   "read-write",
                                   NULL };
    return PQconnectdbParams(keys, values, 0);
}

static int check_server(struct postgres *p, struct error *err)
{
    const int version = PQserverVersion(p->conn);
    if (version >= 150000)
        return 0;
    (void)err_set(err, -EPROTO, BLAME_HOST, "STORE", "%s has version %d; at least 15 is needed", p->where,
                  version / 10000);
    return err_remedy(err, "upgrade it");
}

static int make_connection(struct postgres *p, struct error *err)
{
    char password[PASSWORD_MAX];
    int e = read_password(p, password, sizeof password, err);
    if (e < 0)
        return e;
    p->conn = open_connection(p, *password ? password : NULL);
    explicit_bzero(password, sizeof password);
    if (PQstatus(p->conn) != CONNECTION_OK)
        e = away(p, PQerrorMessage(p->conn), err);
    else
        e = check_server(p, err);
    if (e == 0 && (PQsetnonblocking(p->conn, 1) != 0 || !PQenterPipelineMode(p->conn)))
        e = err_set(err, -EIO, BLAME_US, "STORE", "%s: no pipeline", p->where);
    return e;
}

/* --- commits in doubt ----------------------------------------------------------------------------
 *
 * Nothing runs under a reservation whose commit was not answered: it is closed, so that its place among the running is
 * free again. But the lost connection's transaction may be alive at the server, and commit after we looked. So first it
 * has to be decided, and nothing is waited for meanwhile:
 *
 * Counted: the transaction asked under its agent's lock, and had answers before it committed. So it has the lock until
 * it is over, and it is over when we get it.
 *
 * Leased: its one statement may not even have begun, and have no lock at all. But it books only if it takes one off its
 * lease's row: it holds that row until it is over, and books nothing where there is no such row. So we delete the row,
 * which is giving back the lease: when that is done, the run is there, or never comes. After a crash of the database
 * the transaction is gone, and the row stays for what was forgotten (sql/leases.c). */

/* 1, or 0: not yet; or negative. */
static int read_decision(struct query *q, struct error *err)
{
    const bool is_decided = query_row(q) && query_get_u64(q, 0) == 1;
    int e = query_done(q, err);
    return e < 0 ? e : is_decided;
}

static int decide_counted(struct postgres *p, const struct booking *b, struct error *err)
{
    struct query q = query_start(&p->sql, "SELECT CASE WHEN pg_try_advisory_xact_lock(CAST(?1 AS INTEGER), "
                                          "hashtext(?2)) THEN 1 ELSE 0 END");
    query_u64(&q, POSTGRES_LOCK(SQL_LOCK_AGENT));
    query_text(&q, b->agent);
    return read_decision(&q, err);
}

static int decide_leased(struct postgres *p, const struct booking *b, struct error *err)
{
    if (b->epoch != p->sql.epoch)
        return 1;
    struct query q = query_start(&p->sql, "WITH gone AS (DELETE FROM leases WHERE number IN (SELECT number FROM leases "
                                          "WHERE number = ?1 FOR UPDATE SKIP LOCKED) RETURNING 1) "
                                          "SELECT CASE WHEN EXISTS (SELECT 1 FROM gone) OR NOT EXISTS (SELECT 1 FROM "
                                          "leases WHERE number = ?1) THEN 1 ELSE 0 END");
    query_u64(&q, b->lease);
    return read_decision(&q, err);
}

/* 1: its runs are closed, or never came to be; 0: the server has not decided. In the windows they count. */
static int close_doubtful(struct postgres *p, const struct booking *b, struct error *err)
{
    int e = b->lease ? decide_leased(p, b, err) : decide_counted(p, b, err);
    if (e <= 0)
        return e;
    struct query q = query_start(&p->sql,
                                 "UPDATE runs SET state = 1, ended_ms = started_ms, reason = ?2, is_recovered = 1 "
                                 "WHERE execution_id IN (SELECT unnest(CAST(?1 AS TEXT[]))) AND state = 0");
    query_text(&q, b->runs);
    query_u64(&q, REASON_SANDBOX_ERROR);
    (void)query_row(&q);
    e = query_done(&q, err);
    return e < 0 ? e : 1;
}

static int close_all_doubtful(struct postgres *p, struct error *err)
{
    for (uint32_t i = p->doubtful_count; i-- > 0;) {
        int e = close_doubtful(p, &p->doubtful[i], err);
        if (e < 0)
            return e;
        if (e > 0)
            p->doubtful[i] = p->doubtful[--p->doubtful_count];
    }
    return 0;
}

/* At most four times a second, until each is decided. */
static int look_at_doubtful(struct postgres *p, struct error *err)
{
    const uint64_t now = clock_ms();
    int e = 0;
    if (p->is_looking) /* these are its own statements */
        return 0;
    if (now >= p->next_look_ms) {
        p->next_look_ms = now + LOOK_MS;
        p->is_looking = true;
        e = close_all_doubtful(p, err);
        p->is_looking = false;
    }
    if (e < 0 || p->doubtful_count < POSTGRES_DOUBTFUL)
        return e;
    return away(p, "commits of a lost connection are under way still, too many of them", err);
}

/* A promise that this server does not keep. */
static int check_disk(struct postgres *p, struct error *err)
{
    if (!p->options.is_durable)
        return 0;
    struct query q = query_start(&p->sql, "SELECT CASE current_setting('fsync') WHEN 'on' THEN 1 ELSE 0 END");
    const bool is_good = query_row(&q) && query_get_u64(&q, 0) == 1;
    int e = query_done(&q, err);
    if (e < 0 || is_good)
        return e;
    (void)err_set(err, -EINVAL, BLAME_HOST, "STORE", "store.wait_for_disk is true, and %s has fsync = off", p->where);
    return err_remedy(err, "set fsync = on in its configuration, or store.wait_for_disk: false");
}

/* For those who ask until it is tried again, without what away() puts before it. */
static void keep_reason(struct postgres *p, const struct error *err)
{
    const char *text = err ? err->text : "";
    const size_t n = strlen(p->where);
    const bool has_where = str_starts(text, p->where) && str_starts(text + n, ": ");
    (void)snprintf(p->why, sizeof p->why, "%s", has_where ? text + n + 2 : text);
}

int connection_need(struct postgres *p, struct error *err)
{
    /* what the server said meanwhile, such as that it ends */
    if (p->conn && (!PQconsumeInput(p->conn) || PQstatus(p->conn) != CONNECTION_OK))
        connection_drop(p);
    if (p->conn)
        return p->doubtful_count ? look_at_doubtful(p, err) : 0;
    const uint64_t now = clock_ms();
    if (now < p->next_try_ms)
        return away(p, *p->why ? p->why : "the connection was lost, and is tried again shortly", err);
    p->has_failed = p->is_conflict = false;
    int e = make_connection(p, err);
    if (e == 0 && !p->is_migrating)
        e = schema_check(p, err);
    if (e == 0)
        e = check_disk(p, err);
    if (e == 0 && !p->is_migrating)
        e = schema_epoch(p, err);
    if (e == 0 && p->sql.is_service)
        e = nodes_take_name(p, err);
    if (e == 0)
        e = look_at_doubtful(p, err);
    if (e == 0) {
        p->pause_ms = p->next_try_ms = 0;
        return 0;
    }
    connection_drop(p);
    if (e == -EALREADY && p->sql.is_service) { /* it has begun, and waits until it gets its name back */
        e = -EHOSTDOWN;
        if (err)
            err->code = e;
    }
    keep_reason(p, err);
    p->pause_ms = p->pause_ms ? MIN_OF(p->pause_ms * 2, (uint64_t)LONG_PAUSE_MS) : PAUSE_MS;
    p->next_try_ms = clock_ms() + p->pause_ms;
    return e;
}
