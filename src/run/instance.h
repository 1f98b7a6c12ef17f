/* instance.h - a sandbox that was opened before its work was known, as its client holds it.
 *
 * It lives on a connection of its own: closing that ends it. Its streams were made when it was opened; the run that
 * takes it adopts them. One run each: after the outcome the connection serves others, and the rest is the run's.
 */
#pragma once
#include "plan/park.h"
#include "run/client.h"

struct instance {
    struct client client; /* sock -1: there is none */
    uint64_t tag;
    int out[2], input, reports, workspace, events; /* our ends; -1: the plan asks for none */
};

#define INSTANCE_NONE /* an initialiser */                                                                     \
    {                                                                                                          \
        .client = { .sock = -1 }, .out = { -1, -1 }, .input = -1, .reports = -1, .workspace = -1, .events = -1 \
    }

/* What instances for equal runs have in common, as bytes of its own. */
struct recipe {
    struct buf bytes; /* the message that opens one, and behind it the guard */
    size_t guard_at;
    bool reports, workspace, events; /* which streams the plan asks for, beside the three */
};
/* p: of plan_park(). 0 or -E2BIG; recipe_done() in any case. */
int recipe_make(const struct plan *p, struct recipe *ret);
bool recipe_equal(const struct recipe *a, const struct recipe *b);
void recipe_done(struct recipe *r);

/* Opens one over connection (taken; closed on failure). Does not wait until it is there. */
int instance_open(struct client *connection, uint64_t tag, const struct recipe *r, struct instance *ret,
                  struct error *err);
/* It has told nothing and printed nothing: it waits, or is being made. */
bool instance_waits(const struct instance *i);
/* Ends it. Accepts INSTANCE_NONE and one whose descriptors were adopted. */
void instance_close(struct instance *i);
