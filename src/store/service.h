/* service.h - what the service keeps in the store beside agents and runs: executions, keys. Only the process that has
 * the database can, but for the verbs of keys; others get -EOPNOTSUPP.
 *
 * Structs borrow their strings; out-structs borrow from the store until its next call. Times are ms since 1970.
 * Everything that was answered survives the death of the process (WAL); keys are on the disk before the answer.
 */
#pragma once
#include "base/buf.h"
#include "store/store.h"

/* --- the service's store ------------------------------------------------------------------------- */

/* This process is the service of this state directory, and stays it while the store is open: -EALREADY when another
 * one is. What commits does not copy the WAL into the file any more (it would wait for the disk): that is
 * store_checkpoint()'s work, of some thread every few seconds. */
int store_set_service(struct store *s, struct error *err);
/* Copies the WAL into the file. By a connection of its own and without the service's lock: who uses the store meanwhile
 * does not wait. *ret_pages: how long the WAL is, of 1 KiB each, or 4 in an old file; it grows while there is no moment
 * in which no connection writes. */
int store_checkpoint(const struct store *s, uint64_t *ret_pages, struct error *err);
/* Where it has become long (STORE_WAL_LONG): right behind store_checkpoint(), and with the service's lock: copies the
 * rest, so that the WAL begins anew. Takes two syncs. */
#define STORE_WAL_LONG 16384u
int store_checkpoint_rest(struct store *s, struct error *err);
/* Every second: this node lives, and looks for a database that was away. ret (or NULL): is_drained: an administrator
 * wants it to take no new runs (sandbox-agent fleet drain). */
struct beat {
    const char *policy; /* in: a digest of this node's policies, for the others to compare; NULL: as before */
    bool is_drained;
    uint64_t policies_differ; /* living nodes whose policies are others than this one's */
    uint64_t clock_off_ms;    /* this machine's clock from the database's; 0 where it is within what the asking took */
};
int store_beat(struct store *s, struct beat *ret, struct error *err);
/* Changes whenever another connection has written: what was read before may be old. */
int store_version(struct store *s, uint64_t *ret, struct error *err);

/* --- executions ---------------------------------------------------------------------------------- */

enum execution_state { EXECUTION_QUEUED, EXECUTION_RUNNING, EXECUTION_FINISHED, EXECUTION_STATES };

struct execution_row {
    const char *id, *key_id; /* key_id: whose it is */
    const char *agent_id;    /* NULL: anonymous */
    const char *language;
    int level;     /* enum risk_level, -1: not known yet */
    uint8_t state; /* enum execution_state */
    int reason;    /* enum run_reason once finished, else -1 */
    bool is_asynchronous;
    uint64_t accepted_ms, started_ms, finished_ms; /* 0: not yet */
    const char *trace_id;                          /* of traceparent, or NULL */
    const char *idempotency_key, *request_hash;    /* NULL: none */
    const char *result; /* the result object, JSON; NULL while there is none or when it was dropped */
    size_t result_size;
    const char *events; /* with the result: the stream up to it, as a listener saw it; NULL: too long, or of a version
                           that kept none */
    size_t events_size;
    bool is_told; /* finish: the audit has the end of the run of this id (store_audited(), in the same transaction) */
    const char *request; /* accepted: its body, for any node that has room sooner (store_request_take); NULL: only the
                            node that accepts it runs it. Only where there are nodes */
    size_t request_size;
    bool retries; /* with request: once more, when its node was lost while it ran */
};
enum accept_outcome {
    ACCEPT_OK,
    ACCEPT_SEEN /* the same Idempotency-Key of the same key: *ret_id is the first execution */,
    ACCEPT_CONFLICT /* … with another request_hash */
};
/* Writes the row (queued or running), owned by this process. ret_id: at least STORE_ID_MAX + 1 bytes. */
int store_execution_accept(struct store *s, const struct execution_row *r, char *ret_id,
                           struct error *err); /* -> enum accept_outcome or negative */
int store_execution_start(struct store *s, const char *id, int level, uint64_t now_ms, struct error *err);
#define STORE_RESULT_MAX (4u << 20) /* a longer one is not kept, nor longer events */
/* r: id, level, reason, finished_ms, result, events. Once; a second time changes nothing. */
int store_execution_finish(struct store *s, const struct execution_row *r, struct error *err);
/* Several; each has its own answer. */
struct finish_call {
    const struct execution_row *row;
    struct error *err;
    int e;
};
void store_execution_finish_many(struct store *s, struct finish_call *calls, uint32_t n);
/* Its Idempotency-Key may be used again. */
int store_execution_release(struct store *s, const char *id, struct error *err);
/* 1: found, 0: not. */
int store_execution_get(struct store *s, const char *id, struct execution_row *ret, struct error *err);
/* Which node has it. Only where there are nodes: store_has_nodes(). 1: found, 0: not. */
struct execution_owner {
    const char *key_id;  /* whose it is */
    const char *node;    /* "": it is of a time without nodes */
    const char *address; /* where that node is asked; "": it does not say */
    bool is_ours;        /* this node is it */
    uint8_t state;       /* enum execution_state */
    uint64_t silent_ms;  /* since that node said that it lives */
};
bool store_has_nodes(const struct store *s);
int store_execution_owner(struct store *s, const char *id, struct execution_owner *ret, struct error *err);
/* Accepted executions with a request, that wait for their turn. */
#define STORE_REQUEST_MAX STORE_RESULT_MAX /* bytes */
/* A living node, not this one, that takes runs of this level, or of level + RISK_COUNT what waits for it; *ret as
 * above. 1: found, 0: there is none. */
int store_node_of_level(struct store *s, int level, struct execution_owner *ret, struct error *err);
struct request_claim {
    const char *id, *key_id, *trace_id, *idempotency_key; /* the last two may be NULL */
    uint64_t accepted_ms;
    const char *body;
    size_t body_size;
    bool retries;
};
/* This node's own begins now: 1, or 0 where another node has taken it. */
int store_request_begin(struct store *s, const char *id, struct error *err);
/* One that waits on any node, for 0.2 s at least, and for no level that others take: 1, and this node has it and begins
 * it now; 0: there is none. */
int store_request_take(struct store *s, struct request_claim *ret, struct error *err);
/* After these two: its request is not needed any more; or is_offered: it waits again, for any node. */
int store_request_leave(struct store *s, const char *id, bool is_offered, struct error *err);
/* Likewise: it waits for a node that takes this level. 1; 0: it was put back too often, 256 of
 * its key wait for a level, or it is not ours any more. */
int store_request_defer(struct store *s, const char *id, int level, struct error *err);
/* Executions that this process has begun, by their requests, and of which no run was booked: at most 64. The id is
 * borrowed until the callback returns. What is not in memory is to wait again (store_request_leave). */
typedef void (*request_each)(void *context, const char *id);
int store_requests_held(struct store *s, request_each each, void *context, struct error *err);
struct execution_filter {
    const char *key_id, *agent_id; /* NULL: any */
    int state, reason, level;      /* -1: any */
    uint64_t since_ms, until_ms;   /* accepted; 0: any */
    const char *before_id;         /* page: those accepted before this one; NULL: the newest */
    uint32_t limit;                /* 1 to 500 */
};
/* Newest first, without results. `each` may not call the store; false ends. */
typedef bool (*execution_each)(void *ctx, const struct execution_row *r);
int store_executions(struct store *s, const struct execution_filter *f, execution_each each, void *ctx,
                     struct error *err);
/* Unfinished ones whose owner is dead; for the service of this directory, all that are not its own: become finished,
 * sandbox_error, with the given result and events each; told one by one. */
struct orphan_words {
    struct buf result, events;
};
typedef void (*orphan_each)(void *ctx, const struct execution_row *r, struct orphan_words *w);
int store_executions_orphaned(struct store *s, uint64_t now_ms, orphan_each each, void *ctx, struct error *err);
/* Removes finished ones beyond the newest `keep`, and idempotency keys older than 24 h. One with a younger idempotency
 * key loses its result only, and goes when there are ten times as many. At most STORE_PRUNE_BATCH a call, so that
 * no request waits long: as long as *ret_removed is not 0, there may be more. */
#define STORE_PRUNE_BATCH 128u
int store_executions_prune(struct store *s, uint32_t keep, uint64_t now_ms, uint64_t *ret_removed, struct error *err);
struct execution_counts {
    uint64_t total, by_state[EXECUTION_STATES];
};
int store_execution_counts(struct store *s, struct execution_counts *ret, struct error *err);

/* --- keys ---------------------------------------------------------------------------------------- */

enum key_role { KEY_RUN, KEY_READ, KEY_ADMIN, KEY_ROLES };
extern const char *const key_role_names[KEY_ROLES + 1];
#define KEY_NAME_MAX   128u
#define KEY_AGENTS_MAX 4096u /* bytes, all of them */

struct key_row {
    const char *id; /* key- and 12 hex digits */
    const char *name;
    const char *hash; /* SHA-256 of the token, 64 hex digits */
    uint8_t role;
    const char *agents;       /* one a line; "" or NULL: any */
    uint32_t levels;          /* bit per enum risk_level; 0: any */
    bool allow_risk_override; /* may ask for a laxer level than the agent's own */
    uint64_t created_ms, expires_ms /* 0: never */, revoked_ms /* 0: not */, last_used_ms;
};
#define STORE_MAX_KEYS 1000u
struct key_list {
    uint32_t count;
    bool is_cut; /* of a page: store_keys() asks for the next */
    struct key_row keys[STORE_MAX_KEYS];
};
/* key_words.c, also in programs without SQLite: what a key may look like (id, name, hash, role, agents, levels);
 * -EINVAL, BLAME_CALLER. */
int key_row_check(const struct key_row *k, struct error *err);
/* Not revoked, not expired. */
bool key_row_is_good(const struct key_row *k, uint64_t now_ms);
/* {"id","name","role","agents":[],"levels":[],"created_at","expires_at","revoked_at","last_used_at"}, with «token»
 * where it is not NULL. */
void key_row_json(struct buf *b, const struct key_row *k, const char *token);
/* RFC 3339, or "" for 0. */
const char *key_time(uint64_t ms, char out[static 32]);

/* -EEXIST: the name is taken by one that is not revoked; -ENOSPC: STORE_MAX_KEYS good ones (of the others the oldest
 * goes). */
int store_key_add(struct store *s, const struct key_row *k, struct error *err);
/* Also revoked and expired ones; oldest first. Behind a socket without their hashes. */
int store_keys(struct store *s, struct key_list *ret, struct error *err);
/* -ENOENT (BLAME_CALLER): there is none, or it is revoked already. */
int store_key_revoke(struct store *s, const char *id_or_name, uint64_t now_ms, struct error *err);
int store_key_used(struct store *s, const char *id, uint64_t now_ms, struct error *err);
