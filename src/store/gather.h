/* gather.h - threads of one process that begin or end runs at the same time: what they bring to the store is brought
 * together.
 *
 * A store has one lock. The thread that gets to it first takes along what the others want by then, up to
 * STORE_SETTLE_MANY of each kind: one transaction, and not one each (store_settle_many, store_reserve_many). The others
 * wait for their own answer. Other verbs may come the same way: threads that ask for one agent are told by one
 * question. With a single thread, and where the store has no such operation, it is as if this were not here.
 */
#pragma once
#include <pthread.h>

#include "store/message.h"

struct gather;
/* Borrows both; lock: around every use of the store. NULL: no memory. */
struct gather *gather_new(pthread_mutex_t *lock, struct store *s);
struct gather *gather_free(struct gather *g);
/* As store_settle(), store_execution_finish() and store_reserve(), without the lock. arena: of the reply's strings. */
int gather_settle(struct gather *g, const struct settle *r, struct settle_reply *ret, struct arena *arena,
                  struct error *err);
int gather_finish(struct gather *g, const struct execution_row *r, struct error *err);
int gather_reserve(struct gather *g, const struct reserve *r, struct reserve_reply *ret, struct arena *arena,
                   struct error *err);
/* store_ops.call, for any other verb. */
int gather_call(struct gather *g, enum ledger_request verb, const void *request, void *ret, struct arena *arena,
                struct error *err);
/* store_agent() and store_agent_within(): of an agent in good standing it may be what a reservation said before. Not of
 * one with a public key: whether a signature is good is decided without the store. */
int gather_agent(struct gather *g, const struct ledger_key *key, struct agent *ret, struct arena *arena,
                 struct error *err);
void gather_forget(struct gather *g, const char *agent_id); /* this process has changed it otherwise */
