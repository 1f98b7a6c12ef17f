/* slot.h - a sandbox prepared before its work is known, for many jobs of the same shape.
 *
 * A keeper (a spare that was given a shape, spare.h) has walked the PREPARE steps: its root is built and pivoted into,
 * in its own mount, network and uts namespace, in its cgroup. It clones one init per job into a nested pid namespace, a
 * copy of its mount namespace and a fresh ipc namespace; tmpfs, proc and code are mounted per job. What consecutive
 * jobs share is the network namespace (empty but for loopback), the read-only root, the host uid and the group's
 * counters (SECURITY.md). One job at a time; kept for shapes that are equal byte for byte.
 */
#pragma once
#include "launch/run.h"

/* epoll tags: the low bits of the pointer */
enum { EVENT_GONE, EVENT_REPORT, EVENT_SLOT, EVENT_NOTIFY, EVENT_ROOM, EVENT_BROKER, EVENT_CONNECTION, EVENT_MASK = 7 };

/* Kept at once; for another one the idle one used longest ago goes. Where all work, a run gets a sandbox of its own. An
 * idle one is 80 KiB of processes and 200 KiB of the kernel's for its network namespace: 18 MiB for all
 * (bench/connections.c). */
#define SLOT_MAX 64

bool slot_is_possible(const struct run *r);
int slot_start(struct run *r, struct error *err); /* finds or prepares a slot and gives it r's job */
_Noreturn void keeper_main(struct init_ctx *c);   /* in the process that was a spare */
_Noreturn void keeper_serve(struct init_ctx *c);  /* one job after the other; the prepared steps are done */
_Noreturn void keeper_fail(const struct init_ctx *c, const struct error *err);
void keeper_forget(void);                            /* the job that a process was cloned for, in its copy */
void slot_on_event(struct slot *s);                  /* the keeper said something, or died */
void slot_give_up(struct slot *s);                   /* its keeper is stuck: ended, and all in the slot with it */
void slot_release(struct run *r);                    /* r is over */
void slots_expire(struct launcher *l, uint64_t now); /* templates that have had nothing to do */
void slots_free(struct launcher *l);
