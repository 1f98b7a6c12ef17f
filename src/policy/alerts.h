/* alerts.h - the conditions of monitoring.alerts, and which of them holds. Pure.
 *
 * Telling each of them once a window is the store's (store_once), sending them the command line's or the service's.
 */
#pragma once
#include "config/config.h"

enum alert_kind { ALERT_FAILURE_RATE, ALERT_EXECUTIONS, ALERT_LIMIT, ALERT_REFUSALS, ALERT_KINDS };
/* high_failure_rate, excessive_executions, resource_limit_exceeded, refusal_stream, NULL */
extern const char *const alert_names[];

/* Fewer runs than this say nothing about a rate. */
#define ALERT_LEAST_RUNS 5u

struct alert_condition {
    bool is_on;
    uint64_t threshold; /* milli of runs, of a share, or of a number of runs */
    uint64_t window_ms;
};
struct alert_rules {
    struct alert_condition conditions[ALERT_KINDS];
};
struct alert_counts {
    uint32_t window_runs, window_failures; /* within the window of ALERT_FAILURE_RATE */
    uint32_t volume_runs;                  /* within that of ALERT_EXECUTIONS */
    uint32_t window_refusals;              /* within that of ALERT_REFUSALS: what the level did not offer */
    uint32_t share;                        /* fullest limit, milli */
    const char *limit;                     /* its name */
};

/* Conditions that are not configured are off; a missing threshold or window is the contract's. */
struct alert_rules alert_rules_from(const struct config *c);
/* Whether the condition holds; `text`: the sentence with its numbers. */
bool alert_holds(const struct alert_rules *r, enum alert_kind kind, const struct alert_counts *n,
                 char text[static 200]);
