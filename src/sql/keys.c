/* keys.c - who may call the service: a token's hash, its role, what it is bound to. On the disk before the answer. */
#include "sql/sql.h"
#include "store/service.h"

#define COLUMNS \
    "id, name, hash, role, agents, levels, created_ms, expires_ms, revoked_ms, last_used_ms, allow_risk_override"

static int is_taken(struct sql *s, const char *name, bool *ret, struct error *err)
{
    struct query q = query_start(s, "SELECT 1 FROM keys WHERE name = ? AND revoked_ms = 0");
    query_text(&q, name);
    *ret = query_row(&q);
    return query_done(&q, err);
}

/* A key of no use is removed where a place is needed. */
static int make_room(struct sql *s, uint64_t now_ms, struct error *err)
{
    struct query q = query_start(s, "SELECT count(*) FROM keys");
    uint64_t count = query_row(&q) ? query_get_u64(&q, 0) : 0;
    int e = query_done(&q, err);
    if (e < 0 || count < STORE_MAX_KEYS)
        return e;
    e = RUN(s, err,
            "DELETE FROM keys WHERE number = (SELECT number FROM keys WHERE revoked_ms > 0 OR (expires_ms > 0 AND "
            "expires_ms <= ?) "
            "ORDER BY number LIMIT 1)",
            now_ms);
    if (e < 0 || sql_changes(s) > 0)
        return e;
    (void)err_set(err, -ENOSPC, BLAME_CALLER, "STORE", "there are %u keys already", STORE_MAX_KEYS);
    return err_remedy(err, "revoke unused keys: sandbox-agent keys list shows when each was used last");
}

static int insert(struct sql *s, const struct key_row *k, struct error *err)
{
    struct query q = query_start(s, "INSERT INTO keys(id, name, hash, role, agents, levels, created_ms, expires_ms, "
                                    "allow_risk_override) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
    query_text(&q, k->id);
    query_text(&q, k->name);
    query_text(&q, k->hash);
    query_u64(&q, k->role);
    query_text(&q, k->agents ? k->agents : "");
    query_u64(&q, k->levels);
    query_u64(&q, k->created_ms);
    query_u64(&q, k->expires_ms);
    query_u64(&q, k->allow_risk_override);
    (void)query_row(&q);
    return query_done(&q, err);
}

static int add(struct sql *s, const struct key_row *k, struct error *err)
{
    bool taken = false;
    int e = transaction_lock(s, SQL_LOCK_ALL, "", err);
    if (e == 0)
        e = is_taken(s, k->name, &taken, err);
    if (e == 0 && taken) {
        (void)err_set(err, -EEXIST, BLAME_CALLER, "STORE", "there is a key with the name %s", k->name);
        return err_remedy(err, "choose another name, or revoke that one first");
    }
    if (e == 0)
        e = make_room(s, k->created_ms, err);
    return e < 0 ? e : insert(s, k, err);
}

/* Other services must see it with their next request. */
static int tell(struct sql *s, int e, struct error *err)
{
    return e == 0 && s->driver->tell_keys ? s->driver->tell_keys(s, err) : e;
}

int sql_key_add(struct sql *s, const struct key_row *k, struct error *err)
{
    sql_begin_call(s);
    int e = key_row_check(k, err);
    if (e == 0)
        e = transaction_begin(s, err);
    if (e < 0)
        return e;
    return transaction_end_durable(s, tell(s, add(s, k, err), err), err);
}

static void read_row(struct query *q, struct key_row *ret)
{
    const char *id = query_get_text(q, 0), *name = query_get_text(q, 1), *hash = query_get_text(q, 2),
               *agents = query_get_text(q, 4);
    *ret = (struct key_row){
        .id = id ? id : "",
        .name = name ? name : "",
        .hash = hash ? hash : "",
        .role = (uint8_t)query_get_u64(q, 3),
        .agents = agents ? agents : "",
        .levels = (uint32_t)query_get_u64(q, 5),
        .created_ms = query_get_u64(q, 6),
        .expires_ms = query_get_u64(q, 7),
        .revoked_ms = query_get_u64(q, 8),
        .last_used_ms = query_get_u64(q, 9),
        .allow_risk_override = query_get_u64(q, 10) != 0,
    };
}

/* A row that another program has made malformed is skipped: whatever it says, it admits no client. */
int sql_keys(struct sql *s, struct key_list *ret, struct error *err)
{
    sql_begin_call(s);
    ret->count = 0;
    ret->is_cut = false;
    struct query q = query_start(s, "SELECT " COLUMNS " FROM keys ORDER BY number LIMIT ?");
    query_u64(&q, STORE_MAX_KEYS);
    while (ret->count < STORE_MAX_KEYS && query_row(&q)) {
        read_row(&q, &ret->keys[ret->count]);
        if (key_row_check(&ret->keys[ret->count], NULL) == 0)
            ret->count++;
    }
    int e = query_done(&q, err);
    return e == 0 && s->arena.failed ? err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory") : e;
}

static int mark_revoked(struct sql *s, const char *id_or_name, uint64_t now_ms, struct error *err)
{
    struct query q = query_start(s, "UPDATE keys SET revoked_ms = ?2 WHERE (id = ?1 OR name = ?1) AND revoked_ms = 0");
    query_text(&q, id_or_name);
    query_u64(&q, MAX_OF(now_ms, UINT64_C(1)));
    (void)query_row(&q);
    int e = query_done(&q, err);
    if (e < 0 || sql_changes(s) > 0)
        return e;
    (void)err_set(err, -ENOENT, BLAME_CALLER, "STORE", "no key that is not revoked has the id or name %s", id_or_name);
    return err_remedy(err, "sandbox-agent keys list shows them");
}

int sql_key_revoke(struct sql *s, const char *id_or_name, uint64_t now_ms, struct error *err)
{
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    return transaction_end_durable(s, tell(s, mark_revoked(s, id_or_name, now_ms, err), err), err);
}

int sql_key_used(void *self, const char *id, uint64_t now_ms, struct error *err)
{
    struct sql *s = self;
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    struct query q = query_start(
        s, "UPDATE keys SET last_used_ms = CASE WHEN last_used_ms > ?2 THEN last_used_ms ELSE ?2 END WHERE id = ?1");
    query_text(&q, id);
    query_u64(&q, now_ms);
    (void)query_row(&q);
    return transaction_end(s, query_done(&q, err), err);
}
