#include "policy/alerts.h"

#include <stdio.h>

#include "base/parse.h"

const char *const alert_names[] = { "high_failure_rate", "excessive_executions", "resource_limit_exceeded",
                                    "refusal_stream", NULL };

static const struct alert_condition presets[ALERT_KINDS] = {
    /* the contract's */
    [ALERT_FAILURE_RATE] = { .threshold = 500, .window_ms = 3600 * 1000 },
    [ALERT_EXECUTIONS] = { .threshold = 100 * 1000, .window_ms = 3600 * 1000 },
    [ALERT_LIMIT] = { .threshold = 900, .window_ms = 3600 * 1000 },
    [ALERT_REFUSALS] = { .threshold = 30 * 1000, .window_ms = 3600 * 1000 },
};

/* config_check() has seen these records: a value is not empty and of a form that is accepted. */
static bool value_of(const char *record, const char *key, char out[static 64])
{
    size_t length;
    const char *value = record_find(record, key, &length);
    if (!value || !length || length >= 64)
        return false;
    memcpy(out, value, length);
    out[length] = '\0';
    return true;
}

struct alert_rules alert_rules_from(const struct config *c)
{
    struct alert_rules r = { 0 };
    char value[64];
    if (!c->monitoring.alerts.enabled)
        return r;
    STRLIST_FOREACH(record, &c->monitoring.alerts.conditions)
    for (size_t kind = 0; value_of(record, "name", value) && kind < ALERT_KINDS; kind++) {
        if (!str_eq(value, alert_names[kind]))
            continue;
        struct alert_condition *a = &r.conditions[kind];
        char text[64];
        uint32_t milli;
        uint64_t number;
        *a = presets[kind];
        a->is_on = true;
        if (value_of(record, "threshold", text)) {
            if (parse_cpu(text, &milli) == 0) /* a number with at most three decimals */
                a->threshold = milli;
            else if (parse_u64(text, &number) == 0)
                a->threshold = MIN_OF(number, UINT64_MAX / 1000) * 1000;
        }
        if (value_of(record, "window", text) && parse_duration(text, &number) == 0)
            a->window_ms = number;
    }
    return r;
}

static unsigned percent(uint64_t part, uint64_t whole)
{
    return whole ? (unsigned)(part * 100 / whole) : 0;
}

bool alert_holds(const struct alert_rules *r, enum alert_kind kind, const struct alert_counts *n, char text[static 200])
{
    const struct alert_condition *a = &r->conditions[kind];
    unsigned long long minutes = a->window_ms / 60000;
    if (!a->is_on)
        return false;
    switch (kind) {
    case ALERT_FAILURE_RATE:
        (void)snprintf(text, 200, "%u of %u runs in %llu minutes failed (%u %%)", n->window_failures, n->window_runs,
                       minutes, percent(n->window_failures, n->window_runs));
        return n->window_runs >= ALERT_LEAST_RUNS &&
               (uint64_t)n->window_failures * 1000 >= a->threshold * n->window_runs;
    case ALERT_EXECUTIONS:
        (void)snprintf(text, 200, "%u runs in %llu minutes", n->volume_runs, minutes);
        return (uint64_t)n->volume_runs * 1000 >= a->threshold;
    case ALERT_LIMIT:
        (void)snprintf(text, 200, "%u.%u %% of %s used", n->share / 10, n->share % 10, n->limit ? n->limit : "a limit");
        return n->limit && n->share >= a->threshold;
    case ALERT_REFUSALS:
        (void)snprintf(text, 200, "%u refusals in %llu minutes of what the level does not offer", n->window_refusals,
                       minutes);
        return (uint64_t)n->window_refusals * 1000 >= a->threshold;
    case ALERT_KINDS:
        break;
    }
    return false;
}
