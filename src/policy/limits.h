/* limits.h - rate limits over sliding windows. Pure: counts in, verdict out.
 *
 * The counting itself is the store's, in the transaction that books the run, so that concurrent processes together
 * never exceed a limit.
 */
#pragma once
#include "config/config.h"

/* What may be used, or was, in a day of UTC: the meter's numbers. */
enum budget_part { BUDGET_RUNS, BUDGET_CPU /* us */, BUDGET_MEMORY /* MiB ms */, BUDGET_BYTES, BUDGET_PARTS };
struct budget {
    uint64_t part[BUDGET_PARTS];
};
enum budget_of { BUDGET_OF_AGENT, BUDGET_OF_KEY, BUDGET_OWNERS };

struct limit_rules {                       /* 0: not limited */
    uint32_t runs_per_hour, runs_per_day;  /* of this agent at this level */
    uint64_t cpu_ms_per_hour, cooldown_ms; /* of this agent at this level; cooldown: between the start of two runs */
    uint32_t global_concurrent, global_runs_per_hour;
    uint32_t new_agents_per_hour; /* of one key */
    uint32_t jobs_per_hour;       /* of a job in a session, in place of runs_per_*: of this agent at this level */
    struct budget budgets[BUDGET_OWNERS];
};
/* At the moment of booking. A run is in the window (now - hour, now]: exactly one hour later it has left. A run counts
 * by when it began, its CPU time by when it ended (a long one would otherwise leave the window with its work just
 * done).
 * *_oldest_ms: the time of the run that has to leave before there is room: the oldest where the count is just at the
 * limit, a later one where the limit was lowered meanwhile. */
struct limit_counts {
    uint32_t runs_hour, runs_day, jobs_hour, global_running, global_hour;
    uint64_t cpu_ms_hour;
    uint64_t hour_oldest_ms, day_oldest_ms, jobs_oldest_ms, cpu_oldest_ms, global_oldest_ms, last_start_ms;
    struct budget used[BUDGET_OWNERS]; /* since 00:00 UTC */
};
#define LIMIT_HOUR_MS UINT64_C(3600000)
#define LIMIT_DAY_MS  (24 * LIMIT_HOUR_MS)
enum limit_name {
    LIMIT_NONE,
    LIMIT_RUNS_HOUR,
    LIMIT_RUNS_DAY,
    LIMIT_CPU_HOUR,
    LIMIT_COOLDOWN,
    LIMIT_CONCURRENT,
    LIMIT_GLOBAL_HOUR,
    LIMIT_JOBS_HOUR,
    LIMIT_NEW_AGENTS, /* of one key: the store counts them where an agent would be made */
    LIMIT_BUDGETS,    /* of the agent, enum budget_part; behind them of the key */
    LIMIT_COUNT = LIMIT_BUDGETS + BUDGET_OWNERS * BUDGET_PARTS
};
extern const char *const limit_names[]; /* the configuration's words: "max_executions_per_hour" ... */

struct limit_verdict {
    uint8_t limit;          /* LIMIT_NONE: there is room */
    uint64_t allowed, used; /* in the limit's own unit: runs, ms, of budgets as in struct budget */
    uint64_t wait_ms;       /* until it may be tried again; for LIMIT_CONCURRENT: a guess of one second */
};
/* The stricter of profile (rate_limits.*) and configuration (rate_limiting.per_agent.<level>.*). All zero where
 * rate_limiting.enabled is false. */
struct limit_rules limit_rules_from(const struct config *c, const struct profile *p);
/* The same of a job in a session: the session was the execution. CPU time counts all the same. */
struct limit_rules limit_rules_of_job(const struct config *c, const struct profile *p);
/* Of several limits that are hit, the one with the longest wait: after it none of these refuses any more. */
struct limit_verdict limits_check(const struct limit_rules *r, const struct limit_counts *n, uint64_t now_ms);
/* What a limit's numbers are for people: each `divisor` of them are one unit (« s», « MiB s», « bytes» or «»). */
const char *limit_unit(enum limit_name limit, uint64_t *ret_divisor);
bool limit_is_budget(enum limit_name limit);
/* The agent's own windows and budgets, and of its key's the budgets, as far as there are any; how many. No wait_ms. */
size_t limits_list(const struct limit_rules *r, const struct limit_counts *n,
                   struct limit_verdict ret[static LIMIT_COUNT]);
/* How full the fullest of the agent's own windows and budgets is, in thousandths of its limit (alerts); *ret_limit:
 * which. A run that was just booked is among the counts. */
uint32_t limits_share(const struct limit_rules *r, const struct limit_counts *n, enum limit_name *ret_limit);
