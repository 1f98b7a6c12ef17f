/* anchors.c - what each node says of its audit in the shared database, and what the others sign of it.
 *
 * chains: which log is a node's; one at a time. anchors: its checkpoints, each with the proofs that the others asked
 * for by what they signed last. cosignatures: those. A node's own role adds rows of its own and changes none
 * (schema.c); what a row says is believed for its signatures only (audit/cosign.h).
 */
#include "postgres/private.h"

static const char *or_none(const char *text)
{
    return text ? text : "";
}

const char *postgres_node_name(const struct store *s)
{
    const struct postgres *p = s->self;
    return p->options.node;
}

/* --- which log is whose ------------------------------------------------------------------------------------------- */

int postgres_chains(struct store *handle, chain_each each, void *context, struct error *err)
{
    struct sql *s = handle->self;
    sql_begin_call(s);
    struct query q = query_start(s, "SELECT n.name, left(n.address, 301), coalesce(c.log, ''), coalesce(c.claim, ''), "
                                    "coalesce(c.made_ms, 0), " NOW_MS
                                    " - GREATEST(n.seen_ms, 0), n.cut_ms FROM nodes n LEFT JOIN "
                                    "chains c ON c.node = n.name AND c.retired_ms = 0 ORDER BY n.name");
    while (query_row(&q)) {
        const struct chain c = { .node = or_none(query_get_text(&q, 0)),
                                 .address = or_none(query_get_text(&q, 1)),
                                 .log = or_none(query_get_text(&q, 2)),
                                 .claim = or_none(query_get_text(&q, 3)),
                                 .registered_ms = query_get_u64(&q, 4),
                                 .silent_ms = query_get_u64(&q, 5),
                                 .cut_ms = query_get_u64(&q, 6) };
        each(context, &c);
    }
    return query_done(&q, err);
}

static int add_chain(struct sql *s, const char *node, const char *log, const char *claim, struct error *err)
{
    struct query q = query_start(s, "INSERT INTO chains(node, log, claim) VALUES(?1, ?2, ?3) ON CONFLICT (node) WHERE "
                                    "retired_ms = 0 DO NOTHING");
    query_text(&q, node);
    query_text(&q, log);
    query_text(&q, claim);
    (void)query_row(&q);
    return query_done(&q, err);
}

int postgres_chain_add(struct store *handle, const char *log, const char *claim, struct error *err)
{
    struct sql *s = handle->self;
    const char *node = postgres_node_name(handle);
    sql_begin_call(s);
    int e = add_chain(s, node, log, claim, err);
    if (e < 0)
        return e;
    struct query q = query_start(s, "SELECT log FROM chains WHERE node = ?1 AND retired_ms = 0");
    query_text(&q, node);
    const bool is_ours = query_row(&q) && str_eq(or_none(query_get_text(&q, 0)), log);
    e = query_done(&q, err);
    return e < 0 ? e : is_ours;
}

int postgres_chain_was_retired(struct store *handle, const char *log, uint64_t registered_ms, struct error *err)
{
    struct sql *s = handle->self;
    sql_begin_call(s);
    struct query q = query_start(s, "SELECT 1 FROM chains WHERE log = ?1 AND made_ms = ?2 AND retired_ms > 0");
    query_text(&q, log);
    query_u64(&q, registered_ms);
    const bool was = query_row(&q);
    int e = query_done(&q, err);
    return e < 0 ? e : was;
}

static int retire(struct sql *s, const char *node, struct error *err)
{
    struct query q = query_start(s, "UPDATE chains SET retired_ms = " NOW_MS " WHERE node = ?1 AND retired_ms = 0");
    query_text(&q, node);
    (void)query_row(&q);
    return query_done(&q, err);
}

int postgres_chain_retire(struct store *handle, const char *node, struct error *err)
{
    struct sql *s = handle->self;
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    e = retire(s, node, err);
    if (e == 0 && sql_changes(s) == 0) {
        (void)err_set(err, -ENOENT, BLAME_CALLER, "STORE", "no audit of a node %s is registered", node);
        e = err_remedy(err, "sandbox-agent fleet status lists the nodes");
    }
    return transaction_end_durable(s, e, err);
}

/* --- checkpoints -------------------------------------------------------------------------------------------------- */

int postgres_anchor_add(struct store *handle, const struct anchor *a, struct error *err)
{
    struct sql *s = handle->self;
    sql_begin_call(s);
    struct query q = query_start(s, "INSERT INTO anchors(node, log, size, note, proofs) VALUES(?1, ?2, ?3, ?4, ?5) "
                                    "ON CONFLICT DO NOTHING");
    query_text(&q, postgres_node_name(handle));
    query_text(&q, a->log);
    query_u64(&q, a->size);
    query_bytes(&q, a->note, a->note_size);
    query_text(&q, a->proofs);
    (void)query_row(&q);
    int e = query_done(&q, err);
    return e < 0 ? e : sql_changes(s) > 0;
}

int postgres_anchors(struct store *handle, const char *nodes, const char *logs, anchor_each each, void *context,
                     struct error *err)
{
    struct sql *s = handle->self;
    sql_begin_call(s);
    struct query q = query_start(s, "SELECT w.node, w.log, a.note, a.proofs, a.size, a.made_ms, coalesce(c.size, 0), "
                                    "coalesce(c.made_ms, 0), " NOW_MS " - a.made_ms FROM unnest(string_to_array(?1, ' "
                                    "'), string_to_array(?2, ' ')) AS w(node, log) CROSS JOIN LATERAL (SELECT note, "
                                    "proofs, size, made_ms FROM anchors WHERE log = w.log AND node = w.node ORDER BY "
                                    "number DESC LIMIT 1) a LEFT JOIN LATERAL (SELECT size, made_ms FROM cosignatures "
                                    "WHERE log = w.log AND witness = ?3 ORDER BY number DESC LIMIT 1) c ON true");
    query_text(&q, nodes);
    query_text(&q, logs);
    query_text(&q, postgres_node_name(handle));
    while (query_row(&q)) {
        struct anchor a = { .node = or_none(query_get_text(&q, 0)),
                            .log = or_none(query_get_text(&q, 1)),
                            .proofs = or_none(query_get_text(&q, 3)),
                            .size = query_get_u64(&q, 4),
                            .made_ms = query_get_u64(&q, 5),
                            .claimed_size = query_get_u64(&q, 6),
                            .claimed_ms = query_get_u64(&q, 7),
                            .age_ms = query_get_u64(&q, 8) };
        a.note = or_none(query_get_bytes(&q, 2, &a.note_size));
        each(context, &a);
    }
    return query_done(&q, err);
}

/* --- what is signed of them --------------------------------------------------------------------------------------- */

static int add_cosignature(struct sql *s, const char *witness, const struct cosignature *c, struct error *err)
{
    struct query q = query_start(s, "INSERT INTO cosignatures(log, witness, size, note) VALUES(?1, ?2, ?3, ?4) "
                                    "ON CONFLICT DO NOTHING"); /* it is signed again in the next turn */
    query_text(&q, c->log);
    query_text(&q, witness);
    query_u64(&q, c->size);
    query_bytes(&q, c->note, c->note_size);
    (void)query_row(&q);
    return query_done(&q, err);
}

int postgres_cosign(struct store *handle, const struct cosignature *list, size_t count, struct error *err)
{
    struct sql *s = handle->self;
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    for (size_t i = 0; i < count && e == 0; i++)
        e = add_cosignature(s, postgres_node_name(handle), &list[i], err);
    return transaction_end(s, e, err);
}

int postgres_cosignatures(struct store *handle, const char *log, uint64_t within_ms, cosignature_each each,
                          void *context, struct error *err)
{
    struct sql *s = handle->self;
    sql_begin_call(s);
    /* From witness to witness by the index (w), and of each its last row: rows that a node adds in masses cost nothing
     * here. */
    struct query q = query_start(
        s, "WITH RECURSIVE w(name) AS ((SELECT witness FROM cosignatures WHERE log = ?1 ORDER BY witness LIMIT 1) "
           "UNION ALL SELECT (SELECT witness FROM cosignatures WHERE log = ?1 AND witness > w.name ORDER BY witness "
           "LIMIT 1) FROM w WHERE w.name IS NOT NULL) "
           "SELECT c.log, c.witness, c.note, c.size, c.made_ms, " NOW_MS " - c.made_ms FROM w CROSS JOIN LATERAL "
           "(SELECT * FROM cosignatures WHERE log = ?1 AND witness = w.name ORDER BY number DESC LIMIT 1) c "
           "WHERE ?2 = 0 OR c.made_ms > " NOW_MS " - ?2 ORDER BY c.witness");
    query_text(&q, log);
    query_u64(&q, within_ms);
    while (query_row(&q)) {
        struct cosignature c = { .log = or_none(query_get_text(&q, 0)),
                                 .witness = or_none(query_get_text(&q, 1)),
                                 .size = query_get_u64(&q, 3),
                                 .made_ms = query_get_u64(&q, 4),
                                 .age_ms = query_get_u64(&q, 5) };
        c.note = or_none(query_get_bytes(&q, 2, &c.note_size));
        each(context, &c);
    }
    return query_done(&q, err);
}

int postgres_anchors_thin(struct store *handle, struct error *err)
{
    struct sql *s = handle->self;
    sql_begin_call(s);
    struct query q = query_start(s, "SELECT thin_anchors()");
    (void)query_row(&q);
    return query_done(&q, err);
}
