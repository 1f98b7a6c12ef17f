/* target.h - what no program of an agent has a reason to change: accounts, keys, jobs, what the system starts. Pure. */
#pragma once
#include "base/base.h"

/* The target that the text names («/etc/passwd» in «/etc/passwd: Permission denied»), or NULL. */
const char *target_in(const char *text);
/* The target that an absolute path leads to: not /tmp/image/etc/passwd, but /tmp/../etc/passwd. Or NULL. */
const char *target_of(const char *path);
