/* slot.h - a sandbox prepared before its work is known.
 *
 * A keeper process lives in the slot's user, network and uts namespace and in its cgroup, and clones one init
 * per job into fresh pid, mount and ipc namespaces. So a job pays neither for a network namespace
 * (0.6 ms) nor for a cgroup, and nothing of a job outlives it but the (empty) network namespace and the
 * group's counters. A slot serves one job at a time; it is kept for shapes that are equal byte for byte.
 */
#pragma once
#include "launch/run.h"

/* epoll tags: the low bits of the pointer */
enum { EVENT_GONE = 0, EVENT_REPORT = 1, EVENT_SLOT = 2, EVENT_NOTIFY = 3, EVENT_MASK = 3 };

#define SLOT_MAX 64 /* kept at once; beyond it the idle one used longest ago goes */

int slot_start(struct run *r, struct error *err); /* finds or prepares a slot and gives it r's job */
void slot_on_event(struct slot *s);               /* the keeper said something, or died */
void slot_release(struct run *r);                 /* r is over */
void slots_free(struct launcher *l);
