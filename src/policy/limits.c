#include "policy/limits.h"

const char *const limit_names[] = { "none",
                                    "max_executions_per_hour",
                                    "max_executions_per_day",
                                    "max_cpu_time_per_hour",
                                    "cooldown_period",
                                    "global.max_concurrent_executions",
                                    "global.max_executions_per_hour",
                                    "max_jobs_per_hour",
                                    "per_key.max_new_agents_per_hour" };
_Static_assert(ARRAY_LEN(limit_names) == LIMIT_COUNT, "a limit has no name");

#define CONCURRENT_WAIT_MS 1000u

/* 0 means «not limited», so it is the laxest. */
static uint64_t stricter(uint64_t a, uint64_t b)
{
    return !a ? b : !b ? a : MIN_OF(a, b);
}

struct limit_rules limit_rules_from(const struct config *c, const struct profile *p)
{
    if (!c->rate_limiting.enabled || p->risk_level >= RISK_COUNT)
        return (struct limit_rules){ 0 };
    return (struct limit_rules){
        .runs_per_hour = (uint32_t)stricter(p->rate_limits.max_executions_per_hour,
                                            c->rate_limiting.per_agent[p->risk_level].max_executions_per_hour),
        .runs_per_day = p->rate_limits.max_executions_per_day,
        .cpu_ms_per_hour = stricter(p->rate_limits.max_cpu_time_per_hour,
                                    c->rate_limiting.per_agent[p->risk_level].max_cpu_time_per_hour),
        .cooldown_ms = p->rate_limits.cooldown_period,
        .global_concurrent = c->rate_limiting.global.max_concurrent_executions,
        .global_runs_per_hour = c->rate_limiting.global.max_executions_per_hour,
        .new_agents_per_hour = c->rate_limiting.per_key.max_new_agents_per_hour,
    };
}

struct limit_rules limit_rules_of_job(const struct config *c, const struct profile *p)
{
    const struct limit_rules r = limit_rules_from(c, p);
    return (struct limit_rules){ .jobs_per_hour = c->rate_limiting.enabled ? p->rate_limits.max_jobs_per_hour : 0,
                                 .cpu_ms_per_hour = r.cpu_ms_per_hour,
                                 .global_concurrent = r.global_concurrent };
}

static uint64_t until(uint64_t when_ms, uint64_t now_ms)
{
    return when_ms > now_ms ? when_ms - now_ms : 0;
}

struct limit_verdict limits_check(const struct limit_rules *r, const struct limit_counts *n, uint64_t now_ms)
{
    const struct {
        enum limit_name limit;
        uint64_t allowed, used, wait_ms;
    } rows[] = {
        { LIMIT_RUNS_HOUR, r->runs_per_hour, n->runs_hour, until(n->hour_oldest_ms + LIMIT_HOUR_MS, now_ms) },
        { LIMIT_RUNS_DAY, r->runs_per_day, n->runs_day, until(n->day_oldest_ms + LIMIT_DAY_MS, now_ms) },
        { LIMIT_JOBS_HOUR, r->jobs_per_hour, n->jobs_hour, until(n->jobs_oldest_ms + LIMIT_HOUR_MS, now_ms) },
        { LIMIT_CPU_HOUR, r->cpu_ms_per_hour, n->cpu_ms_hour, until(n->cpu_oldest_ms + LIMIT_HOUR_MS, now_ms) },
        { LIMIT_CONCURRENT, r->global_concurrent, n->global_running, CONCURRENT_WAIT_MS },
        { LIMIT_GLOBAL_HOUR, r->global_runs_per_hour, n->global_hour,
          until(n->global_oldest_ms + LIMIT_HOUR_MS, now_ms) },
    };
    struct limit_verdict worst = { 0 };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].allowed && rows[i].used >= rows[i].allowed && (!worst.limit || rows[i].wait_ms > worst.wait_ms))
            worst = (struct limit_verdict){ (uint8_t)rows[i].limit, rows[i].allowed, rows[i].used, rows[i].wait_ms };
    uint64_t rest = n->last_start_ms ? until(n->last_start_ms + r->cooldown_ms, now_ms) : 0;
    if (rest && (!worst.limit || rest > worst.wait_ms))
        worst = (struct limit_verdict){ LIMIT_COOLDOWN, r->cooldown_ms, until(now_ms, n->last_start_ms), rest };
    return worst;
}

uint32_t limits_share(const struct limit_rules *r, const struct limit_counts *n, enum limit_name *ret_limit)
{
    const struct {
        enum limit_name limit;
        uint64_t allowed, used;
    } rows[] = {
        { LIMIT_RUNS_HOUR, r->runs_per_hour, n->runs_hour },
        { LIMIT_RUNS_DAY, r->runs_per_day, n->runs_day },
        { LIMIT_JOBS_HOUR, r->jobs_per_hour, n->jobs_hour },
        { LIMIT_CPU_HOUR, r->cpu_ms_per_hour, n->cpu_ms_hour },
    };
    uint32_t fullest = 0;
    *ret_limit = LIMIT_NONE;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (!rows[i].allowed)
            continue;
        uint64_t used = MIN_OF(rows[i].used, rows[i].allowed * 4); /* a share of four says all there is to say */
        uint32_t share = (uint32_t)(used * 1000 / rows[i].allowed);
        if (share > fullest) {
            fullest = share;
            *ret_limit = rows[i].limit;
        }
    }
    return fullest;
}
