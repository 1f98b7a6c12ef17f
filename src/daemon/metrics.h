/* metrics.h - what the service counts, and its text for Prometheus (text/plain; version=0.0.4).
 *
 * Counting is a few atomic additions and takes no lock. No agent, key or execution is a label: cardinality is bounded by tables in this program.
 */
#pragma once
#include "base/buf.h"
#include "config/config.h"
#include "plan/plan.h"
#include "policy/standing.h"

struct service;
struct metrics;

struct metrics *metrics_new(void);
struct metrics *metrics_free(struct metrics *m);

struct metrics_run { /* one that ended, however */
    enum language language;
    enum risk_level level;
    enum run_reason reason;
    uint64_t duration_us;  /* of the program */
    uint64_t startup_us;   /* from the request's arrival (queue not counted) to the program's start */
    uint64_t queue_us;
    uint64_t cpu_us, peak_memory_bytes;
    const char *kill_switch; /* detector's name or NULL */
    const struct violation *violations;
    uint32_t violation_count;
};
void metrics_run(struct metrics *m, const struct metrics_run *r);
/* rule: what refused (limit_names, quarantine, scan …): a name that no table knows counts as «other». */
void metrics_refused(struct metrics *m, const char *rule, bool is_rate_limit);
enum metrics_timer { METRICS_AUDIT_WRITE, METRICS_STORE, METRICS_SCAN, METRICS_TIMERS };
void metrics_time(struct metrics *m, enum metrics_timer t, uint64_t us);
void metrics_http(struct metrics *m, const char *method, unsigned status, uint64_t us);
enum metrics_event { METRICS_LAUNCHER_RESTART, METRICS_RELOAD, METRICS_RELOAD_FAILED, METRICS_QUEUE_FULL, METRICS_CLIENT_GONE, METRICS_WEBHOOK_SENT,
                     METRICS_WEBHOOK_FAILED, METRICS_WEBHOOK_DROPPED, METRICS_EVENTS };
void metrics_count(struct metrics *m, enum metrics_event e);
/* Everything; gauges (queue, pool, launcher, trust distribution, process) are read from the service when asked. */
void metrics_text(struct service *v, struct buf *out);
