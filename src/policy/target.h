/* target.h - what no program of an agent has a reason to change: accounts, keys, jobs, what the system starts. Pure. */
#pragma once
#include "base/base.h"

/* The target that the text names («/etc/passwd» in «/etc/passwd: Permission denied»), or NULL. */
const char *target_in(const char *text);
