/* violations.c - what runs and refused requests did that they should not have, and what follows for the agent. */
#include "sql/sql.h"

static bool came_before(const struct violation *list, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (str_eq(list[k].type, list[i].type))
            return true;
    return false;
}

static int insert(struct sql *s, uint64_t agent, const char *execution_id, const struct violation *v, bool is_offence,
                  uint64_t now_ms, struct error *err)
{
    struct query q = query_start(s, "INSERT INTO violations(agent, at_ms, execution_id, type, detail, severity, "
                                    "is_security) VALUES(?, ?, ?, ?, ?, ?, ?)");
    query_u64(&q, agent);
    query_u64(&q, now_ms);
    query_text(&q, execution_id);
    query_text(&q, cut_text(s, v->type, STORE_ID_MAX));
    query_text(&q, cut_text(s, v->detail, STORE_TEXT_MAX));
    query_u64(&q, v->severity);
    query_u64(&q, is_offence);
    (void)query_row(&q);
    return query_done(&q, err);
}

static void note(struct found *f, const struct violation *v, enum act_class class, bool is_first)
{
    f->marks.has_refusal |= class == ACT_RESTRICTION;
    f->marks.has_attempt |= class == ACT_ATTEMPT;
    f->marks.has_violation |= class == ACT_VIOLATION;
    if (class < ACT_ATTEMPT)
        return;
    f->offences += is_first;
    f->attempts += is_first && class == ACT_ATTEMPT;
    if (!f->worst_type || v->severity > f->worst)
        f->worst_type = v->type;
    f->worst = MAX_OF(f->worst, MAX_OF(v->severity, (uint8_t)SEVERITY_LOW)); /* an offence is never mere information */
}

int violations_add(struct sql *s, const struct agent_row *row, const char *execution_id, const struct violation *list,
                   uint32_t count, uint64_t now_ms, struct found *ret, struct error *err)
{
    struct found f = { .worst = SEVERITY_INFO };
    int e = 0;
    for (uint32_t i = 0; i < count && e == 0; i++) {
        const enum act_class class = violation_class(list[i].type);
        const bool is_first = !came_before(list, i);
        note(&f, &list[i], class, is_first);
        if (is_first)
            e = insert(s, row->number, execution_id, &list[i], class >= ACT_ATTEMPT, now_ms, err);
    }
    *ret = f;
    return e;
}

/* Each counts with what it still weighs. More than a thousand are quarantine whatever they weigh. */
static int weigh(struct sql *s, const struct agent_row *row, const struct standing_rules *rules, uint64_t now_ms,
                 struct offences *ret, struct error *err)
{
    const uint64_t memory = offence_memory_ms(rules, row->agent.quarantines);
    *ret = (struct offences){ .quarantines = row->agent.quarantines };
    struct query q = query_start(s, "SELECT at_ms FROM violations WHERE agent = ? AND is_security = 1 AND at_ms > ? "
                                    "ORDER BY at_ms DESC LIMIT 1000");
    query_u64(&q, row->number);
    query_u64(&q, MAX_OF(row->released_ms, now_ms - MIN_OF(now_ms, memory)));
    while (query_row(&q)) {
        const uint64_t at_ms = query_get_u64(&q, 0);
        ret->count++;
        ret->weight += offence_weight(rules, row->agent.quarantines, now_ms - MIN_OF(now_ms, at_ms));
    }
    return query_done(&q, err);
}

int violations_judge(struct sql *s, struct agent_row *row, const struct standing_rules *rules,
                     const struct found *found, uint64_t now_ms, struct error *err)
{
    struct offences o;
    if (!found->offences)
        return 0;
    int e = RUN(s, err,
                "UPDATE agents SET last_offence_ms = ?2, is_vouched = 0, violations = violations + ?3, "
                "attempts = attempts + ?4 WHERE number = ?1",
                row->number, now_ms, found->offences, found->attempts);
    if (e == 0)
        e = weigh(s, row, rules, now_ms, &o, err);
    if (e < 0)
        return e;
    char why[160];
    const enum standing before = (enum standing)row->agent.standing,
                        after = standing_after(rules, before, &o, found->worst, why);
    if (after == before)
        return 0;
    e = RUN(s, err, "UPDATE agents SET quarantines = quarantines + 1 WHERE number = ?1", row->number);
    return e < 0 ? e : agent_set_standing(s, row, after, why, "policy", now_ms, err);
}

/* --- refusals: what the level does not offer ------------------------------------------------------------ */

int refusals_add(struct sql *s, uint64_t agent, uint64_t now_ms, struct error *err)
{
    return RUN(s, err, "INSERT INTO refusals(agent, at_ms) VALUES(?, ?)", agent, now_ms);
}

/* window_ms 0: none of them counts. */
struct query refusals_ask(struct sql *s, uint64_t agent, uint64_t window_ms, uint64_t now_ms)
{
    struct query q = query_start(s, "SELECT count(*) FROM refusals WHERE agent = ? AND at_ms > ?");
    query_u64(&q, agent);
    query_u64(&q, window_ms ? now_ms - MIN_OF(now_ms, window_ms) : INT64_MAX);
    return q;
}
