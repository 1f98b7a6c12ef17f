/* runs.c - a run's way through the store: reserved, settled; or refused before that. */
#include "store/private.h"

/* --- reserve -------------------------------------------------------------------------------------- */

static int was_seen(struct store *s, uint64_t agent, const char *nonce, bool *ret, struct error *err)
{
    struct query q = query_start(s, "SELECT 1 FROM nonces WHERE agent = ? AND nonce = ?");
    query_u64(&q, agent);
    query_text(&q, nonce);
    *ret = query_row(&q);
    return query_done(&q, err);
}

static int take_nonce(struct store *s, uint64_t agent, const struct reserve *r, struct error *err)
{
    uint64_t old = r->now_ms - MIN_OF(r->now_ms, STORE_NONCE_KEPT_MS);
    int e = RUN(s, err, "DELETE FROM nonces WHERE at_ms < ?", old);
    if (e < 0)
        return e;
    struct query q = query_start(s, "INSERT INTO nonces(agent, nonce, at_ms) VALUES(?, ?, ?)");
    query_u64(&q, agent);
    query_text(&q, r->nonce);
    query_u64(&q, r->now_ms);
    (void)query_row(&q);
    return query_done(&q, err);
}

/* Counts; when only the dead seem to fill the machine, settles them and counts again. */
static int check_limits(struct store *s, const struct agent_row *row, const struct reserve *r, struct limit_counts *n,
                        struct limit_verdict *ret, struct error *err)
{
    int e = windows_count(s, row->number, r->level, &r->limits, r->now_ms, n, err);
    if (e < 0)
        return e;
    *ret = limits_check(&r->limits, n, r->now_ms);
    if (!r->limits.global_concurrent || n->global_running < r->limits.global_concurrent)
        return 0;
    e = recover_running(s, r->now_ms, err);
    if (e == 0)
        e = windows_count(s, row->number, r->level, &r->limits, r->now_ms, n, err);
    if (e == 0)
        *ret = limits_check(&r->limits, n, r->now_ms);
    return e;
}

static int book(struct store *s, struct agent_row *row, const struct reserve *r, struct error *err)
{
    struct query q = query_start(
        s, "INSERT INTO runs(execution_id, agent, level, language, code_hash, started_ms, owner_pid, "
           "owner_start, owner_place, trust_before, trust_after) "
           "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?11, ?11)");
    query_text(&q, r->execution_id);
    query_u64(&q, row->number);
    query_u64(&q, r->level);
    query_text(&q, r->language);
    query_text(&q, r->code_hash);
    query_u64(&q, r->now_ms);
    query_u64(&q, r->owner_pid);
    query_u64(&q, r->owner_start);
    query_text(&q, s->place);
    q.next = 11;
    query_u64(&q, row->agent.trust);
    (void)query_row(&q);
    int e = query_done(&q, err);
    row->agent.runs++;
    row->agent.last_run_ms = MAX_OF(row->agent.last_run_ms, r->now_ms);
    return e < 0
               ? e
               : RUN(s, err, "UPDATE agents SET runs = runs + 1, last_run_ms = max(last_run_ms, ?2) WHERE number = ?1",
                     row->number, r->now_ms);
}

static int judge_reserve(struct store *s, struct agent_row *row, const struct reserve *r, struct reserve_reply *ret,
                         struct error *err)
{
    bool is_replay = false;
    struct limit_counts n;
    int e = agent_need(s, r->agent_id, r->initial_trust, r->now_ms, row, err);
    if (e == 0 && r->nonce)
        e = was_seen(s, row->number, r->nonce, &is_replay, err);
    if (e < 0)
        return e;
    ret->outcome = row->agent.standing != STANDING_GOOD ? RESERVE_STANDING
                   : is_replay                          ? RESERVE_REPLAY
                   : row->agent.trust != r->trust_seen  ? RESERVE_RETRY
                                                        : RESERVE_OK;
    if (ret->outcome != RESERVE_OK)
        return 0;
    e = check_limits(s, row, r, &n, &ret->limit, err);
    if (e < 0 || ret->limit.limit) {
        ret->outcome = RESERVE_LIMIT;
        return e;
    }
    n.runs_hour++;
    n.runs_day++;
    enum limit_name nearest;
    ret->nearest_share = limits_share(&r->limits, &n, &nearest);
    ret->nearest_limit = nearest == LIMIT_NONE ? NULL : limit_names[nearest];
    e = book(s, row, r, err);
    return e == 0 && r->nonce ? take_nonce(s, row->number, r, err) : e;
}

int store_reserve(struct store *s, const struct reserve *r, struct reserve_reply *ret, struct error *err)
{
    struct agent_row row = { 0 };
    struct reserve_reply reply = { 0 };
    store_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    e = judge_reserve(s, &row, r, &reply, err);
    if (e == 0 && reply.outcome != RESERVE_OK)
        e = transaction_drop(s, err);
    else
        e = transaction_end(s, e, err);
    reply.agent = row.agent;
    if (e == 0)
        *ret = reply;
    return e;
}

/* --- settle --------------------------------------------------------------------------------------- */

/* What the store knows of a run that is to be settled. number 0: there is none. */
struct open_run {
    uint64_t number, started_ms;
    uint8_t level;
    const char *agent_id, *code_hash;
};

static int find_open(struct store *s, const char *execution_id, struct open_run *ret, const char **ret_agent,
                     struct error *err)
{
    *ret = (struct open_run){ 0 };
    *ret_agent = NULL;
    struct query q = query_start(s, "SELECT r.number, r.started_ms, r.level, a.id, r.code_hash, r.state FROM runs r "
                                    "JOIN agents a ON a.number = r.agent WHERE r.execution_id = ?");
    query_text(&q, execution_id);
    if (query_row(&q)) {
        *ret_agent = query_get_text(&q, 3);
        if (query_get_u64(&q, 5) == 0)
            *ret = (struct open_run){ query_get_u64(&q, 0), query_get_u64(&q, 1), (uint8_t)query_get_u64(&q, 2),
                                      *ret_agent, query_get_text(&q, 4) };
    }
    return query_done(&q, err);
}

static int ask_gains(struct store *s, uint64_t agent, const char *code_hash, uint64_t now_ms, struct trust_past *ret,
                     struct error *err)
{
    struct query q = query_start(s, "SELECT sum(gain) FROM runs WHERE gain > 0 AND agent = ? AND ended_ms > ?");
    query_u64(&q, agent);
    query_u64(&q, now_ms - MIN_OF(now_ms, LIMIT_HOUR_MS));
    ret->gained_last_hour = query_row(&q) ? (uint32_t)MIN_OF(query_get_u64(&q, 0), (uint64_t)UINT32_MAX) : 0;
    int e = query_done(&q, err);
    if (e < 0)
        return e;
    q = query_start(s, "SELECT gained FROM gains WHERE agent = ? AND code_hash = ?");
    query_u64(&q, agent);
    query_text(&q, code_hash);
    ret->gained_by_code = query_row(&q) ? (uint32_t)MIN_OF(query_get_u64(&q, 0), (uint64_t)UINT32_MAX) : 0;
    return query_done(&q, err);
}

static int add_gain(struct store *s, uint64_t agent, const char *code_hash, uint32_t gain, struct error *err)
{
    if (!gain)
        return 0;
    struct query q = query_start(s, "INSERT INTO gains(agent, code_hash, gained) VALUES(?, ?, ?) "
                                    "ON CONFLICT(agent, code_hash) DO UPDATE SET gained = gained + excluded.gained");
    query_u64(&q, agent);
    query_text(&q, code_hash);
    query_u64(&q, gain);
    (void)query_row(&q);
    return query_done(&q, err);
}

/* Drift for the silence before the run, then what its end means. */
static int learn(struct store *s, struct agent_row *row, const struct open_run *run, const struct settle *r,
                 enum trust_event event, struct settle_reply *ret, struct error *err)
{
    struct trust_past past = { 0 };
    ret->trust_before = ret->trust_after = row->agent.trust;
    if (!r->keeps_trust)
        return 0;
    past.score = ret->trust_before = trust_drift(&r->trust, row->agent.trust, row->agent.trust_at_ms, run->started_ms);
    int e = event == TRUST_SUCCESS ? ask_gains(s, row->number, run->code_hash, r->now_ms, &past, err) : 0;
    if (e < 0)
        return e;
    ret->trust_after = trust_after(&r->trust, &past, event);
    e = agent_set_trust(s, row, ret->trust_after, r->now_ms, err);
    if (e == 0 && ret->trust_after > ret->trust_before)
        e = add_gain(s, row->number, run->code_hash, ret->trust_after - ret->trust_before, err);
    return e;
}

static int close_run(struct store *s, const struct open_run *run, const struct settle *r, enum trust_event event,
                     const struct settle_reply *reply, struct error *err)
{
    uint32_t gain = reply->trust_after > reply->trust_before ? reply->trust_after - reply->trust_before : 0;
    return RUN(s, err,
               "UPDATE runs SET state = ?2, ended_ms = ?3, reason = ?4, event = ?5, cpu_ms = ?6, duration_ms = ?7, "
               "peak_memory = ?8, trust_before = ?9, trust_after = ?10, gain = ?11 WHERE number = ?1",
               run->number, r->awaits_audit ? 2 : 1, r->now_ms, r->reason, event, r->cpu_ms, r->duration_ms,
               r->peak_memory_bytes, reply->trust_before, reply->trust_after, gain);
}

static int count_outcome(struct store *s, struct agent_row *row, const struct settle *r, enum trust_event event,
                         uint32_t security, struct error *err)
{
    return RUN(s, err,
               "UPDATE agents SET successes = successes + ?2, failures = failures + ?3, violations = violations + ?4, "
               "cpu_ms = cpu_ms + ?5 WHERE number = ?1",
               row->number, event == TRUST_SUCCESS, event == TRUST_FAILURE || event == TRUST_VIOLATION, security,
               r->cpu_ms);
}

/* For alerts: over all levels. */
static int count_windows(struct store *s, uint64_t agent, const struct settle *r, struct settle_reply *ret,
                         struct error *err)
{
    int e = 0;
    if (r->failure_window_ms) {
        struct query q = query_start(s, "SELECT count(*), sum(event >= 2) FROM runs WHERE state > 0 AND agent = ? "
                                        "AND level IN (0, 1, 2) AND ended_ms > ?");
        query_u64(&q, agent);
        query_u64(&q, r->now_ms - MIN_OF(r->now_ms, r->failure_window_ms));
        if (query_row(&q)) {
            ret->window_runs = (uint32_t)query_get_u64(&q, 0);
            ret->window_failures = (uint32_t)query_get_u64(&q, 1);
        }
        e = query_done(&q, err);
    }
    if (e < 0 || !r->volume_window_ms)
        return e;
    struct query q = query_start(s,
                                 "SELECT count(*) FROM runs WHERE agent = ? AND level IN (0, 1, 2) AND started_ms > ?");
    query_u64(&q, agent);
    query_u64(&q, r->now_ms - MIN_OF(r->now_ms, r->volume_window_ms));
    ret->volume_runs = query_row(&q) ? (uint32_t)query_get_u64(&q, 0) : 0;
    return query_done(&q, err);
}
_Static_assert(TRUST_FAILURE == 2 && TRUST_VIOLATION == 3 && TRUST_SUCCESS == 1, "sum(event >= 2) counts failures");

static void reply_standing(const struct agent_row *row, struct settle_reply *ret)
{
    ret->standing_after = row->agent.standing;
    ret->standing_reason = row->agent.standing_reason;
}

static int settle_run(struct store *s, const struct open_run *run, const struct settle *r, struct settle_reply *ret,
                      struct error *err)
{
    struct agent_row row;
    uint32_t security = 0;
    uint8_t worst = SEVERITY_INFO;
    int e = agent_find(s, run->agent_id, &row, err);
    if (e == 0)
        e = violations_add(s, &row, r->execution_id, r->violations, r->violation_count, r->now_ms, &security, &worst,
                           err);
    if (e < 0)
        return e;
    enum trust_event event = trust_event_of((enum run_reason)r->reason, security > 0, r->was_stopped);
    ret->standing_before = row.agent.standing;
    e = learn(s, &row, run, r, event, ret, err);
    if (e == 0)
        e = close_run(s, run, r, event, ret, err);
    if (e == 0)
        e = count_outcome(s, &row, r, event, security, err);
    if (e == 0)
        e = violations_judge(s, &row, &r->standing, worst, r->now_ms, err);
    if (e == 0)
        e = count_windows(s, row.number, r, ret, err);
    ret->was_settled = true;
    reply_standing(&row, ret);
    return e;
}

/* Nothing to settle: how things are. */
static int reply_as_is(struct store *s, const char *agent_id, struct settle_reply *ret, struct error *err)
{
    struct agent_row row = { .agent = { .standing_reason = "" } };
    int e = agent_id ? agent_find(s, agent_id, &row, err) : 0;
    ret->trust_before = ret->trust_after = row.agent.trust;
    ret->standing_before = row.agent.standing;
    reply_standing(&row, ret);
    return e;
}

/* A change of standing must survive a power cut: it is what keeps an agent out. */
static int finish(struct store *s, int e, const struct settle_reply *reply, struct error *err)
{
    e = transaction_end(s, e, err);
    return e == 0 && reply->standing_after != reply->standing_before ? store_sync(s, err) : e;
}

int store_settle(struct store *s, const struct settle *r, struct settle_reply *ret, struct error *err)
{
    struct open_run run;
    struct settle_reply reply = { 0 };
    const char *agent_id;
    store_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    e = find_open(s, r->execution_id, &run, &agent_id, err);
    if (e == 0)
        e = run.number ? settle_run(s, &run, r, &reply, err) : reply_as_is(s, agent_id, &reply, err);
    e = finish(s, e, &reply, err);
    if (e == 0)
        *ret = reply;
    return e;
}

/* --- refuse --------------------------------------------------------------------------------------- */

static int refuse_run(struct store *s, const struct refusal *r, struct settle_reply *ret, struct error *err)
{
    struct agent_row row;
    uint32_t security = 0;
    uint8_t worst = SEVERITY_INFO;
    int e = agent_need(s, r->agent_id, r->initial_trust, r->now_ms, &row, err);
    if (e == 0)
        e = violations_add(s, &row, r->execution_id, r->violations, r->violation_count, r->now_ms, &security, &worst,
                           err);
    if (e < 0)
        return e;
    ret->standing_before = row.agent.standing;
    ret->trust_before = ret->trust_after = row.agent.trust;
    if (r->keeps_trust && security) {
        struct trust_past past = { .score = trust_drift(&r->trust, row.agent.trust, row.agent.trust_at_ms, r->now_ms) };
        ret->trust_before = past.score;
        ret->trust_after = trust_after(&r->trust, &past, trust_event_of(REASON_POLICY_DENIED, true, false));
        e = agent_set_trust(s, &row, ret->trust_after, r->now_ms, err);
    }
    if (e == 0)
        e = RUN(s, err, "UPDATE agents SET refusals = refusals + 1, violations = violations + ?2 WHERE number = ?1",
                row.number, security);
    if (e == 0)
        e = violations_judge(s, &row, &r->standing, worst, r->now_ms, err);
    ret->was_settled = true;
    reply_standing(&row, ret);
    return e;
}

int store_refuse(struct store *s, const struct refusal *r, struct settle_reply *ret, struct error *err)
{
    struct settle_reply reply = { 0 };
    store_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    e = finish(s, refuse_run(s, r, &reply, err), &reply, err);
    if (e == 0)
        *ret = reply;
    return e;
}
