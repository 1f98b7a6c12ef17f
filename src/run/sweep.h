/* sweep.h - what may go goes: run logs, artifacts and caches, by age and by size.
 *
 *   run logs    monitoring.logging.retention_days, max_total_size
 *   artifacts   security.store_artifacts.retention_days, max_total_size
 *   caches      sandbox.cache.retention_days, max_total_size: policies, scans, compiled programs
 *
 * At most once an hour for one log directory, whichever process writes there: the time of a file .swept says when it
 * was. The command line does it in a process of its own, when the result is out; a service in its housekeeping. Only
 * files whose names are ours (base/retention.h, audit/artifacts.h), never the audit, never a log that is being written.
 */
#pragma once
#include "run/paths.h"
#include "run/runlog.h"
#include "run/trail.h"

#define SWEEP_EVERY_MS (UINT64_C(3600) * 1000)

struct sweep {
    const char *log_dir, *artifacts, *cache; /* artifacts, cache: NULL: none */
    struct runlog_place own[RISK_COUNT];     /* where profiles have their logs, if elsewhere; dir NULL: nothing */
};

/* Borrows from the configuration, and from a. */
void sweep_init(struct sweep *s, const struct trail *t, const struct config *c, const struct paths *p, struct arena *a);
/* One level's logs may lie elsewhere. */
void sweep_add_level(struct sweep *s, const struct profile *p, struct arena *a);
/* True once an hour: then it is the caller's. */
bool sweep_is_due(const struct sweep *s, uint64_t now_ms);
void sweep_now(const struct sweep *s, const struct config *c, uint64_t now_ms);
/* The same in a child that nothing waits for: for a process with one thread that is about to end. */
void sweep_apart(const struct sweep *s, const struct config *c, uint64_t now_ms);
