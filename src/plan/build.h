/* build.h - profile + request -> plan. The only place where words of a profile become mechanisms. */
#pragma once
#include "base/arena.h"
#include "config/compiled.h"
#include "plan/container.h"
#include "plan/remote.h"
#include "plan/request.h"

struct plan {
    bool is_container; /* else container is unset, and shape is the launcher's */
    struct container container;
    bool is_remote; /* then only remote, and of job the id, the program's name and the times are set (run/remote.h) */
    struct remote remote;
    struct shape shape;
    struct job job;
    struct strlist notes; /* what the profile asks for and this version does not do: for isolation.missing */
    struct bytes guard;   /* put into the code memfd before the code; size 0: none */
    struct bytes canary;  /* put there behind the code: what planted files hold; size 0: none */
};

/* False: an engine's bridge carries its connections, and no process of ours counts their bytes. */
static inline bool plan_counts_bytes(const struct plan *p)
{
    return !p->is_remote && (!p->is_container || !p->container.network);
}

/* Strings live in the arena; p->job's lists are owned by the plan (plan_done). The profile has the options
 * laid over it already. binary_size: compiled languages, size of the binary that stands in for the code;
 * otherwise 0. */
int plan_build(const struct compiled *c, const struct run_request *r, const char *id, uint64_t binary_size,
               struct arena *a, struct plan *ret, struct error *err);
/* The same for a sandbox that is prepared for such runs (park.h): like is the plan of one of them, whose shape it gets.
 */
int plan_build_like(const struct compiled *c, const struct run_request *r, const char *id, const struct plan *like,
                    struct arena *a, struct plan *ret, struct error *err);
/* The sandbox in which go and rust are compiled: own limits, no network, no volumes. */
int plan_build_compiler(const struct compiled *c, const struct run_request *r, const char *id, const char *compiler,
                        struct arena *a, struct plan *ret, struct error *err);
void plan_done(struct plan *p);

/* For people: --dry-run. Values with their origin. */
void plan_print(const struct plan *p, const struct compiled *c, struct buf *out);
/* with_values: also every key of the profile, its value and where that was said. */
void plan_print_json(const struct plan *p, const struct compiled *c, bool with_values, struct buf *out);
