/* private.h - inside src/sqlite: the connection, its statements, its transactions.
 *
 * Every statement is prepared once a connection and found by its text's address: they are literals. What a statement
 * returns as text is copied into the connection's arena, which begins anew with each call of store.h
 * (sqlite_begin_call).
 */
#pragma once
#include <sqlite3.h>
#include "sqlite/sqlite.h"
#include "store/ops.h"

#define STORE_MAX_STATEMENTS 128u

struct sqlite {
    struct store handle; /* what store_open() returns */
    sqlite3 *db;
    char *path;
    char *place;      /* boot and pid namespace: where pids mean what they say */
    int service_lock; /* sqlite_set_service(): held while the store is open; -1: this is no service */
    uint64_t own_pid, own_start;
    uint64_t busy_since_ms;
    uint32_t busy_seed;
    struct arena arena;
    uint32_t statement_count;
    struct {
        const char *sql;
        sqlite3_stmt *stmt;
    } statements[STORE_MAX_STATEMENTS];
};

static inline struct sqlite *sqlite_of(const struct store *s)
{
    return (struct sqlite *)s->self;
}
/* --- the verbs: what store.h and service.h say of them --- */
int sqlite_agent(struct sqlite *s, const char *id, const char *key_id, struct agent *ret, struct error *err);
int sqlite_why(struct sqlite *s, const char *id, struct agent_why *ret, struct error *err);
int sqlite_agents(struct sqlite *s, const char *after_id, struct agent_list *ret, struct error *err);
int sqlite_history(struct sqlite *s, const char *id, struct trust_history *ret, struct error *err);
int sqlite_usage(struct sqlite *s, const struct usage_ask *r, struct usage_list *ret, struct error *err);
int sqlite_counts(struct sqlite *s, const struct reserve *r, struct limit_counts *ret, struct error *err);
int sqlite_reserve(struct sqlite *s, const struct reserve *r, struct reserve_reply *ret, struct error *err);
int sqlite_settle(struct sqlite *s, const struct settle *r, struct settle_reply *ret, struct error *err);
int sqlite_refuse(struct sqlite *s, const struct refusal *r, struct settle_reply *ret, struct error *err);
int sqlite_steer(struct sqlite *s, const struct steer *r, struct agent *ret, struct error *err);
int sqlite_recover(struct sqlite *s, uint64_t now_ms, struct recovered_list *ret, struct error *err);
int sqlite_audited(struct sqlite *s, const char *execution_id, struct error *err);
int sqlite_prune(struct sqlite *s, uint64_t before_ms, uint64_t *ret_removed, struct error *err);
int sqlite_once(struct sqlite *s, const char *key, uint64_t now_ms, uint64_t window_ms, bool *ret_taken,
                struct error *err);
int sqlite_key_add(struct sqlite *s, const struct key_row *k, struct error *err);
int sqlite_keys(struct sqlite *s, struct key_list *ret, struct error *err);
int sqlite_key_revoke(struct sqlite *s, const char *id_or_name, uint64_t now_ms, struct error *err);
/* The service's: self is the struct sqlite. */
int sqlite_checkpoint(const void *self, uint64_t *ret_pages, struct error *err);
int sqlite_set_service(void *self, struct error *err);
int sqlite_checkpoint_rest(void *self, struct error *err);
int sqlite_version(void *self, uint64_t *ret, struct error *err);
int sqlite_execution_accept(void *self, const struct execution_row *r, char *ret_id, struct error *err);
int sqlite_execution_start(void *self, const char *id, int level, uint64_t now_ms, struct error *err);
int sqlite_execution_finish(void *self, const struct execution_row *r, struct error *err);
int sqlite_execution_release(void *self, const char *id, struct error *err);
int sqlite_execution_get(void *self, const char *id, struct execution_row *ret, struct error *err);
int sqlite_executions(void *self, const struct execution_filter *f, execution_each each, void *ctx, struct error *err);
int sqlite_executions_orphaned(void *self, uint64_t now_ms, orphan_each each, void *ctx, struct error *err);
int sqlite_executions_prune(void *self, uint32_t keep, uint64_t now_ms, uint64_t *ret_removed, struct error *err);
int sqlite_execution_counts(void *self, struct execution_counts *ret, struct error *err);
int sqlite_key_used(void *self, const char *id, uint64_t now_ms, struct error *err);

/* --- sqlite.c --- */

/* One statement being used. Errors are kept and every later call does nothing, so a sequence is checked once. */
struct query {
    struct sqlite *store;
    sqlite3_stmt *stmt;
    int rc; /* SQLITE_OK, ROW or DONE; otherwise the first failure */
    int next;
};
struct query query_start(struct sqlite *s, const char *sql /* a literal */);
void query_u64(struct query *q, uint64_t v);
void query_text(struct query *q, const char *v);               /* NULL: null. Borrowed until query_done() */
void query_bytes(struct query *q, const char *v, size_t size); /* text of this length */
bool query_row(struct query *q);                               /* steps; false at the end and on failure */
uint64_t query_get_u64(struct query *q, int column);
const char *query_get_text(struct query *q, int column);                    /* copied into the arena; null: NULL */
const char *query_get_bytes(struct query *q, int column, size_t *ret_size); /* the same, with its length */
/* Resets. 0 or -errno with err. */
int query_done(struct query *q, struct error *err);
/* Start, bind unsigned numbers, run to the end, done. */
int query_run(struct sqlite *s, struct error *err, const char *sql, size_t n, const uint64_t *values);
#define RUN(s, err, sql, ...)                                                            \
    query_run(s, err, sql, sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), \
              (const uint64_t[]){ __VA_ARGS__ })

/* What rc means to a person, with the remedy. */
int sqlite_fail(struct sqlite *s, int rc, const char *doing, struct error *err);
void sqlite_begin_call(struct sqlite *s);
/* A transaction that takes the write lock at once. Waits for others; BUSY is no outcome a caller ever sees before half
 * a minute. end: commits when e is 0, else rolls back; returns e or the commit's failure. */
int transaction_begin(struct sqlite *s, struct error *err);
int transaction_end(struct sqlite *s, int e, struct error *err);
int transaction_drop(struct sqlite *s, struct error *err); /* rolls back what was only looked at */
/* What was committed is on the disk when this returns. */
int sqlite_sync(struct sqlite *s, struct error *err);
const char *cut_text(struct sqlite *s, const char *text, size_t max); /* never NULL */

/* --- directory.c: the file's place --- */
int place_prepare(const char *path, struct error *err);
/* --- schema.c --- */
int schema_ready(struct sqlite *s, struct error *err);

/* --- owner.c: whose run it is --- */
char *owner_place(void); /* malloc'ed, NULL: no memory */
bool owner_is_alive(const struct sqlite *s, uint64_t pid, uint64_t start, const char *place, uint64_t age_ms);

/* --- agents.c --- */

/* An agent's row with its number, which all other tables use. number 0: unknown. */
struct agent_row {
    uint64_t number, released_ms;
    struct agent agent;
};
int agent_find(struct sqlite *s, const char *id, struct agent_row *ret, struct error *err);
/* Finds or creates, then of this key's family (NULL: of none). */
int agent_need(struct sqlite *s, const char *id, const char *key_id, uint32_t initial_trust, uint64_t now_ms,
               struct agent_row *ret, struct error *err);
struct relatives {                /* agents of one key, but for one of them */
    uint64_t all, bad, offenders; /* in quarantine or banned; with an offence since the time that was asked about */
    const char *worst;            /* the id of a bad one, or else of an offender; NULL: there is none */
};
int agent_relatives(struct sqlite *s, const char *key_id, uint64_t number, uint64_t since_ms, struct relatives *ret,
                    struct error *err);
/* Writes score, debt and the sums of where it came from. */
int agent_apply(struct sqlite *s, struct agent_row *row, const struct trust_step *step, uint64_t now_ms,
                struct error *err);
/* Writes trust and its time into row and table; a changed one becomes a point of the history. */
int agent_set_trust(struct sqlite *s, struct agent_row *row, uint32_t trust, uint64_t now_ms, struct error *err);
int agent_set_standing(struct sqlite *s, struct agent_row *row, enum standing standing, const char *reason,
                       const char *by, uint64_t now_ms, struct error *err);

/* --- windows.c --- */
/* Of r's agent (its number), level, key and limits, at r's time. */
int windows_count(struct sqlite *s, uint64_t agent, const struct reserve *r, struct limit_counts *ret,
                  struct error *err);

/* --- violations.c --- */

struct found {                   /* in one run */
    uint32_t offences, attempts; /* types of offences, attempts among them */
    uint8_t worst;               /* severity of the worst offence; SEVERITY_INFO: none */
    const char *worst_type;
    struct trust_marks marks;
};
/* Stores them, each type once. */
int violations_add(struct sqlite *s, const struct agent_row *row, const char *execution_id,
                   const struct violation *list, uint32_t count, uint64_t now_ms, struct found *ret, struct error *err);
/* What follows from offences: they are remembered with the agent, and its standing may get worse. */
int violations_judge(struct sqlite *s, struct agent_row *row, const struct standing_rules *rules,
                     const struct found *found, uint64_t now_ms, struct error *err);
int refusals_add(struct sqlite *s, uint64_t agent, uint64_t now_ms, struct error *err);
int refusals_count(struct sqlite *s, uint64_t agent, uint64_t window_ms, uint64_t now_ms, uint32_t *ret,
                   struct error *err);

/* --- known.c: code that did harm, for all agents --- */

struct known {
    const char *agent_id, *type;
    uint64_t at_ms;
};
enum known_kind { KNOWN_CODE, KNOWN_TREE };
/* Whether another agent than this one did harm with it: ret->agent_id, else NULL. */
int known_find(struct sqlite *s, enum known_kind kind, const char *hash, uint64_t agent, struct known *ret,
               struct error *err);
int known_add(struct sqlite *s, enum known_kind kind, const char *hash, uint64_t agent, const char *type,
              uint64_t now_ms, struct error *err);
int known_forget(struct sqlite *s, uint64_t agent, struct error *err);

/* --- baseline.c: what its good runs did --- */

/* Compares, and learns from a good run. *ret_first: NULL, or what is new, a sentence a line. */
int baseline_settle(struct sqlite *s, uint64_t agent, const struct settle *r, bool is_good, const char **ret_first,
                    struct error *err);
int baseline_list(struct sqlite *s, uint64_t agent, struct agent_why *ret, struct error *err);

/* --- meter.c --- */

/* Adds to the hour of now_ms: runs, those of them of which nothing is known, what was taken (NULL: nothing). */
int meter_add(struct sqlite *s, uint64_t agent, const char *key_id, uint64_t now_ms, uint64_t runs, uint64_t unmeasured,
              const struct use *use, struct error *err);

/* What was used since 00:00 UTC. agent 0: by all of the key; key_id NULL: of all keys. */
int meter_today(struct sqlite *s, uint64_t agent, const char *key_id, uint64_t now_ms, struct budget *ret,
                struct error *err);

/* --- recover.c --- */

/* Within a transaction: settles all that dead owners left running. */
int recover_running(struct sqlite *s, uint64_t now_ms, struct error *err);
