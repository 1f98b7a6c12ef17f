/* executions.c - what the service was asked to run: accepted, started, finished, with its result; the newest of them
 * are kept. */
#include <stdio.h>
#include "sql/sql.h"
#include "store/service.h"

#define ONCE_MS       LIMIT_DAY_MS /* an idempotency key is remembered for so long */
#define KEPT_FOR_ONCE 10u          /* times `keep`: rows without result that an idempotency key still needs */
#define ORPHANS       32u

#define COLUMNS                                                                                                     \
    "id, key_id, agent_id, language, level, state, reason, is_asynchronous, accepted_ms, started_ms, finished_ms, " \
    "trace_id, "                                                                                                    \
    "idempotency_key, request_hash"
#define COLUMN_COUNT 14

static int down(uint64_t stored, int count)
{
    return stored && stored <= (uint64_t)count ? (int)stored - 1 : -1;
}

static void read_row(struct query *q, struct execution_row *ret)
{
    const char *id = query_get_text(q, 0), *key = query_get_text(q, 1), *language = query_get_text(q, 3);
    *ret = (struct execution_row){
        .id = id ? id : "",
        .key_id = key ? key : "",
        .agent_id = query_get_text(q, 2),
        .language = language ? language : "",
        .level = down(query_get_u64(q, 4), RISK_COUNT),
        .state = (uint8_t)MIN_OF(query_get_u64(q, 5), (uint64_t)EXECUTION_FINISHED),
        .reason = down(query_get_u64(q, 6), REASON_COUNT),
        .is_asynchronous = query_get_u64(q, 7) != 0,
        .accepted_ms = query_get_u64(q, 8),
        .started_ms = query_get_u64(q, 9),
        .finished_ms = query_get_u64(q, 10),
        .trace_id = query_get_text(q, 11),
        .idempotency_key = query_get_text(q, 12),
        .request_hash = query_get_text(q, 13),
    };
}

/* --- accepted -------------------------------------------------------------------------------------- */

static int find_earlier(struct sql *s, const struct execution_row *r, char *ret_id, struct error *err)
{
    int outcome = ACCEPT_OK;
    struct query q = query_start(
        s, "SELECT id, request_hash FROM executions WHERE key_id = ? AND idempotency_key = ? AND accepted_ms > ? "
           "ORDER BY number DESC LIMIT 1");
    query_text(&q, r->key_id);
    query_text(&q, r->idempotency_key);
    query_u64(&q, r->accepted_ms - MIN_OF(r->accepted_ms, ONCE_MS));
    if (query_row(&q)) {
        const char *id = query_get_text(&q, 0), *hash = query_get_text(&q, 1);
        outcome = hash && r->request_hash && str_eq(hash, r->request_hash) ? ACCEPT_SEEN : ACCEPT_CONFLICT;
        (void)snprintf(ret_id, STORE_ID_MAX + 1, "%s", id ? id : "");
    }
    int e = query_done(&q, err);
    return e < 0 ? e : outcome;
}

static int insert(struct sql *s, const struct execution_row *r, struct error *err)
{
    struct query q = query_start(
        s, "INSERT INTO executions(id, key_id, agent_id, language, level, state, is_asynchronous, accepted_ms, "
           "started_ms, trace_id, idempotency_key, request_hash, owner_pid, owner_start, owner_place) "
           "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    query_text(&q, r->id);
    query_text(&q, r->key_id);
    query_text(&q, r->agent_id);
    query_text(&q, r->language);
    query_u64(&q, (uint64_t)(r->level + 1));
    query_u64(&q, MIN_OF(r->state, (uint8_t)EXECUTION_RUNNING));
    query_u64(&q, r->is_asynchronous);
    query_u64(&q, r->accepted_ms);
    query_u64(&q, r->started_ms);
    query_text(&q, r->trace_id);
    query_text(&q, r->idempotency_key);
    query_text(&q, r->request_hash);
    query_owner(&q, s->own_pid, s->own_start);
    (void)query_row(&q);
    return query_done(&q, err);
}

static int check(const struct execution_row *r, struct error *err)
{
    const char *const needed[] = { r->id, r->key_id, r->language }, *const texts[] = { r->agent_id, r->trace_id,
                                                                                       r->idempotency_key,
                                                                                       r->request_hash };
    bool is_good = r->level >= -1 && r->level < RISK_COUNT;
    for (size_t i = 0; i < ARRAY_LEN(needed); i++)
        is_good = is_good && needed[i] && *needed[i] && strlen(needed[i]) <= STORE_ID_MAX;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        is_good = is_good && (!texts[i] || strlen(texts[i]) <= STORE_ID_MAX);
    return is_good ? 0 : err_set(err, -EINVAL, BLAME_US, "STORE", "an execution that is none");
}

int execution_of(const struct reserve *run, struct execution_row *ret, struct error *err)
{
    *ret = *run->accept;
    ret->level = run->level;
    ret->state = EXECUTION_RUNNING;
    ret->started_ms = run->now_ms;
    return check(ret, err);
}

int execution_begin(struct sql *s, const struct reserve *run, struct error *err)
{
    struct execution_row row;
    int e = execution_of(run, &row, err);
    return e < 0 ? e : insert(s, &row, err);
}

int sql_execution_accept(void *self, const struct execution_row *r, char *ret_id, struct error *err)
{
    struct sql *s = self;
    sql_begin_call(s);
    int e = check(r, err);
    if (e == 0)
        e = transaction_begin(s, err);
    if (e < 0)
        return e;
    if (r->idempotency_key)
        e = transaction_lock(s, SQL_LOCK_RUN, r->idempotency_key, err);
    int outcome = e < 0 ? e : r->idempotency_key ? find_earlier(s, r, ret_id, err) : ACCEPT_OK;
    e = outcome == ACCEPT_OK ? insert(s, r, err) : outcome < 0 ? outcome : 0;
    if (e == 0 && outcome == ACCEPT_OK && r->request && s->driver->keep_request)
        e = s->driver->keep_request(s, r, err);
    e = transaction_end(s, e, err);
    if (e == 0 && outcome == ACCEPT_OK)
        (void)snprintf(ret_id, STORE_ID_MAX + 1, "%s", r->id);
    return e < 0 ? e : outcome;
}

int sql_execution_start(void *self, const char *id, int level, uint64_t now_ms, struct error *err)
{
    struct sql *s = self;
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    struct query q = query_start(
        s, "UPDATE executions SET state = 1, level = ?2, started_ms = ?3 WHERE id = ?1 AND state < 2");
    query_text(&q, id);
    query_u64(&q, (uint64_t)(level + 1));
    query_u64(&q, now_ms);
    (void)query_row(&q);
    return transaction_end(s, query_done(&q, err), err);
}

/* --- finished -------------------------------------------------------------------------------------- */

/* The result first: it is stored while the execution is not finished, once. */
static int add_result(struct sql *s, const struct execution_row *r, struct error *err)
{
    if (!r->result || r->result_size > STORE_RESULT_MAX)
        return 0;
    struct query q = query_start(s,
                                 "INSERT INTO results(execution, text, events) SELECT number, ?2, ?3 FROM executions "
                                 "WHERE id = ?1 AND state < 2 ON CONFLICT(execution) "
                                 "DO UPDATE SET text = excluded.text, events = excluded.events");
    bool has_events = r->events && r->events_size <= STORE_RESULT_MAX;
    query_text(&q, r->id);
    query_bytes(&q, r->result, r->result_size);
    query_bytes(&q, has_events ? r->events : NULL, has_events ? r->events_size : 0);
    (void)query_row(&q);
    return query_done(&q, err);
}

static int finish(struct sql *s, const struct execution_row *r, struct error *err)
{
    int e = add_result(s, r, err);
    if (e < 0)
        return e;
    struct query q = query_start(s, "UPDATE executions SET state = 2, level = CASE WHEN level > ?2 THEN level ELSE ?2 "
                                    "END, reason = ?3, finished_ms = ?4 WHERE id = ?1 AND state < 2");
    query_text(&q, r->id);
    query_u64(&q, (uint64_t)(r->level + 1));
    query_u64(&q, (uint64_t)(r->reason + 1));
    query_u64(&q, r->finished_ms);
    (void)query_row(&q);
    e = query_done(&q, err);
    return e == 0 && r->is_told ? run_told(s, r->id, err) : e;
}

static bool is_outcome(const struct execution_row *r)
{
    return r->level >= -1 && r->level < RISK_COUNT && r->reason >= 0 && r->reason < REASON_COUNT;
}

int sql_execution_finish(void *self, const struct execution_row *r, struct error *err)
{
    struct sql *s = self;
    sql_begin_call(s);
    if (!is_outcome(r))
        return err_set(err, -EINVAL, BLAME_US, "STORE", "an outcome that is none");
    int e = transaction_begin(s, err);
    return e < 0 ? e : transaction_end(s, finish(s, r, err), err);
}

/* In one transaction: they are rows of their own, which no lock is needed for. */
static int finish_together(struct sql *s, const struct finish_call *calls, uint32_t n, struct error *err)
{
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    for (uint32_t i = 0; i < n && e == 0; i++)
        e = is_outcome(calls[i].row) ? finish(s, calls[i].row, err)
                                     : err_set(err, -EINVAL, BLAME_US, "STORE", "an outcome that is none");
    return transaction_end(s, e, err);
}

void sql_execution_finish_many(void *self, struct finish_call *calls, uint32_t n)
{
    struct error err = { 0 };
    int e = n > 1 ? finish_together(self, calls, n, &err) : -EAGAIN;
    for (uint32_t i = 0; i < n; i++) {
        calls[i].e = e;
        if (e == -EHOSTDOWN)
            *calls[i].err = err;
        else if (e < 0) /* whichever it was that failed, it stops no other */
            calls[i].e = sql_execution_finish(self, calls[i].row, calls[i].err);
    }
}

/* --- looked at ------------------------------------------------------------------------------------- */

int sql_execution_get(void *self, const char *id, struct execution_row *ret, struct error *err)
{
    struct sql *s = self;
    sql_begin_call(s);
    struct query q = query_start(
        s, "SELECT " COLUMNS ", text, events FROM executions LEFT JOIN results ON execution = number WHERE id = ?");
    query_text(&q, id);
    bool is_there = query_row(&q);
    if (is_there) {
        read_row(&q, ret);
        ret->result = query_get_bytes(&q, COLUMN_COUNT, &ret->result_size);
        ret->events = query_get_bytes(&q, COLUMN_COUNT + 1, &ret->events_size);
    }
    int e = query_done(&q, err);
    if (e == 0 && s->arena.failed)
        e = err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    return e < 0 ? e : is_there;
}

/* What comes first names the index; the planner would have to guess. */
#define LIST(first)                                                                \
    "SELECT " COLUMNS " FROM executions WHERE " first                              \
    " AND number < ?3 AND (?4 = 0 OR state = ?4 - 1) AND (?5 = 0 OR reason = ?5) " \
    "AND (?6 = 0 OR level = ?6) AND accepted_ms >= ?7 AND accepted_ms < ?8 ORDER BY number DESC LIMIT ?9"
static const char *const lists[2][2] = {
    { LIST("?1 IS NULL AND ?2 IS NULL"), LIST("?1 IS NULL AND agent_id = ?2") },
    { LIST("key_id = ?1 AND ?2 IS NULL"), LIST("key_id || '' = ?1 AND agent_id = ?2") },
};

static int find_number(struct sql *s, const char *id, uint64_t *ret, struct error *err)
{
    *ret = INT64_MAX;
    if (!id)
        return 0;
    struct query q = query_start(s, "SELECT number FROM executions WHERE id = ?");
    query_text(&q, id);
    *ret = query_row(&q) ? query_get_u64(&q, 0) : 0; /* an unknown one: nothing is older */
    return query_done(&q, err);
}

int sql_executions(void *self, const struct execution_filter *f, execution_each each, void *ctx, struct error *err)
{
    struct sql *s = self;
    struct execution_row row;
    uint64_t before;
    sql_begin_call(s);
    int e = find_number(s, f->before_id, &before, err);
    if (e < 0)
        return e;
    struct query q = query_start(s, lists[f->key_id != NULL][f->agent_id != NULL]);
    query_text(&q, f->key_id);
    query_text(&q, f->agent_id);
    query_u64(&q, before);
    query_u64(&q, (uint64_t)(f->state + 1));
    query_u64(&q, (uint64_t)(f->reason + 1));
    query_u64(&q, (uint64_t)(f->level + 1));
    query_u64(&q, f->since_ms);
    query_u64(&q, f->until_ms ? f->until_ms : INT64_MAX);
    query_u64(&q, MIN_OF(f->limit, 500u));
    while (query_row(&q)) {
        read_row(&q, &row);
        if (!each(ctx, &row))
            break;
    }
    return query_done(&q, err);
}

int sql_execution_counts(void *self, struct execution_counts *ret, struct error *err)
{
    struct sql *s = self;
    struct execution_counts n = { 0 };
    struct query q = query_start(s, "SELECT state, count(*) FROM executions WHERE state < 2 GROUP BY state");
    while (query_row(&q))
        n.by_state[MIN_OF(query_get_u64(&q, 0), (uint64_t)EXECUTION_RUNNING)] = query_get_u64(&q, 1);
    int e = query_done(&q, err);
    if (e < 0)
        return e;
    q = query_start(s, "SELECT count(*) FROM executions");
    n.total = query_row(&q) ? query_get_u64(&q, 0) : 0;
    e = query_done(&q, err);
    n.by_state[EXECUTION_FINISHED] = n.total -
                                     MIN_OF(n.total, n.by_state[EXECUTION_QUEUED] + n.by_state[EXECUTION_RUNNING]);
    if (e == 0)
        *ret = n;
    return e;
}

/* --- left by the dead ------------------------------------------------------------------------------ */

/* There is one service for a directory or node, and only it accepts executions there. */
static bool is_orphan(struct sql *s, uint64_t pid, uint64_t start, const char *place, uint64_t age_ms)
{
    if (!s->is_service || !owner_is_of_this_node(s, place))
        return !owner_is_alive(s, pid, start, place, age_ms);
    return pid != s->own_pid || start != s->own_start || !str_eq(place, s->place);
}

static int find_orphans(struct sql *s, uint64_t now_ms, struct execution_row found[static ORPHANS], uint32_t *ret_count,
                        struct error *err)
{
    struct query q = query_start(s, "SELECT " COLUMNS
                                    ", owner_pid, owner_start, owner_place FROM executions WHERE state < 2");
    *ret_count = 0;
    while (*ret_count < ORPHANS && query_row(&q)) {
        struct execution_row *o = &found[*ret_count];
        const char *place = query_get_text(&q, COLUMN_COUNT + 2);
        uint64_t accepted = query_get_u64(&q, 8);
        if (!is_orphan(s, query_get_u64(&q, COLUMN_COUNT), query_get_u64(&q, COLUMN_COUNT + 1), place ? place : "",
                       now_ms > accepted ? now_ms - accepted : 0))
            continue;
        read_row(&q, o);
        (*ret_count)++;
    }
    return query_done(&q, err);
}

static int bury(struct sql *s, struct execution_row *o, uint64_t now_ms, orphan_each each, void *ctx, struct error *err)
{
    struct orphan_words w;
    buf_init(&w.result, STORE_RESULT_MAX);
    buf_init(&w.events, STORE_RESULT_MAX);
    o->state = EXECUTION_FINISHED;
    o->reason = REASON_SANDBOX_ERROR;
    o->finished_ms = now_ms;
    each(ctx, o, &w);
    o->result = w.result.failed ? NULL : w.result.data;
    o->result_size = w.result.size;
    o->events = w.events.failed ? NULL : w.events.data;
    o->events_size = w.events.size;
    int e = finish(s, o, err);
    buf_done(&w.result);
    buf_done(&w.events);
    return e;
}

int sql_executions_orphaned(void *self, uint64_t now_ms, orphan_each each, void *ctx, struct error *err)
{
    struct sql *s = self;
    struct execution_row found[ORPHANS];
    uint32_t count = 0;
    int e;
    do { /* who is finished is an orphan no more, so this ends */
        sql_begin_call(s);
        e = transaction_begin(s, err);
        if (e < 0)
            return e;
        e = transaction_lock(s, SQL_LOCK_ALL, "", err);
        if (e == 0)
            e = find_orphans(s, now_ms, found, &count, err);
        for (uint32_t i = 0; i < count && e == 0; i++) {
            e = s->driver->save_request ? s->driver->save_request(s, found[i].id, err) : 0;
            e = e ? MIN_OF(e, 0) : bury(s, &found[i], now_ms, each, ctx, err);
        }
        e = transaction_end(s, e, err);
    } while (e == 0 && count == ORPHANS);
    return e;
}

/* --- old ones -------------------------------------------------------------------------------------- */

/* The number of the newest finished one that is not among the `keep` newest; 0: there is none. */
static int find_last(struct sql *s, uint64_t keep, uint64_t *ret, struct error *err)
{
    struct query q = query_start(s,
                                 "SELECT number FROM executions WHERE state = 2 ORDER BY number DESC LIMIT 1 OFFSET ?");
    query_u64(&q, keep);
    *ret = query_row(&q) ? query_get_u64(&q, 0) : 0;
    return query_done(&q, err);
}

static int sweep(struct sql *s, uint64_t last, uint64_t very_last, uint64_t now_ms, uint64_t *ret_removed,
                 struct error *err)
{
    static const char *const statements[] = {
        "UPDATE executions SET idempotency_key = NULL WHERE number IN (SELECT number FROM executions WHERE "
        "idempotency_key IS NOT NULL "
        "AND accepted_ms <= ?3 LIMIT ?4)",
        "DELETE FROM results WHERE execution IN (SELECT execution FROM results JOIN executions ON number = execution "
        "WHERE execution <= ?1 AND state = 2 ORDER BY execution LIMIT ?4)",
        "DELETE FROM executions WHERE number IN (SELECT number FROM executions LEFT JOIN results ON execution = number "
        "WHERE number <= ?1 "
        "AND state = 2 AND execution IS NULL AND (idempotency_key IS NULL OR number <= ?2) ORDER BY number LIMIT ?4)",
    };
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    *ret_removed = 0;
    for (size_t i = 0; i < (last ? ARRAY_LEN(statements) : 1) && e == 0; i++) {
        e = RUN(s, err, statements[i], last, very_last, now_ms - MIN_OF(now_ms, ONCE_MS), STORE_PRUNE_BATCH);
        *ret_removed += (uint64_t)sql_changes(s);
    }
    return transaction_end(s, e, err);
}

int sql_executions_prune(void *self, uint32_t keep, uint64_t now_ms, uint64_t *ret_removed, struct error *err)
{
    struct sql *s = self;
    uint64_t last = 0, very_last = 0, removed = 0;
    sql_begin_call(s);
    int e = find_last(s, keep, &last, err);
    if (e == 0 && last)
        e = find_last(s, (uint64_t)keep * KEPT_FOR_ONCE, &very_last, err);
    if (e == 0)
        e = sweep(s, last, very_last, now_ms, &removed, err);
    if (e == 0)
        *ret_removed = removed;
    return e;
}

int sql_execution_release(void *self, const char *id, struct error *err)
{
    struct sql *s = self;
    sql_begin_call(s);
    struct query q = query_start(s, "UPDATE executions SET idempotency_key = NULL WHERE id = ?");
    query_text(&q, id);
    (void)query_row(&q);
    return query_done(&q, err);
}
