/* landlock.h - the second fence on files: what may be read, written, executed below a path, and nothing else.
 *
 * Order: landlock_open(), landlock_allow() for each path, landlock_enter() in the process that is to be fenced, for
 * good. Launcher and sandbox-entry share it. Rights and ABI numbers: landlock(7),
 * Documentation/userspace-api/landlock.rst.
 */
#pragma once
#include "base/error.h"

enum {
    LANDLOCK_READ = 1,
    LANDLOCK_WRITE = 2,
    LANDLOCK_EXEC = 4,
    LANDLOCK_DEVICE = 8,
    LANDLOCK_SOCKET = 16 /* AF_UNIX sockets may be made */
};

/* That can be had; 0: none. ENOSYS: not built in, or the container's filter; EOPNOTSUPP: not in the lsm= list. */
uint32_t landlock_abi(void);
#define LANDLOCK_KEEPS_SIGNALS 6u /* the ABI from which a domain keeps in signals and abstract sockets */

struct landlock {
    int ruleset; /* descriptor, -1: none */
    uint32_t abi;
    uint64_t handled_fs;
};

/* What is fenced where the ABI knows it: of files what `files` names (KLANDLOCK_*, or LANDLOCK_FILES); of TCP what
 * refused_net names (KLANDLOCK_NET_*), wholly, since no rule follows; signals and abstract sockets always. l->abi is
 * landlock_abi()'s; at least 1. 0 or a filled error without a step. */
#define LANDLOCK_FILES UINT64_MAX /* all that the ABI knows */
int landlock_open(struct landlock *l, uint64_t files, uint64_t refused_net, struct error *err);
/* access: LANDLOCK_*. A path that is not there is no error. */
int landlock_allow(const struct landlock *l, const char *path, uint32_t access, struct error *err);
/* Wants no_new_privs, or CAP_SYS_ADMIN. */
int landlock_enter(const struct landlock *l, struct error *err);
void landlock_close(struct landlock *l);
