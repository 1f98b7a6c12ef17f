/* locations.h - where records of runs lie: logs, audit, artifacts, state; the same for the writer and the program that
 * looks.
 */
#pragma once
#include "run/paths.h"
#include "config/config.h"

/* Where logs are when no configuration says otherwise, and what configurations written for AGiXT name. Such a path in
 * another key (logging.output, monitoring.logging.output, security.store_artifacts.path) is below the log directory in
 * use: locations_below(). */
#define LOG_DIR "/var/log/sandbox"

struct locations {
    const char *log_dirs[3]; /* NULL-terminated, as for runlog_open and audit_open */
    const char *state_dir;   /* NULL: nowhere */
    const char *artifacts_dir;
};

void locations_find(const struct paths *p, const struct config *c, struct arena *a, struct locations *ret);
/* LOG_DIR itself, or below it, becomes the same below log_dir; another path stays as it is. */
const char *locations_below(const char *path, const char *log_dir, struct arena *a);
/* The first of log_dirs with an audit in it, or the first of all. */
const char *locations_audit_dir(const struct locations *l);
