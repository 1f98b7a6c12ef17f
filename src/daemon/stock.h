/* stock.h - sandboxes that were opened before they were asked for (run/instance.h), for the service's runs.
 *
 * A run that finds none of its kind starts as ever, and says that one was wanted; a thread opens some, off every
 * request's path. Of each kind as many are kept as came in the last seconds, at least one and at most STOCK_KIND_MAX,
 * until none was asked for in `idle_ms`; all kinds together within `max_count`. A kind whose instances die unused is
 * left alone for a while. A kind is one plan of one tenant (shape.tenant), so an instance serves the agent or key that
 * it was opened for and no other.
 *
 * All functions may be called from any thread. A NULL stock has nothing and wants nothing.
 */
#pragma once
#include "daemon/launcher.h"
#include "run/instance.h"

#define STOCK_KIND_MAX 8u
#define STOCK_KINDS    64u
#define STOCK_MAX      48u /* of all kinds: below the launcher's prepared slots, of which each takes one */
#define STOCK_BYTES_EACH \
    (UINT64_C(12) << 20) /* an interpreter that waits, with its part of what is shared: docs/warm.md */
#define STOCK_BYTES_PRELOADED (UINT64_C(64) << 20) /* where languages.python.preload names some: numpy and pandas */

struct stock;
struct stock_options {
    struct launcher *launcher;  /* outlives the stock */
    _Atomic uint64_t *next_tag; /* of the service's runs: a run's number and the next are taken together */
    uint32_t max_count;
    uint64_t idle_ms;
    /* One has ended before its work came. why borrows, and is NULL where it told nothing, or what this kind's last one
     * had told. Called with the stock's lock. */
    void (*on_lost)(void *context, const char *program, const char *why);
    void *context;
};
struct stock *stock_new(const struct stock_options *o); /* NULL: no memory or no thread */
/* True: *ret is an instance for runs with this plan, and the caller's; the next is opened after stock_done(), or after
 * stock_wake() where the run takes long. False: there is none now, and one is opened. */
bool stock_claim(struct stock *s, const struct plan *park, struct instance *ret);
/* The same for a recipe that another process has made, of this interpreter. Takes the recipe. */
bool stock_claim_recipe(struct stock *s, struct recipe *r, const char *program, struct instance *ret);
void stock_wake(struct stock *s);
/* A run that stock_claim() gave one is over: now is the time to open the next. */
void stock_done(struct stock *s);
uint32_t stock_waiting(struct stock *s);   /* of all kinds; 0 of NULL */
struct stock *stock_free(struct stock *s); /* ends all; returns NULL */
