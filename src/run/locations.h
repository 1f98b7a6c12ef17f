/* locations.h - where records of runs lie: logs, audit, artifacts, state; the same for whoever writes and whoever
 * looks.
 */
#pragma once
#include "run/paths.h"
#include "config/config.h"

struct locations {
    const char *log_dirs[3]; /* NULL-terminated, as for runlog_open and audit_open */
    const char *state_dir;   /* NULL: nowhere */
    const char *artifacts_dir;
};

void locations_find(const struct paths *p, const struct config *c, struct arena *a, struct locations *ret);
/* The first of log_dirs with an audit in it, or the first of all. */
const char *locations_audit_dir(const struct locations *l);
