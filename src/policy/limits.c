#include "policy/limits.h"

const char *const limit_names[] = { "none",
                                    "max_executions_per_hour",
                                    "max_executions_per_day",
                                    "max_cpu_time_per_hour",
                                    "cooldown_period",
                                    "global.max_concurrent_executions",
                                    "global.max_executions_per_hour",
                                    "max_jobs_per_hour",
                                    "per_key.max_new_agents_per_hour",
                                    "budgets.per_agent.max_executions_per_day",
                                    "budgets.per_agent.max_cpu_time_per_day",
                                    "budgets.per_agent.max_memory_per_day",
                                    "budgets.per_agent.max_bytes_per_day",
                                    "budgets.per_key.max_executions_per_day",
                                    "budgets.per_key.max_cpu_time_per_day",
                                    "budgets.per_key.max_memory_per_day",
                                    "budgets.per_key.max_bytes_per_day" };
_Static_assert(ARRAY_LEN(limit_names) == LIMIT_COUNT, "a limit has no name");

#define CONCURRENT_WAIT_MS 1000u

/* 0 means «not limited», so it is the laxest. */
static uint64_t stricter(uint64_t a, uint64_t b)
{
    return !a ? b : !b ? a : MIN_OF(a, b);
}

static struct budget budget_from(const struct config_budget *b)
{
    return (struct budget){ { [BUDGET_RUNS] = b->max_executions_per_day,
                              [BUDGET_CPU] = b->max_cpu_time_per_day * 1000,
                              [BUDGET_MEMORY] = (uint64_t)b->max_memory_per_day * 1000,
                              [BUDGET_BYTES] = b->max_bytes_per_day } };
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
        .budgets = { [BUDGET_OF_AGENT] = budget_from(&c->rate_limiting.budgets.per_agent),
                     [BUDGET_OF_KEY] = budget_from(&c->rate_limiting.budgets.per_key) },
    };
}

struct limit_rules limit_rules_of_job(const struct config *c, const struct profile *p)
{
    const struct limit_rules r = limit_rules_from(c, p);
    return (struct limit_rules){ .jobs_per_hour = c->rate_limiting.enabled ? p->rate_limits.max_jobs_per_hour : 0,
                                 .cpu_ms_per_hour = r.cpu_ms_per_hour,
                                 .global_concurrent = r.global_concurrent,
                                 .budgets = { r.budgets[BUDGET_OF_AGENT], r.budgets[BUDGET_OF_KEY] } };
}

static uint64_t until(uint64_t when_ms, uint64_t now_ms)
{
    return when_ms > now_ms ? when_ms - now_ms : 0;
}

static enum limit_name budget_limit(unsigned of, unsigned part)
{
    return (enum limit_name)(LIMIT_BUDGETS + of * BUDGET_PARTS + part);
}

bool limit_is_budget(enum limit_name limit)
{
    return limit >= LIMIT_BUDGETS && limit < LIMIT_COUNT;
}

const char *limit_unit(enum limit_name limit, uint64_t *ret_divisor)
{
    static const struct {
        const char *name;
        uint64_t divisor;
    } units[BUDGET_PARTS] = { { "", 1 }, { " s", 1000000 }, { " MiB s", 1000 }, { " bytes", 1 } };
    if (limit_is_budget(limit)) {
        const unsigned part = (limit - LIMIT_BUDGETS) % BUDGET_PARTS;
        *ret_divisor = units[part].divisor;
        return units[part].name;
    }
    const bool is_time = limit == LIMIT_CPU_HOUR || limit == LIMIT_COOLDOWN;
    *ret_divisor = is_time ? 1000 : 1;
    return is_time ? " s" : "";
}

/* All of them have room again when the day is over. A budget refuses when it is used up, not when a run might do so:
 * what a run will take is not known, and an agent below its budget is not refused. */
static struct limit_verdict check_budgets(const struct limit_rules *r, const struct limit_counts *n, uint64_t now_ms)
{
    for (unsigned of = 0; of < BUDGET_OWNERS; of++)
        for (unsigned part = 0; part < BUDGET_PARTS; part++) {
            const uint64_t allowed = r->budgets[of].part[part], used = n->used[of].part[part];
            if (allowed && used >= allowed)
                return (struct limit_verdict){ (uint8_t)budget_limit(of, part), allowed, used,
                                               LIMIT_DAY_MS - now_ms % LIMIT_DAY_MS };
        }
    return (struct limit_verdict){ 0 };
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
    struct limit_verdict worst = check_budgets(r, n, now_ms);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].allowed && rows[i].used >= rows[i].allowed && (!worst.limit || rows[i].wait_ms > worst.wait_ms))
            worst = (struct limit_verdict){ (uint8_t)rows[i].limit, rows[i].allowed, rows[i].used, rows[i].wait_ms };
    uint64_t rest = n->last_start_ms ? until(n->last_start_ms + r->cooldown_ms, now_ms) : 0;
    if (rest && (!worst.limit || rest > worst.wait_ms))
        worst = (struct limit_verdict){ LIMIT_COOLDOWN, r->cooldown_ms, until(now_ms, n->last_start_ms), rest };
    return worst;
}

size_t limits_list(const struct limit_rules *r, const struct limit_counts *n,
                   struct limit_verdict ret[static LIMIT_COUNT])
{
    const struct limit_verdict rows[] = {
        { LIMIT_RUNS_HOUR, r->runs_per_hour, n->runs_hour, 0 },
        { LIMIT_RUNS_DAY, r->runs_per_day, n->runs_day, 0 },
        { LIMIT_JOBS_HOUR, r->jobs_per_hour, n->jobs_hour, 0 },
        { LIMIT_CPU_HOUR, r->cpu_ms_per_hour, n->cpu_ms_hour, 0 },
    };
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].allowed)
            ret[count++] = rows[i];
    for (unsigned of = 0; of < BUDGET_OWNERS; of++)
        for (unsigned part = 0; part < BUDGET_PARTS; part++)
            if (r->budgets[of].part[part])
                ret[count++] = (struct limit_verdict){ (uint8_t)budget_limit(of, part), r->budgets[of].part[part],
                                                       n->used[of].part[part], 0 };
    return count;
}

uint32_t limits_share(const struct limit_rules *r, const struct limit_counts *n, enum limit_name *ret_limit)
{
    struct limit_verdict list[LIMIT_COUNT];
    const size_t count = limits_list(r, n, list);
    uint32_t fullest = 0;
    *ret_limit = LIMIT_NONE;
    for (size_t i = 0; i < count; i++) {
        /* a share of four says all there is to say */
        const uint32_t share = list[i].used / 4 >= list[i].allowed
                                   ? 4000
                                   : (uint32_t)((unsigned __int128)list[i].used * 1000 / list[i].allowed);
        if (share > fullest) {
            fullest = share;
            *ret_limit = (enum limit_name)list[i].limit;
        }
    }
    return fullest;
}
