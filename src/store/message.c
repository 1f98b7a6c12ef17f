#include "store/message.h"

#include <stdio.h>

bool agent_id_is_valid(const char *id)
{
    size_t n = strnlen(id, AGENT_ID_MAX + 1);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)id[i] < 0x20 || id[i] == 0x7F)
            return false;
    return n > 0 && n <= AGENT_ID_MAX;
}

/* --- tables --------------------------------------------------------------------------------------- */

#define TIME_MAX (UINT64_MAX >> 8) /* sums of times do not overflow */
#define MILLI    1000
#define U        FIELD_U
#define S        FIELD_S

static const struct field key_fields[] = { S(struct ledger_key, id), S(struct ledger_key, key_id),
                                           U(struct ledger_key, now_ms, TIME_MAX),
                                           U(struct ledger_key, window_ms, TIME_MAX) };
static const struct field number_fields[] = { U(struct ledger_number, value, UINT64_MAX) };
static const struct field failure_fields[] = { U(struct ledger_failure, code, 4095),
                                               U(struct ledger_failure, blame, BLAME_GUEST),
                                               S(struct ledger_failure, step), S(struct ledger_failure, text),
                                               S(struct ledger_failure, remedy) };

#define AGENT(T, m)                                                                                                    \
    S(T, m id), U(T, m is_known, 1), U(T, m trust, MILLI), U(T, m trust_at_ms, TIME_MAX),                              \
        U(T, m standing, STANDING_COUNT - 1), S(T, m standing_reason), S(T, m standing_by),                            \
        U(T, m standing_since_ms, TIME_MAX), U(T, m first_seen_ms, TIME_MAX), U(T, m last_run_ms, TIME_MAX),           \
        U(T, m runs, UINT64_MAX), U(T, m successes, UINT64_MAX), U(T, m failures, UINT64_MAX),                         \
        U(T, m violations, UINT64_MAX), U(T, m refusals, UINT64_MAX), U(T, m cpu_ms, UINT64_MAX), S(T, m public_key),  \
        U(T, m errors, UINT64_MAX), U(T, m attempts, UINT64_MAX), U(T, m start, MILLI), U(T, m debt, MILLI),           \
        U(T, m level, RISK_COUNT), U(T, m last_offence_ms, TIME_MAX), U(T, m quarantines, UINT64_MAX),                 \
        U(T, m shapes, UINT32_MAX), U(T, m hours, UINT32_MAX), U(T, m first_work_ms, TIME_MAX), U(T, m is_vouched, 1), \
        S(T, m key_id), U(T, m bad_relatives, UINT64_MAX)
static const struct field agent_fields[] = { AGENT(struct agent, ) };
static const struct field agents_fields[] = { U(struct agent_list, is_cut, 1),
                                              FIELD_A(struct agent_list, agents, count, agent_fields) };

static const struct field point_fields[] = { U(struct trust_point, at_ms, TIME_MAX),
                                             U(struct trust_point, trust, MILLI), S(struct trust_point, execution_id),
                                             U(struct trust_point, event, TRUST_EVENTS - 1) };
static const struct field history_fields[] = { FIELD_A(struct trust_history, points, count, point_fields) };

static const struct field sum_fields[] = { U(struct trust_sum, source, TRUST_SOURCES - 1),
                                           U(struct trust_sum, plus, UINT32_MAX),
                                           U(struct trust_sum, minus, UINT32_MAX),
                                           U(struct trust_sum, times, UINT32_MAX) };
static const struct field offence_fields[] = { U(struct offence, at_ms, TIME_MAX), S(struct offence, type),
                                               S(struct offence, detail), S(struct offence, execution_id) };
static const struct field habit_fields[] = { S(struct habit, what), U(struct habit, times, UINT64_MAX),
                                             U(struct habit, last_ms, TIME_MAX) };
static const struct field why_fields[] = { FIELD_A(struct agent_why, sums, sum_count, sum_fields),
                                           FIELD_A(struct agent_why, offences, offence_count, offence_fields),
                                           U(struct agent_why, relatives, UINT64_MAX),
                                           U(struct agent_why, bad_relatives, UINT64_MAX),
                                           U(struct agent_why, learned, UINT64_MAX),
                                           FIELD_A(struct agent_why, habits, habit_count, habit_fields) };

#define BUDGET(of)                                                            \
    U(struct reserve, limits.budgets[of].part[BUDGET_RUNS], INT64_MAX),       \
        U(struct reserve, limits.budgets[of].part[BUDGET_CPU], INT64_MAX),    \
        U(struct reserve, limits.budgets[of].part[BUDGET_MEMORY], INT64_MAX), \
        U(struct reserve, limits.budgets[of].part[BUDGET_BYTES], INT64_MAX)
static const struct field reserve_fields[] = {
    S(struct reserve, execution_id),
    S(struct reserve, agent_id),
    S(struct reserve, code_hash),
    S(struct reserve, language),
    U(struct reserve, level, RISK_COUNT - 1),
    U(struct reserve, now_ms, TIME_MAX),
    U(struct reserve, owner_pid, INT32_MAX),
    U(struct reserve, owner_start, INT64_MAX),
    U(struct reserve, trust_seen, MILLI),
    U(struct reserve, initial_trust, MILLI),
    U(struct reserve, limits.runs_per_hour, UINT32_MAX),
    U(struct reserve, limits.runs_per_day, UINT32_MAX),
    U(struct reserve, limits.cpu_ms_per_hour, TIME_MAX),
    U(struct reserve, limits.cooldown_ms, TIME_MAX),
    U(struct reserve, limits.global_concurrent, UINT32_MAX),
    U(struct reserve, limits.global_runs_per_hour, UINT32_MAX),
    U(struct reserve, limits.new_agents_per_hour, UINT32_MAX),
    BUDGET(BUDGET_OF_AGENT),
    BUDGET(BUDGET_OF_KEY),
    U(struct reserve, limits.jobs_per_hour, UINT32_MAX),
    S(struct reserve, nonce),
    S(struct reserve, shape),
    S(struct reserve, tree),
    U(struct reserve, size, UINT32_MAX),
    U(struct reserve, level_held, RISK_COUNT),
    S(struct reserve, key_id),
    U(struct reserve, is_nameless, 1),
    U(struct reserve, is_shape_known, 1),
    U(struct reserve, family_limit, UINT32_MAX),
    U(struct reserve, family_memory_ms, TIME_MAX),
};
#define USED(of)                                                          \
    U(struct limit_counts, used[of].part[BUDGET_RUNS], UINT64_MAX),       \
        U(struct limit_counts, used[of].part[BUDGET_CPU], UINT64_MAX),    \
        U(struct limit_counts, used[of].part[BUDGET_MEMORY], UINT64_MAX), \
        U(struct limit_counts, used[of].part[BUDGET_BYTES], UINT64_MAX)
static const struct field counts_fields[] = {
    U(struct limit_counts, runs_hour, UINT32_MAX),
    U(struct limit_counts, runs_day, UINT32_MAX),
    U(struct limit_counts, jobs_hour, UINT32_MAX),
    U(struct limit_counts, cpu_ms_hour, UINT64_MAX),
    USED(BUDGET_OF_AGENT),
    USED(BUDGET_OF_KEY),
};
static const struct field reserve_reply_fields[] = { U(struct reserve_reply, outcome, RESERVE_OUTCOMES - 1),
                                                     U(struct reserve_reply, limit.limit, LIMIT_COUNT - 1),
                                                     U(struct reserve_reply, limit.allowed, UINT64_MAX),
                                                     U(struct reserve_reply, limit.used, UINT64_MAX),
                                                     U(struct reserve_reply, limit.wait_ms, UINT64_MAX),
                                                     AGENT(struct reserve_reply, agent.),
                                                     U(struct reserve_reply, nearest_share, UINT32_MAX),
                                                     S(struct reserve_reply, nearest_limit),
                                                     S(struct reserve_reply, known_agent),
                                                     S(struct reserve_reply, known_type),
                                                     U(struct reserve_reply, known_ms, TIME_MAX) };

static const struct field violation_fields[] = {
    S(struct violation, type),
    S(struct violation, detail),
    U(struct violation, at_ms, TIME_MAX),
    U(struct violation, severity, SEVERITY_COUNT - 1),
};
#define RULES(T)                                                                                               \
    U(T, keeps_trust, 1), U(T, trust.initial, MILLI), U(T, trust.min, MILLI), U(T, trust.max, MILLI),          \
        U(T, trust.success, MILLI), U(T, trust.failure, MILLI), U(T, trust.violation, MILLI),                  \
        U(T, trust.gain_per_hour, MILLI), U(T, trust.gain_per_code, MILLI), U(T, trust.drift_per_day, MILLI),  \
        U(T, trust.drift_after_ms, TIME_MAX), U(T, trust.error, MILLI), U(T, trust.attempt, MILLI),            \
        U(T, trust.error_rate, MILLI), U(T, trust.error_is_failure, 1), U(T, trust.gain_per_shape, MILLI),     \
        U(T, trust.recover_per_hour, MILLI), U(T, trust.memory_ms, TIME_MAX), U(T, trust.family_start, MILLI), \
        U(T, trust.work_size, UINT32_MAX), U(T, standing.quarantine_on_violations, UINT32_MAX),                \
        U(T, standing.window_ms, TIME_MAX), U(T, standing.ban_on_severe, 1)
#define USE(T)                                                                                      \
    U(T, use.cpu_us, INT64_MAX), U(T, use.memory_mib_ms, INT64_MAX), U(T, use.bytes_in, INT64_MAX), \
        U(T, use.bytes_out, INT64_MAX)
static const struct field settle_fields[] = { S(struct settle, execution_id),
                                              U(struct settle, reason, REASON_COUNT - 1),
                                              U(struct settle, was_stopped, 1),
                                              U(struct settle, awaits_audit, 1),
                                              U(struct settle, now_ms, TIME_MAX),
                                              U(struct settle, duration_ms, TIME_MAX),
                                              U(struct settle, peak_memory_bytes, INT64_MAX),
                                              USE(struct settle),
                                              FIELD_A(struct settle, violations, violation_count, violation_fields),
                                              RULES(struct settle),
                                              U(struct settle, failure_window_ms, TIME_MAX),
                                              U(struct settle, volume_window_ms, TIME_MAX),
                                              U(struct settle, volume_enough, TIME_MAX),
                                              U(struct settle, refusal_window_ms, TIME_MAX),
                                              U(struct settle, has_bad_finding, 1),
                                              S(struct settle, habits),
                                              U(struct settle, baseline_runs, UINT32_MAX),
                                              U(struct settle, has_uncounted, 1) };
static const struct field settle_reply_fields[] = {
    U(struct settle_reply, was_settled, 1),
    U(struct settle_reply, trust_before, MILLI),
    U(struct settle_reply, trust_after, MILLI),
    U(struct settle_reply, standing_before, STANDING_COUNT - 1),
    U(struct settle_reply, standing_after, STANDING_COUNT - 1),
    S(struct settle_reply, standing_reason),
    U(struct settle_reply, window_runs, UINT32_MAX),
    U(struct settle_reply, window_failures, UINT32_MAX),
    U(struct settle_reply, volume_runs, UINT32_MAX),
    U(struct settle_reply, window_refusals, UINT32_MAX),
    S(struct settle_reply, first_times),
};

#define CURSOR(T, m) U(T, m.agent, INT64_MAX), U(T, m.hour, INT64_MAX), S(T, m.key_id)
static const struct field usage_ask_fields[] = { S(struct usage_ask, agent_id),
                                                 S(struct usage_ask, key_id),
                                                 U(struct usage_ask, since_ms, TIME_MAX),
                                                 U(struct usage_ask, until_ms, TIME_MAX),
                                                 U(struct usage_ask, period, USAGE_PERIODS - 1),
                                                 U(struct usage_ask, by_agent, 1),
                                                 U(struct usage_ask, by_key, 1),
                                                 CURSOR(struct usage_ask, after) };
static const struct field usage_row_fields[] = { U(struct usage_row, at_ms, TIME_MAX),
                                                 S(struct usage_row, agent_id),
                                                 S(struct usage_row, key_id),
                                                 U(struct usage_row, runs, INT64_MAX),
                                                 U(struct usage_row, unmeasured, INT64_MAX),
                                                 USE(struct usage_row) };
static const struct field usage_list_fields[] = { FIELD_A(struct usage_list, rows, count, usage_row_fields),
                                                  U(struct usage_list, is_cut, 1), CURSOR(struct usage_list, next) };

static const struct field refusal_fields[] = {
    S(struct refusal, execution_id),
    S(struct refusal, agent_id),
    S(struct refusal, rule),
    U(struct refusal, level, RISK_COUNT - 1),
    U(struct refusal, now_ms, TIME_MAX),
    U(struct refusal, initial_trust, MILLI),
    FIELD_A(struct refusal, violations, violation_count, violation_fields),
    RULES(struct refusal),
    U(struct refusal, refusal_window_ms, TIME_MAX),
    U(struct refusal, is_restriction, 1),
    S(struct refusal, key_id),
};

static const struct field steer_fields[] = { U(struct steer, verb, STEER_VERBS - 1),
                                             U(struct steer, may_create, 1),
                                             S(struct steer, agent_id),
                                             S(struct steer, reason),
                                             S(struct steer, by),
                                             S(struct steer, public_key),
                                             U(struct steer, trust, MILLI),
                                             U(struct steer, initial_trust, MILLI),
                                             U(struct steer, now_ms, TIME_MAX) };

static const struct field recovered_one_fields[] = {
    S(struct recovered, execution_id),          S(struct recovered, agent_id),
    U(struct recovered, level, RISK_COUNT - 1), U(struct recovered, reason, REASON_COUNT - 1),
    U(struct recovered, was_settled, 1),        U(struct recovered, started_ms, TIME_MAX),
    U(struct recovered, ended_ms, TIME_MAX),    U(struct recovered, trust_before, MILLI),
    U(struct recovered, trust_after, MILLI)
};
static const struct field released_fields[] = { S(struct released, agent_id), S(struct released, reason) };
static const struct field recovered_fields[] = { FIELD_A(struct recovered_list, runs, count, recovered_one_fields),
                                                 FIELD_A(struct recovered_list, released, released_count,
                                                         released_fields) };

static const struct field key_add_fields[] = {
    S(struct key_row, id),
    S(struct key_row, name),
    S(struct key_row, hash),
    U(struct key_row, role, KEY_ROLES - 1),
    S(struct key_row, agents),
    U(struct key_row, levels, UINT32_MAX),
    U(struct key_row, created_ms, TIME_MAX),
    U(struct key_row, expires_ms, TIME_MAX),
    U(struct key_row, allow_risk_override, 1),
};
static const struct field key_told_fields[] = { S(struct key_row, id),
                                                S(struct key_row, name),
                                                U(struct key_row, role, KEY_ROLES - 1),
                                                S(struct key_row, agents),
                                                U(struct key_row, levels, UINT32_MAX),
                                                U(struct key_row, created_ms, TIME_MAX),
                                                U(struct key_row, expires_ms, TIME_MAX),
                                                U(struct key_row, revoked_ms, TIME_MAX),
                                                U(struct key_row, last_used_ms, TIME_MAX),
                                                U(struct key_row, allow_risk_override, 1) };
static const struct field keys_fields[] = { U(struct key_list, is_cut, 1),
                                            FIELD_A(struct key_list, keys, count, key_told_fields) };

/* --- what has to hold beyond the tables ----------------------------------------------------------- */

static bool is_text(const char *s, size_t max)
{
    return s && strnlen(s, max + 1) <= max;
}

static bool is_name(const char *s) /* required, and not empty */
{
    return is_text(s, STORE_ID_MAX) && *s;
}

static bool is_hex(const char *s, size_t n)
{
    return strlen(s) == n && strspn(s, "0123456789abcdef") == n;
}

static bool is_agent(const void *v)
{
    const struct agent *a = v;
    return a->id && agent_id_is_valid(a->id) && a->standing_reason && a->standing_by && a->key_id &&
           (!a->public_key || is_hex(a->public_key, 64));
}

static bool is_agent_list(const void *v)
{
    const struct agent_list *l = v;
    for (uint32_t i = 0; i < l->count; i++)
        if (!is_agent(&l->agents[i]))
            return false;
    return true;
}

static bool is_why(const void *v)
{
    const struct agent_why *w = v;
    for (uint32_t i = 0; i < w->offence_count; i++)
        if (!w->offences[i].type || !w->offences[i].detail || !w->offences[i].execution_id)
            return false;
    for (uint32_t i = 0; i < w->habit_count; i++)
        if (!w->habits[i].what)
            return false;
    return true;
}

static bool is_anything(const void *v)
{
    (void)v;
    return true;
}

static bool is_agent_key(const void *v)
{
    const struct ledger_key *k = v;
    return k->id && agent_id_is_valid(k->id);
}

static bool is_usage_ask(const void *v)
{
    const struct usage_ask *r = v;
    return (!r->agent_id || agent_id_is_valid(r->agent_id)) && (!r->key_id || strlen(r->key_id) <= STORE_ID_MAX) &&
           (!r->after.key_id || strlen(r->after.key_id) <= STORE_ID_MAX);
}

static bool is_usage_list(const void *v)
{
    const struct usage_list *l = v;
    return l->next.key_id;
}

static bool is_page_key(const void *v)
{
    const struct ledger_key *k = v;
    return !k->id || agent_id_is_valid(k->id);
}

static bool is_named_key(const void *v)
{
    const struct ledger_key *k = v;
    return is_text(k->id, 512) && *k->id;
}

static bool are_violations(const struct violation *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!is_name(list[i].type) || !list[i].detail)
            return false;
    return true;
}

static bool is_reserve(const void *v)
{
    const struct reserve *r = v;
    return is_name(r->execution_id) && r->agent_id && agent_id_is_valid(r->agent_id) && r->code_hash &&
           (!*r->code_hash || is_hex(r->code_hash, 64)) && is_name(r->language) && (!r->nonce || is_name(r->nonce)) &&
           (!r->shape || is_text(r->shape, STORE_ID_MAX)) && (!r->tree || is_text(r->tree, STORE_ID_MAX)) &&
           (!r->key_id || is_text(r->key_id, STORE_ID_MAX));
}

static bool is_reserve_reply(const void *v)
{
    return is_agent(&((const struct reserve_reply *)v)->agent);
}

static bool is_settle(const void *v)
{
    const struct settle *r = v;
    return is_name(r->execution_id) && are_violations(r->violations, r->violation_count) &&
           (!r->habits || is_text(r->habits, STORE_MAX_HABITS));
}

static bool is_settle_reply(const void *v)
{
    const struct settle_reply *r = v;
    return r->standing_reason && (!r->first_times || is_text(r->first_times, STORE_MAX_HABITS));
}

static bool is_refusal(const void *v)
{
    const struct refusal *r = v;
    return is_name(r->execution_id) && r->agent_id && agent_id_is_valid(r->agent_id) &&
           is_text(r->rule, STORE_ID_MAX) && are_violations(r->violations, r->violation_count);
}

static bool is_steer(const void *v)
{
    const struct steer *r = v;
    return r->agent_id && agent_id_is_valid(r->agent_id) && r->reason && r->by &&
           (!r->public_key || is_hex(r->public_key, 64));
}

static bool is_recovered_list(const void *v)
{
    const struct recovered_list *l = v;
    for (uint32_t i = 0; i < l->count; i++)
        if (!l->runs[i].execution_id || !l->runs[i].agent_id)
            return false;
    for (uint32_t i = 0; i < l->released_count; i++)
        if (!l->released[i].agent_id || !l->released[i].reason)
            return false;
    return true;
}

static bool is_key_row(const void *v)
{
    return key_row_check(v, NULL) == 0;
}

static bool is_key_list(const void *v)
{
    const struct key_list *l = v;
    for (uint32_t i = 0; i < l->count; i++)
        if (!is_name(l->keys[i].id) || !is_name(l->keys[i].name) || !l->keys[i].agents)
            return false;
    return true;
}

#define FORM(label, fields, T, check, reply_fields, R, reply_check)                                           \
    {                                                                                                         \
        label, fields, reply_fields, ARRAY_LEN(fields), ARRAY_LEN(reply_fields), sizeof(T), sizeof(R), check, \
            reply_check                                                                                       \
    }
#define KEY_FORM(label, check, reply_fields, R, reply_check) \
    FORM(label, key_fields, struct ledger_key, check, reply_fields, R, reply_check)
static const struct ledger_form forms[LEDGER_REQUESTS] = {
    [LEDGER_AGENT] = KEY_FORM("agent", is_agent_key, agent_fields, struct agent, is_agent),
    [LEDGER_AGENTS] = KEY_FORM("agents", is_page_key, agents_fields, struct agent_list, is_agent_list),
    [LEDGER_HISTORY] = KEY_FORM("history", is_agent_key, history_fields, struct trust_history, is_anything),
    [LEDGER_RESERVE] = FORM("reserve", reserve_fields, struct reserve, is_reserve, reserve_reply_fields,
                            struct reserve_reply, is_reserve_reply),
    [LEDGER_COUNTS] = FORM("counts", reserve_fields, struct reserve, is_reserve, counts_fields, struct limit_counts,
                           is_anything),
    [LEDGER_SETTLE] = FORM("settle", settle_fields, struct settle, is_settle, settle_reply_fields, struct settle_reply,
                           is_settle_reply),
    [LEDGER_REFUSE] = FORM("refuse", refusal_fields, struct refusal, is_refusal, settle_reply_fields,
                           struct settle_reply, is_settle_reply),
    [LEDGER_STEER] = FORM("steer", steer_fields, struct steer, is_steer, agent_fields, struct agent, is_agent),
    [LEDGER_USAGE] = FORM("usage", usage_ask_fields, struct usage_ask, is_usage_ask, usage_list_fields,
                          struct usage_list, is_usage_list),
    [LEDGER_RECOVER] = KEY_FORM("recover", is_anything, recovered_fields, struct recovered_list, is_recovered_list),
    [LEDGER_AUDITED] = KEY_FORM("audited", is_named_key, number_fields, struct ledger_number, is_anything),
    [LEDGER_PRUNE] = KEY_FORM("prune", is_anything, number_fields, struct ledger_number, is_anything),
    [LEDGER_ONCE] = KEY_FORM("once", is_named_key, number_fields, struct ledger_number, is_anything),
    [LEDGER_KEY_ADD] = FORM("key-add", key_add_fields, struct key_row, is_key_row, number_fields, struct ledger_number,
                            is_anything),
    [LEDGER_KEYS] = KEY_FORM("keys", is_anything, keys_fields, struct key_list, is_key_list),
    [LEDGER_WHY] = KEY_FORM("why", is_agent_key, why_fields, struct agent_why, is_why),
    [LEDGER_KEY_REVOKE] = KEY_FORM("key-revoke", is_named_key, number_fields, struct ledger_number, is_anything),
};

const struct ledger_form *ledger_form(uint64_t request)
{
    return request > 0 && request < LEDGER_REQUESTS ? &forms[request] : NULL;
}

/* --- packing -------------------------------------------------------------------------------------- */

void pack_ledger_request(struct buf *b, enum ledger_request type, const void *request)
{
    pack_u64(b, type);
    pack_fields(b, forms[type].request, forms[type].request_count, request);
}

void pack_ledger_reply(struct buf *b, enum ledger_request type, const void *reply)
{
    pack_u64(b, 0);
    pack_fields(b, forms[type].reply, forms[type].reply_count, reply);
}

void pack_ledger_failure(struct buf *b, const struct error *err)
{
    struct ledger_failure f = { (uint32_t)-err->code, (uint8_t)err->blame, err->step, err->text, err->remedy };
    pack_u64(b, 1);
    pack_fields(b, failure_fields, ARRAY_LEN(failure_fields), &f);
}

int unpack_ledger_request(const void *data, size_t size, uint64_t *ret_type, union ledger_any_request *ret)
{
    struct unpack u = unpack_start(data, size);
    *ret_type = unpack_u64(&u);
    const struct ledger_form *f = ledger_form(*ret_type);
    if (!f)
        return -EBADMSG;
    memset(ret, 0, sizeof *ret);
    unpack_fields(&u, f->request, f->request_count, ret);
    return unpack_end(&u) < 0 || !f->is_request(ret) ? -EBADMSG : 0;
}

static int unpack_failure(struct unpack *u, struct error *err)
{
    struct ledger_failure f = { 0 };
    unpack_fields(u, failure_fields, ARRAY_LEN(failure_fields), &f);
    if (unpack_end(u) < 0 || !f.code || !f.step || !f.text || !f.remedy)
        return err_set(err, -EBADMSG, BLAME_US, "STORE", "an answer that is none");
    (void)err_set(err, -(int)f.code, (enum blame)f.blame, f.step, "%s", f.text);
    return *f.remedy ? err_remedy(err, "%s", f.remedy) : -(int)f.code;
}

int unpack_ledger_reply(const void *data, size_t size, enum ledger_request type, void *ret, struct error *err)
{
    const struct ledger_form *f = &forms[type];
    struct unpack u = unpack_start(data, size);
    uint64_t failed = unpack_u64(&u);
    if (failed == 1)
        return unpack_failure(&u, err);
    memset(ret, 0, f->reply_size);
    unpack_fields(&u, f->reply, f->reply_count, ret);
    if (failed != 0 || unpack_end(&u) < 0 || !f->is_reply(ret))
        return err_set(err, -EBADMSG, BLAME_US, "STORE", "an answer that is none");
    return 0;
}

void adopt_strings(const struct field *t, size_t n, void *base, struct arena *a)
{
    for (const struct field *f = t; f < t + n; f++) {
        char *m = (char *)base + f->offset;
        if (f->kind == FIELD_STR && *(const char **)(void *)m)
            *(const char **)(void *)m = arena_copy(a, *(const char **)(void *)m);
        if (f->kind == FIELD_ARRAY)
            for (uint32_t i = 0; i < *(uint32_t *)(void *)((char *)base + f->count_offset); i++)
                adopt_strings(f->sub, f->sub_count, m + (size_t)i * f->elem_size, a);
    }
}
