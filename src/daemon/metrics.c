#include "daemon/metrics_internal.h"

#include "base/clock.h"

struct metrics *metrics_new(void)
{
    struct metrics *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->attempts = attempts_new();
    if (!m->attempts || pthread_mutex_init(&m->agents_lock, NULL) != 0) {
        (void)attempts_free(m->attempts);
        free(m);
        return NULL;
    }
    m->loaded_ms = wall_clock_ms();
    m->collect_interval_ms = 60000;
    return m;
}

struct metrics *metrics_free(struct metrics *m)
{
    if (!m)
        return NULL;
    (void)attempts_free(m->attempts);
    (void)pthread_mutex_destroy(&m->agents_lock);
    free(m);
    return NULL;
}

/* --- labels ------------------------------------------------------------------------------------------- */

static const char *const backends[] = { "native", "docker", "remote" };
const struct metrics_names metrics_backends = { backends, ARRAY_LEN(backends) };
_Static_assert(ARRAY_LEN(backends) == METRICS_BACKENDS, "a backend has no name");

/* What judge.c and the service refuse by. The rules of the scan are many: they count as «scan». */
static const char *const rules[] = {
    "quarantined", "banned",           "trust",           "profile",          "verify_signatures",
    "scan",        "blocked_modules",  "allowed_modules", "blocked_commands", "restricted_commands",
    "restricted",  "interpreter_only", "rate_limit",      "queue_full",       "draining",
    "forbidden",   "backend",          "policy"
};
const struct metrics_names metrics_rules = { rules, ARRAY_LEN(rules) };
_Static_assert(ARRAY_LEN(rules) <= METRICS_MAX_RULES, "more rules than counters");

const struct metrics_names metrics_limits = { limit_names + 1, LIMIT_COUNT - 1 }; /* without «none» */

static const char *const methods[] = { "GET", "POST", "DELETE", "PATCH", "HEAD", "PUT", "OPTIONS" };
const struct metrics_names metrics_methods = { methods, ARRAY_LEN(methods) };
_Static_assert(ARRAY_LEN(methods) == METRICS_METHODS, "a method has no counter");

size_t metrics_find(struct metrics_names n, const char *name)
{
    for (size_t i = 0; name && i < n.count; i++)
        if (str_eq(n.names[i], name))
            return i;
    return n.count;
}

const char *metrics_name(struct metrics_names n, size_t i)
{
    return i < n.count ? n.names[i] : "other";
}

/* A rule of the scan is named after its language, «text» or «scan» (rules/README.md). */
static bool is_scan_rule(const char *rule)
{
    static const char *const prefixes[] = { "python-", "node-", "bash-", "go-", "rust-", "text-", "scan-" };
    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
        if (str_starts(rule, prefixes[i]))
            return true;
    return false;
}

static size_t find_violation(const char *type)
{
    size_t i = 0;
    for (const char *known; (known = violation_type(i)) && i < METRICS_MAX_TYPES; i++)
        if (type && str_eq(known, type))
            break;
    return i;
}

static size_t find_switch(const char *name)
{
    for (size_t i = 0; i < DETECTOR_COUNT; i++)
        if (str_eq(detector_names[i], name))
            return i;
    return str_eq(name, "network_limit") ? DETECTOR_COUNT : METRICS_SWITCHES;
}

/* --- counting ------------------------------------------------------------------------------------------- */

static void count_violations(struct metrics *m, const struct metrics_run *r)
{
    for (uint32_t i = 0; i < r->violation_count; i++) {
        const struct violation *v = &r->violations[i];
        counter_add(&m->violations[find_violation(v->type)][MIN_OF(v->severity, (uint8_t)SEVERITY_CRITICAL)], 1);
    }
}

/* The user's threshold of «a limit above 90 %» (monitoring.alerts.conditions, resource_limit_exceeded). */
static bool is_near(uint64_t used, uint64_t limit)
{
    return limit && used >= limit - limit / 10;
}

static void count_near(struct metrics *m, const struct metrics_run *r)
{
    if (r->reason == REASON_OOM || is_near(r->peak_memory_bytes, r->memory_bytes))
        counter_add(&m->near[METRICS_NEAR_MEMORY], 1);
    if (r->reason == REASON_TIMEOUT || is_near(r->duration_us, r->timeout_us))
        counter_add(&m->near[METRICS_NEAR_TIME], 1);
    if (r->reason == REASON_PIDS_LIMIT || r->has_met_processes)
        counter_add(&m->near[METRICS_NEAR_PROCESSES], 1);
}

void metrics_attempt(struct metrics *m, const char *agent_id)
{
    attempts_add(m->attempts, agent_id, clock_ms());
}

struct attempts *metrics_attempts(struct metrics *m)
{
    return m->attempts;
}

void metrics_run(struct metrics *m, const struct metrics_run *r)
{
    if ((unsigned)r->level >= RISK_COUNT || (unsigned)r->language >= METRICS_LANGUAGES ||
        (unsigned)r->reason >= REASON_COUNT)
        return; /* a caller's mistake: no place to count it in */
    size_t backend = r->backend ? metrics_find(metrics_backends, r->backend) : METRICS_BACKEND_NATIVE;
    counter_add(&m->executions[r->level][r->language][backend][r->reason], 1);
    histogram_add(&m->queue, &metrics_queue_bounds, r->queue_us);
    if (r->duration_us)
        histogram_add(&m->duration[r->language], &metrics_run_bounds, r->duration_us);
    if (r->startup_us)
        histogram_add(&m->startup[r->language], &metrics_startup_bounds, r->startup_us);
    if (r->peak_memory_bytes)
        histogram_add(&m->peak_memory, &metrics_memory_bounds, r->peak_memory_bytes);
    counter_add(&m->cpu_us[r->level][r->language], r->cpu_us);
    if (r->kill_switch)
        counter_add(&m->switches[find_switch(r->kill_switch)], 1);
    count_near(m, r);
    count_violations(m, r);
}

void metrics_refused(struct metrics *m, const char *rule, bool is_rate_limit)
{
    if (is_rate_limit) {
        counter_add(&m->limits[metrics_find(metrics_limits, rule)], 1);
        rule = "rate_limit";
    }
    counter_add(&m->rules[metrics_find(metrics_rules, rule && is_scan_rule(rule) ? "scan" : rule)], 1);
}

void metrics_time(struct metrics *m, enum metrics_timer t, uint64_t us)
{
    if ((unsigned)t < METRICS_TIMERS)
        histogram_add(&m->timers[t], &metrics_short_bounds, us);
}

void metrics_http(struct metrics *m, const char *method, unsigned status, uint64_t us)
{
    if (status < METRICS_STATUS_FIRST || status >= METRICS_STATUS_FIRST + METRICS_STATUSES)
        status = 500; /* what http.h makes of an answer without one */
    counter_add(&m->http[metrics_find(metrics_methods, method)][status - METRICS_STATUS_FIRST], 1);
    histogram_add(&m->http_time, &metrics_http_bounds, us);
}

void metrics_count(struct metrics *m, enum metrics_event e)
{
    if ((unsigned)e >= METRICS_EVENTS)
        return;
    counter_add(&m->events[e], 1);
    if (e == METRICS_RELOAD || e == METRICS_RELOAD_FAILED)
        m->has_failed_reload = e == METRICS_RELOAD_FAILED;
    if (e == METRICS_RELOAD)
        m->loaded_ms = wall_clock_ms();
}
