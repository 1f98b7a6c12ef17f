/* nodes.c - the services that share this database: each has a name of its own, says every second that it lives, and the
 * others take over what a dead one left: one that was silent for NODE_LOST_MS, and whose connection with the lock of
 * its name is gone or as good as gone (NODE_GONE_MS). Times are the database's, so clocks do not matter. */
#include <stdio.h>
#include <time.h>
#include "base/clock.h"
#include "postgres/private.h"

#define NODE_LOST_MS 30000u /* more than a node waits for an answer and before it connects again (connect.c) */
#define NODE_GONE_MS 60000u /* the server may keep the lock of a machine without power, if not for long: connect.c */
#define SILENT_MS    "5000" /* as pass_on.c */
#define LOCK_TRIES   50u
#define LOST_KEPT_MS 1000u /* how long the list of the dead is believed */
#define LOCK_KEY     "5963776"

/* Connections that hold the lock of that node's name (pg_locks has its number as two halves). */
#define LOCKS_OF(name)                                                                                        \
    "pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted AND l.database = (SELECT oid " \
    "FROM pg_database WHERE datname = current_database()) AND ((CAST(l.classid AS BIGINT) << 32) | "          \
    "CAST(l.objid AS BIGINT)) = hashtextextended(" name ", " LOCK_KEY ")"

static int try_lock(struct postgres *p, bool *ret, struct error *err)
{
    struct query q = query_start(&p->sql, "SELECT CASE WHEN pg_try_advisory_lock(hashtextextended(?1, " LOCK_KEY
                                          ")) THEN 1 ELSE 0 END");
    query_text(&q, p->options.node);
    *ret = query_row(&q) && query_get_u64(&q, 0) == 1;
    return query_done(&q, err);
}

/* A connection of ours that the network lost: the server does not know yet, and keeps its lock. Ours it is if this
 * handle had the name, and no other process took it since. */
static int end_lost_connection(struct postgres *p, struct error *err)
{
    struct sql *s = &p->sql;
    struct query q = query_start(
        s, "SELECT count(pg_terminate_backend(l.pid)) FROM " LOCKS_OF(
               "?1") " AND l.pid <> pg_backend_pid() AND EXISTS (SELECT 1 FROM nodes WHERE name = "
                     "?1 AND pid = ?2 AND start = ?3 AND place = ?4)");
    query_text(&q, p->options.node);
    query_u64(&q, s->own_pid);
    query_u64(&q, s->own_start);
    query_text(&q, s->place);
    (void)query_row(&q);
    return query_done(&q, err);
}

/* The lock is the connection's: it is free when the service dies, whatever its row says, but for the moment in which
 * the server has not seen that yet. */
static int lock_name(struct postgres *p, struct error *err)
{
    bool is_ours = false;
    int e = try_lock(p, &is_ours, err);
    if (e == 0 && !is_ours && p->has_had_name)
        e = end_lost_connection(p, err);
    for (unsigned i = 0; e == 0 && !is_ours && i < LOCK_TRIES; i++) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
        e = try_lock(p, &is_ours, err);
    }
    p->has_had_name |= is_ours;
    if (e < 0 || is_ours)
        return e;
    (void)err_set(err, -EALREADY, BLAME_HOST, "STORE", "%s: another service is node %s", p->where, p->options.node);
    return err_remedy(err, "stop the other sandboxd, or set store.node to a name of this machine's own");
}

/* Each is asked between two looks at ours: what lies between these is no difference. */
static uint64_t clock_off(uint64_t before_ms, uint64_t theirs_ms, uint64_t after_ms)
{
    return theirs_ms < before_ms ? before_ms - theirs_ms : theirs_ms > after_ms ? theirs_ms - after_ms : 0;
}

static int say_alive(struct postgres *p, struct beat *ret, struct error *err)
{
    const uint64_t before_ms = wall_clock_ms();
    struct sql *s = &p->sql;
    struct query q = query_start(
        s, "INSERT INTO nodes(name, pid, start, place, version, seen_ms, address, clock_off_ms, levels, policy) "
           "VALUES(?1, ?2, ?3, ?4, ?5, " NOW_MS ", ?6, ?7, ?8, ?9) ON CONFLICT(name) DO UPDATE SET pid = "
           "excluded.pid, start = excluded.start, place = excluded.place, version = "
           "excluded.version, address = excluded.address, clock_off_ms = excluded.clock_off_ms, "
           "levels = excluded.levels, policy = excluded.policy, "
           "seen_ms = CASE WHEN nodes.cut_ms > 0 THEN 0 ELSE excluded.seen_ms END RETURNING drained_ms, "
           "seen_ms, cut_ms, (SELECT count(*) FROM nodes o WHERE o.name <> ?1 AND o.policy <> ?9 AND o.policy <> '' "
           "AND ?9 <> '' AND "
           "o.cut_ms = 0 AND o.seen_ms > " NOW_MS " - " SILENT_MS ")");
    query_text(&q, p->options.node);
    query_u64(&q, s->own_pid);
    query_u64(&q, s->own_start);
    query_text(&q, s->place);
    query_text(&q, VERSION);
    query_text(&q, p->options.address);
    query_u64(&q, p->clock_off_ms); /* of the beat before */
    query_u64(&q, p->options.levels);
    query_text(&q, p->policy);
    const bool is_there = query_row(&q), is_drained = is_there && query_get_u64(&q, 0) > 0;
    const uint64_t theirs_ms = is_there ? query_get_u64(&q, 1) : before_ms;
    const uint64_t differ = is_there ? query_get_u64(&q, 3) : 0;
    const bool is_cut = is_there && query_get_u64(&q, 2) > 0;
    int e = query_done(&q, err);
    if (e == 0 && is_cut)
        e = err_set(err, -EACCES, BLAME_POLICY, "STORE", "%s: node %s is cut off", p->where, p->options.node);
    if (e < 0)
        return e;
    p->clock_off_ms = clock_off(before_ms, theirs_ms, wall_clock_ms());
    if (ret)
        *ret = (struct beat){ .is_drained = is_drained, .policies_differ = differ, .clock_off_ms = p->clock_off_ms };
    return 0;
}

int nodes_beat(void *self, struct beat *ret, struct error *err)
{
    struct postgres *p = self;
    sql_begin_call(&p->sql);
    if (ret && ret->policy)
        (void)snprintf(p->policy, sizeof p->policy, "%s", ret->policy);
    int e = say_alive(p, ret, err);
    return e < 0 ? e : leases_sweep(&p->sql, wall_clock_ms(), err);
}

int nodes_take_name(struct postgres *p, struct error *err)
{
    int e = lock_name(p, err);
    return e < 0 ? e : say_alive(p, NULL, err);
}

int nodes_set_service(void *self, struct error *err)
{
    struct postgres *p = self;
    sql_begin_call(&p->sql);
    int e = connection_need(p, err);
    if (e == 0 && !p->sql.is_service)
        e = nodes_take_name(p, err);
    if (e < 0 && e != -EHOSTDOWN)
        return e;
    p->sql.is_service = true; /* while it is away: the name is taken with the connection */
    return 0;
}

/* --- the others ---------------------------------------------------------------------------------- */

#define IS_LOCKED "EXISTS (SELECT 1 FROM " LOCKS_OF("nodes.name") ")"

/* What a stolen node says of itself is of itself only: its place names it, and is one line. */
#define IS_ITS_OWN "split_part(place, ' ', 3) = name AND strpos(place, chr(10)) = 0 AND octet_length(place) <= 512"

/* A time of its own choice is none that a subtraction fails of; texts of its own are no longer than a node's. */
#define SILENT_FOR   NOW_MS " - GREATEST(seen_ms, 0)"
#define ADDRESS_SAID "left(address, 301)" /* node_line.c takes 300 bytes */

static void list_lost(struct postgres *p)
{
    struct buf b;
    buf_init(&b, 256 * 1024);
    (void)buf_addc(&b, '\n');
    struct query q = query_start(&p->sql,
                                 "SELECT pid, start, place FROM nodes WHERE " IS_ITS_OWN " AND seen_ms < " NOW_MS
                                 " - ?1 AND (seen_ms < " NOW_MS " - ?2 OR NOT " IS_LOCKED ")");
    query_u64(&q, NODE_LOST_MS);
    query_u64(&q, NODE_GONE_MS);
    while (query_row(&q)) {
        const char *place = query_get_text(&q, 2);
        (void)buf_addf(&b, "%llu %llu %s\n", (unsigned long long)query_get_u64(&q, 0),
                       (unsigned long long)query_get_u64(&q, 1), place ? place : "");
    }
    const bool is_good = query_done(&q, NULL) == 0 && !b.failed;
    free(p->lost);
    p->lost = is_good && b.size ? strdup(b.data) : NULL;
    p->lost_at_ms = clock_ms();
    buf_done(&b);
}

bool nodes_is_lost(struct sql *s, uint64_t pid, uint64_t start, const char *place)
{
    struct postgres *p = (struct postgres *)s;
    char line[768];
    if (!p->lost_at_ms || clock_ms() - p->lost_at_ms > LOST_KEPT_MS)
        list_lost(p);
    (void)snprintf(line, sizeof line, "\n%llu %llu %s\n", (unsigned long long)pid, (unsigned long long)start, place);
    return p->lost && strstr(p->lost, line);
}

int nodes_owner(void *self, const char *id, struct execution_owner *ret, struct error *err)
{
    struct sql *s = self;
    sql_begin_call(s);
    struct query q = query_start(s, "SELECT e.key_id, e.state, e.owner_place, " ADDRESS_SAID ", " SILENT_FOR
                                    " FROM executions e LEFT JOIN nodes n ON n.name = "
                                    "split_part(e.owner_place, ' ', 3) WHERE e.id = ?1");
    query_text(&q, id);
    const bool is_there = query_row(&q);
    if (is_there) {
        const char *key = query_get_text(&q, 0), *place = query_get_text(&q, 2), *address = query_get_text(&q, 3);
        *ret = (struct execution_owner){ .key_id = key ? key : "",
                                         .node = owner_node(place ? place : ""),
                                         .address = address ? address : "",
                                         .is_ours = owner_is_of_this_node(s, place ? place : ""),
                                         .state = (uint8_t)query_get_u64(&q, 1),
                                         .silent_ms = query_get_u64(&q, 4) };
    }
    int e = query_done(&q, err);
    if (e == 0 && s->arena.failed)
        e = err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    return e < 0 ? e : is_there;
}

/* Of several the one with the fewest open executions. */
int nodes_of_level(void *self, int level, struct execution_owner *ret, struct error *err)
{
    struct sql *s = self;
    const struct postgres *p = self;
    sql_begin_call(s);
    struct query q = query_start(
        s, "SELECT name, " ADDRESS_SAID ", " SILENT_FOR " FROM nodes WHERE (levels >> CAST(?1 AS INTEGER)) & 1 = 1 AND "
           "name <> ?2 AND address <> '' AND cut_ms = 0 AND drained_ms = 0 AND seen_ms > " NOW_MS " - " SILENT_MS
           " ORDER BY (SELECT count(*) FROM executions e WHERE e.state < 2 AND e.owner_place = nodes.place), random() "
           "LIMIT 1");
    query_u64(&q, (uint64_t)level);
    query_text(&q, p->options.node);
    const bool is_there = query_row(&q);
    if (is_there) {
        const char *name = query_get_text(&q, 0), *address = query_get_text(&q, 1);
        *ret = (struct execution_owner){
            .key_id = "", .node = name ? name : "", .address = address ? address : "", .silent_ms = query_get_u64(&q, 2)
        };
    }
    int e = query_done(&q, err);
    if (e == 0 && s->arena.failed)
        e = err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    return e < 0 ? e : is_there;
}

/* --- for people ---------------------------------------------------------------------------------- */

int postgres_nodes(struct store *handle, node_each each, void *context, struct error *err)
{
    struct sql *s = handle->self;
    sql_begin_call(s);
    struct query q = query_start(
        s, "SELECT name, left(version, 64), " SILENT_FOR ", drained_ms, (SELECT count(*) FROM "
           "executions e WHERE e.state < 2 AND e.owner_pid = nodes.pid AND e.owner_start = "
           "nodes.start AND e.owner_place = nodes.place), clock_off_ms, cut_ms, levels, left(policy, 65) FROM nodes "
           "ORDER BY name");
    while (query_row(&q)) {
        const char *name = query_get_text(&q, 0), *version = query_get_text(&q, 1), *policy = query_get_text(&q, 8);
        const struct node n = { .name = name ? name : "",
                                .version = version ? version : "",
                                .silent_ms = query_get_u64(&q, 2),
                                .drained_ms = query_get_u64(&q, 3),
                                .open_executions = query_get_u64(&q, 4),
                                .clock_off_ms = query_get_u64(&q, 5),
                                .cut_ms = query_get_u64(&q, 6),
                                .levels = (uint32_t)query_get_u64(&q, 7),
                                .policy = policy ? policy : "" };
        each(context, &n);
    }
    return query_done(&q, err);
}

int postgres_set_drained(struct store *handle, const char *node, bool is_drained, struct error *err)
{
    struct sql *s = handle->self;
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    struct query q = query_start(
        s, "UPDATE nodes SET drained_ms = CASE WHEN ?2 = 0 THEN 0 WHEN drained_ms > 0 THEN drained_ms ELSE " NOW_MS
           " END WHERE name = ?1");
    query_text(&q, node);
    query_u64(&q, is_drained);
    (void)query_row(&q);
    e = query_done(&q, err);
    if (e == 0 && sql_changes(s) == 0) {
        (void)err_set(err, -ENOENT, BLAME_CALLER, "STORE", "there is no node %s", node);
        e = err_remedy(err, "sandbox-agent fleet status lists them");
    }
    return transaction_end_durable(s, e, err);
}
