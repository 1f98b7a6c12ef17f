/* agents.c - one row an agent: read, list, its trust over time; and how trust and standing are written. */
#include "sql/sql.h"

void agent_read_row(struct query *q, struct agent_row *ret)
{
    const char *id = query_get_text(q, 2), *reason = query_get_text(q, 6), *by = query_get_text(q, 7),
               *key = query_get_text(q, 29);
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
            .errors = query_get_u64(q, 18),
            .attempts = query_get_u64(q, 19),
            .start = (uint32_t)MIN_OF(query_get_u64(q, 20), UINT64_C(1000)),
            .debt = (uint32_t)MIN_OF(query_get_u64(q, 21), UINT64_C(1000)),
            .level = (uint8_t)MIN_OF(query_get_u64(q, 22), (uint64_t)RISK_COUNT),
            .last_offence_ms = query_get_u64(q, 23),
            .quarantines = query_get_u64(q, 24),
            .shapes = (uint32_t)query_get_u64(q, 25),
            .hours = (uint32_t)query_get_u64(q, 26),
            .first_work_ms = query_get_u64(q, 27),
            .is_vouched = query_get_u64(q, 28) != 0,
            .key_id = key ? key : "",
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

static struct query agent_ask(struct sql *s, const char *id)
{
    struct query q = query_start(s, "SELECT " AGENT_COLUMNS " FROM agents WHERE id = ?");
    query_text(&q, id);
    return q;
}

/* Of an agent that there is not, *ret stays as it is. */
static int agent_read(struct query *q, struct agent_row *ret, struct error *err)
{
    if (query_row(q))
        agent_read_row(q, ret);
    return query_done(q, err);
}

static struct agent_row unknown_agent(struct sql *s, const char *id)
{
    return (struct agent_row){
        .agent = { .id = arena_copy(&s->arena, id), .standing_reason = "", .standing_by = "", .key_id = "" }
    };
}

int agent_find(struct sql *s, const char *id, struct agent_row *ret, struct error *err)
{
    int e = check_id(id, err);
    if (e < 0)
        return e;
    *ret = unknown_agent(s, id);
    struct query q = agent_ask(s, id);
    return agent_read(&q, ret, err);
}

int agent_add_point(struct sql *s, uint64_t number, uint32_t trust, uint64_t now_ms, struct error *err)
{
    return RUN(s, err,
               "INSERT INTO points(agent, at_ms, trust) VALUES(?, ?, ?) "
               "ON CONFLICT(agent, at_ms) DO UPDATE SET trust = excluded.trust",
               number, now_ms, trust);
}

int agent_need(struct sql *s, const char *id, const char *key_id, uint32_t initial_trust, uint64_t now_ms,
               struct agent_row *ret, struct error *err)
{
    int e = agent_find(s, id, ret, err);
    if (e < 0 || ret->number)
        return e;
    struct query q = query_start(s, "INSERT INTO agents(id, trust, trust_at_ms, first_seen_ms, start, key_id) "
                                    "VALUES(?, ?, ?, ?, ?, ?)");
    query_text(&q, id);
    query_u64(&q, initial_trust);
    query_u64(&q, now_ms);
    query_u64(&q, now_ms);
    query_u64(&q, initial_trust);
    query_text(&q, cut_text(s, key_id, STORE_ID_MAX));
    (void)query_row(&q);
    e = query_done(&q, err);
    if (e == 0)
        e = agent_find(s, id, ret, err);
    return e < 0 ? e : agent_add_point(s, ret->number, initial_trust, now_ms, err);
}

int agent_set_trust(struct sql *s, struct agent_row *row, uint32_t trust, uint64_t now_ms, struct error *err)
{
    bool is_change = trust != row->agent.trust;
    row->agent.trust = trust;
    row->agent.trust_at_ms = now_ms;
    int e = RUN(s, err, "UPDATE agents SET trust = ?2, trust_at_ms = ?3 WHERE number = ?1", row->number, trust, now_ms);
    return e < 0 || !is_change ? e : agent_add_point(s, row->number, trust, now_ms, err);
}

int agent_set_standing(struct sql *s, struct agent_row *row, enum standing standing, const char *reason, const char *by,
                       uint64_t now_ms, struct error *err)
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

int agent_relatives(struct sql *s, const char *key_id, uint64_t number, uint64_t since_ms, struct relatives *ret,
                    struct error *err)
{
    *ret = (struct relatives){ 0 };
    if (!key_id || !*key_id)
        return 0;
    struct query q = query_start(
        s,
        "SELECT count(*), count(CASE WHEN standing > 0 THEN 1 END), count(CASE WHEN last_offence_ms > ?1 THEN 1 END), "
        "coalesce(max(CASE WHEN standing > 0 THEN id END), max(CASE WHEN last_offence_ms > ?1 THEN id END)) "
        "FROM agents WHERE key_id = ?2 AND key_id <> '' AND number <> ?3");
    query_u64(&q, since_ms);
    query_text(&q, key_id);
    query_u64(&q, number);
    if (query_row(&q)) {
        ret->all = query_get_u64(&q, 0);
        ret->bad = query_get_u64(&q, 1);
        ret->offenders = query_get_u64(&q, 2);
        ret->worst = query_get_text(&q, 3);
    }
    return query_done(&q, err);
}

static int add_sum(struct sql *s, uint64_t number, const struct trust_part *p, struct error *err)
{
    return RUN(
        s, err,
        "INSERT INTO sums(agent, source, plus, minus, times) VALUES(?, ?, ?, ?, 1) ON CONFLICT(agent, source) "
        "DO UPDATE SET plus = sums.plus + excluded.plus, minus = sums.minus + excluded.minus, times = sums.times + 1",
        number, p->source, p->change > 0 ? (uint64_t)p->change : 0, p->change < 0 ? (uint64_t)-p->change : 0);
}

int agent_add_sums(struct sql *s, uint64_t number, const struct trust_step *step, struct error *err)
{
    int e = 0;
    for (uint32_t i = 0; i < step->count && e == 0; i++)
        e = add_sum(s, number, &step->parts[i], err);
    return e;
}

int agent_apply(struct sql *s, struct agent_row *row, const struct trust_step *step, uint64_t now_ms, struct error *err)
{
    int e = agent_add_sums(s, row->number, step, err);
    if (e == 0 && step->debt != row->agent.debt)
        e = RUN(s, err, "UPDATE agents SET debt = ?2 WHERE number = ?1", row->number, step->debt);
    row->agent.debt = step->debt;
    return e < 0 ? e : agent_set_trust(s, row, step->score, now_ms, err);
}

/* Of an agent that is not known yet. */
static int count_bad_relatives(struct sql *s, const char *key_id, uint64_t *ret, struct error *err)
{
    struct query q = query_start(s, "SELECT count(*) FROM agents WHERE key_id = ? AND key_id <> '' AND standing > 0");
    query_text(&q, key_id ? key_id : "");
    *ret = query_row(&q) ? query_get_u64(&q, 0) : 0;
    return query_done(&q, err);
}

int sql_agent(struct sql *s, const char *id, const char *key_id, struct agent *ret, struct error *err)
{
    sql_begin_call(s);
    int e = check_id(id, err);
    if (e < 0)
        return e;
    struct agent_row row = unknown_agent(s, id);
    struct query q = agent_ask(s, id);
    e = agent_read(&q, &row, err);
    if (e == 0 && !row.number)
        e = count_bad_relatives(s, key_id, &row.agent.bad_relatives, err);
    if (e == 0)
        *ret = row.agent;
    return e;
}

static int list_offences(struct sql *s, const struct agent_row *row, struct agent_why *ret, struct error *err)
{
    struct query q = query_start(s, "SELECT at_ms, type, detail, execution_id FROM violations WHERE agent = ? AND "
                                    "is_security = 1 AND at_ms > ? ORDER BY at_ms DESC LIMIT ?");
    query_u64(&q, row->number);
    query_u64(&q, row->released_ms);
    query_u64(&q, STORE_MAX_OFFENCES);
    while (ret->offence_count < STORE_MAX_OFFENCES && query_row(&q)) {
        const char *type = query_get_text(&q, 1), *detail = query_get_text(&q, 2), *run = query_get_text(&q, 3);
        ret->offences[ret->offence_count++] = (struct offence){ query_get_u64(&q, 0), type ? type : "",
                                                                detail ? detail : "", run ? run : "" };
    }
    return query_done(&q, err);
}

int sql_why(struct sql *s, const char *id, struct agent_why *ret, struct error *err)
{
    struct agent_row row;
    struct relatives family = { 0 };
    sql_begin_call(s);
    *ret = (struct agent_why){ 0 };
    int e = agent_find(s, id, &row, err);
    if (e < 0 || !row.number)
        return e;
    struct query q = query_start(s, "SELECT source, plus, minus, times FROM sums WHERE agent = ? ORDER BY source");
    query_u64(&q, row.number);
    while (ret->sum_count < TRUST_SOURCES && query_row(&q))
        ret->sums[ret->sum_count++] = (struct trust_sum){
            (uint8_t)MIN_OF(query_get_u64(&q, 0), (uint64_t)TRUST_SOURCES - 1), (uint32_t)query_get_u64(&q, 1),
            (uint32_t)query_get_u64(&q, 2), (uint32_t)query_get_u64(&q, 3)
        };
    e = query_done(&q, err);
    if (e == 0)
        e = list_offences(s, &row, ret, err);
    if (e == 0)
        e = agent_relatives(s, row.agent.key_id, row.number, 0, &family, err);
    ret->relatives = family.all;
    ret->bad_relatives = family.bad;
    return e == 0 ? baseline_list(s, row.number, ret, err) : e;
}

int sql_agents(struct sql *s, const char *after_id, struct agent_list *ret, struct error *err)
{
    struct agent_row row;
    sql_begin_call(s);
    ret->count = 0;
    ret->is_cut = false;
    struct query q = query_start(s, "SELECT " AGENT_COLUMNS " FROM agents WHERE id > ? ORDER BY id LIMIT ?");
    query_text(&q, after_id ? after_id : "");
    query_u64(&q, STORE_MAX_AGENTS + 1);
    while (query_row(&q)) {
        if (ret->count == STORE_MAX_AGENTS) {
            ret->is_cut = true;
            break;
        }
        agent_read_row(&q, &row);
        ret->agents[ret->count++] = row.agent;
    }
    return query_done(&q, err);
}

int sql_history(struct sql *s, const char *id, struct trust_history *ret, struct error *err)
{
    struct agent_row row;
    sql_begin_call(s);
    *ret = (struct trust_history){ 0 };
    int e = agent_find(s, id, &row, err);
    if (e < 0 || !row.number)
        return e;
    /* a run's end writes its point in the same transaction, at the same time; so does a refusal with its violations */
    struct query q = query_start(
        s,
        "SELECT p.at_ms, p.trust, coalesce(r.execution_id, (SELECT v.execution_id FROM violations v WHERE v.agent = ?1 "
        "AND v.is_security = 1 AND v.at_ms = p.at_ms LIMIT 1)), r.event FROM (SELECT at_ms, trust FROM points WHERE "
        "agent = ?1 ORDER BY at_ms DESC LIMIT ?2) p LEFT JOIN runs r ON r.number = (SELECT max(e.number) FROM runs e "
        "WHERE e.agent = ?1 AND e.level IN (0, 1, 2) AND e.state > 0 AND e.ended_ms = p.at_ms) ORDER BY p.at_ms");
    query_u64(&q, row.number);
    query_u64(&q, STORE_MAX_POINTS);
    while (ret->count < STORE_MAX_POINTS && query_row(&q))
        ret->points[ret->count++] = (struct trust_point){
            query_get_u64(&q, 0), (uint32_t)MIN_OF(query_get_u64(&q, 1), UINT64_C(1000)), query_get_text(&q, 2),
            (uint8_t)MIN_OF(query_get_u64(&q, 3), (uint64_t)TRUST_EVENTS - 1)
        };
    return query_done(&q, err);
}
