/* runs.c - a run's way through the store: reserved, settled; or refused before that. */
#include "sql/sql.h"

/* --- reserve -------------------------------------------------------------------------------------- */

static struct query ask_nonce(struct sql *s, uint64_t agent, const char *nonce)
{
    struct query q = query_start(s, "SELECT 1 FROM nonces WHERE agent = ? AND nonce = ?");
    query_u64(&q, agent);
    query_text(&q, nonce); /* NULL: there is no such row */
    return q;
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

/* Booked runs, and those that are leased. */
struct counted {
    struct limit_counts runs, leased;
};

static struct limit_verdict judge_counts(const struct reserve *r, const struct counted *c)
{
    const struct limit_counts all = windows_sum(&c->runs, &c->leased);
    return limits_check(&r->limits, &all, r->now_ms);
}

static bool is_full_of_dead(const struct reserve *r, const struct counted *c)
{
    return r->limits.global_concurrent && c->runs.global_running >= r->limits.global_concurrent;
}

/* Whether something was leased that this limit counts. */
static bool is_full_of_leases(const struct limit_verdict *v, const struct counted *c, bool *ret_of_all)
{
    const struct limit_counts *n = &c->leased;
    *ret_of_all = v->limit == LIMIT_CONCURRENT || v->limit == LIMIT_GLOBAL_HOUR;
    return (v->limit == LIMIT_CONCURRENT && n->global_running) || (v->limit == LIMIT_GLOBAL_HOUR && n->global_hour) ||
           (v->limit == LIMIT_RUNS_HOUR && n->runs_hour) || (v->limit == LIMIT_RUNS_DAY && n->runs_day) ||
           (v->limit == LIMIT_JOBS_HOUR && n->jobs_hour);
}

/* Counts; when only the dead seem to fill the machine, settles them, and takes leased runs back; then counts again. */
static int check_limits(struct sql *s, struct windows *w, const struct agent_row *row, const struct reserve *r,
                        struct counted *c, struct limit_verdict *ret, struct error *err)
{
    bool of_all = false;
    int e = windows_read(w, &c->runs, &c->leased, err);
    if (e == 0 && is_full_of_dead(r, c)) {
        e = recover_running(s, r->now_ms, err);
        if (e == 0)
            e = windows_count(s, row->number, r, &c->runs, &c->leased, err);
    }
    if (e < 0)
        return e;
    *ret = judge_counts(r, c);
    if (w->is_unknown || (ret->limit && w->is_above_count)) { /* no run is refused for what was not counted */
        e = windows_count(s, row->number, r, &c->runs, &c->leased, err);
        if (e == 0)
            *ret = judge_counts(r, c);
    }
    for (int i = 0; i < 2 && e == 0 && is_full_of_leases(ret, c, &of_all); i++) { /* of the agent, then of all */
        e = leases_reclaim(s, row->number, of_all, err);
        if (e == 0)
            e = windows_count(s, row->number, r, &c->runs, &c->leased, err);
        if (e == 0)
            *ret = judge_counts(r, c);
    }
    return e;
}

/* The agent's row first: the transaction has its number before it takes one for the run (tallies.c). */
static int book(struct sql *s, struct agent_row *row, const struct reserve *r, struct error *err)
{
    int e = RUN(s, err,
                "UPDATE agents SET runs = runs + 1, last_run_ms = CASE WHEN last_run_ms > ?2 THEN last_run_ms "
                "ELSE ?2 END, level = ?3 WHERE number = ?1",
                row->number, r->now_ms, r->level_held);
    if (e < 0)
        return e;
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
    query_owner(&q, r->owner_pid, r->owner_start);
    query_text(&q, r->shape ? r->shape : "");
    query_text(&q, r->tree ? r->tree : "");
    query_u64(&q, r->size);
    query_u64(&q, row->agent.trust);
    query_text(&q, r->key_id ? r->key_id : "");
    (void)query_row(&q);
    return query_done(&q, err);
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

/* All that a reservation asks of an agent's past and of others', sent together. */
struct questions {
    struct query code, tree, nonce, keys;
    struct windows windows;
    struct known bad_code, bad_tree;
    bool is_replay, asks_keys, has_other_keys;
};

static void ask(struct sql *s, const struct agent_row *row, const struct reserve *r, struct questions *q,
                struct error *err)
{
    q->code = known_ask(s, KNOWN_CODE, r->code_hash, row->number);
    query_send(&q->code);
    q->tree = known_ask(s, KNOWN_TREE, r->level != RISK_HIGH && !r->is_shape_known ? r->tree : "", row->number);
    query_send(&q->tree);
    q->nonce = ask_nonce(s, row->number, r->nonce);
    query_send(&q->nonce);
    q->asks_keys = r->keys_seen && s->driver->tell_keys;
    if (q->asks_keys) {
        q->keys = query_start(s, "SELECT keys + 1 FROM changes");
        query_send(&q->keys);
    }
    windows_send(&q->windows, s, row->number, r, err);
}

static int read_keys(struct questions *q, const struct reserve *r, int e, struct error *err)
{
    if (!q->asks_keys)
        return e;
    q->has_other_keys = !query_row(&q->keys) || query_get_u64(&q->keys, 0) != r->keys_seen;
    int keys = query_done(&q->keys, e == 0 ? err : NULL);
    return e < 0 ? e : keys;
}

static int read_others(struct questions *q, const struct reserve *r, struct error *err)
{
    int code = known_read(&q->code, &q->bad_code, err);
    int tree = known_read(&q->tree, &q->bad_tree, code == 0 ? err : NULL);
    q->is_replay = query_row(&q->nonce);
    int nonce = query_done(&q->nonce, code == 0 && tree == 0 ? err : NULL);
    return read_keys(q, r, code < 0 ? code : tree < 0 ? tree : nonce, err);
}

/* Before the limits. Standing comes first, whatever others did. */
static void judge_others(const struct agent_row *row, const struct reserve *r, const struct questions *q,
                         struct reserve_reply *ret)
{
    if (row->agent.standing != STANDING_GOOD)
        ret->outcome = RESERVE_STANDING;
    else if (q->has_other_keys)
        ret->outcome = RESERVE_KEYS;
    else if (q->bad_code.agent_id)
        tell_known(&q->bad_code, RESERVE_KNOWN_BAD, ret);
    else if (q->is_replay)
        ret->outcome = RESERVE_REPLAY;
    else if (q->bad_tree.agent_id)
        tell_known(&q->bad_tree, RESERVE_SHAPE, ret);
    else if (row->agent.trust != r->trust_seen)
        ret->outcome = RESERVE_RETRY;
}

/* The agent's row, made where it is new: or why it is not. */
static int judge_agent(struct sql *s, struct agent_row *row, const struct reserve *r, struct reserve_reply *ret,
                       struct error *err)
{
    struct known k = { 0 };
    int e = agent_find(s, r->agent_id, row, err);
    const bool is_new = e == 0 && !row->number;
    if (is_new && r->key_id && *r->key_id)
        e = transaction_lock(s, SQL_LOCK_KEY, r->key_id, err);
    if (e == 0 && is_new)
        e = check_new_agents(s, r, ret, err);
    if (e == 0 && ret->outcome == RESERVE_OK)
        e = agent_need(s, r->agent_id, r->key_id, r->initial_trust, r->now_ms, row, err);
    if (e == 0 && ret->outcome == RESERVE_OK && row->agent.standing == STANDING_GOOD && (is_new || r->is_nameless))
        e = check_family(s, row, is_new, r, &k, err);
    if (e == 0 && k.agent_id)
        tell_known(&k, RESERVE_FAMILY, ret);
    return e;
}

/* A run that is booked: in the agent's row as it is told, and how full its limits are. */
static void tell_booked(struct agent_row *row, const struct reserve *r, const struct limit_counts *n,
                        struct reserve_reply *ret)
{
    enum limit_name nearest;
    row->agent.runs++;
    row->agent.last_run_ms = MAX_OF(row->agent.last_run_ms, r->now_ms);
    ret->nearest_share = limits_share(&r->limits, n, &nearest);
    ret->nearest_limit = nearest == LIMIT_NONE ? NULL : limit_names[nearest];
}

/* *ret_is_durable: its commit has to wait for the disk. */
static int judge_reserve(struct sql *s, struct agent_row *row, const struct reserve *r, struct reserve_reply *ret,
                         bool *ret_is_durable, struct error *err)
{
    struct counted c = { 0 };
    struct questions q = { 0 };
    int e = judge_agent(s, row, r, ret, err);
    if (e < 0 || ret->outcome != RESERVE_OK)
        return e;
    e = lease_give_back(s, r, err);
    if (e < 0)
        return e;
    ask(s, row, r, &q, err);
    e = read_others(&q, r, err);
    if (e == 0)
        judge_others(row, r, &q, ret);
    if (e < 0 || ret->outcome != RESERVE_OK) {
        (void)windows_read(&q.windows, &c.runs, NULL, NULL);
        return e;
    }
    e = check_limits(s, &q.windows, row, r, &c, &ret->limit, err);
    if (e < 0 || ret->limit.limit) {
        ret->outcome = RESERVE_LIMIT;
        return e;
    }
    c.runs.runs_hour++;
    c.runs.runs_day++;
    for (unsigned i = 0; i < BUDGET_OWNERS; i++)
        c.runs.used[i].part[BUDGET_RUNS]++;
    c.runs.jobs_hour++;
    e = book(s, row, r, err);
    tell_booked(row, r, &c.runs, ret);
    if (e == 0 && r->nonce)
        e = take_nonce(s, row->number, r, err);
    return e < 0 ? e : lease_take(s, row->number, r, &c.runs, &c.leased, ret_is_durable, err);
}

int sql_counts(struct sql *s, const struct reserve *r, struct limit_counts *ret, struct error *err)
{
    struct agent_row row = { 0 };
    sql_begin_call(s);
    *ret = (struct limit_counts){ 0 };
    int e = agent_find(s, r->agent_id, &row, err);
    return e == 0 && row.number ? windows_count(s, row.number, r, ret, NULL, err) : e;
}

/* Under the locks of all that it counts. */
static int reserve_by_counting(struct sql *s, const struct reserve *r, struct agent_row *row, struct reserve_reply *ret,
                               struct error *err)
{
    bool is_durable = false;
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    sql_books(s, r, 0);
    e = transaction_lock(s, SQL_LOCK_AGENT, r->agent_id, err);
    if (e == 0)
        e = judge_reserve(s, row, r, ret, &is_durable, err);
    const bool is_booked = e == 0 && ret->outcome == RESERVE_OK;
    if (is_booked && r->accept)
        e = execution_begin(s, r, err);
    if (e == 0 && !is_booked)
        e = transaction_drop(s, err);
    else
        e = is_durable ? transaction_end_durable(s, e, err) : transaction_end(s, e, err);
    lease_end(s, r, is_booked && e == 0);
    ret->was_accepted = is_booked && e == 0 && r->accept;
    return e;
}

/* The answer of lease_book() to the run at place `at` of those that it was given. */
static void tell_leased(enum lease_outcome outcome, const struct agent_row *row, const struct limit_counts *n,
                        const struct reserve *r, uint32_t at, struct reserve_reply *ret)
{
    struct agent_row own = *row;
    struct limit_counts counts = *n;
    *ret = (struct reserve_reply){ 0 };
    if (outcome == LEASE_BOOKED) {
        own.agent.runs += at;
        counts.runs_hour += at;
        counts.runs_day += at;
        counts.jobs_hour += at;
        tell_booked(&own, r, &counts, ret);
        ret->was_accepted = r->accept;
    } else {
        ret->outcome = outcome == LEASE_KEYS                 ? RESERVE_KEYS
                       : own.agent.standing != STANDING_GOOD ? RESERVE_STANDING
                                                             : RESERVE_RETRY;
    }
    ret->agent = own.agent;
}

int sql_reserve(struct sql *s, const struct reserve *r, struct reserve_reply *ret, struct error *err)
{
    struct agent_row row = { 0 };
    struct reserve_reply reply = { 0 };
    struct limit_counts n = { 0 };
    sql_begin_call(s);
    int e = lease_book(s, &r, 1, &row, &n, err);
    if (e > 0) {
        tell_leased((enum lease_outcome)e, &row, &n, r, 0, &reply);
    } else if (e == 0) {
        e = reserve_by_counting(s, r, &row, &reply, err);
        reply.agent = row.agent;
    }
    if (e >= 0)
        *ret = reply;
    return MIN_OF(e, 0);
}

/* Those that the lease of the first one may have, itself among them. */
static uint32_t find_shared(struct sql *s, struct reserve_call *calls, uint32_t n,
                            struct reserve_call *ret[static STORE_SETTLE_MANY])
{
    const uint32_t most = MIN_OF(lease_left(s, calls->request), STORE_SETTLE_MANY);
    uint32_t count = 0;
    for (uint32_t i = 0; i < n && count < most; i++)
        if (!calls[i].is_done && (i == 0 || lease_is_shared(calls[0].request, calls[i].request)))
            ret[count++] = &calls[i];
    return count;
}

/* By one statement. What is not answered by it is left: to be asked for by itself. */
static void reserve_together(struct store *handle, struct reserve_call **calls, uint32_t n)
{
    const struct reserve *list[STORE_SETTLE_MANY];
    struct sql *s = handle->self;
    struct agent_row row = { 0 };
    struct limit_counts counts = { 0 };
    struct error err = { 0 };
    unsigned tries = 0;
    for (uint32_t i = 0; i < n; i++)
        list[i] = calls[i]->request;
    sql_begin_call(s);
    int e = lease_book(s, list, n, &row, &counts, &err);
    if (e == -EHOSTDOWN ||
        (e == -EBUSY &&
         !sql_tries_again(s, e, &tries))) { /* it may have been done, or the next one would wait as long */
        for (uint32_t i = 0; i < n; i++) {
            calls[i]->e = e;
            calls[i]->is_done = true;
            if (calls[i]->err)
                *calls[i]->err = err;
        }
        return;
    }
    for (uint32_t i = 0; i < n && e > 0; i++) {
        struct store own = *handle;
        own.arena = calls[i]->arena;
        tell_leased((enum lease_outcome)e, &row, &counts, list[i], i, calls[i]->ret);
        calls[i]->e = store_adopt(&own, LEDGER_RESERVE, calls[i]->ret, calls[i]->err);
        calls[i]->is_done = true;
    }
}

void sql_reserve_many(struct store *handle, struct reserve_call *calls, uint32_t n)
{
    struct reserve_call *shared[STORE_SETTLE_MANY];
    for (uint32_t i = 0; i < n; i++)
        calls[i].is_done = false;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t count = calls[i].is_done ? 0 : find_shared(handle->self, &calls[i], n - i, shared);
        if (count > 1)
            reserve_together(handle, shared, count);
        if (calls[i].is_done)
            continue;
        struct store own = *handle;
        own.arena = calls[i].arena;
        calls[i].e = sql_call(&own, LEDGER_RESERVE, calls[i].request, calls[i].ret, calls[i].err);
        calls[i].is_done = true;
    }
}

/* --- settle --------------------------------------------------------------------------------------- */

/* What settling asks: first, all together; with the commit, what only the reply needs. */
struct settling {
    struct query run, agent;
    struct baseline_asked habits;
    struct query failures, volume, refusals;
    bool has_failures, has_volume, has_refusals;
};

void open_run_read(struct query *q, int first_column, struct open_run *ret)
{
    uint64_t n[5];
    for (int i = 0; i < 5; i++)
        n[i] = query_get_u64(q, first_column + i);
    *ret = (struct open_run){
        .number = n[0], .agent = n[1], .started_ms = n[2], .level = (uint8_t)n[3], .size = (uint32_t)n[4]
    };
    const char **const texts[] = { &ret->code_hash, &ret->shape, &ret->tree, &ret->key_id };
    for (int i = 0; i < 4; i++) {
        *texts[i] = query_get_text(q, first_column + 5 + i);
        if (!*texts[i])
            *texts[i] = "";
    }
    for (int i = 0; i < 5; i++)
        n[i] = query_get_u64(q, first_column + 9 + i);
    ret->is_open = n[0] == 0;
    ret->was_taken_over = !ret->is_open && n[1] == RECOVERED;
    ret->gained_by_code = (uint32_t)MIN_OF(n[2], (uint64_t)UINT32_MAX);
    ret->gained_by_shape = (uint32_t)MIN_OF(n[3], (uint64_t)UINT32_MAX);
    ret->is_known_work = n[4] == 1;
}

void learner_read(struct query *q, struct learner *ret)
{
    *ret = (struct learner){ 0 };
    agent_read_row(q, &ret->row);
    ret->last_hour = query_get_u64(q, AGENT_COLUMN_COUNT);
    ret->learned = query_get_u64(q, AGENT_COLUMN_COUNT + 1);
    ret->gained_last_hour = (uint32_t)MIN_OF(query_get_u64(q, AGENT_COLUMN_COUNT + 2), (uint64_t)UINT32_MAX);
}

static void ask_run(struct sql *s, const struct settle *r, struct settling *q)
{
    q->run = query_start(s, "SELECT " OPEN_RUN_COLUMNS " FROM runs r" OPEN_RUN_SHAPE "WHERE r.execution_id = ?");
    query_text(&q->run, r->execution_id);
    query_send(&q->run);
    q->agent = query_start(s, "SELECT " LEARNER_COLUMNS
                              " FROM agents WHERE number = (SELECT agent FROM runs WHERE execution_id = ?1)");
    query_text(&q->agent, r->execution_id);
    query_u64(&q->agent, r->now_ms - MIN_OF(r->now_ms, LIMIT_HOUR_MS));
    query_send(&q->agent);
}

static int read_run(struct settling *q, struct open_run *ret, struct learner *ret_agent, struct error *err)
{
    if (query_row(&q->run))
        open_run_read(&q->run, 0, ret);
    if (query_row(&q->agent))
        learner_read(&q->agent, ret_agent);
    int run = query_done(&q->run, err), agent = query_done(&q->agent, run == 0 ? err : NULL);
    return run < 0 ? run : agent;
}

/* One sum; NULL and no row are 0. */
static int read_sum(struct query *q, int e, uint32_t *ret, struct error *err)
{
    *ret = query_row(q) ? (uint32_t)MIN_OF(query_get_u64(q, 0), (uint64_t)UINT32_MAX) : 0;
    int done = query_done(q, e == 0 ? err : NULL);
    return e == 0 ? done : e;
}

/* An agent may have any number of runs in the window: the newest say enough, and no settling takes long for them. */
#define NEWEST(level)                                                                         \
    "SELECT * FROM (SELECT event FROM runs WHERE state > 0 AND agent = ?1 AND level = " level \
    " AND ended_ms > ?2 ORDER BY ended_ms DESC LIMIT 100) of_" level

struct query run_ask_volume(struct sql *s, uint64_t agent, const struct settle *r)
{
    struct query q = query_start(s, "SELECT count(*) FROM (SELECT 1 FROM runs WHERE agent = ? AND level IN (0, 1, 2) "
                                    "AND started_ms > ? LIMIT ?) counted");
    query_u64(&q, agent);
    query_u64(&q, r->now_ms - MIN_OF(r->now_ms, r->volume_window_ms));
    query_u64(&q, r->volume_enough ? r->volume_enough : INT64_MAX);
    return q;
}

/* Runs of all levels: for alerts. */
static void ask_counts(struct sql *s, uint64_t agent, const struct settle *r, bool has_failed, struct settling *q)
{
    q->has_failures = r->failure_window_ms && has_failed;
    q->has_volume = r->volume_window_ms;
    q->has_refusals = r->refusal_window_ms;
    if (q->has_failures) {
        q->failures = query_start(s, "SELECT count(*), count(CASE WHEN event BETWEEN 2 AND 5 THEN 1 END) FROM (" NEWEST(
                                         "0") " UNION ALL " NEWEST("1") " UNION ALL " NEWEST("2") ") newest");
        query_u64(&q->failures, agent);
        query_u64(&q->failures, r->now_ms - MIN_OF(r->now_ms, r->failure_window_ms));
        query_send(&q->failures);
    }
    if (q->has_volume) {
        q->volume = run_ask_volume(s, agent, r);
        query_send(&q->volume);
    }
    if (q->has_refusals) {
        q->refusals = refusals_ask(s, agent, r->refusal_window_ms, r->now_ms);
        query_send(&q->refusals);
    }
}
_Static_assert(TRUST_FAILURE == 2 && TRUST_VIOLATION == 3 && TRUST_ERROR == 4 && TRUST_ATTEMPT == 5 &&
                   TRUST_SUCCESS == 1 && TRUST_REFUSAL == 6,
               "event BETWEEN 2 AND 5 counts failures");

static int read_counts(struct settling *q, int e, struct settle_reply *ret, struct error *err)
{
    if (q->has_failures) {
        if (query_row(&q->failures)) {
            ret->window_runs = (uint32_t)query_get_u64(&q->failures, 0);
            ret->window_failures = (uint32_t)query_get_u64(&q->failures, 1);
            ret->window_runs = ret->window_failures ? ret->window_runs : 0;
        }
        int done = query_done(&q->failures, e == 0 ? err : NULL);
        e = e == 0 ? done : e;
    }
    if (q->has_volume)
        e = read_sum(&q->volume, e, &ret->volume_runs, err);
    if (q->has_refusals)
        e = read_sum(&q->refusals, e, &ret->window_refusals, err);
    return e;
}

static int add_gain(struct sql *s, const struct open_run *run, uint32_t gain, struct error *err)
{
    struct query q = query_start(s,
                                 "INSERT INTO gains(agent, code_hash, gained) VALUES(?, ?, ?) "
                                 "ON CONFLICT(agent, code_hash) DO UPDATE SET gained = gains.gained + excluded.gained");
    query_u64(&q, run->agent);
    query_text(&q, run->code_hash);
    query_u64(&q, gain);
    (void)query_row(&q);
    return query_done(&q, err);
}

static int add_shape(struct sql *s, const struct open_run *run, uint32_t gain, bool is_work, struct error *err)
{
    struct query q = query_start(s, "INSERT INTO shapes(agent, shape, gained, is_work) VALUES(?, ?, ?, ?) "
                                    "ON CONFLICT(agent, shape) DO UPDATE SET gained = shapes.gained + excluded.gained, "
                                    "is_work = CASE WHEN shapes.is_work = 1 THEN 1 ELSE excluded.is_work END");
    query_u64(&q, run->agent);
    query_text(&q, run->shape);
    query_u64(&q, gain);
    query_u64(&q, is_work);
    (void)query_row(&q);
    return query_done(&q, err);
}

void run_learn(struct learner *l, const struct settle *r, uint64_t started_ms, const struct trust_past *past,
               enum trust_event event, struct trust_step *ret_drift, struct trust_step *ret_step)
{
    struct agent *a = &l->row.agent;
    struct trust_state state = agent_trust_state(a, &r->trust);
    (void)trust_drift(&r->trust, &state, started_ms, ret_drift);
    state.score = ret_drift->score;
    state.debt = ret_drift->debt;
    *ret_step = trust_after(&r->trust, &state, past, event);
    a->start = state.start;
    a->trust = ret_step->score;
    a->trust_at_ms = r->now_ms;
    a->debt = ret_step->debt;
    l->gained_last_hour += ret_step->gain;
}

bool run_learn_work(struct learner *l, const struct settle *r, const struct open_run *run, enum trust_event event,
                    bool is_known_work)
{
    const uint64_t hour = r->now_ms / LIMIT_HOUR_MS;
    if (!r->keeps_trust || event != TRUST_SUCCESS || run->size < r->trust.work_size || !*run->shape ||
        r->has_bad_finding)
        return false;
    l->shapes += !is_known_work;
    l->hours += l->last_hour != hour;
    l->last_hour = hour;
    if (!l->row.agent.first_work_ms)
        l->row.agent.first_work_ms = r->now_ms;
    return true;
}

/* Into *l, not yet into its table. ret_gain: what the caps count of it. */
static int learn(struct sql *s, struct learner *l, const struct open_run *run, const struct settle *r,
                 enum trust_event event, struct settle_reply *ret, uint32_t *ret_gain, struct error *err)
{
    const struct trust_past past = { .has_bad_finding = r->has_bad_finding,
                                     .gained_last_hour = l->gained_last_hour,
                                     .gained_by_code = run->gained_by_code,
                                     .gained_by_shape = run->gained_by_shape };
    const uint32_t before = l->row.agent.trust;
    struct trust_step drift, step;
    ret->trust_before = ret->trust_after = before;
    if (!r->keeps_trust)
        return 0;
    run_learn(l, r, run->started_ms, &past, event, &drift, &step);
    ret->trust_before = drift.score;
    ret->trust_after = step.score;
    int e = agent_add_sums(s, run->agent, &drift, err);
    if (e == 0)
        e = agent_add_sums(s, run->agent, &step, err);
    if (e == 0 && step.score != before)
        e = agent_add_point(s, run->agent, step.score, r->now_ms, err);
    *ret_gain = step.gain;
    return e;
}

static int learn_work(struct sql *s, const struct open_run *run, uint32_t gain, bool is_work, struct error *err)
{
    int e = gain ? add_gain(s, run, gain, err) : 0;
    return e == 0 && *run->shape && (gain || (is_work && !run->is_known_work)) ? add_shape(s, run, gain, is_work, err)
                                                                               : e;
}

static int close_run(struct sql *s, const struct open_run *run, const struct settle *r, enum trust_event event,
                     const struct settle_reply *reply, uint32_t gain, struct error *err)
{
    return RUN(s, err,
               "UPDATE runs SET state = ?2, ended_ms = ?3, reason = ?4, event = ?5, cpu_ms = ?6, duration_ms = ?7, "
               "peak_memory = ?8, trust_before = ?9, trust_after = ?10, gain = ?11 WHERE number = ?1 AND state = 0",
               run->number, r->awaits_audit ? 2 : 1, r->now_ms, r->reason, event, settle_cpu_ms(r), r->duration_ms,
               r->peak_memory_bytes, reply->trust_before, reply->trust_after, gain);
}

/* All that a run's end changes in the agent's row, but for offences. */
static int write_agent(struct sql *s, const struct learner *l, const struct settle *r, enum trust_event event,
                       bool is_lesson, struct error *err)
{
    const struct agent *a = &l->row.agent;
    return RUN(s, err,
               "UPDATE agents SET successes = successes + ?2, failures = failures + ?3, errors = errors + ?4, "
               "cpu_ms = cpu_ms + ?5, trust = ?6, trust_at_ms = ?7, debt = ?8, start = ?9, shapes = shapes + ?10, "
               "hours = hours + ?11, last_hour = ?12, first_work_ms = ?13, learned = learned + ?14 WHERE number = ?1",
               l->row.number, event == TRUST_SUCCESS, run_is_failure(event), event == TRUST_ERROR, settle_cpu_ms(r),
               a->trust, a->trust_at_ms, a->debt, a->start, l->shapes, l->hours, l->last_hour, a->first_work_ms,
               is_lesson);
}

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

static int settle_run(struct sql *s, struct settling *q, struct learner *l, const struct open_run *run,
                      const struct settle *r, struct settle_reply *ret, struct error *err)
{
    struct agent_row *row = &l->row;
    struct found found;
    uint32_t gain = 0;
    int e = lease_charge(s, row->number, run->level, settle_cpu_ms(r), err);
    if (e == 0)
        e = violations_add(s, row, r->execution_id, r->violations, r->violation_count, r->now_ms, &found, err);
    if (e < 0)
        return e;
    found.marks.was_stopped = r->was_stopped;
    const enum trust_event event = trust_event_of(&r->trust, (enum run_reason)r->reason, &found.marks);
    const bool is_good = event == TRUST_SUCCESS && !r->violation_count && !r->has_bad_finding;
    ret->standing_before = row->agent.standing;
    e = learn(s, l, run, r, event, ret, &gain, err);
    const bool is_work = run_learn_work(l, r, run, event, run->is_known_work);
    if (e == 0)
        e = write_agent(s, l, r, event, is_good && q->habits.is_asked, err);
    if (e == 0)
        e = learn_work(s, run, gain, is_work, err);
    if (e == 0)
        e = close_run(s, run, r, event, ret, gain, err);
    if (e == 0)
        e = violations_judge(s, row, &r->standing, &found, r->now_ms, err);
    if (e == 0)
        e = remember_code(s, row, run, r, &found, err);
    if (e == 0 && found.marks.has_refusal)
        e = refusals_add(s, row->number, r->now_ms, err);
    if (e == 0)
        e = baseline_settle(&q->habits, s, row->number, l->learned, r, is_good, &ret->first_times, err);
    if (e == 0)
        e = meter_add(s, row->number, run->key_id, r->now_ms, r->has_uncounted, &r->use, err);
    if (e == 0)
        ask_counts(s, row->number, r, row->agent.failures || run_is_failure(event), q);
    ret->was_settled = true;
    reply_standing(row, ret);
    return e;
}

/* Its owner was held for dead, but lives. The run's end stays as it was told; what it did counts once. */
static int settle_late(struct sql *s, struct agent_row *row, const struct open_run *run, const struct settle *r,
                       struct settle_reply *ret, struct error *err)
{
    struct found found;
    int e = violations_add(s, row, r->execution_id, r->violations, r->violation_count, r->now_ms, &found, err);
    if (e < 0)
        return e;
    ret->trust_before = ret->trust_after = row->agent.trust;
    ret->standing_before = row->agent.standing;
    e = RUN(s, err, "UPDATE runs SET is_recovered = ?2 WHERE number = ?1", run->number, RECOVERED_LATE);
    if (e == 0)
        e = violations_judge(s, row, &r->standing, &found, r->now_ms, err);
    if (e == 0)
        e = remember_code(s, row, run, r, &found, err);
    reply_standing(row, ret);
    return e;
}

/* Nothing to settle: how things are. */
static int reply_as_is(const struct agent_row *row, struct settle_reply *ret)
{
    ret->trust_before = ret->trust_after = row->agent.trust;
    ret->standing_before = row->agent.standing;
    reply_standing(row, ret);
    return 0;
}

/* A change of standing must survive a power cut: it is what keeps an agent out. */
static int finish(struct sql *s, int e, const struct settle_reply *reply, struct error *err)
{
    return reply->standing_after != reply->standing_before ? transaction_end_durable(s, e, err)
                                                           : transaction_end(s, e, err);
}

static int settle(struct sql *s, struct settling *q, const struct settle *r, struct settle_reply *ret,
                  struct error *err)
{
    struct open_run run = { 0 };
    struct learner agent = { .row.agent.standing_reason = "" };
    ask_run(s, r, q);
    baseline_send(&q->habits, s, r);
    int e = read_run(q, &run, &agent, err);
    return e < 0                ? e
           : run.is_open        ? settle_run(s, q, &agent, &run, r, ret, err)
           : run.was_taken_over ? settle_late(s, &agent.row, &run, r, ret, err)
                                : reply_as_is(&agent.row, ret);
}

int sql_settle(struct sql *s, const struct settle *r, struct settle_reply *ret, struct error *err)
{
    struct settling q = { 0 };
    struct settle_reply reply = { 0 };
    sql_begin_call(s);
    int e = transaction_begin(s, err);
    if (e < 0)
        return e;
    e = transaction_lock(s, SQL_LOCK_RUN, r->execution_id, err);
    if (e == 0)
        e = transaction_lock_agent_of(s, r->execution_id, err);
    if (e == 0)
        e = settle(s, &q, r, &reply, err);
    e = finish(s, e, &reply, err);
    e = read_counts(&q, e, &reply, err);
    baseline_drop(&q.habits);
    if (e == 0)
        *ret = reply;
    return e;
}

/* --- refuse --------------------------------------------------------------------------------------- */

static int count_refusals(struct sql *s, uint64_t agent, const struct refusal *r, uint32_t *ret, struct error *err)
{
    struct query q = refusals_ask(s, agent, r->refusal_window_ms, r->now_ms);
    return read_sum(&q, 0, ret, err);
}

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
        e = count_refusals(s, row.number, r, &ret->window_refusals, err);
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
