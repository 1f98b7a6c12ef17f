/* runs.c - a run's way through the store: reserved, settled; or refused before that. */
#include "sql/sql.h"

/* --- reserve -------------------------------------------------------------------------------------- */

static int was_seen(struct sql *s, uint64_t agent, const char *nonce, bool *ret, struct error *err)
{
    struct query q = query_start(s, "SELECT 1 FROM nonces WHERE agent = ? AND nonce = ?");
    query_u64(&q, agent);
    query_text(&q, nonce);
    *ret = query_row(&q);
    return query_done(&q, err);
}

static int take_nonce(struct sql *s, uint64_t agent, const struct reserve *r, struct error *err)
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
static int check_limits(struct sql *s, const struct agent_row *row, const struct reserve *r, struct limit_counts *n,
                        struct limit_verdict *ret, struct error *err)
{
    int e = windows_count(s, row->number, r, n, err);
    if (e < 0)
        return e;
    *ret = limits_check(&r->limits, n, r->now_ms);
    if (!r->limits.global_concurrent || n->global_running < r->limits.global_concurrent)
        return 0;
    e = recover_running(s, r->now_ms, err);
    if (e == 0)
        e = windows_count(s, row->number, r, n, err);
    if (e == 0)
        *ret = limits_check(&r->limits, n, r->now_ms);
    return e;
}

static int book(struct sql *s, struct agent_row *row, const struct reserve *r, struct error *err)
{
    struct query q = query_start(
        s, "INSERT INTO runs(execution_id, agent, level, language, code_hash, started_ms, owner_pid, "
           "owner_start, owner_place, shape, tree, size, trust_before, trust_after, key_id) "
           "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?13, ?13, ?14)");
    query_text(&q, r->execution_id);
    query_u64(&q, row->number);
    query_u64(&q, r->level);
    query_text(&q, r->language);
    query_text(&q, r->code_hash);
    query_u64(&q, r->now_ms);
    query_u64(&q, r->owner_pid);
    query_u64(&q, r->owner_start);
    query_text(&q, s->place);
    query_text(&q, r->shape ? r->shape : "");
    query_text(&q, r->tree ? r->tree : "");
    query_u64(&q, r->size);
    query_u64(&q, row->agent.trust);
    query_text(&q, r->key_id ? r->key_id : "");
    (void)query_row(&q);
    int e = query_done(&q, err);
    if (e == 0)
        e = meter_add(s, row->number, r->key_id, r->now_ms, 1, 0, NULL, err);
    row->agent.runs++;
    row->agent.last_run_ms = MAX_OF(row->agent.last_run_ms, r->now_ms);
    return e < 0 ? e
                 : RUN(s, err,
                       "UPDATE agents SET runs = runs + 1, last_run_ms = CASE WHEN last_run_ms > ?2 THEN last_run_ms "
                       "ELSE ?2 END, level = ?3 WHERE number "
                       "= ?1",
                       row->number, r->now_ms, r->level_held);
}

/* Agents never seen before, of one key within an hour. */
static int check_new_agents(struct sql *s, const struct reserve *r, struct reserve_reply *ret, struct error *err)
{
    uint64_t count = 0, oldest_ms = 0;
    if (!r->key_id || !*r->key_id || !r->limits.new_agents_per_hour)
        return 0;
    struct query q = query_start(s, "SELECT count(*), min(first_seen_ms) FROM agents WHERE key_id = ? AND key_id <> '' "
                                    "AND first_seen_ms > ?");
    query_text(&q, r->key_id);
    query_u64(&q, r->now_ms - MIN_OF(r->now_ms, LIMIT_HOUR_MS));
    if (query_row(&q))
        count = query_get_u64(&q, 0), oldest_ms = query_get_u64(&q, 1);
    int e = query_done(&q, err);
    if (e == 0 && count >= r->limits.new_agents_per_hour) {
        const uint64_t free_ms = oldest_ms + LIMIT_HOUR_MS;
        ret->outcome = RESERVE_LIMIT;
        ret->limit = (struct limit_verdict){ LIMIT_NEW_AGENTS, r->limits.new_agents_per_hour, count,
                                             free_ms > r->now_ms ? free_ms - r->now_ms : 1 };
    }
    return e;
}

static void tell_known(const struct known *k, enum reserve_outcome outcome, struct reserve_reply *ret)
{
    ret->outcome = (uint8_t)outcome;
    ret->known_agent = k->agent_id;
    ret->known_type = k->type;
    ret->known_ms = k->at_ms;
}

/* A key's name is no way around what one of its agents did, and new names are none when many of them did. */
static int check_family(struct sql *s, const struct agent_row *row, bool is_new, const struct reserve *r,
                        struct known *ret, struct error *err)
{
    struct relatives family = { 0 };
    *ret = (struct known){ 0 };
    int e = agent_relatives(s, r->key_id, row->number, r->now_ms - MIN_OF(r->now_ms, r->family_memory_ms), &family,
                            err);
    const bool is_bad = is_new && r->family_limit && family.offenders >= r->family_limit &&
                        family.offenders * 10 >= family.all;
    if (is_bad || (r->is_nameless && family.bad))
        ret->agent_id = family.worst;
    return e;
}

/* Others' misdeeds: of the family, with this code, with a program of this shape. */
static int check_others(struct sql *s, const struct agent_row *row, bool is_new, const struct reserve *r,
                        struct reserve_reply *ret, struct error *err)
{
    struct known k = { 0 };
    int e = is_new || r->is_nameless ? check_family(s, row, is_new, r, &k, err) : 0;
    if (e == 0 && k.agent_id) {
        tell_known(&k, RESERVE_FAMILY, ret);
        return 0;
    }
    if (e == 0)
        e = known_find(s, KNOWN_CODE, r->code_hash, row->number, &k, err);
    if (e == 0 && k.agent_id) {
        tell_known(&k, RESERVE_KNOWN_BAD, ret);
        return 0;
    }
    if (e == 0 && r->level != RISK_HIGH && !r->is_shape_known)
        e = known_find(s, KNOWN_TREE, r->tree, row->number, &k, err);
    if (e == 0 && k.agent_id)
        tell_known(&k, RESERVE_SHAPE, ret);
    return e;
}

static int judge_reserve(struct sql *s, struct agent_row *row, const struct reserve *r, struct reserve_reply *ret,
                         struct error *err)
{
    bool is_replay = false;
    struct limit_counts n;
    int e = agent_find(s, r->agent_id, row, err);
    const bool is_new = e == 0 && !row->number;
    if (is_new && r->key_id && *r->key_id)
        e = transaction_lock(s, SQL_LOCK_KEY, r->key_id, err);
    if (e == 0 && is_new)
        e = check_new_agents(s, r, ret, err);
    if (e == 0 && ret->outcome == RESERVE_OK)
        e = agent_need(s, r->agent_id, r->key_id, r->initial_trust, r->now_ms, row, err);
    if (e == 0 && ret->outcome == RESERVE_OK && row->agent.standing == STANDING_GOOD)
        e = check_others(s, row, is_new, r, ret, err);
    if (e < 0 || ret->outcome == RESERVE_LIMIT || ret->outcome == RESERVE_FAMILY || ret->outcome == RESERVE_KNOWN_BAD)
        return e;
    const bool is_shape = ret->outcome == RESERVE_SHAPE;
    if (r->nonce)
        e = was_seen(s, row->number, r->nonce, &is_replay, err);
    if (e < 0)
        return e;
    ret->outcome = row->agent.standing != STANDING_GOOD ? RESERVE_STANDING
                   : is_replay                          ? RESERVE_REPLAY
                   : is_shape                           ? RESERVE_SHAPE
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
    for (unsigned i = 0; i < BUDGET_OWNERS; i++)
        n.used[i].part[BUDGET_RUNS]++;
    n.jobs_hour++;
    enum limit_name nearest;
    ret->nearest_share = limits_share(&r->limits, &n, &nearest);
    ret->nearest_limit = nearest == LIMIT_NONE ? NULL : limit_names[nearest];
    e = book(s, row, r, err);
    return e == 0 && r->nonce ? take_nonce(s, row->number, r, err) : e;
}

int sql_counts(struct sql *s, const struct reserve *r, struct limit_counts *ret, struct error *err)
{
    struct agent_row row = { 0 };
    sql_begin_call(s);
    *ret = (struct limit_counts){ 0 };
    int e = agent_find(s, r->agent_id, &row, err);
    return e == 0 && row.number ? windows_count(s, row.number, r, ret, err) : e;
}

int sql_reserve(struct sql *s, const struct reserve *r, struct reserve_reply *ret, struct error *err)
{
    struct agent_row row = { 0 };
    struct reserve_reply reply = { 0 };
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    e = transaction_lock(s, SQL_LOCK_AGENT, r->agent_id, err);
    if (e == 0)
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
    const char *agent_id, *code_hash, *shape, *tree;
    uint32_t size;
    const char *key_id;
    bool was_taken_over; /* as a dead owner's; what it did is not told yet */
};

static int find_open(struct sql *s, const char *execution_id, struct open_run *ret, const char **ret_agent,
                     struct error *err)
{
    *ret = (struct open_run){ 0 };
    *ret_agent = NULL;
    struct query q = query_start(s, "SELECT r.number, r.started_ms, r.level, a.id, r.code_hash, r.state, r.shape, "
                                    "r.tree, r.size, r.key_id, r.is_recovered FROM runs r "
                                    "JOIN agents a ON a.number = r.agent WHERE r.execution_id = ?");
    query_text(&q, execution_id);
    if (query_row(&q)) {
        *ret_agent = query_get_text(&q, 3);
        const bool is_open = query_get_u64(&q, 5) == 0, was_taken_over = !is_open && query_get_u64(&q, 10) == RECOVERED;
        if (is_open || was_taken_over)
            *ret = (struct open_run){ query_get_u64(&q, 0),          query_get_u64(&q, 1),
                                      (uint8_t)query_get_u64(&q, 2), *ret_agent,
                                      query_get_text(&q, 4),         query_get_text(&q, 6),
                                      query_get_text(&q, 7),         (uint32_t)query_get_u64(&q, 8),
                                      query_get_text(&q, 9),         was_taken_over };
    }
    return query_done(&q, err);
}

/* One sum; NULL and no row are 0. */
static int ask_sum(struct query *q, uint32_t *ret, struct error *err)
{
    *ret = query_row(q) ? (uint32_t)MIN_OF(query_get_u64(q, 0), (uint64_t)UINT32_MAX) : 0;
    return query_done(q, err);
}

static int ask_gains(struct sql *s, uint64_t agent, const struct open_run *run, uint64_t now_ms, struct trust_past *ret,
                     struct error *err)
{
    struct query q = query_start(s, "SELECT sum(gain) FROM runs WHERE gain > 0 AND agent = ? AND ended_ms > ?");
    query_u64(&q, agent);
    query_u64(&q, now_ms - MIN_OF(now_ms, LIMIT_HOUR_MS));
    int e = ask_sum(&q, &ret->gained_last_hour, err);
    if (e < 0)
        return e;
    q = query_start(s, "SELECT gained FROM gains WHERE agent = ? AND code_hash = ?");
    query_u64(&q, agent);
    query_text(&q, run->code_hash);
    e = ask_sum(&q, &ret->gained_by_code, err);
    if (e < 0 || !run->shape || !*run->shape)
        return e;
    q = query_start(s, "SELECT gained FROM shapes WHERE agent = ? AND shape = ?");
    query_u64(&q, agent);
    query_text(&q, run->shape);
    return ask_sum(&q, &ret->gained_by_shape, err);
}

static int add_gain(struct sql *s, uint64_t agent, const struct open_run *run, uint32_t gain, struct error *err)
{
    if (!gain)
        return 0;
    struct query q = query_start(s,
                                 "INSERT INTO gains(agent, code_hash, gained) VALUES(?, ?, ?) "
                                 "ON CONFLICT(agent, code_hash) DO UPDATE SET gained = gains.gained + excluded.gained");
    query_u64(&q, agent);
    query_text(&q, run->code_hash);
    query_u64(&q, gain);
    (void)query_row(&q);
    int e = query_done(&q, err);
    if (e < 0 || !run->shape || !*run->shape)
        return e;
    q = query_start(s, "INSERT INTO shapes(agent, shape, gained) VALUES(?, ?, ?) "
                       "ON CONFLICT(agent, shape) DO UPDATE SET gained = shapes.gained + excluded.gained");
    query_u64(&q, agent);
    query_text(&q, run->shape);
    query_u64(&q, gain);
    (void)query_row(&q);
    return query_done(&q, err);
}

/* Evidence for low: a shape of real work that is new for this agent, an hour in which there was none yet. */
static int add_evidence(struct sql *s, const struct agent_row *row, const struct open_run *run, const struct settle *r,
                        struct error *err)
{
    if (run->size < r->trust.work_size || !run->shape || !*run->shape || r->has_bad_finding)
        return 0;
    struct query q = query_start(s, "INSERT INTO shapes(agent, shape, is_work) VALUES(?, ?, 1) "
                                    "ON CONFLICT(agent, shape) DO UPDATE SET is_work = 1 WHERE shapes.is_work = 0");
    query_u64(&q, row->number);
    query_text(&q, run->shape);
    (void)query_row(&q);
    int e = query_done(&q, err);
    const uint64_t is_new = e == 0 && sql_changes(s) > 0;
    return e < 0 ? e
                 : RUN(s, err,
                       "UPDATE agents SET shapes = shapes + ?2, hours = hours + CASE WHEN last_hour <> ?3 THEN 1 ELSE "
                       "0 END, last_hour = ?3, "
                       "first_work_ms = CASE first_work_ms WHEN 0 THEN ?4 ELSE first_work_ms END WHERE number = ?1",
                       row->number, is_new, r->now_ms / LIMIT_HOUR_MS, r->now_ms);
}

/* Recovery and drift for the silence before the run, then what its end means. ret_gain: what the caps count of it. */
static int learn(struct sql *s, struct agent_row *row, const struct open_run *run, const struct settle *r,
                 enum trust_event event, struct settle_reply *ret, uint32_t *ret_gain, struct error *err)
{
    struct trust_past past = { .has_bad_finding = r->has_bad_finding };
    struct trust_step drift, step;
    ret->trust_before = ret->trust_after = row->agent.trust;
    if (!r->keeps_trust)
        return 0;
    struct trust_state state = agent_trust_state(&row->agent, &r->trust);
    ret->trust_before = trust_drift(&r->trust, &state, run->started_ms, &drift);
    int e = agent_apply(s, row, &drift, r->now_ms, err);
    if (e == 0 && !row->agent.start)
        e = RUN(s, err, "UPDATE agents SET start = ?2 WHERE number = ?1", row->number, state.start);
    if (e == 0 && event == TRUST_SUCCESS)
        e = ask_gains(s, row->number, run, r->now_ms, &past, err);
    if (e < 0)
        return e;
    state.score = drift.score;
    state.debt = drift.debt;
    step = trust_after(&r->trust, &state, &past, event);
    ret->trust_after = step.score;
    *ret_gain = step.gain;
    e = agent_apply(s, row, &step, r->now_ms, err);
    if (e == 0)
        e = add_gain(s, row->number, run, step.gain, err);
    return e == 0 && event == TRUST_SUCCESS ? add_evidence(s, row, run, r, err) : e;
}

static uint64_t cpu_ms_of(const struct settle *r)
{
    return (r->use.cpu_us + 999) / 1000;
}

static int close_run(struct sql *s, const struct open_run *run, const struct settle *r, enum trust_event event,
                     const struct settle_reply *reply, uint32_t gain, struct error *err)
{
    return RUN(s, err,
               "UPDATE runs SET state = ?2, ended_ms = ?3, reason = ?4, event = ?5, cpu_ms = ?6, duration_ms = ?7, "
               "peak_memory = ?8, trust_before = ?9, trust_after = ?10, gain = ?11 WHERE number = ?1 AND state = 0",
               run->number, r->awaits_audit ? 2 : 1, r->now_ms, r->reason, event, cpu_ms_of(r), r->duration_ms,
               r->peak_memory_bytes, reply->trust_before, reply->trust_after, gain);
}

static int count_outcome(struct sql *s, struct agent_row *row, const struct settle *r, enum trust_event event,
                         struct error *err)
{
    const bool is_failure = event == TRUST_FAILURE || event == TRUST_VIOLATION || event == TRUST_ATTEMPT ||
                            event == TRUST_ERROR;
    return RUN(s, err,
               "UPDATE agents SET successes = successes + ?2, failures = failures + ?3, errors = errors + ?4, "
               "cpu_ms = cpu_ms + ?5 WHERE number = ?1",
               row->number, event == TRUST_SUCCESS, is_failure, event == TRUST_ERROR, cpu_ms_of(r));
}

/* For alerts: over all levels. */
static int count_windows(struct sql *s, uint64_t agent, const struct settle *r, struct settle_reply *ret,
                         struct error *err)
{
    int e = 0;
    if (r->failure_window_ms) {
        struct query q = query_start(s, "SELECT count(*), count(CASE WHEN event BETWEEN 2 AND 5 THEN 1 END) FROM runs "
                                        "WHERE state > 0 AND agent = ? "
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
_Static_assert(TRUST_FAILURE == 2 && TRUST_VIOLATION == 3 && TRUST_ERROR == 4 && TRUST_ATTEMPT == 5 &&
                   TRUST_SUCCESS == 1 && TRUST_REFUSAL == 6,
               "event BETWEEN 2 AND 5 counts failures");

static void reply_standing(const struct agent_row *row, struct settle_reply *ret)
{
    ret->standing_after = row->agent.standing;
    ret->standing_reason = row->agent.standing_reason;
}

/* What did harm once is known from now on, for all agents. A program of a few constructs has the shape of many. */
static int remember_code(struct sql *s, const struct agent_row *row, const struct open_run *run, const struct settle *r,
                         const struct found *found, struct error *err)
{
    if (!found->offences)
        return 0;
    int e = known_add(s, KNOWN_CODE, run->code_hash, row->number, found->worst_type, r->now_ms, err);
    if (e == 0 && run->size >= r->trust.work_size)
        e = known_add(s, KNOWN_TREE, run->tree, row->number, found->worst_type, r->now_ms, err);
    return e;
}

static int settle_run(struct sql *s, const struct open_run *run, const struct settle *r, struct settle_reply *ret,
                      struct error *err)
{
    struct agent_row row;
    struct found found;
    uint32_t gain = 0;
    int e = agent_find(s, run->agent_id, &row, err);
    if (e == 0)
        e = violations_add(s, &row, r->execution_id, r->violations, r->violation_count, r->now_ms, &found, err);
    if (e < 0)
        return e;
    found.marks.was_stopped = r->was_stopped;
    enum trust_event event = trust_event_of(&r->trust, (enum run_reason)r->reason, &found.marks);
    ret->standing_before = row.agent.standing;
    e = learn(s, &row, run, r, event, ret, &gain, err);
    if (e == 0)
        e = close_run(s, run, r, event, ret, gain, err);
    if (e == 0)
        e = count_outcome(s, &row, r, event, err);
    if (e == 0)
        e = meter_add(s, row.number, run->key_id, r->now_ms, 0, r->has_uncounted, &r->use, err);
    if (e == 0)
        e = violations_judge(s, &row, &r->standing, &found, r->now_ms, err);
    if (e == 0)
        e = remember_code(s, &row, run, r, &found, err);
    if (e == 0 && found.marks.has_refusal)
        e = refusals_add(s, row.number, r->now_ms, err);
    if (e == 0)
        e = baseline_settle(s, row.number, r, event == TRUST_SUCCESS && !r->violation_count && !r->has_bad_finding,
                            &ret->first_times, err);
    if (e == 0)
        e = count_windows(s, row.number, r, ret, err);
    if (e == 0)
        e = refusals_count(s, row.number, r->refusal_window_ms, r->now_ms, &ret->window_refusals, err);
    ret->was_settled = true;
    reply_standing(&row, ret);
    return e;
}

/* Its owner was held for dead, but lives. The run's end stays as it was told; what it did counts once. */
static int settle_late(struct sql *s, const struct open_run *run, const struct settle *r, struct settle_reply *ret,
                       struct error *err)
{
    struct agent_row row;
    struct found found;
    int e = agent_find(s, run->agent_id, &row, err);
    if (e == 0)
        e = violations_add(s, &row, r->execution_id, r->violations, r->violation_count, r->now_ms, &found, err);
    if (e < 0)
        return e;
    ret->trust_before = ret->trust_after = row.agent.trust;
    ret->standing_before = row.agent.standing;
    e = RUN(s, err, "UPDATE runs SET is_recovered = ?2 WHERE number = ?1", run->number, RECOVERED_LATE);
    if (e == 0)
        e = violations_judge(s, &row, &r->standing, &found, r->now_ms, err);
    if (e == 0)
        e = remember_code(s, &row, run, r, &found, err);
    reply_standing(&row, ret);
    return e;
}

/* Nothing to settle: how things are. */
static int reply_as_is(struct sql *s, const char *agent_id, struct settle_reply *ret, struct error *err)
{
    struct agent_row row = { .agent = { .standing_reason = "" } };
    int e = agent_id ? agent_find(s, agent_id, &row, err) : 0;
    ret->trust_before = ret->trust_after = row.agent.trust;
    ret->standing_before = row.agent.standing;
    reply_standing(&row, ret);
    return e;
}

/* A change of standing must survive a power cut: it is what keeps an agent out. */
static int finish(struct sql *s, int e, const struct settle_reply *reply, struct error *err)
{
    return reply->standing_after != reply->standing_before ? transaction_end_durable(s, e, err)
                                                           : transaction_end(s, e, err);
}

int sql_settle(struct sql *s, const struct settle *r, struct settle_reply *ret, struct error *err)
{
    struct open_run run;
    struct settle_reply reply = { 0 };
    const char *agent_id;
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    e = transaction_lock(s, SQL_LOCK_RUN, r->execution_id, err);
    if (e == 0)
        e = find_open(s, r->execution_id, &run, &agent_id, err);
    if (e == 0 && run.number)
        e = transaction_lock(s, SQL_LOCK_AGENT, agent_id, err);
    if (e == 0)
        e = !run.number          ? reply_as_is(s, agent_id, &reply, err)
            : run.was_taken_over ? settle_late(s, &run, r, &reply, err)
                                 : settle_run(s, &run, r, &reply, err);
    e = finish(s, e, &reply, err);
    if (e == 0)
        *ret = reply;
    return e;
}

/* --- refuse --------------------------------------------------------------------------------------- */

static int refuse_run(struct sql *s, const struct refusal *r, struct settle_reply *ret, struct error *err)
{
    struct agent_row row;
    struct found found;
    struct trust_step drift, step;
    int e = agent_need(s, r->agent_id, r->key_id, r->initial_trust, r->now_ms, &row, err);
    if (e == 0)
        e = violations_add(s, &row, r->execution_id, r->violations, r->violation_count, r->now_ms, &found, err);
    if (e < 0)
        return e;
    struct trust_state state = agent_trust_state(&row.agent, &r->trust);
    ret->standing_before = row.agent.standing;
    ret->trust_before = ret->trust_after = row.agent.trust;
    if (r->keeps_trust && found.offences) {
        ret->trust_before = state.score = trust_drift(&r->trust, &state, r->now_ms, &drift);
        step = trust_after(&r->trust, &state, &(struct trust_past){ 0 },
                           trust_event_of(&r->trust, REASON_POLICY_DENIED, &found.marks));
        ret->trust_after = step.score;
        e = agent_apply(s, &row, &drift, r->now_ms, err);
        if (e == 0)
            e = agent_apply(s, &row, &step, r->now_ms, err);
    }
    if (e == 0)
        e = RUN(s, err, "UPDATE agents SET refusals = refusals + 1 WHERE number = ?1", row.number);
    if (e == 0 && (r->is_restriction || found.marks.has_refusal))
        e = refusals_add(s, row.number, r->now_ms, err);
    if (e == 0)
        e = violations_judge(s, &row, &r->standing, &found, r->now_ms, err);
    if (e == 0)
        e = refusals_count(s, row.number, r->refusal_window_ms, r->now_ms, &ret->window_refusals, err);
    ret->was_settled = true;
    reply_standing(&row, ret);
    return e;
}

int sql_refuse(struct sql *s, const struct refusal *r, struct settle_reply *ret, struct error *err)
{
    struct settle_reply reply = { 0 };
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    e = transaction_lock(s, SQL_LOCK_AGENT, r->agent_id, err);
    if (e == 0)
        e = refuse_run(s, r, &reply, err);
    e = finish(s, e, &reply, err);
    if (e == 0)
        *ret = reply;
    return e;
}
