/* copy.c - by the verbs' own statements: a table is read in the order of its key and written row by row, or read from
 * both sides and compared. */
#include "sql/copy.h"

#include <stdio.h>
#include "sql/sql.h"

/* kinds: a letter a column: n number, t text, p the place of an owner. */
#define TABLE(name, columns, marks, kinds, key)                                                 \
    {                                                                                           \
        name, kinds, "SELECT " columns " FROM " name " ORDER BY " key,                          \
            "INSERT INTO " name "(" columns ") VALUES(" marks ")", "SELECT count(*) FROM " name \
    }

#define Q5  "?, ?, ?, ?, ?"
#define Q10 Q5 ", " Q5

static const struct table {
    const char *name, *kinds, *select, *insert, *count;
} tables[] = {
    TABLE("agents",
          "number, id, trust, trust_at_ms, standing, standing_reason, standing_by, standing_since_ms, released_ms, "
          "first_seen_ms, last_run_ms, runs, successes, failures, violations, refusals, cpu_ms, public_key, errors, "
          "attempts, start, debt, level, last_offence_ms, quarantines, shapes, hours, last_hour, first_work_ms, "
          "is_vouched, key_id, notice, learned",
          Q10 ", " Q10 ", " Q10 ", ?, ?, ?", "ntnnnttnnnnnnnnnntnnnnnnnnnnnnttn", "number"),
    TABLE("runs",
          "number, execution_id, agent, level, language, code_hash, started_ms, ended_ms, owner_pid, owner_start, "
          "owner_place, state, is_recovered, reason, event, cpu_ms, duration_ms, peak_memory, trust_before, "
          "trust_after, gain, shape, tree, size, key_id",
          Q10 ", " Q10 ", " Q5, "ntnnttnnnnpnnnnnnnnnnttnt", "number"),
    TABLE("gains", "agent, code_hash, gained", "?, ?, ?", "ntn", "agent, code_hash"),
    TABLE("violations", "rowid, agent, at_ms, execution_id, type, detail, severity, is_security", Q5 ", ?, ?, ?",
          "nnntttnn", "rowid"),
    TABLE("points", "agent, at_ms, trust", "?, ?, ?", "nnn", "agent, at_ms"),
    TABLE("nonces", "agent, nonce, at_ms", "?, ?, ?", "ntn", "agent, nonce"),
    TABLE("once", "key, until_ms", "?, ?", "tn", "key"),
    TABLE("executions",
          "number, id, key_id, agent_id, language, level, state, reason, is_asynchronous, accepted_ms, started_ms, "
          "finished_ms, trace_id, idempotency_key, request_hash, owner_pid, owner_start, owner_place",
          Q10 ", " Q5 ", ?, ?, ?", "nttttnnnnnnntttnnp", "number"),
    TABLE("results", "execution, text, events", "?, ?, ?", "ntt", "execution"),
    TABLE("keys",
          "number, id, name, hash, role, agents, levels, created_ms, expires_ms, revoked_ms, last_used_ms, "
          "allow_risk_override",
          Q10 ", ?, ?", "ntttntnnnnnn", "number"),
    TABLE("shapes", "agent, shape, gained, is_work", "?, ?, ?, ?", "ntnn", "agent, shape"),
    TABLE("sums", "agent, source, plus, minus, times", Q5, "nnnnn", "agent, source"),
    TABLE("known", "kind, hash, agent, type, at_ms", Q5, "ntntn", "kind, hash, agent"),
    TABLE("refusals", "agent, at_ms", "?, ?", "nn", "agent, at_ms"),
    TABLE("baseline", "agent, what, run, times, first_ms, last_ms", Q5 ", ?", "ntnnnn", "agent, what"),
    TABLE("meter", "agent, key_id, hour, runs, unmeasured, cpu_us, memory_mib_ms, bytes_in, bytes_out",
          Q5 ", ?, ?, ?, ?", "ntnnnnnnn", "agent, key_id, hour"),
};

/* --- copying ------------------------------------------------------------------------------------- */

static const char *place_there(struct sql *to, const char *place)
{
    const char *node = owner_node(to->place);
    return !place || !*node || *owner_node(place) ? place : arena_printf(&to->arena, "%s %s", place, node);
}

static int copy_row(const struct table *t, struct query *row, struct sql *to, struct error *err)
{
    struct query q = query_start(to, t->insert);
    for (int i = 0; t->kinds[i]; i++) {
        size_t size = 0;
        if (t->kinds[i] == 'n') {
            query_u64(&q, query_get_u64(row, i));
            continue;
        }
        const char *text = query_get_bytes(row, i, &size);
        if (t->kinds[i] == 'p')
            query_text(&q, place_there(to, text));
        else
            query_bytes(&q, text, size);
    }
    (void)query_row(&q);
    return query_done(&q, err);
}

static int copy_table(const struct table *t, struct sql *from, struct sql *to, uint64_t *ret_rows, struct error *err)
{
    int e = 0;
    *ret_rows = 0;
    struct query row = query_start(from, t->select);
    while (e == 0 && query_row(&row)) {
        e = copy_row(t, &row, to, err);
        e = e == 0 && (from->arena.failed || to->arena.failed) ? err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory")
                                                               : e;
        sql_begin_call(from); /* the row's texts */
        sql_begin_call(to);
        (*ret_rows)++;
    }
    int done = query_done(&row, e == 0 ? err : NULL);
    return e == 0 ? done : e;
}

static int check_empty(struct sql *to, struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        struct query q = query_start(to, tables[i].count);
        const uint64_t n = query_row(&q) ? query_get_u64(&q, 0) : 0;
        int e = query_done(&q, err);
        if (e < 0)
            return e;
        if (n) {
            (void)err_set(err, -EEXIST, BLAME_CALLER, "STORE", "the database has %llu rows in %s already",
                          (unsigned long long)n, tables[i].name);
            return err_remedy(err, "copy into an empty one: two stores cannot be made one");
        }
    }
    return 0;
}

int store_copy(struct store *from, struct store *to, copy_tell tell, void *context, struct error *err)
{
    struct sql *s = from->self, *d = to->self;
    uint64_t rows[ARRAY_LEN(tables)];
    sql_begin_call(s);
    sql_begin_call(d);
    int e = transaction_begin(d, err);
    if (e < 0)
        return e;
    e = transaction_lock(d, SQL_LOCK_ALL, "", err);
    if (e == 0)
        e = check_empty(d, err);
    for (size_t i = 0; i < ARRAY_LEN(tables) && e == 0; i++)
        e = copy_table(&tables[i], s, d, &rows[i], err);
    if (e == 0 && d->driver->numbers_came)
        e = d->driver->numbers_came(d, err);
    if (e == 0 && d->driver->tell_keys)
        e = d->driver->tell_keys(d, err);
    e = transaction_end_durable(d, e, err);
    for (size_t i = 0; i < ARRAY_LEN(tables) && e == 0; i++)
        tell(context, tables[i].name, rows[i]);
    return e;
}

/* --- comparing ----------------------------------------------------------------------------------- */

static bool is_same_text(struct query *a, struct query *b, int column, char kind, struct sql *to)
{
    size_t n, m;
    const char *x = query_get_bytes(a, column, &n), *y = query_get_bytes(b, column, &m);
    if (kind == 'p' && x && y)
        return str_eq(place_there(to, x), y);
    return x && y ? n == m && memcmp(x, y, n) == 0 : !x && !y;
}

static bool is_same(const struct table *t, struct query *a, struct query *b, struct sql *to)
{
    for (int i = 0; t->kinds[i]; i++)
        if (t->kinds[i] == 'n' ? query_get_u64(a, i) != query_get_u64(b, i) : !is_same_text(a, b, i, t->kinds[i], to))
            return false;
    return true;
}

static int compare_table(const struct table *t, struct sql *from, struct sql *to, uint64_t *ret_rows, struct error *err)
{
    bool has_a, has_b, same = true;
    struct query a = query_start(from, t->select), b = query_start(to, t->select);
    *ret_rows = 0;
    do {
        has_a = query_row(&a);
        has_b = query_row(&b);
        same = has_a == has_b && (!has_a || is_same(t, &a, &b, to));
        *ret_rows += has_a && same;
        sql_begin_call(from);
        sql_begin_call(to);
    } while (has_a && same);
    int e = query_done(&a, err), f = query_done(&b, e == 0 ? err : NULL);
    e = e == 0 ? f : e;
    if (e == 0 && !same)
        (void)err_set(err, e = -EBADMSG, BLAME_HOST, "STORE", "table %s: row %llu is not the same in both, or missing",
                      t->name, (unsigned long long)*ret_rows + 1);
    return e;
}

int store_compare(struct store *from, struct store *to, copy_tell tell, void *context, struct error *err)
{
    int e = 0;
    sql_begin_call(from->self);
    sql_begin_call(to->self);
    for (size_t i = 0; i < ARRAY_LEN(tables) && e == 0; i++) {
        uint64_t rows;
        e = compare_table(&tables[i], from->self, to->self, &rows, err);
        if (e == 0)
            tell(context, tables[i].name, rows);
    }
    return e;
}
