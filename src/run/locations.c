#include "run/locations.h"

#include <stdio.h>

void locations_find(const struct paths *p, const struct config *c, struct arena *a, struct locations *ret)
{
    const char *log = c->sandbox.paths.log_dir, *artifacts = c->security.store_artifacts.path;
    bool is_own = log && !str_eq(log, LOG_DIR); /* the standard one, said aloud, is no other than the standard one */
    ret->log_dirs[0] = log ? log : LOG_DIR;
    ret->log_dirs[1] = is_own ? NULL : p->log;
    ret->log_dirs[2] = NULL;
    ret->state_dir = c->sandbox.paths.state_dir ? c->sandbox.paths.state_dir : p->state;
    ret->artifacts_dir = artifacts ? locations_below(artifacts, locations_audit_dir(ret), a)
                                   : arena_printf(a, "%s/artifacts", locations_audit_dir(ret));
}

const char *locations_below(const char *path, const char *log_dir, struct arena *a)
{
    const char *rest = path + strlen(LOG_DIR);
    if (!str_starts(path, LOG_DIR) || (*rest && *rest != '/') || str_eq(log_dir, LOG_DIR))
        return path;
    return arena_printf(a, "%s%s", log_dir, rest);
}

const char *locations_audit_dir(const struct locations *l)
{
    char path[4200];
    for (size_t i = 0; l->log_dirs[i]; i++) { /* root's may be there, and not for us */
        (void)snprintf(path, sizeof path, "%s/audit.jsonl", l->log_dirs[i]);
        if (access(path, R_OK) == 0)
            return l->log_dirs[i];
    }
    for (size_t i = 0; l->log_dirs[i]; i++)
        if (access(l->log_dirs[i], W_OK) == 0)
            return l->log_dirs[i];
    return l->log_dirs[l->log_dirs[1] ? 1 : 0]; /* nothing was written yet: where a run would have to begin it */
}
