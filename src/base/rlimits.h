/* rlimits.h - limits of a process that it may not raise again; and those that are the same for every payload, whatever
 * its profile. */
#pragma once
#include "base/base.h"
#include "base/error.h"

struct rlimit_plan {
    int which;
    const char *name;
    uint64_t soft, hard;
};

/* Never raises a hard limit that is lower already: that needs CAP_SYS_RESOURCE on the host. */
int rlimit_lower(const struct rlimit_plan *p, struct error *err);

/* Locked memory, message queues, queued signals, stack, priorities. skips_unknown: a kernel that is none of Linux
 * (gVisor's) answers EPERM to a limit that it does not know, which Linux never does to one that is lowered; then
 * without. */
int rlimits_lower_fixed(bool skips_unknown, struct error *err);
