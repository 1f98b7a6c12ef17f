/* metrics_internal.h - the counters themselves, and the tables that their labels come from. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "daemon/attempts.h"
#include "daemon/histogram.h"
#include "daemon/metrics.h"
#include "policy/limits.h"
#include "watch/watch.h"

typedef _Atomic uint64_t counter;

#define METRICS_LANGUAGES    (LANG_COUNT + 1) /* command */
#define METRICS_MAX_TYPES    40u
#define METRICS_MAX_RULES    24u
#define METRICS_STATUS_FIRST 100u
#define METRICS_STATUSES     500u
#define METRICS_MAX_FAMILIES 128u

/* Names of one label; what none of them is counts as «other», behind the last. */
struct metrics_names {
    const char *const *names;
    size_t count;
};
size_t metrics_find(struct metrics_names n, const char *name);
const char *metrics_name(struct metrics_names n, size_t i); /* n.count: «other» */

enum { METRICS_BACKEND_NATIVE, METRICS_BACKEND_DOCKER, METRICS_BACKEND_REMOTE, METRICS_BACKENDS };
extern const struct metrics_names metrics_backends, metrics_rules, metrics_limits, metrics_methods;
#define METRICS_SWITCHES (DETECTOR_COUNT + 1) /* the detectors, and the network's limits */
#define METRICS_METHODS  7u

enum { METRICS_NEAR_MEMORY, METRICS_NEAR_TIME, METRICS_NEAR_PROCESSES, METRICS_NEAR };

struct metrics {
    struct attempts *attempts;
    counter executions[RISK_COUNT][METRICS_LANGUAGES][METRICS_BACKENDS + 1][REASON_COUNT];
    counter cpu_us[RISK_COUNT][METRICS_LANGUAGES];
    struct histogram duration[METRICS_LANGUAGES], startup[METRICS_LANGUAGES], queue, peak_memory;
    counter violations[METRICS_MAX_TYPES + 1][SEVERITY_COUNT]; /* in the order of violation_type() */
    counter switches[METRICS_SWITCHES + 1];
    counter rules[METRICS_MAX_RULES + 1], limits[LIMIT_COUNT];
    counter http[METRICS_METHODS + 1][METRICS_STATUSES];
    counter near[METRICS_NEAR];
    struct histogram http_time, timers[METRICS_TIMERS];
    counter events[METRICS_EVENTS];
    counter has_failed_reload;                 /* the last one: 0 or 1 */
    counter loaded_ms;                         /* when the configuration of now was read; wall clock */
    counter hidden[METRICS_MAX_FAMILIES / 64]; /* bit per family */
    counter collect_interval_ms;

    pthread_mutex_t agents_lock; /* of the collecting thread; others show what was there */
    struct metrics_agents agents;
    uint64_t agents_at_ms; /* CLOCK_MONOTONIC; 0: never */
};

extern const struct histogram_bounds metrics_run_bounds, metrics_startup_bounds, metrics_queue_bounds,
    metrics_memory_bounds, metrics_http_bounds, metrics_short_bounds;

static inline uint64_t counter_get(const counter *c)
{
    return atomic_load_explicit(c, memory_order_relaxed);
}
static inline void counter_add(counter *c, uint64_t n)
{
    (void)atomic_fetch_add_explicit(c, n, memory_order_relaxed);
}
/* metrics_process.c: of this process, from /proc */
void metrics_process(struct metrics_process *ret);
/* metrics_process.c: of the file system that `path` lies on */
void metrics_disk(const char *path, struct metrics_disk *ret);
/* metrics_agents.c: the last collection, or a new one where it is too old and no other thread is at it */
void metrics_agents(struct service *v, struct metrics *m, struct metrics_agents *ret);
