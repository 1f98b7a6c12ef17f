/* limits.h - rate limits over sliding windows. Pure: counts in, verdict out.
 *
 * The counting itself is the store's, in the transaction that books the run, so that concurrent processes together
 * never exceed a limit.
 */
#pragma once
#include "config/config.h"

struct limit_rules { /* 0: not limited */
    uint32_t runs_per_hour, runs_per_day;     /* of this agent at this level */
    uint64_t cpu_ms_per_hour, cooldown_ms;    /* of this agent at this level; cooldown: between the start of two runs */
    uint32_t global_concurrent, global_runs_per_hour;
};
struct limit_counts { /* at the moment of booking; *_oldest_ms: when the oldest in the window began */
    uint32_t runs_hour, runs_day, global_running, global_hour;
    uint64_t cpu_ms_hour;
    uint64_t hour_oldest_ms, day_oldest_ms, cpu_oldest_ms, global_oldest_ms, last_start_ms;
};
enum limit_name { LIMIT_NONE, LIMIT_RUNS_HOUR, LIMIT_RUNS_DAY, LIMIT_CPU_HOUR, LIMIT_COOLDOWN, LIMIT_CONCURRENT,
                  LIMIT_GLOBAL_HOUR, LIMIT_COUNT };
extern const char *const limit_names[]; /* the configuration's words: "max_executions_per_hour" ... */

struct limit_verdict {
    uint8_t limit;          /* LIMIT_NONE: there is room */
    uint64_t allowed, used; /* in the limit's own unit: runs, ms */
    uint64_t wait_ms;       /* until it may be tried again; for LIMIT_CONCURRENT: a guess of one second */
};
/* The stricter of profile (rate_limits.*) and configuration (rate_limiting.per_agent.<level>.*). */
struct limit_rules limit_rules_from(const struct config *c, const struct profile *p);
struct limit_verdict limits_check(const struct limit_rules *r, const struct limit_counts *n, uint64_t now_ms);
