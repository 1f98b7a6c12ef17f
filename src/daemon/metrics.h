/* metrics.h - what the service counts, and its text for Prometheus (text/plain; version=0.0.4).
 *
 * Counting is a few atomic additions and takes no lock. No agent, key or execution is a label: cardinality is bounded
 * by tables in this program. docs/metrics.md is the list; a test compares it with the text, both ways.
 */
#pragma once
#include "base/buf.h"
#include "config/config.h"
#include "plan/plan.h"
#include "policy/standing.h"

struct service;
struct attempts;
struct metrics;

struct metrics *metrics_new(void);
struct metrics *metrics_free(struct metrics *m);
/* monitoring.metrics: which families are shown from now on (an empty list: all; with or without «sandbox_agent_»), and
 * how old what has to be collected may be. Names that there are none of are appended to *unknown, with the nearest
 * known one: a line for the log. */
void metrics_configure(struct metrics *m, const struct config *c, struct buf *unknown);
/* The same, and what is unknown goes to the log. */
void metrics_apply(struct service *v, const struct config *c);

struct metrics_run { /* one that ended, however */
    enum language language;
    enum risk_level level;
    enum run_reason reason;
    const char *backend;  /* NULL: native */
    uint64_t duration_us; /* of the program; 0: it did not start */
    uint64_t
        startup_us; /* from the request's arrival (queue not counted) to the program's start; 0: it did not start */
    uint64_t queue_us;
    uint64_t cpu_us, peak_memory_bytes;
    uint64_t timeout_us, memory_bytes; /* limits that were in force; 0: none, or unknown */
    bool has_met_processes;            /* a fork was refused by a limit */
    const char *kill_switch;           /* detector's name or NULL */
    const struct violation *violations;
    uint32_t violation_count;
};
void metrics_run(struct metrics *m, const struct metrics_run *r);
/* One request for a run, however it ended. agent_id: copied. */
void metrics_attempt(struct metrics *m, const char *agent_id);
struct attempts *metrics_attempts(struct metrics *m);
/* rule: what refused (limit_names, quarantine, scan …): a name that no table knows counts as «other». */
void metrics_refused(struct metrics *m, const char *rule, bool is_rate_limit);
enum metrics_timer { METRICS_AUDIT_WRITE, METRICS_STORE, METRICS_SCAN, METRICS_TIMERS };
void metrics_time(struct metrics *m, enum metrics_timer t, uint64_t us);
void metrics_http(struct metrics *m, const char *method, unsigned status, uint64_t us);
enum metrics_event {
    METRICS_LAUNCHER_RESTART,
    METRICS_RELOAD,
    METRICS_RELOAD_FAILED,
    METRICS_QUEUE_FULL,
    METRICS_CLIENT_GONE,
    METRICS_WARM_LOST,
    METRICS_MESSAGE_SENT,
    METRICS_MESSAGE_FAILED,
    METRICS_WEBHOOK_SENT,
    METRICS_WEBHOOK_FAILED,
    METRICS_WEBHOOK_RETRIED,
    METRICS_WEBHOOK_DROPPED,
    METRICS_OTLP_SENT,
    METRICS_OTLP_FAILED,
    METRICS_OTLP_DROPPED,
    METRICS_WARM_FOUND,
    METRICS_WARM_MISSED,
    METRICS_AUDIT_FAILED,
    METRICS_STORE_FAILED,
    METRICS_EVENTS
};
void metrics_count(struct metrics *m, enum metrics_event e);

/* File systems that the service writes. */
enum { METRICS_DISK_STATE, METRICS_DISK_LOG, METRICS_DISKS };
/* What is so at the moment of asking. metrics_gauges() fills all but agents and process. */
struct metrics_gauges {
    uint64_t running, queued, queue_max;  /* executions */
    uint64_t launcher_is_up, is_draining; /* 0 or 1 */
    bool has_warm;                        /* warm.enabled */
    uint64_t warm_waiting;
    bool has_audit;
    uint64_t audit_lines, audit_file_bytes; /* audit.head: sequence, offset */
    /* from the HTTP server */
    uint64_t connections, connections_total, connections_refused, connections_evicted, requests_bad, requests_timed_out;
    uint64_t webhooks_waiting;
    uint64_t log_dropped;      /* lines */
    uint64_t busiest_attempts; /* of one agent in the last hour */
    bool has_expiry;
    uint64_t key_expires_ms; /* of the keys that are good now, the first to expire */
    struct metrics_disk {
        bool is_known;
        uint64_t free_bytes, size_bytes; /* free: for the service's user */
    } disks[METRICS_DISKS];
    bool is_verified;
    bool is_witnessed, has_cosigned, has_cosigner;      /* fleet.witnesses; the first two: once there was one */
    uint64_t witnessed_ms, cosigned_ms, audits_refused; /* cosigner.h */
    bool has_nodes;
    uint64_t policies_differ;                                                   /* other nodes */
    bool has_content;                                                           /* content.place */
    uint64_t content_waiting, content_written, content_failed, content_dropped; /* mirror.h */
    uint64_t verified_ms, audit_problems; /* the last whole verification of the audit: wall clock when it ended */
    /* collected at most every collect_interval */
    struct metrics_agents {
        bool is_known;
        uint64_t standing[STANDING_COUNT], trust[10] /* from 0.0, 0.1 … */;
    } agents;
    struct metrics_process {
        uint64_t cpu_us, start_ms, resident_bytes, virtual_bytes, open_fds, max_fds, threads;
    } process;
};
/* service.c; *ret is zeroed before. */
void metrics_gauges(struct service *v, struct metrics_gauges *ret);
#define METRICS_MAX_TEXT (4 * MIB)
/* Everything; gauges (queue, pool, launcher, trust distribution, process) are read from the service when asked. */
void metrics_text(struct service *v, struct buf *out);
/* The same from gauges that are there already. */
void metrics_write(const struct metrics *m, const struct metrics_gauges *g, struct buf *out);
