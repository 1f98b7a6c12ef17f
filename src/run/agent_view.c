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
    json_count(b, "violations", a->violations);
    json_count(b, "refusals", a->refusals);
    json_count(b, "cpu_ms", a->cpu_ms);
    json_key(b, "public_key"), json_put_string(b, a->public_key);
}

void agent_json(struct buf *b, const struct agent *a, const struct trust_history *history,
                const struct trust_rules *rules, uint64_t now_ms)
{
    json_open(b, '{');
    json_members(b, a, rules, now_ms);
    if (history) {
        json_key(b, "history");
        json_open(b, '[');
        for (uint32_t i = 0; i < history->count; i++) {
            json_open(b, '{');
            json_time(b, "at", history->points[i].at_ms);
            json_key(b, "trust"), json_milli(b, history->points[i].trust);
            json_close(b, '}');
        }
        json_close(b, ']');
    }
    json_close(b, '}');
}
