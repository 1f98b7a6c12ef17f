/* otlp.h - traces and metrics for an OpenTelemetry collector (monitoring.otlp): OTLP/HTTP with JSON.
 *
 * Each run is a span with a child for each of its parts (run/timing.h); the metrics are those of /metrics. A thread of
 * its own sends them in batches. Telling it of a run copies some hundred bytes and never waits: while the collector is
 * away runs wait in a queue of monitoring.otlp.queue_size, and beyond that they are dropped and counted. Of a run there
 * are ids, names, numbers and the reason of its end; never code, output, arguments or messages. docs/metrics.md.
 */
#pragma once
#include "base/error.h"
#include "config/config.h"
#include "daemon/metrics.h"
#include "run/timing.h"

struct otlp;
struct service;

struct otlp_host {
    void *context;
    void (*log)(void *context, enum log_level level, const char *text);
    void (*count)(void *context, enum metrics_event e);
    void (*collect)(void *context, struct buf *out); /* metrics_text(); from the thread */
    uint64_t first_pause_ms;                         /* before the second attempt; then twice as long, and so on */
    uint64_t gather_ms;                              /* how long the first run of a batch waits for others */
};

struct otlp_run {                           /* copied */
    const char *trace_id, *parent_id;       /* of the caller's traceparent, 32 and 16 hex digits; or NULL */
    const char *execution_id, *agent_id;    /* agent_id: or NULL */
    const char *language, *level, *backend; /* literals; or NULL */
    const char *rule, *kill_switch;         /* what refused or ended it; or NULL */
    enum run_reason reason;
    bool has_exit;
    uint32_t exit_code, violations;
    uint64_t cpu_us, peak_memory_bytes;
    struct timing timing;
};

/* Of monitoring.otlp: a URL, an address or a file of headers that cannot be used. BLAME_CALLER. */
int otlp_check(const struct config *c, struct error *err);
/* Starts the thread where an endpoint is configured. */
int otlp_start(const struct otlp_host *h, const struct config *c, struct otlp **ret, struct error *err);
/* The service's own (otlp_service.c). */
int otlp_open(struct service *v, const struct config *c, struct otlp **ret, struct error *err);
/* Whether the metrics may be collected now: not before the service is whole. When «false» returns, none is at it. */
void otlp_collects(struct otlp *o, bool may);
/* Another configuration; on an error, which is told, the one of before stays. */
void otlp_configure(struct otlp *o, const struct config *c);
/* Whether it is worth making a struct otlp_run. */
bool otlp_is_on(const struct otlp *o);
void otlp_run(struct otlp *o, const struct otlp_run *r);
/* Sends what waits, for at most wait_ms; accepts NULL, returns NULL. */
struct otlp *otlp_close(struct otlp *o, uint32_t wait_ms);
