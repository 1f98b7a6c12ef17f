/* cut_off.c - a stolen node loses what it may do in the database.
 *
 * Its row says so, which makes it dead for the others. The rights of its role are revoked, which holds for open
 * connections with their next statement and needs no more than the tables' owner. Then its login and its connections
 * end, which takes more (CREATEROLE, pg_signal_backend). Then the database is asked whether anything is left.
 */
#include <time.h>

#include "postgres/private.h"

#define WAITS   100u
#define WAIT_NS 50000000

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

static int mark(struct postgres *p, const char *node, bool has_role, struct error *err)
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
    if (e == 0 && !is_there) {
        (void)err_set(err, -ENOENT, BLAME_CALLER, "STORE", "there is no node %s", node);
        e = err_remedy(err, "sandbox-agent fleet status lists them");
    }
    if (e == 0 && has_role)
        e = command(p, "REVOKE ALL ON " TABLES " FROM ", node, "", err);
    if (e == 0 && has_role)
        e = command(p, "REVOKE ALL ON FUNCTION thin_anchors() FROM ", node, "", err);
    return transaction_end_durable(s, e, err);
}

static int end_login(struct postgres *p, const char *node, struct error *err)
{
    int e = transaction_begin(&p->sql, err);
    if (e < 0)
        return e;
    e = command(p, "ALTER ROLE ", node, " NOLOGIN", err);
    return transaction_end_durable(&p->sql, e, err);
}

static int end_connections(struct sql *s, const char *node, struct error *err)
{
    uint64_t n = 1;
    int e = with_node(s, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = ?1", node, &n,
                      err);
    for (unsigned i = 0; e == 0 && n && i < WAITS; i++) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = WAIT_NS }, NULL);
        e = with_node(s, "SELECT count(*) FROM pg_stat_activity WHERE usename = ?1", node, &n, err);
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

int postgres_cut_off(struct store *handle, const char *node, struct error *err)
{
    struct postgres *p = handle->self;
    struct sql *s = &p->sql;
    uint64_t has_role = 0;
    sql_begin_call(s);
    int e = with_node(s, "SELECT 1 FROM pg_roles WHERE rolname = ?1", node, &has_role, err), first = 0;
    if (e == 0)
        e = mark(p, node, has_role, err);
    if (e < 0)
        return e;
    if (!has_role) {
        (void)err_set(err, -EPERM, BLAME_HOST, "STORE",
                      "node %s has no role of its own: the others treat it as dead, "
                      "but the database still lets it in",
                      node);
        return err_remedy(err,
                          "change the password of the role that it uses, and give each node a role (docs/fleet.md)");
    }
    struct error found = { 0 };
    e = end_login(p, node, &found);
    keep_first(e, &found, &first, err);
    e = end_connections(s, node, &found);
    keep_first(e, &found, &first, err);
    if (first < 0) {
        (void)err_wrap(err, "the rights of node %s are revoked, but not all of its access", node);
        (void)err_remedy(err,
                         "as a superuser: ALTER ROLE \"%s\" NOLOGIN, and end its connections "
                         "(pg_terminate_backend)",
                         node);
    }
    e = check_rights(s, node, &found);
    keep_first(e, &found, &first, err);
    return first;
}
