/* known.c - code that did harm, by its hash and by the shape of its tree: remembered for all agents, with which agent
 * it was, for what, and when. An administrator's release of that agent forgets it. */
#include "sql/sql.h"

struct query known_ask(struct sql *s, enum known_kind kind, const char *hash, uint64_t agent)
{
    static const char *const statements[] = {
        "SELECT a.id, k.type, k.at_ms FROM known k JOIN agents a ON a.number = k.agent "
        "WHERE k.kind = 0 AND k.hash = ? AND k.agent <> ? AND k.hash <> '' ORDER BY k.at_ms DESC LIMIT 1",
        "SELECT a.id, k.type, k.at_ms FROM known k JOIN agents a ON a.number = k.agent "
        "WHERE k.kind = 1 AND k.hash = ? AND k.agent <> ? AND k.hash <> '' ORDER BY k.at_ms DESC LIMIT 1",
    };
    struct query q = query_start(s, statements[kind]);
    query_text(&q, hash ? hash : "");
    query_u64(&q, agent);
    return q;
}
_Static_assert(KNOWN_CODE == 0 && KNOWN_TREE == 1, "the statements have the kind's number");

int known_read(struct query *q, struct known *ret, struct error *err)
{
    *ret = (struct known){ 0 };
    if (query_row(q))
        *ret = (struct known){ query_get_text(q, 0), query_get_text(q, 1), query_get_u64(q, 2) };
    return query_done(q, err);
}

int known_add(struct sql *s, enum known_kind kind, const char *hash, uint64_t agent, const char *type, uint64_t now_ms,
              struct error *err)
{
    if (!hash || !*hash)
        return 0;
    struct query q = query_start(s, "INSERT INTO known(kind, hash, agent, type, at_ms) VALUES(?, ?, ?, ?, ?) "
                                    "ON CONFLICT(kind, hash, agent) DO UPDATE SET at_ms = excluded.at_ms");
    query_u64(&q, kind);
    query_text(&q, hash);
    query_u64(&q, agent);
    query_text(&q, cut_text(s, type, STORE_ID_MAX));
    query_u64(&q, now_ms);
    (void)query_row(&q);
    return query_done(&q, err);
}

int known_forget(struct sql *s, uint64_t agent, struct error *err)
{
    return RUN(s, err, "DELETE FROM known WHERE agent = ?", agent);
}
