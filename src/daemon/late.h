/* late.h - ends of runs that could not be told to the shared store, since it was away: kept on this node's disk, and
 * brought to the store when it is back, or when this node starts again.
 *
 * A run that was booked goes on while the database is away, and its client gets its result. What the store has to know
 * (struct settle, the execution's end with its result) is a file each in `late` in the state directory, on the disk
 * before the client is answered. It is booked once, however often it is brought: settling a run and finishing an
 * execution do nothing the second time. A file goes when the store has it.
 *
 * What another node has buried meanwhile (this one was silent for too long) stays as it was told; its violations count
 * (store.h). Threads: any may keep; bringing is done by one at a time.
 */
#pragma once
#include "store/service.h"

struct late;
struct service;

/* Only where there are nodes. */
int late_open(struct service *v, struct late **ret, struct error *err);
struct late *late_free(struct late *l);
/* On the disk when these return 0. */
int late_keep_settle(struct late *l, const struct settle *r, struct error *err);
/* releases: its Idempotency-Key may be used again; is_retried: another node may run it once more, and then its end is
 * told there; is_audited: the audit has the end of the run. */
struct late_finish {
    const struct execution_row *row;
    bool releases, is_retried, is_audited;
};
int late_keep_finish(struct late *l, const struct late_finish *f, struct error *err);
/* Brings all to the store: 0: none is left; or why not. */
int late_bring(struct service *v, struct error *err);
