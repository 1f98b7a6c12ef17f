/* capabilities.h - which of root's powers a launcher needs. deploy/systemd/sandbox-launcher@.service says the same;
 * tests/unit/test_parent.c compares. */
#pragma once
#include <linux/capability.h>
#include "base/base.h"

#define CAPABILITY(c) (UINT64_C(1) << (c))
/* What a launcher does with each:
 *   SYS_ADMIN     mounts, namespaces of others, id-mapped volumes
 *   SETUID SETGID id maps to other host ids than its own
 *   DAC_OVERRIDE  volumes in directories of others; cgroup v1 directories without write bits, as containers have them
 * Not KILL: the owner of a user namespace has every capability in it, and all that a launcher ends is in one of root's.
 */
#define CAPABILITIES_LAUNCHER \
    (CAPABILITY(CAP_SYS_ADMIN) | CAPABILITY(CAP_SETUID) | CAPABILITY(CAP_SETGID) | CAPABILITY(CAP_DAC_OVERRIDE))

/* Takes all others out of the bounding set, so that no exec brings them back. What cannot be dropped was not there. */
void capabilities_bound(uint64_t keep);
