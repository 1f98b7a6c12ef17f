/* places.h - where records of runs lie: logs, audit, artifacts, state; the same for whoever writes and whoever looks.
 */
#pragma once
#include "run/paths.h"
#include "config/config.h"

struct places {
    const char *log_dirs[3]; /* NULL-terminated, as for runlog_open and audit_open */
    const char *state_dir;   /* NULL: nowhere */
    const char *artifacts_dir;
};

void places_find(const struct paths *p, const struct config *c, struct arena *a, struct places *ret);
/* The first of log_dirs with an audit in it, or the first of all. */
const char *places_audit_dir(const struct places *l);
