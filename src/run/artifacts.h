/* artifacts.h - what is kept of a run beyond its record: code, plan, output and the files in /workspace, as artifacts
 * (security.store_artifacts).
 *
 * In two halves, so that the first is written while the sandbox starts. What could not be kept is said on stderr and in
 * the manifest; the run stands.
 */
#pragma once
#include "audit/artifacts.h"
#include "run/stream.h"
#include "run/trail.h"
#include "run/workspace.h"
#include "config/compiled.h"

struct keep {
    struct artifacts store;
    bool is_on;
    int copy_dir;                  /* --output-dir: takes what is left in /workspace, too; -1: none. The caller's */
    uint64_t copy_max;             /* bytes of all files together */
    struct error copy_error;       /* the first; also: not all of it */
    const struct strlist *planted; /* monitoring.canaries: not the program's files; NULL: none */
};

/* SHA-256 over the packed shape and job, without what differs from run to run (the id). 64 hex digits. */
void plan_hash(const struct plan *p, char out[static 65]);
/* Bytes of each output worth holding; 0 where artifacts are off. */
uint64_t keep_max(const struct config *c);
/* <log_dir>/artifacts, unless security.store_artifacts.path says otherwise. */
const char *keep_path(const struct trail *t, const struct config *c, struct arena *a);

/* The code alone: of a run that was refused. 0, or what was said on stderr. */
int keep_code(struct keep *k, const struct trail *t, const struct config *c, const struct run_request *r,
              const char *execution_id, struct arena *a);
void keep_begin(struct keep *k, const struct trail *t, const struct compiled *policy, const struct run_request *r,
                const struct plan *p, const char *execution_id, struct arena *a);
/* s, w: NULL when nothing ran. Also of one never begun. The list is open until keep_close(). */
void keep_end(struct keep *k, const struct stream *s, struct workspace *w);
/* receipt: signed, goes into the list; empty: there is none. Also of one never begun. */
void keep_close(struct keep *k, const struct buf *receipt);
