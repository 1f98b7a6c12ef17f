/* agents.c - one row an agent: read, list, its trust over time; and how trust and standing are written. */
#include "store/private.h"

#define COLUMNS                                                                                                \
    "number, released_ms, id, trust, trust_at_ms, standing, standing_reason, standing_by, standing_since_ms, " \
    "first_seen_ms, last_run_ms, runs, successes, failures, violations, refusals, cpu_ms, public_key"

static void read_row(struct query *q, struct agent_row *ret)
{
    const char *id = query_get_text(q, 2), *reason = query_get_text(q, 6), *by = query_get_text(q, 7);
    *ret = (struct agent_row){
        .number = query_get_u64(q, 0),
        .released_ms = query_get_u64(q, 1),
        .agent = {
            .id = id ? id : "",
            .is_known = true,
            .trust = (uint32_t)MIN_OF(query_get_u64(q, 3), UINT64_C(1000)),
            .trust_at_ms = query_get_u64(q, 4),
            .standing = (uint8_t)MIN_OF(query_get_u64(q, 5), (uint64_t)STANDING_BANNED),
            .standing_reason = reason ? reason : "",
            .standing_by = by ? by : "",
            .standing_since_ms = query_get_u64(q, 8),
            .first_seen_ms = query_get_u64(q, 9),
            .last_run_ms = query_get_u64(q, 10),
            .runs = query_get_u64(q, 11),
            .successes = query_get_u64(q, 12),
            .failures = query_get_u64(q, 13),
            .violations = query_get_u64(q, 14),
            .refusals = query_get_u64(q, 15),
            .cpu_ms = query_get_u64(q, 16),
            .public_key = query_get_text(q, 17),
        },
    };
}

static int check_id(const char *id, struct error *err)
{
    return id && agent_id_is_valid(id)
               ? 0
               : err_set(err, -EINVAL, BLAME_CALLER, "STORE",
                         "agent id: expected 1 to %u bytes without control characters", AGENT_ID_MAX);
}

int agent_find(struct store *s, const char *id, struct agent_row *ret, struct error *err)
{
    int e = check_id(id, err);
    if (e < 0)
        return e;
    *ret = (struct agent_row){ .agent = { .id = arena_copy(&s->arena, id), .standing_reason = "", .standing_by = "" } };
    struct query q = query_start(s, "SELECT " COLUMNS " FROM agents WHERE id = ?");
    query_text(&q, id);
    if (query_row(&q))
        read_row(&q, ret);
    return query_done(&q, err);
}

static int add_point(struct store *s, uint64_t number, uint32_t trust, uint64_t now_ms, struct error *err)
{
    return RUN(s, err, "INSERT OR REPLACE INTO points(agent, at_ms, trust) VALUES(?, ?, ?)", number, now_ms, trust);
}

int agent_need(struct store *s, const char *id, uint32_t initial_trust, uint64_t now_ms, struct agent_row *ret,
               struct error *err)
{
    int e = agent_find(s, id, ret, err);
    if (e < 0 || ret->number)
        return e;
    struct query q = query_start(s, "INSERT INTO agents(id, trust, trust_at_ms, first_seen_ms) VALUES(?, ?, ?, ?)");
    query_text(&q, id);
    query_u64(&q, initial_trust);
    query_u64(&q, now_ms);
    query_u64(&q, now_ms);
    (void)query_row(&q);
    e = query_done(&q, err);
    if (e == 0)
        e = agent_find(s, id, ret, err);
    return e < 0 ? e : add_point(s, ret->number, initial_trust, now_ms, err);
}

int agent_set_trust(struct store *s, struct agent_row *row, uint32_t trust, uint64_t now_ms, struct error *err)
{
    bool is_change = trust != row->agent.trust;
    row->agent.trust = trust;
    row->agent.trust_at_ms = now_ms;
    int e = RUN(s, err, "UPDATE agents SET trust = ?2, trust_at_ms = ?3 WHERE number = ?1", row->number, trust, now_ms);
    return e < 0 || !is_change ? e : add_point(s, row->number, trust, now_ms, err);
}

int agent_set_standing(struct store *s, struct agent_row *row, enum standing standing, const char *reason,
                       const char *by, uint64_t now_ms, struct error *err)
{
    row->agent.standing = (uint8_t)standing;
    row->agent.standing_reason = reason = arena_copy(&s->arena,
                                                     cut_text(s, reason, STORE_TEXT_MAX)); /* outlives the caller's */
    row->agent.standing_by = by = arena_copy(&s->arena, cut_text(s, by, STORE_ID_MAX));
    row->agent.standing_since_ms = now_ms;
    struct query q = query_start(s, "UPDATE agents SET standing = ?2, standing_since_ms = ?3, standing_reason = ?4, "
                                    "standing_by = ?5 WHERE number = ?1");
    query_u64(&q, row->number);
    query_u64(&q, standing);
    query_u64(&q, now_ms);
    query_text(&q, reason);
    query_text(&q, by);
    (void)query_row(&q);
    return query_done(&q, err);
}

int store_agent(struct store *s, const char *id, struct agent *ret, struct error *err)
{
    struct agent_row row;
    store_begin_call(s);
    int e = agent_find(s, id, &row, err);
    if (e == 0)
        *ret = row.agent;
    return e;
}

int store_agents(struct store *s, const char *after_id, struct agent_list *ret, struct error *err)
{
    struct agent_row row;
    store_begin_call(s);
    ret->count = 0;
    ret->is_cut = false;
    struct query q = query_start(s, "SELECT " COLUMNS " FROM agents WHERE id > ? ORDER BY id LIMIT ?");
    query_text(&q, after_id ? after_id : "");
    query_u64(&q, STORE_MAX_AGENTS + 1);
    while (query_row(&q)) {
        if (ret->count == STORE_MAX_AGENTS) {
            ret->is_cut = true;
            break;
        }
        read_row(&q, &row);
        ret->agents[ret->count++] = row.agent;
    }
    return query_done(&q, err);
}

int store_history(struct store *s, const char *id, struct trust_history *ret, struct error *err)
{
    struct agent_row row;
    store_begin_call(s);
    *ret = (struct trust_history){ 0 };
    int e = agent_find(s, id, &row, err);
    if (e < 0 || !row.number)
        return e;
    struct query q = query_start(s, "SELECT at_ms, trust FROM (SELECT at_ms, trust FROM points WHERE agent = ? "
                                    "ORDER BY at_ms DESC LIMIT ?) ORDER BY at_ms");
    query_u64(&q, row.number);
    query_u64(&q, STORE_MAX_POINTS);
    while (ret->count < STORE_MAX_POINTS && query_row(&q))
        ret->points[ret->count++] = (struct trust_point){ query_get_u64(&q, 0),
                                                          (uint32_t)MIN_OF(query_get_u64(&q, 1), UINT64_C(1000)) };
    return query_done(&q, err);
}
