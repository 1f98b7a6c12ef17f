/* own_dirs.h - what no volume may show: the directories in which we, or the service, keep state, logs, caches and
 * configuration. They hold the audit's key, the agents' standing and compiled policies that the next run trusts.
 */
#pragma once
#include "config/config.h"
#include "run/options.h"
#include "run/paths.h"

/* Refuses (BLAME_POLICY) a volume that is, holds, or lies in one of them. Compared by inode along the resolved paths,
 * so links and bind mounts of a directory on the way make no difference. */
int own_dirs_check(const struct paths *p, const struct config *c, const struct options *o, const struct run_request *r,
                   struct arena *a, struct error *err);
