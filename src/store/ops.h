/* ops.h - what the verbs of store.h and service.h lead to: one table for each implementation. src/sqlite and
 * src/postgres are in this process, remote.c asks sandbox-ledger; a further one fills this table and nothing else.
 */
#pragma once
#include "store/message.h"
#include "store/service.h"

struct store_ops {
    /* The verbs of store.h, and those of keys that the command line has: fills the reply that belongs to the verb
     * (message.h). Has its strings adopted by s->arena (store_adopt) before another call can come. */
    int (*call)(struct store *s, enum ledger_request verb, const void *request, void *ret, struct error *err);
    /* NULL: one by one, by `call`. */
    void (*settle_many)(struct store *s, struct settle_call *calls, uint32_t n);
    void (*reserve_many)(struct store *s, struct reserve_call *calls, uint32_t n); /* likewise */
    void (*close)(void *self);
    /* Only where the database is in this process. */
    void (*act_for)(void *self, uint64_t pid);
    /* A verb of service.h failed with e and did nothing: whether to try it again; *tries counts from 0. `call` does so
     * by itself. NULL: never. */
    bool (*tries_again)(void *self, int e, unsigned *tries);
    /* The others of service.h; only where the database is in this process. */
    int (*set_service)(void *self, struct error *err);
    int (*beat)(void *self, struct beat *ret, struct error *err); /* NULL: there are no nodes */
    int (*checkpoint)(const void *self, uint64_t *ret_pages, struct error *err);
    int (*checkpoint_rest)(void *self, struct error *err);
    int (*version)(void *self, uint64_t *ret, struct error *err);
    int (*execution_accept)(void *self, const struct execution_row *r, char *ret_id, struct error *err);
    int (*execution_start)(void *self, const char *id, int level, uint64_t now_ms, struct error *err);
    int (*execution_finish)(void *self, const struct execution_row *r, struct error *err);
    /* NULL: one by one. */
    void (*finish_many)(void *self, struct finish_call *calls, uint32_t n);
    int (*execution_release)(void *self, const char *id, struct error *err);
    int (*execution_get)(void *self, const char *id, struct execution_row *ret, struct error *err);
    int (*executions)(void *self, const struct execution_filter *f, execution_each each, void *ctx, struct error *err);
    int (*executions_orphaned)(void *self, uint64_t now_ms, orphan_each each, void *ctx, struct error *err);
    int (*executions_prune)(void *self, uint32_t keep, uint64_t now_ms, uint64_t *ret_removed, struct error *err);
    int (*execution_counts)(void *self, struct execution_counts *ret, struct error *err);
    int (*key_used)(void *self, const char *id, uint64_t now_ms, struct error *err);
    int (*execution_owner)(void *self, const char *id, struct execution_owner *ret, struct error *err); /* as beat */
    int (*request_begin)(void *self, const char *id, struct error *err);
    int (*request_take)(void *self, struct request_claim *ret, struct error *err);
    int (*node_of_level)(void *self, int level, struct execution_owner *ret, struct error *err);
    int (*request_defer)(void *self, const char *id, int level, struct error *err);
    int (*request_leave)(void *self, const char *id, bool is_offered, struct error *err);
    int (*requests_held)(void *self, request_each each, void *context, struct error *err);
};

/* Copies the strings of a verb's reply into s->arena; without one they are left as they are. */
int store_adopt(struct store *s, enum ledger_request verb, void *ret, struct error *err);
