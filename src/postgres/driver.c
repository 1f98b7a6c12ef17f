/* driver.c - statements and transactions (sql/sql.h) over the connection, and the store's opening. */
#include <stdio.h>
#include "base/parse.h"
#include "base/utf8.h"
#include "postgres/private.h"

/* Of pg_type.h, which is the server's own. */
#define TYPE_INT8 20
#define TYPE_TEXT 25

static struct postgres *ours(const struct sql *s)
{
    return (struct postgres *)(uintptr_t)s;
}

/* --- statements ---------------------------------------------------------------------------------- */

/* SQLite's ? and ?1 are PostgreSQL's $1. A plain ? is one more than the highest before it. Our literals have no other ?
 * in them. */
static const char *translate(struct postgres *p, const char *sql, int *ret_arguments)
{
    struct buf b;
    int highest = 0;
    buf_init(&b, 8192);
    for (const char *at = sql; *at; at++) {
        if (*at != '?') {
            (void)buf_addc(&b, *at);
            continue;
        }
        int n = 0;
        for (; at[1] >= '0' && at[1] <= '9'; at++)
            n = n * 10 + (at[1] - '0');
        n = n ? n : highest + 1;
        highest = MAX_OF(highest, n);
        (void)buf_addf(&b, "$%d", n);
    }
    const char *text = b.failed ? NULL : arena_copy(&p->own, b.data);
    buf_done(&b);
    *ret_arguments = highest;
    return text;
}

static struct statement *find_statement(struct postgres *p, const char *sql)
{
    for (uint32_t i = 0; i < p->statement_count; i++)
        if (p->statements[i].sql == sql)
            return &p->statements[i];
    assert(p->statement_count < POSTGRES_STATEMENTS); /* our own literals: a test that uses them all meets this */
    struct statement *s = &p->statements[p->statement_count];
    *s = (struct statement){ .sql = sql,
                             .only_writes = (str_starts(sql, "INSERT") || str_starts(sql, "UPDATE") ||
                                             str_starts(sql, "DELETE")) &&
                                            !strstr(sql, " RETURNING ") };
    s->text = translate(p, sql, &s->arguments);
    (void)snprintf(s->name, sizeof s->name, "s%u", p->statement_count);
    if (s->text)
        p->statement_count++;
    return s->text ? s : NULL;
}

static void start(struct query *q, const char *sql)
{
    struct postgres *p = ours(q->store);
    q->next = 0;
    q->at = -1;
    q->rc = 0;
    if (!p->has_begun && !p->queued) { /* statements by themselves, of which this is the first */
        *p->booked.runs = '\0';
        p->has_failed = p->is_conflict = p->is_committing = false;
        q->rc = connection_need(p, &p->error);
        p->has_failed = q->rc < 0;
    } else if (p->has_failed) {
        q->rc = p->error.code;
    }
    q->stmt = find_statement(p, sql);
    memset(p->values, 0, sizeof p->values);
    memset(p->types, 0, sizeof p->types);
}

static void bind(struct query *q, const char *v, Oid type)
{
    struct postgres *p = ours(q->store);
    assert(q->next < POSTGRES_ARGUMENTS);
    p->types[q->next] = type;
    p->values[q->next++] = v;
}

static void bind_number(struct query *q, uint64_t v)
{
    struct postgres *p = ours(q->store);
    assert(q->next < POSTGRES_ARGUMENTS);
    char *text = p->numbers[q->next];
    (void)snprintf(text, sizeof p->numbers[0], "%llu", (unsigned long long)MIN_OF(v, (uint64_t)INT64_MAX));
    bind(q, text, TYPE_INT8);
}

/* PostgreSQL has no text that is not UTF-8, nor one with a NUL: such bytes are stored as U+FFFD. */
static const char *make_text(struct sql *s, const char *v, size_t size)
{
    struct buf b;
    size_t good = 0, n;
    while (good < size && v[good] && (n = utf8_size(v + good, size - good)) > 0)
        good += n;
    if (good == size)
        return arena_copy_bytes(&s->arena, v, size);
    buf_init(&b, size * 3 + 1);
    for (size_t at = 0; at < size; at += n ? n : 1) {
        n = v[at] ? utf8_size(v + at, size - at) : 0;
        if (n)
            (void)buf_add(&b, v + at, n);
        else
            (void)buf_adds(&b, "\xef\xbf\xbd");
    }
    const char *text = b.failed ? "" : arena_copy_bytes(&s->arena, b.data, b.size);
    buf_done(&b);
    return text;
}

static void bind_bytes(struct query *q, const char *v, size_t size)
{
    bind(q, v ? make_text(q->store, v, size) : NULL, TYPE_TEXT);
}

static int no_memory(struct postgres *p)
{
    return err_set(&p->error, -ENOMEM, BLAME_HOST, "STORE", "no memory");
}

static int send_statement(struct postgres *p, struct statement *s, struct query *reader)
{
    if (p->has_failed || connection_make_room(p) < 0)
        return p->error.code;
    if (!s->is_prepared) {
        if (!PQsendPrepare(p->conn, s->name, s->text, s->arguments, p->types))
            return connection_fail(p, NULL, NULL);
        p->queue[p->queued].prepared = s;
        p->queue[p->queued++].reader = NULL;
        s->is_prepared = true;
    }
    if (!PQsendQueryPrepared(p->conn, s->name, s->arguments, p->values, NULL, NULL, 0))
        return connection_fail(p, NULL, NULL);
    p->queue[p->queued].prepared = NULL;
    p->queue[p->queued++].reader = reader;
    return 0;
}

static void send_now(struct query *q)
{
    if (q->rc < 0)
        return;
    q->rc = q->stmt ? send_statement(ours(q->store), q->stmt, q) : no_memory(ours(q->store));
    q->was_sent = true;
}

/* Sends; for what is read, waits for it and for all before it. A statement by itself is its own commit. */
static int run(struct query *q)
{
    struct postgres *p = ours(q->store);
    const struct statement *s = q->stmt;
    if (!s)
        return no_memory(p);
    int e = q->was_sent ? 0 : send_statement(p, q->stmt, s->only_writes ? NULL : q);
    if (e < 0 || q->rows || (s->only_writes && p->has_begun))
        return e;
    p->is_committing = !p->has_begun && (s->only_writes || *p->booked.runs);
    e = connection_wait(p, NULL);
    p->is_committing = false;
    return e == 0 && !s->only_writes && !q->rows ? connection_fail(p, NULL, NULL) : e;
}

static bool step(struct query *q)
{
    if (q->rc < 0)
        return false;
    if (q->at < 0) {
        q->rc = run(q);
        q->at = 0;
    } else {
        q->at++;
    }
    return q->rc == 0 && q->rows && q->at < PQntuples(q->rows);
}

static const char *get_bytes(struct query *q, int column, size_t *ret_size)
{
    *ret_size = 0;
    if (!q->rows || q->at >= PQntuples(q->rows) || PQgetisnull(q->rows, q->at, column))
        return NULL;
    *ret_size = (size_t)PQgetlength(q->rows, q->at, column);
    return PQgetvalue(q->rows, q->at, column);
}

static uint64_t get_number(struct query *q, int column)
{
    size_t size;
    const char *v = get_bytes(q, column, &size);
    uint64_t n = 0;
    return v && parse_u64(v, &n) == 0 ? n : 0; /* a negative one is none */
}

static int done(struct query *q, struct error *err)
{
    struct postgres *p = ours(q->store);
    PQclear(q->rows);
    q->rows = NULL;
    for (uint32_t i = 0; i < p->queued; i++)
        if (p->queue[i].reader == q)
            p->queue[i].reader = NULL;
    if (q->rc < 0 && err)
        *err = p->error;
    return q->rc;
}

static uint64_t changes(struct sql *s)
{
    struct postgres *p = ours(s);
    return p->queued && connection_wait(p, NULL) < 0 ? 0 : p->changes;
}

/* --- transactions -------------------------------------------------------------------------------- */

/* Each run has two of both: prepared, the server parses them once a connection. */
static const char begin_text[] = "BEGIN", commit_text[] = "COMMIT";

static int send_plain(struct postgres *p, const char *sql, struct error *err)
{
    struct statement *s = find_statement(p, sql);
    int e = p->has_failed ? p->error.code : s ? send_statement(p, s, NULL) : no_memory(p);
    if (e < 0 && err && err != &p->error)
        *err = p->error;
    return e;
}

static int begin(struct sql *s, struct error *err)
{
    struct postgres *p = ours(s);
    p->has_failed = p->is_conflict = p->is_committing = false;
    *p->booked.runs = '\0';
    int e = connection_need(p, err);
    if (e < 0)
        return e;
    e = send_plain(p, begin_text, err);
    p->has_begun = e == 0;
    return e;
}

static int commit(struct sql *s, bool is_durable, struct error *err)
{
    struct postgres *p = ours(s);
    int e = 0;
    if (p->has_failed)
        return connection_fail(p, NULL, err);
    if (is_durable && !p->options.is_durable)
        e = connection_send(p, "SET LOCAL synchronous_commit = on", err);
    if (e == 0)
        e = send_plain(p, commit_text, err);
    if (e < 0)
        return e;
    p->is_committing = true;
    e = connection_wait(p, err);
    p->is_committing = false;
    if (e == 0)
        p->has_begun = false;
    return e;
}

static int rollback(struct sql *s, struct error *err)
{
    struct postgres *p = ours(s);
    if (!p->has_begun || !p->conn) {
        p->has_begun = false;
        return 0;
    }
    const bool was_failed = p->has_failed;
    const struct error first = p->error;
    p->has_failed = false;
    int e = p->queued ? connection_wait(p, NULL) : 0; /* what it says does not matter any more */
    p->has_failed = false;
    e = p->conn ? connection_send(p, "ROLLBACK", err) : 0;
    if (e == 0 && p->conn)
        e = connection_wait(p, err);
    if (e < 0 && p->conn)
        connection_drop(p);
    p->has_begun = false;
    if (was_failed) {
        p->has_failed = true;
        p->error = first;
    }
    return e;
}

/* --- locks --------------------------------------------------------------------------------------- */

/* Nothing waits for it: what is asked behind it does. */
static int send_lock(struct query *q, struct error *err)
{
    struct postgres *p = ours(q->store);
    if (q->rc == 0)
        q->rc = q->stmt ? send_statement(p, q->stmt, NULL) : no_memory(p);
    return query_done(q, err);
}

/* Advisory locks of the transaction. Two names that have the same number wait for each other, and no more. */
static int lock(struct sql *s, enum sql_lock what, const char *name, struct error *err)
{
    struct query q = query_start(s, "SELECT pg_advisory_xact_lock(CAST(?1 AS INTEGER), hashtext(?2))");
    query_u64(&q, POSTGRES_LOCK(what));
    query_text(&q, name);
    return send_lock(&q, err);
}

static int lock_agent_of(struct sql *s, const char *execution_id, struct error *err)
{
    struct query q = query_start(s, "SELECT pg_advisory_xact_lock(CAST(?1 AS INTEGER), hashtext(a.id)) FROM runs r "
                                    "JOIN agents a ON a.number = r.agent WHERE r.execution_id = ?2");
    query_u64(&q, POSTGRES_LOCK(SQL_LOCK_AGENT));
    query_text(&q, execution_id);
    return send_lock(&q, err);
}

/* Each kind in the order of its numbers, so that no two of these wait for each other. */
static int lock_runs(struct sql *s, const char *lines, size_t size, struct error *err)
{
    static const char *const locks[] = {
        "SELECT pg_advisory_xact_lock(CAST(?2 AS INTEGER), w.h) FROM (SELECT DISTINCT hashtext(substr(u.id, 2)) AS h "
        "FROM unnest(string_to_array(?1, chr(10))) u(id) ORDER BY 1) w",
        "SELECT pg_advisory_xact_lock(CAST(?2 AS INTEGER), w.h) FROM (SELECT DISTINCT hashtext(a.id) AS h FROM "
        "unnest(string_to_array(?1, chr(10))) u(id), LATERAL (SELECT agent FROM runs WHERE execution_id = substr(u.id, "
        "2) LIMIT 1) r, LATERAL (SELECT id FROM agents WHERE number = r.agent LIMIT 1) a ORDER BY 1) w",
    };
    static const enum sql_lock kinds[] = { SQL_LOCK_RUN, SQL_LOCK_AGENT };
    int e = 0;
    for (size_t i = 0; i < ARRAY_LEN(locks) && e == 0; i++) {
        struct query q = query_start(s, locks[i]);
        query_bytes(&q, lines, size);
        query_u64(&q, POSTGRES_LOCK(kinds[i]));
        e = send_lock(&q, err);
    }
    return e;
}

static void books(struct sql *s, const struct reserve *r, uint64_t lease)
{
    struct booking *b = &ours(s)->booked;
    struct buf text;
    const size_t n = strlen(b->runs);
    buf_init(&text, sizeof b->runs);
    array_text(&text, r->execution_id);
    assert(!text.failed && n + text.size + 2 < sizeof b->runs); /* STORE_SETTLE_MANY of them at most */
    (void)snprintf(b->runs + n - (n > 0), sizeof b->runs - n, "%c%.*s}", n ? ',' : '{', (int)text.size, text.data);
    buf_done(&text);
    (void)snprintf(b->agent, sizeof b->agent, "%s", r->agent_id);
    b->lease = lease;
    b->epoch = s->epoch;
}

static bool is_worth_another_try(struct sql *s)
{
    return ours(s)->is_conflict;
}

/* --- the service's ------------------------------------------------------------------------------- */

static int tell_keys(struct sql *s, struct error *err)
{
    return query_run(s, err, "UPDATE changes SET keys = keys + 1", 0, NULL);
}

static int numbers_came(struct sql *s, struct error *err)
{
    static const char *const statements[] = {
        "SELECT setval(pg_get_serial_sequence('agents', 'number'), (SELECT coalesce(max(number), 1) FROM agents))",
        "SELECT setval(pg_get_serial_sequence('runs', 'number'), (SELECT coalesce(max(number), 1) FROM runs))",
        "SELECT setval(pg_get_serial_sequence('violations', 'rowid'), (SELECT coalesce(max(rowid), 1) FROM "
        "violations))",
        "SELECT setval(pg_get_serial_sequence('executions', 'number'), (SELECT coalesce(max(number), 1) FROM "
        "executions))",
        "SELECT setval(pg_get_serial_sequence('keys', 'number'), (SELECT coalesce(max(number), 1) FROM keys))",
    };
    int e = 0;
    for (size_t i = 0; i < ARRAY_LEN(statements) && e == 0; i++)
        e = query_run(s, err, statements[i], 0, NULL);
    return e;
}

static int version(void *self, uint64_t *ret, struct error *err)
{
    struct sql *s = self;
    struct query q = query_start(s, "SELECT keys FROM changes");
    uint64_t n = query_row(&q) ? query_get_u64(&q, 0) : 0;
    int e = query_done(&q, err);
    if (e == 0)
        *ret = n;
    return e;
}

/* The server's own. */
static int checkpoint(const void *self, uint64_t *ret_pages, struct error *err)
{
    (void)self, (void)err;
    *ret_pages = 0;
    return 0;
}

static int checkpoint_rest(void *self, struct error *err)
{
    (void)self, (void)err;
    return 0;
}

static void close_postgres(void *self)
{
    struct postgres *p = self;
    PQfinish(p->conn);
    sql_done(&p->sql);
    arena_done(&p->own);
    free(p->lost);
    free(p);
}

const struct sql_driver postgres_driver = {
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
    .lock = lock,
    .lock_agent_of = lock_agent_of,
    .lock_runs = lock_runs,
    .books = books,
    .is_worth_another_try = is_worth_another_try,
    .tell_keys = tell_keys,
    .numbers_came = numbers_came,
    .is_lost = nodes_is_lost,
    .keep_request = requests_add,
    .save_request = requests_save,
};

static const struct store_ops ops = {
    .call = sql_call,
    .settle_many = sql_settle_many,
    .reserve_many = sql_reserve_many,
    .close = close_postgres,
    .act_for = sql_act_for,
    .tries_again = sql_tries_again,
    .set_service = nodes_set_service,
    .beat = nodes_beat,
    .checkpoint = checkpoint,
    .checkpoint_rest = checkpoint_rest,
    .version = version,
    .execution_accept = sql_execution_accept,
    .execution_start = sql_execution_start,
    .execution_finish = sql_execution_finish,
    .finish_many = sql_execution_finish_many,
    .execution_release = sql_execution_release,
    .execution_get = sql_execution_get,
    .executions = sql_executions,
    .executions_orphaned = sql_executions_orphaned,
    .executions_prune = sql_executions_prune,
    .execution_counts = sql_execution_counts,
    .key_used = sql_key_used,
    .execution_owner = nodes_owner,
    .request_begin = requests_begin,
    .request_take = requests_take,
    .request_leave = requests_leave,
    .requests_held = requests_held,
    .request_defer = requests_defer,
    .node_of_level = nodes_of_level,
};

/* --- opening ------------------------------------------------------------------------------------- */

static const char *copy(struct arena *a, const char *text)
{
    return text ? arena_copy(a, text) : NULL;
}

/* libpq also takes a list of hosts, and sockets whose names begin with '@'. A socket has no TLS, and a host behind a
 * directory in a list would have none either. */
static bool is_one_host(const char *host)
{
    return host[0] == '/' ? !strchr(host, ',') : host[0] && !strpbrk(host, ",/@");
}

static int take_options(struct postgres *p, const struct store_place *o, struct error *err)
{
    char host[65] = "";
    struct arena *a = &p->own;
    (void)gethostname(host, sizeof host - 1);
    p->options = *o;
    p->options.host = copy(a, o->host);
    p->options.database = copy(a, o->database);
    p->options.user = copy(a, o->user);
    p->options.password_file = copy(a, o->password_file);
    p->options.ca_file = copy(a, o->ca_file);
    p->options.certificate = copy(a, o->certificate);
    p->options.key = copy(a, o->key);
    p->options.node = copy(a, o->node ? o->node : host);
    p->options.address = copy(a, o->address ? o->address : "");
    p->where = arena_printf(a, "PostgreSQL at %s:%llu, database %s", o->host, (unsigned long long)o->port, o->database);
    if (a->failed)
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    if (!is_one_host(p->options.host))
        return err_set(err, -EINVAL, BLAME_CALLER, "STORE",
                       "store.host: '%.60s' is not accepted; expected one host name, or the directory of a socket",
                       o->host);
    if (!agent_id_is_valid(p->options.node) || strchr(p->options.node, ' '))
        return err_set(err, -EINVAL, BLAME_CALLER, "STORE",
                       "store.node: expected 1 to %u bytes without spaces and control characters", AGENT_ID_MAX);
    return sql_init(&p->sql, &ops, &postgres_driver, p->options.node, err);
}

int postgres_open(const struct store_place *o, bool may_wait, bool will_migrate, struct store **ret, struct error *err)
{
    struct postgres *p = calloc(1, sizeof *p);
    if (!p)
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    p->patience_ms = PATIENCE_MS;
    p->is_migrating = will_migrate;
    int e = take_options(p, o, err);
    if (e == 0)
        e = connection_need(p, err);
    if (e < 0 && !(e == -EHOSTDOWN && may_wait && p->sql.place)) {
        close_postgres(p);
        return e;
    }
    *ret = &p->sql.handle;
    return 0;
}
