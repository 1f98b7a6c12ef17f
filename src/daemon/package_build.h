/* package_build.h - makes a package set: pip or npm in a sandbox of its own, and what it leaves into the store.
 *
 * How this works. The request is taken apart and written anew (packages/requirements.h). pip or npm runs at level low,
 * with the index's hosts as its only network, no file of the host's and a tmpfs; wheels only and no scripts of npm's,
 * unless sources are asked for. When every process inside has ended, the tree is copied out of the tmpfs and hashed
 * (packages/tree.h), its sources are scanned, and the set takes its name: under the store's lock, the tree first, then
 * one rename. Until then everything lies in building/NAME, locked by the builder: what a killed one left is seen by the
 * lock that no process holds, and goes with the next build or removal. Two builds of one name: the second is refused.
 *
 * building/NAME/order says whose build it is: what a killed builder or a service that was restarted leaves can be told
 * to its owner (package_builds_left).
 *
 * A build is a run without an agent: it has its lines in the audit and its log.
 */
#pragma once
#include "packages/store.h"
#include "run/exec.h"

struct package_order {
    const char *name, *owner;
    enum package_kind kind;
    const char *text; /* requirements.txt or package.json */
    size_t size;
    bool allows_source;  /* pip may build what has no wheel: code of the index runs in the build's sandbox */
    bool is_bounded;     /* by the next two */
    uint64_t max_stored; /* bytes of all sets of this owner together */
};
#define PACKAGE_SETS_MAX 100u /* of one owner */

enum package_step { PACKAGE_INSTALLS, PACKAGE_COPIES, PACKAGE_SCANS, PACKAGE_PUBLISHES, PACKAGE_STEPS };
extern const char *const package_step_names[];

/* Where the sandbox comes from. */
struct package_host {
    const struct paths *paths;
    const struct config *config;
    const struct policy_set *policies; /* or NULL */
    /* s is initialised, its options are there: a connection, a way to stop it. 0 or an error. */
    int (*begin)(void *context, struct exec *s, struct error *err);
    void (*end)(void *context, struct exec *s); /* takes back what was lent; before exec_done() */
    /* What is done now. False: the build is to end, and what says whose it was stays. NULL: no interest. */
    bool (*step)(void *context, enum package_step s);
    /* The same for a process that only tells of it. NULL: no interest. */
    void (*told)(void *context, enum package_step s);
    void *context;
};

struct package_built {
    char tree[65];
    uint32_t packages;
    bool is_new; /* there was no such tree yet */
};
/* Blocks until it is done. err: BLAME_CALLER or _POLICY what was asked for (-EACCES: the name is another owner's;
 * -EBUSY: a build of it is under way; -EDQUOT: max_stored), BLAME_GUEST what came of it, else _HOST. -ECANCELED: by
 * step(). */
int package_build(const struct package_host *h, const struct package_order *o, struct package_built *ret,
                  struct error *err);
/* Whether such an order would be taken: name, owner, text, room. */
int package_order_check(const struct package_host *h, const struct package_order *o, struct error *err);
/* A set goes, and every tree that no set names and no run holds. owner NULL: whose it is does not matter. -ENOENT. */
int package_remove(const struct config *c, const struct paths *p, const char *name, const char *owner,
                   struct error *err);
/* Calls each() with what builders left that were killed, and removes it, and every tree that no set names. */
void package_builds_left(const struct config *c, const struct paths *p,
                         void (*each)(void *context, const char *name, const char *owner, enum package_kind kind),
                         void *context);
