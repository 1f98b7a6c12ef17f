/* steer.c - what an administrator does to an agent. On the disk before the answer. */
#include "sql/sql.h"

static int set_key(struct sql *s, struct agent_row *row, const char *key, struct error *err)
{
    struct query q = query_start(s, "UPDATE agents SET public_key = ?2 WHERE number = ?1");
    query_u64(&q, row->number);
    query_text(&q, key);
    (void)query_row(&q);
    row->agent.public_key = key ? arena_copy(&s->arena, key) : NULL;
    return query_done(&q, err);
}

static int release(struct sql *s, struct agent_row *row, uint64_t now_ms, struct error *err)
{
    int e = RUN(s, err, "UPDATE agents SET released_ms = ?2, last_offence_ms = 0 WHERE number = ?1", row->number,
                now_ms);
    row->agent.last_offence_ms = 0;
    if (e == 0)
        e = known_forget(s, row->number, err);
    return e < 0 ? e : agent_set_standing(s, row, STANDING_GOOD, "", "", now_ms, err);
}

/* The administrator's word is evidence too: low asks for no more (policy/level.h), and the level is decided anew. */
static int set_trust(struct sql *s, struct agent_row *row, const struct steer *r, struct error *err)
{
    struct trust_step step = { .score = r->trust, .count = r->trust != row->agent.trust };
    step.parts[0] = (struct trust_part){ TRUST_FROM_ADMIN, (int32_t)r->trust - (int32_t)row->agent.trust };
    int e = RUN(s, err, "UPDATE agents SET is_vouched = 1, level = 0 WHERE number = ?1", row->number);
    row->agent.is_vouched = true;
    row->agent.level = 0;
    return e < 0 ? e : agent_apply(s, row, &step, r->now_ms, err);
}

static int apply(struct sql *s, struct agent_row *row, const struct steer *r, struct error *err)
{
    switch ((enum steer_verb)r->verb) {
    case STEER_TRUST:
        return set_trust(s, row, r, err);
    case STEER_QUARANTINE:
        return agent_set_standing(s, row, STANDING_QUARANTINED, r->reason, r->by, r->now_ms, err);
    case STEER_BAN:
        return agent_set_standing(s, row, STANDING_BANNED, r->reason, r->by, r->now_ms, err);
    case STEER_RELEASE:
        return release(s, row, r->now_ms, err);
    case STEER_KEY:
        return set_key(s, row, r->public_key, err);
    case STEER_VERBS:
        break;
    }
    return err_set(err, -EINVAL, BLAME_US, "STORE", "verb %u is none", r->verb);
}

static int find_or_create(struct sql *s, const struct steer *r, struct agent_row *ret, struct error *err)
{
    if (r->may_create)
        return agent_need(s, r->agent_id, NULL, r->initial_trust, r->now_ms, ret, err);
    int e = agent_find(s, r->agent_id, ret, err);
    if (e < 0 || ret->number)
        return e;
    return err_set(err, -ENOENT, BLAME_CALLER, "STORE", "agent %s is not known", r->agent_id);
}

int sql_steer(struct sql *s, const struct steer *r, struct agent *ret, struct error *err)
{
    struct agent_row row;
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    e = transaction_lock(s, SQL_LOCK_AGENT, r->agent_id, err);
    if (e == 0)
        e = find_or_create(s, r, &row, err);
    if (e == 0)
        e = apply(s, &row, r, err);
    e = transaction_end_durable(s, e, err);
    if (e == 0)
        *ret = row.agent;
    return e;
}
