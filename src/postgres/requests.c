/* requests.c - asynchronous executions that wait for their turn: any node with room takes one.
 *
 * What was asked for lies in `requests` as long as the execution waits. Taking it is one statement on that row, by
 * the node that accepted it when its turn has come as by any other: so an execution is begun once. Another node's
 * statement skips rows that are being taken (SKIP LOCKED), and makes itself the owner in the same transaction. Only one
 * that said `retry: node_lost` keeps its request while it runs; when its node is lost it waits once more.
 */
#include "postgres/private.h"

#define OWNER_MS   "200" /* the node that accepted it has them to begin it itself */
#define MOST_TRIES "3"
/* tries: how often it was begun again since its node was lost, and a MOVE each time that it was put back for its level:
 * policies differ, or it would be once. */
#define MOVE         "16"
#define MOST_MOVES   "8"
#define MOST_WAITING "256" /* for a level, of one key */
#define GONE_MS      "60000"
#define BY_US(columns)                                                                                                 \
    "(SELECT number FROM executions WHERE id = ?1 AND " columns "owner_pid = ?2 AND owner_start = ?3 AND owner_place " \
    "= ?4)"
/* Of a level: any number that a row may say. */
#define LEVEL(bits) "(" bits " >> CAST(r.level & 63 AS INTEGER)) & 1 = 1"

int requests_add(struct sql *s, const struct execution_row *r, struct error *err)
{
    struct query q = query_start(s, "INSERT INTO requests(execution, body, retries) SELECT number, ?2, ?3 FROM "
                                    "executions WHERE id = ?1");
    query_text(&q, r->id);
    query_bytes(&q, r->request, r->request_size);
    query_u64(&q, r->retries);
    (void)query_row(&q);
    return query_done(&q, err);
}

/* What is ours is asked each time: a machine that stood still meanwhile may have been taken for dead, and another node
 * has its executions.
 *
 * Our own, when its turn has come. */
int requests_begin(void *self, const char *id, struct error *err)
{
    struct sql *s = self;
    sql_begin_call(s);
    struct query q = query_start(
        s, "UPDATE requests SET is_taken = 1 WHERE is_taken = 0 AND execution = " BY_US("state = 0 AND "));
    query_text(&q, id);
    query_owner(&q, s->own_pid, s->own_start);
    (void)query_row(&q);
    int e = query_done(&q, err);
    return e < 0 ? e : sql_changes(s) > 0;
}

/* Of one that needs a level: by nodes that take it. Where none of these that takes what waits (place.h) has lived for a
 * minute, by any: that one finds that it cannot be run, and ends it. */
#define IS_NO_NODE_S                                                                                                \
    "NOT EXISTS (SELECT 1 FROM nodes n WHERE " LEVEL("(n.levels >> 3)") " AND n.cut_ms = 0 AND n.drained_ms "       \
                                                                        "= 0 AND n.seen_ms > " NOW_MS " - " GONE_MS \
                                                                        ")"
#define NEXT                                                                                                           \
    "SELECT r.execution FROM requests r JOIN executions e ON e.number = r.execution WHERE r.is_taken = 0 AND e.state " \
    "= 0 AND r.offered_ms < " NOW_MS " - " OWNER_MS                                                                    \
    " AND (r.level < 0 OR " LEVEL("?1") " OR " IS_NO_NODE_S ") "                                                       \
                                        "ORDER BY r.execution LIMIT 1 FOR UPDATE OF r SKIP LOCKED"

static bool find_next(struct sql *s, uint64_t *ret, struct error *err, int *ret_e)
{
    const struct postgres *p = (const struct postgres *)s;
    struct query q = query_start(s, NEXT);
    query_u64(&q, p->options.levels);
    const bool is_there = query_row(&q);
    *ret = is_there ? query_get_u64(&q, 0) : 0;
    *ret_e = query_done(&q, err);
    return *ret_e == 0 && is_there;
}

static int own(struct sql *s, uint64_t number, struct request_claim *ret, struct error *err)
{
    struct query q = query_start(s,
                                 "UPDATE executions e SET owner_pid = ?2, owner_start = ?3, owner_place = ?4 FROM "
                                 "requests r WHERE e.number = ?1 AND r.execution = e.number RETURNING e.id, e.key_id, "
                                 "e.trace_id, e.idempotency_key, e.accepted_ms, r.retries, r.body");
    query_u64(&q, number);
    query_owner(&q, s->own_pid, s->own_start);
    if (query_row(&q)) {
        const char *id = query_get_text(&q, 0), *key = query_get_text(&q, 1);
        *ret = (struct request_claim){ .id = id ? id : "",
                                       .key_id = key ? key : "",
                                       .trace_id = query_get_text(&q, 2),
                                       .idempotency_key = query_get_text(&q, 3),
                                       .accepted_ms = query_get_u64(&q, 4),
                                       .retries = query_get_u64(&q, 5) != 0 };
        ret->body = query_get_bytes(&q, 6, &ret->body_size);
    }
    return query_done(&q, err);
}

int requests_take(void *self, struct request_claim *ret, struct error *err)
{
    struct sql *s = self;
    sql_begin_call(s);
    uint64_t number = 0;
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    const bool is_there = find_next(s, &number, err, &e);
    if (is_there)
        e = RUN(s, err, "UPDATE requests SET is_taken = 1 WHERE execution = ?1", number);
    if (is_there && e == 0)
        e = own(s, number, ret, err);
    if (e == 0 && s->arena.failed)
        e = err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    e = transaction_end(s, e, err);
    return e < 0 ? e : is_there;
}

int requests_leave(void *self, const char *id, bool is_offered, struct error *err)
{
    struct sql *s = self;
    sql_begin_call(s);
    struct query q = is_offered ? query_start(s, "UPDATE requests SET is_taken = 0 WHERE execution = " BY_US(""))
                                : query_start(s, "DELETE FROM requests WHERE execution = " BY_US(""));
    query_text(&q, id);
    query_owner(&q, s->own_pid, s->own_start);
    (void)query_row(&q);
    return query_done(&q, err);
}

/* They have left their node's queue, whose size bounds what waits elsewhere. */
#define WAITING_OF_KEY                                                                                                 \
    "SELECT count(*) FROM requests w JOIN executions x ON x.number = w.execution WHERE w.is_taken = 0 AND w.level >= " \
    "0 AND x.key_id = (SELECT key_id FROM executions WHERE id = ?1)"

int requests_defer(void *self, const char *id, int level, struct error *err)
{
    struct sql *s = self;
    sql_begin_call(s);
    struct query q = query_start(s, "UPDATE requests SET is_taken = 0, tries = tries + " MOVE ", level = ?5 WHERE "
                                    "is_taken = 1 AND tries < " MOST_MOVES " * " MOVE " AND (" WAITING_OF_KEY
                                    ") < " MOST_WAITING " AND execution = " BY_US("state = 0 AND "));
    query_text(&q, id);
    query_owner(&q, s->own_pid, s->own_start);
    query_u64(&q, (uint64_t)level);
    (void)query_row(&q);
    int e = query_done(&q, err);
    return e < 0 ? e : sql_changes(s) > 0;
}

/* Those which run here by the database alone: the answer to a statement was lost, or another role wrote it. What was
 * booked runs, or has. */
int requests_held(void *self, request_each each, void *context, struct error *err)
{
    struct sql *s = self;
    sql_begin_call(s);
    struct query q = query_start(s, "SELECT e.id FROM requests r JOIN executions e ON e.number = r.execution WHERE "
                                    "r.is_taken = 1 AND e.state = 0 AND e.owner_pid = ?1 AND e.owner_start = ?2 AND "
                                    "e.owner_place = ?3 AND NOT EXISTS (SELECT 1 FROM runs WHERE execution_id = e.id) "
                                    "ORDER BY e.number LIMIT 64");
    query_owner(&q, s->own_pid, s->own_start);
    while (query_row(&q)) {
        const char *id = query_get_text(&q, 0);
        each(context, id ? id : "");
    }
    return query_done(&q, err);
}

/* --- of a node that was lost -------------------------------------------------------------------------------------- */

static int wait_again(struct sql *s, const char *id, struct error *err)
{
    static const char *const statements[] = {
        /* the run that was lost has been settled and told under this name; the next one is another */
        "UPDATE runs SET execution_id = execution_id || '~' || number WHERE execution_id = ?1",
        "UPDATE executions SET state = 0, started_ms = 0, level = 0, owner_pid = ?2, owner_start = ?3, owner_place = "
        "?4 "
        "WHERE id = ?1",
    };
    int e = 0;
    for (size_t i = 0; i < ARRAY_LEN(statements) && e == 0; i++) {
        struct query q = query_start(s, statements[i]);
        query_text(&q, id);
        if (i == 1)
            query_owner(&q, s->own_pid, s->own_start);
        (void)query_row(&q);
        e = query_done(&q, err);
    }
    return e;
}

int requests_save(struct sql *s, const char *id, struct error *err)
{
    struct query q = query_start(
        s, "UPDATE requests SET is_taken = 0, tries = tries + is_taken WHERE execution = (SELECT "
           "number FROM executions WHERE id = ?1) AND (is_taken = 0 OR (retries = 1 AND tries % " MOVE " < " MOST_TRIES
           "))");
    query_text(&q, id);
    (void)query_row(&q);
    int e = query_done(&q, err);
    if (e < 0)
        return e;
    if (sql_changes(s) > 0) {
        e = wait_again(s, id, err);
        return e < 0 ? e : 1;
    }
    q = query_start(s, "DELETE FROM requests WHERE execution = (SELECT number FROM executions WHERE id = ?1)");
    query_text(&q, id);
    (void)query_row(&q);
    return query_done(&q, err);
}
