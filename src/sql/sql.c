/* sql.c - what every driver shares: statements and transactions as the verbs use them, and which verb is which. */
#include <stdio.h>
#include "base/process.h"
#include "sql/sql.h"

#define TRIES 5 /* of a verb that lost to another transaction */

/* --- statements ---------------------------------------------------------------------------------- */

struct query query_start(struct sql *s, const char *sql)
{
    struct query q = { .store = s };
    s->driver->start(&q, sql);
    return q;
}

void query_u64(struct query *q, uint64_t v)
{
    q->store->driver->number(q, v);
}

void query_text(struct query *q, const char *v)
{
    q->store->driver->bytes(q, v, v ? strlen(v) : 0);
}

void query_bytes(struct query *q, const char *v, size_t size)
{
    q->store->driver->bytes(q, v, size);
}

void query_send(struct query *q)
{
    q->store->driver->send(q);
}

bool query_row(struct query *q)
{
    return q->store->driver->row(q);
}

uint64_t query_get_u64(struct query *q, int column)
{
    return q->store->driver->get_number(q, column);
}

const char *query_get_bytes(struct query *q, int column, size_t *ret_size)
{
    const char *v = q->store->driver->get_bytes(q, column, ret_size);
    return v ? arena_copy_bytes(&q->store->arena, v, *ret_size) : NULL;
}

const char *query_get_text(struct query *q, int column)
{
    size_t size;
    return query_get_bytes(q, column, &size);
}

int query_done(struct query *q, struct error *err)
{
    return q->store->driver->done(q, err);
}

int query_run(struct sql *s, struct error *err, const char *sql, size_t n, const uint64_t *values)
{
    struct query q = query_start(s, sql);
    for (size_t i = 0; i < n; i++)
        query_u64(&q, values[i]);
    (void)query_row(&q);
    return query_done(&q, err);
}

void array_text(struct buf *b, const char *v)
{
    (void)buf_addc(b, '"');
    for (; *v; v++) {
        if (*v == '"' || *v == '\\')
            (void)buf_addc(b, '\\');
        (void)buf_addc(b, *v);
    }
    (void)buf_addc(b, '"');
}

/* --- transactions -------------------------------------------------------------------------------- */

int transaction_begin(struct sql *s, struct error *err)
{
    return s->driver->begin(s, err);
}

int transaction_lock(struct sql *s, enum sql_lock what, const char *name, struct error *err)
{
    return s->driver->lock ? s->driver->lock(s, what, name, err) : 0;
}

int transaction_lock_agent_of(struct sql *s, const char *execution_id, struct error *err)
{
    return s->driver->lock_agent_of ? s->driver->lock_agent_of(s, execution_id, err) : 0;
}

void sql_books(struct sql *s, const struct reserve *r, uint64_t lease)
{
    if (s->driver->books)
        s->driver->books(s, r, lease);
}

static int end(struct sql *s, int e, bool is_durable, struct error *err)
{
    if (e == 0 && s->arena.failed)
        e = err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    if (e == 0)
        e = s->driver->commit(s, is_durable, err);
    if (e < 0)
        (void)s->driver->rollback(s, NULL); /* the first failure is the one to tell */
    return e;
}

int transaction_end(struct sql *s, int e, struct error *err)
{
    return end(s, e, false, err);
}

int transaction_end_durable(struct sql *s, int e, struct error *err)
{
    return end(s, e, true, err);
}

int transaction_drop(struct sql *s, struct error *err)
{
    return s->driver->rollback(s, err);
}

void sql_begin_call(struct sql *s)
{
    arena_done(&s->arena);
    s->arena.failed = false;
}

const char *cut_text(struct sql *s, const char *text, size_t max)
{
    size_t n = text ? strlen(text) : 0;
    if (n <= max)
        return text ? text : "";
    while (max > 0 && ((unsigned char)text[max] & 0xC0) == 0x80) /* not within a character of UTF-8 */
        max--;
    return arena_printf(&s->arena, "%.*s", (int)max, text);
}

/* --- the verbs ----------------------------------------------------------------------------------- */

/* The reply that belongs to the verb (store/message.h). */
static int answer(struct sql *s, enum ledger_request verb, const void *request, void *ret, struct error *err)
{
    const struct ledger_key *key = request;
    struct ledger_number *number = ret;
    bool taken = false;
    int e;
    switch (verb) {
    case LEDGER_AGENT:
        return sql_agent(s, key->id, key->key_id, ret, err);
    case LEDGER_WHY:
        return sql_why(s, key->id, ret, err);
    case LEDGER_AGENTS:
        return sql_agents(s, key->id, ret, err);
    case LEDGER_HISTORY:
        return sql_history(s, key->id, ret, err);
    case LEDGER_USAGE:
        return sql_usage(s, request, ret, err);
    case LEDGER_RESERVE:
        return sql_reserve(s, request, ret, err);
    case LEDGER_COUNTS:
        return sql_counts(s, request, ret, err);
    case LEDGER_SETTLE:
        return sql_settle(s, request, ret, err);
    case LEDGER_REFUSE:
        return sql_refuse(s, request, ret, err);
    case LEDGER_STEER:
        return sql_steer(s, request, ret, err);
    case LEDGER_RECOVER:
        return sql_recover(s, key->now_ms, ret, err);
    case LEDGER_AUDITED:
        return sql_audited(s, key->id, err);
    case LEDGER_PRUNE:
        return sql_prune(s, key->now_ms, &number->value, err);
    case LEDGER_ONCE:
        e = sql_once(s, key->id, key->now_ms, key->window_ms, &taken, err);
        number->value = taken;
        return e;
    case LEDGER_KEY_ADD:
        return sql_key_add(s, request, err);
    case LEDGER_KEYS:
        return sql_keys(s, ret, err);
    case LEDGER_KEY_REVOKE:
        return sql_key_revoke(s, key->id, key->now_ms, err);
    case LEDGER_REQUESTS:
        break;
    }
    return err_set(err, -EBADMSG, BLAME_US, "STORE", "a request that is none");
}

bool sql_tries_again(void *self, int e, unsigned *tries)
{
    struct sql *s = self;
    return e < 0 && ++*tries < TRIES && s->driver->is_worth_another_try && s->driver->is_worth_another_try(s);
}

int sql_call(struct store *handle, enum ledger_request verb, const void *request, void *ret, struct error *err)
{
    struct sql *s = handle->self;
    unsigned tries = 0;
    int e;
    do
        e = answer(s, verb, request, ret, err);
    while (sql_tries_again(s, e, &tries));
    return e < 0 ? e : store_adopt(handle, verb, ret, err);
}

/* --- its beginning and its end ------------------------------------------------------------------- */

int sql_init(struct sql *s, const struct store_ops *ops, const struct sql_driver *driver, const char *node,
             struct error *err)
{
    cleanup(freep) char *here = owner_place();
    s->handle = (struct store){ .ops = ops, .self = s };
    s->driver = driver;
    if (!here || asprintf(&s->place, node ? "%s %s" : "%s", here, node) < 0) {
        s->place = NULL;
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    }
    s->own_pid = (uint64_t)getpid();
    s->own_start = process_start(s->own_pid);
    return 0;
}

void sql_act_for(void *self, uint64_t pid)
{
    struct sql *s = self;
    s->own_pid = pid;
    s->own_start = process_start(pid);
}

void sql_done(struct sql *s)
{
    arena_done(&s->arena);
    free(s->leases);
    free(s->tallies);
    free(s->place);
}
