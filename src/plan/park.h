/* park.h - which part of a plan can be prepared before its work is known, and what is told later.
 *
 * An instance is a sandbox whose interpreter was started early and waits (launch/park.c). Its plan is the run's with
 * nothing of the run in it: no code, arguments, environment or id. Two runs that have equal instance plans, byte for
 * byte, can be served by the same instance; each instance serves one.
 */
#pragma once
#include "plan/build.h"

#define PARK_FD                                                                                          \
    14 /* the interpreter's, below GUARD_REPORT_FD and every limit of descriptors that a profile may set \
        */

#define PARK_VARIABLE "SANDBOX_PARKED" /* tells node's and bash's guards that they wait; no caller may set it */

/* The plan of an instance for runs like this one: r and p are the run's. 1: there is one, to be released by
 * plan_done(); 0: none, and *ret is empty: such a run starts cold. Strings as in plan_build(). */
int plan_park(const struct compiled *c, const struct run_request *r, const struct plan *p, struct arena *a,
              struct plan *ret, struct error *err);
/* What the run tells its instance. The note: its length and a newline, then arguments and environment, as the
 * language's guard takes them. note: initialised; takes the words. ret borrows from p and note. 0 or -E2BIG. */
int plan_work(const struct run_request *r, const struct plan *p, struct buf *note, struct work *ret);
