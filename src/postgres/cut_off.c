/* cut_off.c - a stolen node loses what it may do in the database.
 *
 * First the rights of its role are revoked, which holds for open connections with their next statement, needs no more
 * than the tables' owner, and waits for no lock that the thief could hold: only catalogs are read and written. Then its
 * login and its connections end, which takes more (CREATEROLE, pg_signal_backend), and with them all locks. Only then
 * its row says that it is cut off, which makes it dead for the others: the thief may have held that row, or the whole
 * table. At last the database is asked whether any right is left.
 */
#include <time.h>

#include "postgres/private.h"

#define WAITS       100u
#define WAIT_NS     50000000
#define LOGIN_TRIES 5u

#define TABLES                                                                                                      \
    "agents, runs, gains, violations, points, nonces, once, executions, results, keys, shapes, sums, known, "       \
    "refusals, baseline, meter, leases, shares, epoch, nodes, changes, schema_version, requests, chains, anchors, " \
    "cosignatures"

static int with_node(struct sql *s, const char *sql_literal, const char *node, uint64_t *ret, struct error *err)
{
    struct query q = query_start(s, sql_literal);
    query_text(&q, node);
    *ret = query_row(&q) ? query_get_u64(&q, 0) : 0;
    return query_done(&q, err);
}

/* One command with the role's name as an identifier. */
static int command(struct postgres *p, const char *before, const char *role, const char *after, struct error *err)
{
    char *name = PQescapeIdentifier(p->conn, role, strlen(role));
    if (!name)
        return err_set(err, -EINVAL, BLAME_CALLER, "STORE", "the role's name is none");
    int e = connection_send(p, arena_printf(&p->sql.arena, "%s%s%s", before, name, after), err);
    PQfreemem(name);
    return e < 0 ? e : connection_wait(p, err);
}

static int revoke_rights(struct postgres *p, const char *node, struct error *err)
{
    int e = transaction_begin(&p->sql, err);
    if (e < 0)
        return e;
    e = command(p, "REVOKE ALL ON " TABLES " FROM ", node, "", err);
    if (e == 0)
        e = command(p, "REVOKE ALL ON FUNCTION thin_anchors() FROM ", node, "", err);
    return transaction_end_durable(&p->sql, e, err);
}

static int mark(struct postgres *p, const char *node, bool may_be_absent, struct error *err)
{
    static const char *const statements[] = {
        "UPDATE nodes SET cut_ms = CASE WHEN cut_ms > 0 THEN cut_ms ELSE " NOW_MS " END, seen_ms = 0, address = '' "
        "WHERE name = ?1 RETURNING 1",
        "UPDATE chains SET retired_ms = " NOW_MS " WHERE node = ?1 AND retired_ms = 0 RETURNING 1",
    };
    struct sql *s = &p->sql;
    uint64_t is_there = 0, any;
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    e = with_node(s, statements[0], node, &is_there, err);
    if (e == 0)
        e = with_node(s, statements[1], node, &any, err);
    if (e == 0 && !is_there && !may_be_absent) {
        (void)err_set(err, -ENOENT, BLAME_CALLER, "STORE", "there is no node %s", node);
        e = err_remedy(err, "sandbox-agent fleet status lists them");
    }
    return transaction_end_durable(s, e, err);
}

#define TERMINATE "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = ?1"

static int try_end_login(struct postgres *p, const char *node, struct error *err)
{
    int e = transaction_begin(&p->sql, err);
    if (e < 0)
        return e;
    e = connection_send(p, "SET LOCAL lock_timeout = '1s'", err);
    if (e == 0)
        e = command(p, "ALTER ROLE ", node, " NOLOGIN", err);
    return transaction_end_durable(&p->sql, e, err);
}

/* A role may change its own password: a transaction in which it does holds us up, until its connection ends. */
static int end_login(struct postgres *p, const char *node, struct error *err)
{
    uint64_t n;
    int e = try_end_login(p, node, err);
    for (unsigned i = 1; e == -EBUSY && i < LOGIN_TRIES; i++) {
        e = with_node(&p->sql, TERMINATE, node, &n, err);
        if (e == 0)
            e = try_end_login(p, node, err);
    }
    return e;
}

static int end_connections(struct sql *s, const char *node, struct error *err)
{
    uint64_t n = 1;
    int e = with_node(s, TERMINATE, node, &n, err);
    for (unsigned i = 0; e == 0 && n && i < WAITS; i++) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = WAIT_NS }, NULL);
        e = with_node(s, TERMINATE, node, &n, err); /* also one that logged in meanwhile */
    }
    return e == 0 && n ? err_set(err, -ETIMEDOUT, BLAME_HOST, "STORE", "%llu connections of node %s do not end",
                                 (unsigned long long)n, node)
                       : e;
}

/* By membership, by PUBLIC, or as the tables' owner. */
static int check_rights(struct sql *s, const char *node, struct error *err)
{
    uint64_t n = 0;
    int e = with_node(
        s,
        "SELECT count(*) FROM pg_class WHERE relnamespace = (SELECT relnamespace FROM pg_class WHERE "
        "oid = to_regclass('schema_version')) AND relkind = 'r' AND "
        "(has_any_column_privilege(?1, oid, 'SELECT, INSERT, UPDATE') OR has_table_privilege(?1, oid, 'DELETE'))",
        node, &n, err);
    if (e < 0 || !n)
        return e;
    (void)err_set(err, -EPERM, BLAME_HOST, "STORE",
                  "the role %s may still use %llu tables: by another role, or it owns "
                  "them",
                  node, (unsigned long long)n);
    return err_remedy(err, "take it out of those roles (REVOKE role FROM ...), or change the owner's password");
}

static void keep_first(int e, const struct error *found, int *first, struct error *err)
{
    if (e < 0 && *first == 0) {
        *first = e;
        *err = *found;
    }
}

/* What is known without a lock on a table. GRANTED: `store grant` was for it; ROLE: one of that name, be it another
 * program's. The tables' owner, and the role that we are, are no node's own. */
enum role { NO_ROLE, ROLE, GRANTED };

static int find_role(struct sql *s, const char *node, enum role *ret, struct error *err)
{
    uint64_t is_there = 0, is_granted = 0;
    int e = with_node(s,
                      "SELECT 1 FROM pg_roles r WHERE r.rolname = ?1 AND r.rolname NOT IN (current_user, session_user) "
                      "AND r.oid <> (SELECT relowner FROM pg_class WHERE oid = to_regclass('executions'))",
                      node, &is_there, err);
    if (e == 0 && is_there)
        e = with_node(s,
                      "SELECT 1 FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) x JOIN pg_roles r ON r.oid = "
                      "x.grantee WHERE c.oid = to_regclass('executions') AND x.privilege_type = 'INSERT' AND r.rolname "
                      "= ?1",
                      node, &is_granted, err);
    *ret = !is_there ? NO_ROLE : is_granted ? GRANTED : ROLE;
    return e;
}

static int is_node(struct sql *s, const char *node, struct error *err)
{
    uint64_t is_there = 0;
    int e = with_node(s, "SELECT 1 FROM nodes WHERE name = ?1", node, &is_there, err);
    return e < 0 ? e : is_there != 0;
}

static int end_access(struct postgres *p, const char *node, struct error *err)
{
    struct error found = { 0 };
    int e = revoke_rights(p, node, err), first = 0;
    if (e < 0)
        return e;
    e = end_login(p, node, &found);
    keep_first(e, &found, &first, err);
    e = end_connections(&p->sql, node, &found);
    keep_first(e, &found, &first, err);
    e = mark(p, node, true, &found);
    keep_first(e, &found, &first, err);
    if (first == 0)
        return 0;
    (void)err_wrap(err, "the rights of node %s are revoked, but that is not all", node);
    return err_remedy(err,
                      "as a superuser: ALTER ROLE \"%s\" NOLOGIN, and end its connections (pg_terminate_backend); then "
                      "do this again",
                      node);
}

int postgres_cut_off(struct store *handle, const char *node, struct error *err)
{
    struct postgres *p = handle->self;
    enum role role;
    sql_begin_call(&p->sql);
    int e = find_role(&p->sql, node, &role, err), first = 0;
    if (e == 0 && role == ROLE && (e = is_node(&p->sql, node, err)) == 0)
        role = NO_ROLE; /* of another program */
    if (e < 0)
        return e;
    if (role == NO_ROLE) {
        e = mark(p, node, false, err);
        if (e < 0)
            return e;
        (void)err_set(err, -EPERM, BLAME_HOST, "STORE",
                      "node %s has no role of its own: the others treat it as dead, "
                      "but the database still lets it in",
                      node);
        return err_remedy(err,
                          "change the password of the role that it uses, and give each node a role (docs/fleet.md)");
    }
    struct error found = { 0 };
    e = end_access(p, node, &found);
    keep_first(e, &found, &first, err);
    e = check_rights(&p->sql, node, &found);
    keep_first(e, &found, &first, err);
    return first;
}
