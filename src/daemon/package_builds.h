/* package_builds.h - builds of package sets that clients of the service asked for (POST /packages): each in a thread of
 * its own, by package_build.h, as the command line makes them.
 *
 * Bounds: one build of a name, PACKAGE_BUILDS_MAX in all and PACKAGE_BUILDS_OF_KEY of one key at once. A build does not
 * wait in the queue of executions: it takes none of their places. One that has failed can be asked for until the next
 * of this owner and name, and until PACKAGE_FAILED_MAX others have failed. What a service left that was killed, or went
 * down meanwhile, is told as failed by the next one. A set that is there is no matter of this table (packages/store.h).
 */
#pragma once
#include "daemon/package_build.h"
#include "daemon/service.h"

#define PACKAGE_BUILDS_MAX    4u /* each may hold 1.5 times packages.max_size in memory */
#define PACKAGE_BUILDS_OF_KEY 2u
#define PACKAGE_FAILED_MAX    256u

struct package_build_state {
    char name[PACKAGE_NAME_MAX + 1], owner[128];
    enum package_kind kind;
    bool has_failed; /* else it is being built */
    enum package_step step;
    uint64_t begun_ms, ended_ms; /* wall clock; 0: not known */
    struct error error;          /* of one that has failed */
};

/* Reads what was left; v borrowed for good. NULL: no memory. */
struct package_builds *package_builds_new(struct service *v);
/* Those under way are told to end, and no more begin. */
void package_builds_stop(struct package_builds *l);
/* Whether all have ended by then. */
bool package_builds_wait(struct package_builds *l, uint64_t max_ms);
struct package_builds *package_builds_free(struct package_builds *l); /* none may live; accepts NULL, returns NULL */

/* Takes the order, whose text is copied; caller: whose audit lines it makes. 0; -EBUSY (BLAME_POLICY): one of this name
 * is under way; -EAGAIN (BLAME_POLICY): as many as there may be; or what package_order_check() says. */
int package_builds_begin(struct package_builds *l, const struct package_order *o, const struct caller *caller,
                         struct error *err);
/* owner NULL: any's. The build of this name that is under way, or the newest that has failed. False: there is none. */
bool package_builds_find(struct package_builds *l, const char *name, const char *owner,
                         struct package_build_state *ret);
/* Calls each() with all of this owner (NULL: of any), newest first. */
void package_builds_each(struct package_builds *l, const char *owner,
                         void (*each)(void *context, const struct package_build_state *s), void *context);
/* A set that was built and then went to another owner's on another node: as a build that failed. */
void package_builds_lost(struct package_builds *l, const char *name, const char *owner, const struct error *err);
/* A failed one is asked for no more. False: there was none. */
bool package_builds_forget(struct package_builds *l, const char *name, const char *owner);

/* A line of the audit about a set, before the act is done; tree may be NULL. */
int package_audit(struct service *v, const char *user, const char *action, const char *name, const char *owner,
                  const char *tree, const char *reason, struct error *err);
