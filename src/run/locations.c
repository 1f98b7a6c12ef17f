#include "run/locations.h"

#include <stdio.h>

void locations_find(const struct paths *p, const struct config *c, struct arena *a, struct locations *ret)
{
    const char *log = c->sandbox.paths.log_dir, *artifacts = c->security.store_artifacts.path;
    ret->log_dirs[0] = log ? log : "/var/log/sandbox";
    ret->log_dirs[1] = log ? NULL : p->log;
    ret->log_dirs[2] = NULL;
    ret->state_dir = c->sandbox.paths.state_dir ? c->sandbox.paths.state_dir : p->state;
    ret->artifacts_dir = artifacts ? artifacts : arena_printf(a, "%s/artifacts", locations_audit_dir(ret));
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
