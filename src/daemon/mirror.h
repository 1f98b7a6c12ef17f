/* mirror.h - what this node's disk has of executions, snapshots and package sets is brought into the content store
 * (content.h) behind the answers, by threads of its own.
 *
 * What is to be done is a name in <state>/content/waiting: of what has changed, not how. A worker takes it by a rename
 * into doing/, looks at the disk and makes the store the same; what cannot be done waits there, and is tried again
 * after 0.2 s and longer, up to 30 s. So nothing is forgotten when the service ends or is killed, and no order has to
 * be kept. At most MIRROR_MAX wait: beyond it what is new is not brought (package sets are), which the log and a metric
 * say.
 */
#pragma once
#include "base/error.h"

#define MIRROR_MAX 100000u

struct service;
struct mirror;
/* *ret NULL: there is no content store. After service.content and service.snapshots. */
int mirror_start(struct service *v, struct mirror **ret, struct error *err);
/* While the store takes them, what waits is brought within max_ms; the rest with the next start. Accepts NULL, returns
 * NULL. */
struct mirror *mirror_stop(struct mirror *m, uint64_t max_ms);

/* The artifacts of an execution are there, all of them. Each accepts NULL. */
void mirror_execution(struct mirror *m, const char *id, uint64_t accepted_ms);
/* A snapshot is there, or has gone. owner: the name of its directory. */
void mirror_snapshot(void *mirror, const char *owner, const char *id);

void mirror_package(struct mirror *m, const char *name, const char *owner);
/* Whether that is still to be done, or under way. */
bool mirror_has_package(struct mirror *m, const char *name, const char *owner);

struct mirror_state {
    uint64_t waiting, written, failed, dropped; /* failed: tries, which are made again */
};
bool mirror_state(struct mirror *m, struct mirror_state *ret); /* false: there is none (NULL) */
