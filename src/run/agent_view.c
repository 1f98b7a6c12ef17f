#include "run/agent_view.h"

#include <time.h>

#include "base/json.h"

const char *agent_say_time(uint64_t ms, char out[static 32])
{
    time_t t = (time_t)(ms / 1000);
    struct tm tm;
    if (!ms || !gmtime_r(&t, &tm) || !strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &tm))
        return "never";
    return out;
}

const char *agent_standing_name(const struct agent *a)
{
    return standing_names[MIN_OF(a->standing, (uint8_t)STANDING_BANNED)];
}

uint32_t agent_trust_now(const struct agent *a, const struct trust_rules *rules, uint64_t now_ms)
{
    const struct trust_state state = agent_trust_state(a, rules);
    return trust_drift(rules, &state, now_ms, NULL);
}

static void json_time(struct buf *b, const char *key, uint64_t ms)
{
    char text[32];
    json_key(b, key);
    if (ms)
        json_put_string(b, agent_say_time(ms, text));
    else
        json_put_null(b);
}

static void json_count(struct buf *b, const char *key, uint64_t v)
{
    json_key(b, key);
    json_uint(b, v);
}

static void json_members(struct buf *b, const struct agent *a, const struct trust_rules *rules, uint64_t now_ms)
{
    json_key(b, "agent_id"), json_put_string(b, a->id);
    json_key(b, "trust"), json_milli(b, agent_trust_now(a, rules, now_ms));
    json_key(b, "standing"), json_put_string(b, agent_standing_name(a));
    json_key(b, "standing_reason"), json_put_string(b, a->standing == STANDING_GOOD ? NULL : a->standing_reason);
    json_key(b, "standing_by"), json_put_string(b, a->standing == STANDING_GOOD ? NULL : a->standing_by);
    json_time(b, "standing_since", a->standing_since_ms);
    json_time(b, "first_seen", a->first_seen_ms);
    json_time(b, "last_run", a->last_run_ms);
    json_count(b, "runs", a->runs);
    json_count(b, "successes", a->successes);
    json_count(b, "failures", a->failures);
    json_count(b, "errors", a->errors);
    json_count(b, "violations", a->violations);
    json_count(b, "attempts", a->attempts);
    json_count(b, "refusals", a->refusals);
    json_count(b, "cpu_ms", a->cpu_ms);
    json_key(b, "public_key"), json_put_string(b, a->public_key);
    json_key(b, "key_id"), json_put_string(b, *a->key_id ? a->key_id : NULL);
}

static uint32_t start_of(const struct agent *a, const struct trust_rules *rules)
{
    return a->start ? a->start : rules->initial;
}

int32_t agent_why_rest(const struct agent *a, const struct agent_why *w, const struct trust_rules *rules)
{
    int32_t sum = (int32_t)start_of(a, rules);
    for (uint32_t i = 0; i < w->sum_count; i++)
        sum += (int32_t)w->sums[i].plus - (int32_t)w->sums[i].minus;
    return (int32_t)a->trust - sum;
}

uint64_t agent_why_weight(const struct agent *a, const struct agent_why *w, const struct config *c, uint64_t now_ms)
{
    const struct standing_rules rules = standing_rules_from(c);
    uint64_t weight = 0;
    for (uint32_t i = 0; i < w->offence_count; i++)
        weight += offence_weight(&rules, a->quarantines, now_ms - MIN_OF(now_ms, w->offences[i].at_ms));
    return weight;
}

static void json_signed(struct buf *b, const char *key, int32_t milli)
{
    json_key(b, key);
    if (milli < 0)
        (void)buf_addf(b, "-%u.%03u", (unsigned)-milli / 1000, (unsigned)-milli % 1000);
    else
        json_milli(b, (uint64_t)milli);
}

static void json_why(struct buf *b, const struct agent *a, const struct why_view *view, const struct trust_rules *rules,
                     uint64_t now_ms)
{
    const struct agent_why *w = view->why;
    json_key(b, "why");
    json_open(b, '{');
    json_key(b, "start"), json_milli(b, start_of(a, rules));
    json_key(b, "sums");
    json_open(b, '[');
    for (uint32_t i = 0; i < w->sum_count; i++) {
        json_open(b, '{');
        json_key(b, "source"), json_put_string(b, trust_source_names[w->sums[i].source]);
        json_signed(b, "change", (int32_t)w->sums[i].plus - (int32_t)w->sums[i].minus);
        json_count(b, "times", w->sums[i].times);
        json_close(b, '}');
    }
    json_close(b, ']');
    json_signed(b, "before_records", agent_why_rest(a, w, rules));
    json_key(b, "error_debt"), json_milli(b, a->debt);
    json_key(b, "evidence");
    json_open(b, '{');
    json_count(b, "shapes", a->shapes);
    json_count(b, "hours", a->hours);
    json_time(b, "first_work", a->first_work_ms);
    json_key(b, "vouched"), json_bool(b, a->is_vouched);
    json_close(b, '}');
    json_key(b, "violations_remembered"), json_milli(b, agent_why_weight(a, w, view->config, now_ms));
    json_key(b, "offences");
    json_open(b, '[');
    for (uint32_t i = 0; i < w->offence_count; i++) {
        json_open(b, '{');
        json_time(b, "at", w->offences[i].at_ms);
        json_key(b, "type"), json_put_string(b, w->offences[i].type);
        json_key(b, "detail"), json_put_string(b, w->offences[i].detail);
        json_key(b, "execution_id"), json_put_string(b, w->offences[i].execution_id);
        json_close(b, '}');
    }
    json_close(b, ']');
    json_key(b, "baseline");
    json_open(b, '{');
    json_count(b, "learned_from", w->learned);
    json_key(b, "habits"), json_open(b, '[');
    for (uint32_t i = 0; i < w->habit_count; i++) {
        json_open(b, '{');
        json_key(b, "what"), json_put_string(b, w->habits[i].what);
        json_count(b, "runs", w->habits[i].times);
        json_time(b, "last", w->habits[i].last_ms);
        json_close(b, '}');
    }
    json_close(b, ']');
    json_close(b, '}');
    json_key(b, "family");
    json_open(b, '{');
    json_key(b, "key_id"), json_put_string(b, *a->key_id ? a->key_id : NULL);
    json_count(b, "others", w->relatives);
    json_count(b, "others_kept_out", w->bad_relatives);
    json_close(b, '}');
    json_close(b, '}');
}

/* A limit's numbers have its unit's size. */
static void json_amount(struct buf *b, const char *key, enum limit_name limit, uint64_t v)
{
    uint64_t divisor;
    (void)limit_unit(limit, &divisor);
    json_key(b, key);
    json_milli(b, (uint64_t)((unsigned __int128)v * 1000 / divisor));
}

static void json_limit(struct buf *b, const char *level, const struct limit_verdict *v)
{
    uint64_t divisor;
    const char *unit = limit_unit((enum limit_name)v->limit, &divisor);
    json_open(b, '{');
    json_key(b, "level"), json_put_string(b, level);
    json_key(b, "limit"), json_put_string(b, limit_names[v->limit]);
    json_amount(b, "allowed", (enum limit_name)v->limit, v->allowed);
    json_amount(b, "used", (enum limit_name)v->limit, v->used);
    json_key(b, "unit"), json_put_string(b, *unit ? unit + 1 : NULL);
    json_close(b, '}');
}

/* Windows are a level's; budgets are of all levels together, so one level says them. */
static void json_limits(struct buf *b, const struct agent_limits *l)
{
    struct limit_verdict list[LIMIT_COUNT];
    json_key(b, "limits");
    json_open(b, '[');
    for (unsigned level = 0; level < RISK_COUNT; level++) {
        const size_t count = limits_list(&l->rules[level], &l->used[level], list);
        for (size_t i = 0; i < count; i++) {
            const bool is_budget = limit_is_budget((enum limit_name)list[i].limit);
            if (!is_budget || level == 0)
                json_limit(b, is_budget ? NULL : risk_level_names[level], &list[i]);
        }
    }
    json_close(b, ']');
}

static void json_point(struct buf *b, const struct trust_point *p)
{
    static const char *const causes[TRUST_EVENTS] = {
        [TRUST_SUCCESS] = "success", [TRUST_FAILURE] = "failure", [TRUST_VIOLATION] = "violation",
        [TRUST_ERROR] = "error",     [TRUST_ATTEMPT] = "attempt", [TRUST_REFUSAL] = "refusal"
    };
    json_open(b, '{');
    json_time(b, "at", p->at_ms);
    json_key(b, "trust"), json_milli(b, p->trust);
    json_key(b, "cause"), json_put_string(b, causes[p->event] ? causes[p->event] : p->execution_id ? "refusal" : NULL);
    json_key(b, "execution_id"), json_put_string(b, p->execution_id);
    json_close(b, '}');
}

void agent_json(struct buf *b, const struct agent *a, const struct trust_history *history, const struct why_view *view,
                const struct trust_rules *rules, uint64_t now_ms)
{
    json_open(b, '{');
    json_members(b, a, rules, now_ms);
    if (view && view->why)
        json_why(b, a, view, rules, now_ms);
    if (view && view->limits)
        json_limits(b, view->limits);
    if (history) {
        json_key(b, "history");
        json_open(b, '[');
        for (uint32_t i = 0; i < history->count; i++)
            json_point(b, &history->points[i]);
        json_close(b, ']');
    }
    json_close(b, '}');
}
