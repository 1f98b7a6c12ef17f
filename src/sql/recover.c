/* recover.c - what dead owners left, and housekeeping.
 *
 * A run that is not fully told (running, or settled without its line in the audit) has an owner. When that one is dead,
 * the next process that looks becomes the owner, settles the run where it has to, and reports it; no other does
 * meanwhile.
 */
#include "sql/sql.h"

#define BATCH 64u

struct dead {
    uint64_t number, state, agent;
    const char *key_id, *execution_id;
};

/* At most BATCH of them: what is left comes with the next call. */
static int find_dead(struct sql *s, uint64_t now_ms, bool only_running, struct dead found[static BATCH],
                     uint32_t *ret_count, struct error *err)
{
    struct query q = query_start(
        s, "SELECT number, state, agent, owner_pid, owner_start, owner_place, started_ms, key_id, execution_id "
           "FROM runs WHERE state <> 1");
    *ret_count = 0;
    while (*ret_count < BATCH && query_row(&q)) {
        uint64_t state = query_get_u64(&q, 1), started = query_get_u64(&q, 6);
        const char *place = query_get_text(&q, 5);
        if ((only_running && state != 0) || owner_is_alive(s, query_get_u64(&q, 3), query_get_u64(&q, 4),
                                                           place ? place : "", now_ms > started ? now_ms - started : 0))
            continue;
        found[(*ret_count)++] = (struct dead){ query_get_u64(&q, 0), state, query_get_u64(&q, 2), query_get_text(&q, 7),
                                               query_get_text(&q, 8) };
    }
    return query_done(&q, err);
}

static int end_dead(struct sql *s, const struct dead *d, uint64_t now_ms, bool *ret_is_over, struct error *err)
{
    int e = RUN(s, err,
                "UPDATE runs SET state = 2, ended_ms = ?2, reason = ?3, event = ?4, "
                "trust_before = a.trust, trust_after = a.trust FROM agents a WHERE runs.number = ?1 AND "
                "runs.state = 0 AND a.number = runs.agent",
                d->number, now_ms, REASON_SANDBOX_ERROR, TRUST_NEUTRAL);
    *ret_is_over = e == 0 && !sql_changes(s); /* its owner lives after all, and has settled it meanwhile */
    return e < 0 || *ret_is_over ? e : meter_add(s, d->agent, d->key_id, now_ms, true, NULL, err);
}

static int take_over(struct sql *s, const struct dead *d, uint64_t now_ms, struct error *err)
{
    bool is_over = false;
    int e = transaction_lock(s, SQL_LOCK_RUN, d->execution_id, err);
    if (e == 0 && d->state == 0)
        e = end_dead(s, d, now_ms, &is_over, err);
    if (e < 0 || is_over)
        return e;
    struct query q = query_start(
        s, "UPDATE runs SET is_recovered = ?2, owner_pid = ?3, owner_start = ?4, owner_place = ?5 "
           "WHERE number = ?1 AND state = 2");
    query_u64(&q, d->number);
    query_u64(&q, d->state == 0 ? RECOVERED : RECOVERED_SETTLED);
    query_owner(&q, s->own_pid, s->own_start);
    (void)query_row(&q);
    return query_done(&q, err);
}

static int take_over_some(struct sql *s, uint64_t now_ms, bool only_running, uint32_t *ret_count, struct error *err)
{
    struct dead found[BATCH];
    int e = find_dead(s, now_ms, only_running, found, ret_count, err);
    for (uint32_t i = 0; i < *ret_count && e == 0; i++)
        e = take_over(s, &found[i], now_ms, err);
    return e;
}

int recover_running(struct sql *s, uint64_t now_ms, struct error *err)
{
    uint32_t count;
    int e;
    do /* what was taken over runs no more, so this ends */
        e = take_over_some(s, now_ms, true, &count, err);
    while (e == 0 && count == BATCH);
    return e;
}

static int list_ours(struct sql *s, struct recovered_list *ret, struct error *err)
{
    struct query q = query_start(
        s, "SELECT r.execution_id, a.id, r.level, r.reason, r.is_recovered, r.started_ms, r.ended_ms, "
           "r.trust_before, r.trust_after FROM runs r JOIN agents a ON a.number = r.agent "
           "WHERE r.state = 2 AND r.is_recovered > 0 AND r.owner_pid = ? AND r.owner_start = ? "
           "AND r.owner_place = ? ORDER BY r.number LIMIT ?");
    query_owner(&q, s->own_pid, s->own_start);
    query_u64(&q, STORE_MAX_RECOVERED);
    while (ret->count < STORE_MAX_RECOVERED && query_row(&q)) {
        const char *execution_id = query_get_text(&q, 0), *agent_id = query_get_text(&q, 1);
        ret->runs[ret->count++] = (struct recovered){
            .execution_id = execution_id,
            .agent_id = agent_id,
            .level = (uint8_t)MIN_OF(query_get_u64(&q, 2), (uint64_t)RISK_HIGH),
            .reason = (uint8_t)MIN_OF(query_get_u64(&q, 3), (uint64_t)REASON_SANDBOX_ERROR),
            .was_settled = query_get_u64(&q, 4) == RECOVERED_SETTLED,
            .started_ms = query_get_u64(&q, 5),
            .ended_ms = query_get_u64(&q, 6),
            .trust_before = (uint32_t)query_get_u64(&q, 7),
            .trust_after = (uint32_t)query_get_u64(&q, 8)
        };
    }
    return query_done(&q, err);
}

static int list_released(struct sql *s, struct recovered_list *ret, struct error *err)
{
    struct query q = query_start(s, "SELECT id, notice FROM agents WHERE notice <> '' LIMIT ?");
    query_u64(&q, STORE_MAX_RECOVERED);
    while (ret->released_count < STORE_MAX_RECOVERED && query_row(&q)) {
        const char *id = query_get_text(&q, 0), *reason = query_get_text(&q, 1);
        ret->released[ret->released_count++] = (struct released){ id, reason };
    }
    return query_done(&q, err);
}

int sql_recover(struct sql *s, uint64_t now_ms, struct recovered_list *ret, struct error *err)
{
    struct dead found[BATCH];
    uint32_t count = 0;
    sql_begin_call(s);
    ret->count = ret->released_count = 0;
    int e = find_dead(s, now_ms, false, found, &count, err); /* fast path: no owner is dead, and nothing is locked */
    if (e == 0 && count) {
        e = transaction_begin(s, err);
        if (e == 0) {
            e = transaction_lock(s, SQL_LOCK_ALL, "", err); /* two that look would both tell of it */
            if (e == 0)
                e = take_over_some(s, now_ms, false, &count, err);
            e = transaction_end(s, e, err);
        }
    }
    if (e == 0)
        e = list_ours(s, ret, err);
    return e < 0 ? e : list_released(s, ret, err);
}

int run_told(struct sql *s, const char *execution_id, struct error *err)
{
    struct query q = query_start(s, "UPDATE runs SET state = 1 WHERE execution_id = ? AND state = 2");
    query_text(&q, execution_id);
    (void)query_row(&q);
    return query_done(&q, err);
}

static int agent_told(struct sql *s, const char *agent_id, struct error *err)
{
    struct query q = query_start(s, "UPDATE agents SET notice = '' WHERE id = ?");
    query_text(&q, agent_id);
    (void)query_row(&q);
    return query_done(&q, err);
}

int sql_audited(struct sql *s, const char *execution_id, struct error *err)
{
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    e = str_starts(execution_id, STORE_AUDITED_AGENT) ? agent_told(s, execution_id + strlen(STORE_AUDITED_AGENT), err)
                                                      : run_told(s, execution_id, err);
    return transaction_end(s, e, err);
}

int sql_prune(struct sql *s, uint64_t before_ms, uint64_t *ret_removed, struct error *err)
{
    /* the newest point of an agent stays: it is where its history stands */
    static const char *const sweeps[] = {
        "DELETE FROM runs WHERE number IN (SELECT number FROM runs WHERE started_ms < ?1 AND state = 1 AND ended_ms < "
        "?1 LIMIT 1000)",
        "DELETE FROM violations WHERE rowid IN (SELECT rowid FROM violations WHERE at_ms < ?1 - is_security * "
        "63072000000 LIMIT 1000)",
        "DELETE FROM points WHERE at_ms < ?1 AND at_ms < (SELECT max(at_ms) FROM points p WHERE p.agent = "
        "points.agent)",
        "DELETE FROM known WHERE at_ms < ?1 - 63072000000",   /* two years, in ms */
        "DELETE FROM meter WHERE hour < ?1 / 3600000 - 9600", /* 400 days, in hours */
        "DELETE FROM refusals WHERE at_ms < ?1",
        "DELETE FROM nonces WHERE at_ms < ?1",
        "DELETE FROM once WHERE until_ms < ?1",
    };
    uint64_t removed = 0;
    int e = 0;
    sql_begin_call(s);
    for (size_t i = 0; i < ARRAY_LEN(sweeps) && e == 0; i++) {
        uint64_t changes = 0;
        do { /* in small pieces: others want to book meanwhile */
            e = transaction_begin(s, err);
            if (e < 0)
                break;
            e = RUN(s, err, sweeps[i], before_ms);
            changes = sql_changes(s);
            e = transaction_end(s, e, err);
            removed += e == 0 ? changes : 0;
        } while (e == 0 && changes >= 1000 && i < 2);
    }
    if (e == 0 && leases_are_used(s))
        e = leases_prune(s, before_ms, err);
    if (e == 0)
        *ret_removed = removed;
    return e;
}

int sql_once(struct sql *s, const char *key, uint64_t now_ms, uint64_t window_ms, bool *ret_taken, struct error *err)
{
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    struct query q = query_start(s, "INSERT INTO once(key, until_ms) VALUES(?1, ?2) ON CONFLICT(key) DO UPDATE "
                                    "SET until_ms = excluded.until_ms WHERE once.until_ms <= ?3");
    query_text(&q, key);
    query_u64(&q, now_ms + window_ms);
    query_u64(&q, now_ms);
    (void)query_row(&q);
    e = query_done(&q, err);
    bool taken = e == 0 && sql_changes(s) > 0;
    e = transaction_end(s, e, err);
    if (e == 0)
        *ret_taken = taken;
    return e;
}
