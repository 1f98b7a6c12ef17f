/* violations.c - what runs and refused requests did that they should not have, and what follows for the agent. */
#include "store/private.h"

static bool came_before(const struct violation *list, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (str_eq(list[k].type, list[i].type))
            return true;
    return false;
}

int violations_add(struct store *s, const struct agent_row *row, const char *execution_id, const struct violation *list,
                   uint32_t count, uint64_t now_ms, uint32_t *ret_security, uint8_t *ret_worst, struct error *err)
{
    uint32_t security = 0;
    uint8_t worst = SEVERITY_INFO;
    int e = 0;
    for (uint32_t i = 0; i < count && e == 0; i++) {
        bool is_security = violation_is_security(list[i].type);
        if (is_security)
            worst = MAX_OF(worst, list[i].severity);
        if (came_before(list, i))
            continue;
        security += is_security;
        struct query q = query_start(s, "INSERT INTO violations(agent, at_ms, execution_id, type, detail, severity, "
                                        "is_security) VALUES(?, ?, ?, ?, ?, ?, ?)");
        query_u64(&q, row->number);
        query_u64(&q, now_ms);
        query_text(&q, execution_id);
        query_text(&q, cut_text(s, list[i].type, STORE_ID_MAX));
        query_text(&q, cut_text(s, list[i].detail, STORE_TEXT_MAX));
        query_u64(&q, list[i].severity);
        query_u64(&q, is_security);
        (void)query_row(&q);
        e = query_done(&q, err);
    }
    if (e == 0 && security) /* a matter of security is never mere information */
        worst = MAX_OF(worst, (uint8_t)SEVERITY_LOW);
    *ret_security = security;
    *ret_worst = worst;
    return e;
}

int violations_judge(struct store *s, struct agent_row *row, const struct standing_rules *rules, uint8_t worst,
                     uint64_t now_ms, struct error *err)
{
    if (worst == SEVERITY_INFO)
        return 0;
    struct query q = query_start(s,
                                 "SELECT count(*) FROM violations WHERE agent = ? AND is_security = 1 AND at_ms > ?");
    query_u64(&q, row->number);
    query_u64(&q, MAX_OF(row->released_ms, now_ms - MIN_OF(now_ms, rules->window_ms)));
    uint32_t count = query_row(&q) ? (uint32_t)MIN_OF(query_get_u64(&q, 0), (uint64_t)UINT32_MAX) : 0;
    int e = query_done(&q, err);
    if (e < 0)
        return e;
    char why[160];
    enum standing after = standing_after(rules, (enum standing)row->agent.standing, count, worst, why);
    return after == row->agent.standing ? 0 : agent_set_standing(s, row, after, why, "policy", now_ms, err);
}
