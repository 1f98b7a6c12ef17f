/* capabilities.h - which of root's powers a launcher needs. deploy/systemd/sandbox-launcher@.service says the same; tests/unit/test_parent.c compares. */
#pragma once
#include <linux/capability.h>
#include "base/base.h"

#define CAPABILITY(c) (UINT64_C(1) << (c))
/* What a launcher does with each:
 *   SYS_ADMIN     mounts, namespaces of others, id-mapped volumes
 *   SETUID SETGID id maps to other host ids than its own
 *   KILL          ends processes of those ids */
#define CAPABILITIES_LAUNCHER (CAPABILITY(CAP_SYS_ADMIN) | CAPABILITY(CAP_SETUID) | CAPABILITY(CAP_SETGID) | CAPABILITY(CAP_KILL))
/* Without a service manager that delegates a group: cgroup v1's roots, and v2's, have mode 0555, and groups are made there all the same. */
#define CAPABILITIES_LAUNCHER_ALONE (CAPABILITIES_LAUNCHER | CAPABILITY(CAP_DAC_OVERRIDE))

/* Takes all others out of the bounding set, so that no exec brings them back. What cannot be dropped was not there. */
void capabilities_bound(uint64_t keep);
