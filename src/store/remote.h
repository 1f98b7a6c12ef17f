/* remote.h - the same store behind a socket: sandbox-ledger owns the database, sandbox-agent asks.
 *
 * sandbox-agent is static and small and has no SQLite. The ledger is started as our child, early, so that it opens the
 * database on the other core; the client stub is ordinary functions, one message each way over a SOCK_SEQPACKET pair
 * (message.h). It ends when we do. A database that cannot be opened is told with the first answer. After a failure of
 * the way itself (the ledger died, or said nothing for a minute) every later call fails with -EPIPE.
 */
#pragma once
#include "store/service.h"

struct ledger {
    int sock;            /* -1: not started, or lost */
    int pid;             /* our child; for the caller to reap, or to leave to init */
    struct arena *arena; /* what replies borrow from; the caller's */
    char *message;       /* owned */
    /* A store in this process (ledger/serve.h): fills the reply to a request. NULL: it is behind sock. */
    void (*serve)(void *context, const void *request, size_t size, struct buf *reply);
    void *context;
};

/* Whether there is a process to ask. */
static inline bool ledger_is_open(const struct ledger *l)
{
    return l->sock >= 0 || l->serve;
}

/* Starts PROGRAM on the database; does not wait for it. *l may be uninitialised; after a failure it counts as not
 * started. */
int ledger_start(struct ledger *l, const char *program, const char *database, struct arena *a, struct error *err);
void ledger_stop(struct ledger *l); /* also of one never started: { .sock = -1 } */
/* key_id: the family of an agent that is not known yet; NULL: none. */
int ledger_agent(struct ledger *l, const char *id, const char *key_id, struct agent *ret, struct error *err);
int ledger_why(struct ledger *l, const char *id, struct agent_why *ret, struct error *err);
/* At most STORE_MAX_AGENTS behind after_id (NULL: from the first); malloc'ed, the caller frees it. */
int ledger_agents(struct ledger *l, const char *after_id, struct agent_list **ret, struct error *err);
/* The next page, whose cursor goes into r->after. */
int ledger_counts(struct ledger *l, const struct reserve *r, struct limit_counts *ret, struct error *err);
int ledger_usage(struct ledger *l, const struct usage_ask *r, struct usage_list *ret, struct error *err);
int ledger_history(struct ledger *l, const char *id, struct trust_history *ret, struct error *err);
int ledger_reserve(struct ledger *l, const struct reserve *r, struct reserve_reply *ret, struct error *err);
int ledger_settle(struct ledger *l, const struct settle *r, struct settle_reply *ret, struct error *err);
int ledger_refuse(struct ledger *l, const struct refusal *r, struct settle_reply *ret, struct error *err);
int ledger_steer(struct ledger *l, const struct steer *r, struct agent *ret, struct error *err);
int ledger_recover(struct ledger *l, uint64_t now_ms, struct recovered_list *ret, struct error *err);
int ledger_audited(struct ledger *l, const char *execution_id, struct error *err);
int ledger_prune(struct ledger *l, uint64_t before_ms, uint64_t *ret_removed, struct error *err);
int ledger_once(struct ledger *l, const char *key, uint64_t now_ms, uint64_t window_ms, bool *ret_taken,
                struct error *err);
int ledger_key_add(struct ledger *l, const struct key_row *k, struct error *err);
/* All of them, without their hashes; malloc'ed, the caller frees it. */
int ledger_keys(struct ledger *l, struct key_list **ret, struct error *err);
int ledger_key_revoke(struct ledger *l, const char *id_or_name, uint64_t now_ms, struct error *err);
