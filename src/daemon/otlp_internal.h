/* otlp_internal.h - the parts of OTLP: what is kept of a run, how traces and metrics are written. Pure. */
#pragma once
#include "base/buf.h"
#include "daemon/otlp.h"
#include "run/exec.h"

#define OTLP_BATCH     256u       /* runs of one post */
#define OTLP_MAX_BODY  (16 * MIB) /* bytes */
#define OTLP_MAX_AGENT 132u       /* base/agent_id.h: at most 128 */

struct otlp_record { /* a run that waits */
    uint8_t trace[16], parent[8];
    bool has_parent;
    uint64_t span;           /* the root's id; those of the children follow it */
    uint64_t wall_offset_us; /* from CLOCK_MONOTONIC to the calendar's time */
    uint64_t end_us;         /* monotonic: for parts that have no end */
    char execution_id[64], agent_id[OTLP_MAX_AGENT], rule[64], kill_switch[48];
    const char *language, *level, *backend; /* literals */
    enum run_reason reason;
    bool has_exit;
    uint32_t exit_code, violations;
    uint64_t cpu_us, peak_memory_bytes;
    struct timing timing;
};
/* random: for the ids that the caller did not give; wall_us, mono_us: now. */
void otlp_record_make(const struct otlp_run *r, const uint64_t random[3], uint64_t wall_us, uint64_t mono_us,
                      struct otlp_record *ret);

struct otlp_part {
    const char *name;
    uint64_t from_us, to_us; /* monotonic; within the run */
};
#define OTLP_PARTS 6u
size_t otlp_parts(const struct otlp_record *r, struct otlp_part ret[static OTLP_PARTS]);

struct otlp_resource {
    char host[65], instance[33];
};
/* An ExportTraceServiceRequest. */
void otlp_write_traces(const struct otlp_resource *s, const struct otlp_record *runs, size_t count, struct buf *out);
/* An ExportMetricsServiceRequest of our own exposition text (metrics_write()). Times in ns since 1970. */
void otlp_write_metrics(const struct otlp_resource *s, const char *text, uint64_t start_ns, uint64_t now_ns,
                        struct buf *out);

/* Both begin with the resource; what: resourceSpans, scopeSpans, spans, or resourceMetrics …; ended by otlp_end(). */
void otlp_begin(const struct otlp_resource *s, const char *resources, const char *scopes, const char *items,
                struct buf *out);
void otlp_end(struct buf *out);
/* An attribute {"key","value":{"stringValue"}}; NULL or empty: none. */
void otlp_text(struct buf *b, const char *key, const char *value);
