/* rerun.h - a recorded run under another profile: whether it would have been ended, or something of it refused.
 *
 * What is recorded is either the end's line of the audit (a summary: connections, peaks, violations) or a whole stream
 * of events (--record-events), which the detectors read again. The judges are those of a run: the network's rules
 * (net/rules.h), the detectors (watch/watch.h), the profile's limits and kill switches. The first reason is the one
 * told.
 */
#pragma once
#include "config/config.h"
#include "net/rules.h"
#include "watch/watch.h"

struct rerun_rules { /* of one profile */
    const struct profile *profile;
    struct net_rules network;
};
/* Borrows p. rerun_done() in any case. */
int rerun_begin(const struct profile *p, const struct config *c, struct rerun_rules *ret, struct error *err);
void rerun_done(struct rerun_rules *r);

struct rerun {
    const struct rerun_rules *rules;
    const char *rule; /* NULL: it passes */
    char why[WATCH_EVIDENCE_MAX];
};
/* A connection that was allowed then; name: under which the address was known, "" or NULL for none. */
void rerun_connection(struct rerun *r, uint8_t family, const void *address, uint16_t port, const char *name);
/* 0: not known. */
void rerun_peak(struct rerun *r, uint64_t memory_bytes, uint64_t pids);
void rerun_duration(struct rerun *r, uint64_t ms);
/* A violation of a detector that only reported it. Both may be NULL. */
void rerun_violation(struct rerun *r, const char *type, const char *detail);

/* A recording: its events through the detectors, and all of the above. -errno: BLAME_CALLER says file and line. */
int rerun_file(struct rerun *r, const char *path, struct error *err);
