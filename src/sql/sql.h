/* sql.h - the store's verbs over an SQL database, whichever it is: src/sqlite and src/postgres are drivers of it.
 *
 * What is decided (trust, standing, limits) and what is asked for is here, once; a driver has the connection, the
 * statements and the transactions. The SQL is what SQLite 3.40 and PostgreSQL 15 both understand, with the same
 * meaning: columns are numbers of 64 bits and texts that compare by their bytes; arguments are ?, or ?1 and so on. In
 * DO UPDATE a column of the table has the table's name before it, and a comparison is no number (CASE).
 *
 * Every statement is a literal, prepared once a connection and found by its address. What a statement returns as text
 * is copied into the store's arena, which begins anew with each call of store.h (sql_begin_call).
 *
 * To wait for a database behind a socket costs more than to ask it. So a verb sends all that it asks (query_send)
 * before it looks at the first answer, and what only counts for its reply it sends with the commit.
 *
 * Locks: SQLite has one writer, so a transaction sees what will be true when it commits. PostgreSQL has many: a
 * transaction that decides takes the locks of what it decides on (transaction_lock), in the order of enum sql_lock;
 * what it reads afterwards stays true until it commits. recover.c alone takes the locks of dead owners' runs behind the
 * others. If such an owner lives and settles meanwhile, the two may wait for each other: PostgreSQL ends one of them,
 * and sql_call() tries that one again.
 */
#pragma once
#include "store/ops.h"
#include "store/service.h"

struct sql;
struct query;

enum sql_lock {
    SQL_LOCK_RUN, /* one execution, or one idempotency key */
    SQL_LOCK_AGENT,
    SQL_LOCK_KEY,
    SQL_LOCK_ALL /* what counts over all agents */
};

struct sql_driver {
    void (*start)(struct query *q, const char *sql);
    void (*number)(struct query *q, uint64_t v);
    void (*bytes)(struct query *q, const char *v, size_t size); /* NULL: null. Borrowed until done */
    void (*send)(struct query *q);
    /* A statement that only writes may be sent with the next one that reads, or with the commit: then its failure is
     * told there. */
    bool (*row)(struct query *q);
    uint64_t (*get_number)(struct query *q, int column);
    const char *(*get_bytes)(struct query *q, int column, size_t *ret_size); /* until the next row; null: NULL */
    int (*done)(struct query *q, struct error *err);
    uint64_t (*changes)(struct sql *s); /* rows that the last statement wrote */
    int (*begin)(struct sql *s, struct error *err);
    int (*commit)(struct sql *s, bool is_durable, struct error *err); /* after a failure rollback() follows */
    int (*rollback)(struct sql *s, struct error *err);                /* also where there is none any more */
    /* NULL: there is one writer anyway. */
    int (*lock)(struct sql *s, enum sql_lock what, const char *name, struct error *err);
    int (*lock_agent_of)(struct sql *s, const char *execution_id, struct error *err);
    /* Of all these runs (a line each, behind a mark), and of their agents. NULL: nothing is settled together. */
    int (*lock_runs)(struct sql *s, const char *lines, size_t size, struct error *err);
    /* This transaction, or the next statement that is one by itself, books this run, too: from a lease, or by counting
     * under the agent's lock (0). NULL: no commit is in doubt. */
    void (*books)(struct sql *s, const struct reserve *r, uint64_t lease);
    /* The verb failed, and did nothing: shall it be tried again? NULL: never. */
    bool (*is_worth_another_try)(struct sql *s);
    /* The key list is another one now, for store_version() of others. NULL: they see it anyway. */
    int (*tell_keys)(struct sql *s, struct error *err);
    /* Rows with numbers of their own were written (copy.c): the next ones come behind them. NULL: by itself. */
    int (*numbers_came)(struct sql *s, struct error *err);
    /* Of another node: its service has not been heard of for so long that it is dead. NULL: there are no nodes. */
    bool (*is_lost)(struct sql *s, uint64_t pid, uint64_t start, const char *place);
    /* What an accepted execution asks for, kept for other nodes; and one whose node is dead: 1 where it waits again for
     * some node, 0: it has to end. NULL: there are no nodes. */
    int (*keep_request)(struct sql *s, const struct execution_row *r, struct error *err);
    int (*save_request)(struct sql *s, const char *id, struct error *err);
};

struct sql { /* the beginning of a driver's own struct */
    struct store handle;
    const struct sql_driver *driver;
    char *place;     /* where pids mean what they say: boot, pid namespace, and the node where there are nodes */
    bool is_service; /* set_service: no other process of this place accepts executions */
    uint64_t own_pid, own_start;
    struct arena arena;
    struct leases *leases;   /* leases.c; NULL: there is one node, or none was taken yet */
    struct tallies *tallies; /* tallies.c; NULL: nothing is remembered yet */
    uint64_t epoch;          /* the driver's: another one when the database has crashed */
};

/* --- sql.c --- */

int sql_init(struct sql *s, const struct store_ops *ops, const struct sql_driver *driver, const char *node,
             struct error *err); /* node: NULL where there are none */
void sql_done(struct sql *s);
void sql_act_for(void *self, uint64_t pid); /* store_act_for() */
/* After a verb that failed with e: whether to try it once more; *tries counts, from 0. */
bool sql_tries_again(void *self, int e, unsigned *tries);
/* store_ops.call. */
int sql_call(struct store *handle, enum ledger_request verb, const void *request, void *ret, struct error *err);

/* --- the verbs: what store.h and service.h say of them --- */
int sql_agent(struct sql *s, const char *id, const char *key_id, struct agent *ret, struct error *err);
int sql_why(struct sql *s, const char *id, struct agent_why *ret, struct error *err);
int sql_agents(struct sql *s, const char *after_id, struct agent_list *ret, struct error *err);
int sql_history(struct sql *s, const char *id, struct trust_history *ret, struct error *err);
int sql_usage(struct sql *s, const struct usage_ask *r, struct usage_list *ret, struct error *err);
int sql_counts(struct sql *s, const struct reserve *r, struct limit_counts *ret, struct error *err);
int sql_reserve(struct sql *s, const struct reserve *r, struct reserve_reply *ret, struct error *err);
int sql_settle(struct sql *s, const struct settle *r, struct settle_reply *ret, struct error *err);
void sql_settle_many(struct store *handle, struct settle_call *calls, uint32_t n);   /* store_ops.settle_many */
void sql_reserve_many(struct store *handle, struct reserve_call *calls, uint32_t n); /* store_ops.reserve_many */
int sql_refuse(struct sql *s, const struct refusal *r, struct settle_reply *ret, struct error *err);
int sql_steer(struct sql *s, const struct steer *r, struct agent *ret, struct error *err);
int sql_recover(struct sql *s, uint64_t now_ms, struct recovered_list *ret, struct error *err);
int sql_audited(struct sql *s, const char *execution_id, struct error *err);
int sql_prune(struct sql *s, uint64_t before_ms, uint64_t *ret_removed, struct error *err);
int sql_once(struct sql *s, const char *key, uint64_t now_ms, uint64_t window_ms, bool *ret_taken, struct error *err);
int sql_key_add(struct sql *s, const struct key_row *k, struct error *err);
int sql_keys(struct sql *s, struct key_list *ret, struct error *err);
int sql_key_revoke(struct sql *s, const char *id_or_name, uint64_t now_ms, struct error *err);
int sql_execution_accept(void *self, const struct execution_row *r, char *ret_id, struct error *err);
int sql_execution_start(void *self, const char *id, int level, uint64_t now_ms, struct error *err);
int sql_execution_finish(void *self, const struct execution_row *r, struct error *err);
void sql_execution_finish_many(void *self, struct finish_call *calls, uint32_t n);
int sql_execution_release(void *self, const char *id, struct error *err);
int sql_execution_get(void *self, const char *id, struct execution_row *ret, struct error *err);
int sql_executions(void *self, const struct execution_filter *f, execution_each each, void *ctx, struct error *err);
int sql_executions_orphaned(void *self, uint64_t now_ms, orphan_each each, void *ctx, struct error *err);
int sql_executions_prune(void *self, uint32_t keep, uint64_t now_ms, uint64_t *ret_removed, struct error *err);
int sql_execution_counts(void *self, struct execution_counts *ret, struct error *err);
int sql_key_used(void *self, const char *id, uint64_t now_ms, struct error *err);

/* --- sql.c: statements and transactions --- */

/* One statement being used. Errors are kept and every later call does nothing, so a sequence is checked once. */
struct query {
    struct sql *store;
    void *stmt, *rows; /* the driver's */
    int rc;            /* the driver's: the first failure */
    int next, at;
    bool was_sent;
};
struct query query_start(struct sql *s, const char *sql /* a literal */);
void query_u64(struct query *q, uint64_t v);
void query_text(struct query *q, const char *v);               /* NULL: null. Borrowed until query_done() */
void query_bytes(struct query *q, const char *v, size_t size); /* text of this length */
/* Sent now, and waited for with its first row. The same statement may not be started again before its query_done(), nor
 * *q be moved. */
void query_send(struct query *q);
bool query_row(struct query *q); /* steps; false at the end and on failure */
uint64_t query_get_u64(struct query *q, int column);
const char *query_get_text(struct query *q, int column);                    /* copied into the arena; null: NULL */
const char *query_get_bytes(struct query *q, int column, size_t *ret_size); /* the same, with its length */
int query_done(struct query *q, struct error *err);                         /* 0 or -errno with err */
void array_text(struct buf *b, const char *v); /* an element of PostgreSQL's text of an array */
/* Start, bind unsigned numbers, run to the end, done. */
int query_run(struct sql *s, struct error *err, const char *sql, size_t n, const uint64_t *values);
#define RUN(s, err, sql, ...)                                                            \
    query_run(s, err, sql, sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), \
              (const uint64_t[]){ __VA_ARGS__ })
static inline uint64_t sql_changes(struct sql *s)
{
    return s->driver->changes(s);
}

void sql_begin_call(struct sql *s);
int transaction_begin(struct sql *s, struct error *err);
/* Nothing where there is one writer. name: the agent's or the key's. */
int transaction_lock(struct sql *s, enum sql_lock what, const char *name, struct error *err);
int transaction_lock_agent_of(struct sql *s, const char *execution_id, struct error *err);
void sql_books(struct sql *s, const struct reserve *r, uint64_t lease);
/* Commits when e is 0, else rolls back; returns e or the commit's failure. */
int transaction_end(struct sql *s, int e, struct error *err);
/* The same, and it is on the disk when this returns. */
int transaction_end_durable(struct sql *s, int e, struct error *err);
int transaction_drop(struct sql *s, struct error *err);            /* rolls back what was only looked at */
const char *cut_text(struct sql *s, const char *text, size_t max); /* never NULL */

/* runs.is_recovered: taken over from a dead owner while it ran; when it was settled and not yet in the audit; the
 * first, and its owner lived and has told since what the run did. */
enum { RECOVERED = 1, RECOVERED_SETTLED, RECOVERED_LATE };

/* --- owner.c: whose run it is --- */
char *owner_place(void); /* malloc'ed, NULL: no memory */
/* Three arguments of a statement: a process of this place. */
void query_owner(struct query *q, uint64_t pid, uint64_t start);
const char *owner_node(const char *place);
bool owner_is_of_this_node(const struct sql *s, const char *place);
bool owner_is_alive(struct sql *s, uint64_t pid, uint64_t start, const char *place, uint64_t age_ms);

/* --- agents.c --- */

/* An agent's row with its number, which all other tables use. number 0: unknown. */
struct agent_row {
    uint64_t number, released_ms;
    struct agent agent;
};
int agent_find(struct sql *s, const char *id, struct agent_row *ret, struct error *err);
/* From the row at which the query is; it may have further columns behind these. */
#define AGENT_COLUMNS                                                                                           \
    "number, released_ms, id, trust, trust_at_ms, standing, standing_reason, standing_by, standing_since_ms, "  \
    "first_seen_ms, last_run_ms, runs, successes, failures, violations, refusals, cpu_ms, public_key, errors, " \
    "attempts, start, debt, level, last_offence_ms, quarantines, shapes, hours, first_work_ms, is_vouched, key_id"
#define AGENT_COLUMN_COUNT 30
void agent_read_row(struct query *q, struct agent_row *ret);
/* Finds or creates, then of this key's family (NULL: of none). */
int agent_need(struct sql *s, const char *id, const char *key_id, uint32_t initial_trust, uint64_t now_ms,
               struct agent_row *ret, struct error *err);
struct relatives {                /* agents of one key, but for one of them */
    uint64_t all, bad, offenders; /* in quarantine or banned; with an offence since the time that was asked about */
    const char *worst;            /* the id of a bad one, or else of an offender; NULL: there is none */
};
int agent_relatives(struct sql *s, const char *key_id, uint64_t number, uint64_t since_ms, struct relatives *ret,
                    struct error *err);
/* Where the score came from. */
int agent_add_sums(struct sql *s, uint64_t number, const struct trust_step *step, struct error *err);
/* A point of its history. */
int agent_add_point(struct sql *s, uint64_t number, uint32_t trust, uint64_t now_ms, struct error *err);
/* Writes score, debt and those sums. */
int agent_apply(struct sql *s, struct agent_row *row, const struct trust_step *step, uint64_t now_ms,
                struct error *err);
/* Writes trust and its time into row and table; a changed one becomes a point of the history. */
int agent_set_trust(struct sql *s, struct agent_row *row, uint32_t trust, uint64_t now_ms, struct error *err);
int agent_set_standing(struct sql *s, struct agent_row *row, enum standing standing, const char *reason, const char *by,
                       uint64_t now_ms, struct error *err);

/* --- windows.c --- */

/* Those that have a place among the running. A session is a run, but it does not run all the time that it lives. The
 * first comparison names the index. */
#define RUNS_RUNNING \
    " FROM runs WHERE state <> 1 AND state = 0 AND NOT (execution_id >= 'sess-' AND execution_id < 'sess.')"

enum window {
    WINDOW_HOUR,
    WINDOW_DAY,
    WINDOW_JOBS,
    WINDOW_CPU,
    WINDOW_LAST,
    WINDOW_OF_AGENT,
    WINDOW_OF_KEY,
    WINDOW_RUNNING,
    WINDOW_OF_ALL,
    WINDOWS
};
struct windows {
    struct sql *store;
    const struct reserve *of; /* borrowed */
    uint64_t agent;
    bool must_count;     /* what is remembered is not enough */
    bool is_unknown;     /* after reading: what was remembered is not true any more, so it has to be counted */
    bool is_above_count; /* likewise: some numbers may be too high, none is too low */
    bool is_asked[WINDOWS], is_remembered[WINDOWS];
    struct query asked[WINDOWS];
    int e;
};
/* Of r's agent (its number), level, key and limits, at r's time. windows_read() has to follow. */
void windows_send(struct windows *w, struct sql *s, uint64_t agent, const struct reserve *r, struct error *err);
/* Booked and leased ones together. */
struct limit_counts windows_sum(const struct limit_counts *booked, const struct limit_counts *leased);
/* *ret: of the runs. *ret_leased (NULL: not wanted): of the leases that count with them (leases.c). Where w says
 * is_above_count or is_unknown, windows_count() has the last word. */
int windows_read(struct windows *w, struct limit_counts *ret, struct limit_counts *ret_leased, struct error *err);
int windows_count(struct sql *s, uint64_t agent, const struct reserve *r, struct limit_counts *ret,
                  struct limit_counts *ret_leased, struct error *err);

/* --- tallies.c: windows that were counted before --- */

/* Runs (or ms) behind the edge of a window: began (ended) after it. */
struct tally {
    uint64_t agent;
    uint8_t level, which; /* enum window */
    bool is_known;
    uint64_t edge_ms, behind, total; /* total: agents.runs or agents.cpu_ms at that moment */
    uint64_t counted, added;         /* behind when it was counted; what total has grown by since */
};
/* What is remembered, where it leaves room below this limit; else NULL. */
const struct tally *tally_below(struct sql *s, uint64_t agent, uint8_t level, enum window which, uint64_t limit);
void tally_counted(struct sql *s, uint64_t agent, uint8_t level, enum window which, uint64_t edge_ms, uint64_t behind,
                   uint64_t total);
/* The edge is this one now; between: what lies between the two. False: nothing is remembered. */
bool tally_moved(struct sql *s, uint64_t agent, uint8_t level, enum window which, uint64_t edge_ms, uint64_t between,
                 uint64_t total, uint64_t *ret_behind);
/* Of all agents: runs up to the number up_to, none of which can come any more. 0: nothing is remembered. */
struct tally_of_all {
    uint64_t up_to, edge_ms, behind;
    uint64_t next, next_end; /* likewise up to this one, as soon as all transactions below next_end have ended */
};
const struct tally_of_all *tally_of_all(struct sql *s);
/* newest: the run with the highest number, 0 where it began before the window. begin: transactions below have ended;
 * end: those from here on had not begun. */
struct number_seen {
    uint64_t newest, begin, end;
};
void tally_all_counted(struct sql *s, uint64_t edge_ms, uint64_t up_to_next, const struct number_seen *n);
/* up_to_next: those between up_to and next, behind the new edge. *ret_up_to: those up to up_to. */
bool tally_all_moved(struct sql *s, uint64_t edge_ms, uint64_t between, uint64_t up_to_next,
                     const struct number_seen *n, uint64_t *ret_up_to);

/* --- violations.c --- */

struct found {                   /* in one run */
    uint32_t offences, attempts; /* types of offences, attempts among them */
    uint8_t worst;               /* severity of the worst offence; SEVERITY_INFO: none */
    const char *worst_type;
    struct trust_marks marks;
};
/* Stores them, each type once. */
int violations_add(struct sql *s, const struct agent_row *row, const char *execution_id, const struct violation *list,
                   uint32_t count, uint64_t now_ms, struct found *ret, struct error *err);
/* What follows from offences: they are remembered with the agent, and its standing may get worse. */
int violations_judge(struct sql *s, struct agent_row *row, const struct standing_rules *rules,
                     const struct found *found, uint64_t now_ms, struct error *err);
int refusals_add(struct sql *s, uint64_t agent, uint64_t now_ms, struct error *err);
/* One number. */
struct query refusals_ask(struct sql *s, uint64_t agent, uint64_t window_ms, uint64_t now_ms);

/* --- known.c: code that did harm, for all agents --- */

struct known {
    const char *agent_id, *type;
    uint64_t at_ms;
};
enum known_kind { KNOWN_CODE, KNOWN_TREE };
/* Whether another agent than this one did harm with it: ret->agent_id, else NULL. No hash ("" or NULL): it did not. */
struct query known_ask(struct sql *s, enum known_kind kind, const char *hash, uint64_t agent);
int known_read(struct query *q, struct known *ret, struct error *err);
int known_add(struct sql *s, enum known_kind kind, const char *hash, uint64_t agent, const char *type, uint64_t now_ms,
              struct error *err);
int known_forget(struct sql *s, uint64_t agent, struct error *err);

/* --- baseline.c: what its good runs did --- */

#define BASELINE_ASKED 8u
#define BASELINE_RUNS  1000u
#define BASELINE_LINE  128u /* bytes; longer ones are left out */
struct baseline_asked {
    bool is_asked;
    struct query known; /* which of these habits are */
    const char *rest;   /* the others */
    uint32_t count;
    struct {
        const char *text;
        size_t size;
    } lines[BASELINE_ASKED];
};
/* What is known of a run's habits; baseline_settle() or baseline_drop() has to follow. */
void baseline_send(struct baseline_asked *b, struct sql *s, const struct settle *r);
void baseline_drop(struct baseline_asked *b);
/* Compares, and learns from a good run, the next one behind those `learned`. *ret_first: NULL, or what is new, a
 * sentence a line. */
int baseline_settle(struct baseline_asked *b, struct sql *s, uint64_t agent, uint64_t learned, const struct settle *r,
                    bool is_good, const char **ret_first, struct error *err);
/* After a good run, which has this number among them: what they did not do for long, and what is too much since
 * something was new. */
int baseline_forget(struct sql *s, uint64_t agent, uint64_t run, bool has_new, struct error *err);
int baseline_list(struct sql *s, uint64_t agent, struct agent_why *ret, struct error *err);

/* --- runs.c, for ends.c --- */

/* A run that is to be settled, r in the statement, with what of its agent's past is its code's. */
struct open_run {
    uint64_t number, agent, started_ms; /* number 0: there is none */
    uint8_t level;
    uint32_t size;
    const char *code_hash, *shape, *tree, *key_id;
    bool is_open, was_taken_over; /* was_taken_over: as a dead owner's, and what it did is not told yet */
    uint32_t gained_by_code, gained_by_shape;
    bool is_known_work;
};
#define OPEN_RUN_COLUMNS                                                                                               \
    "r.number, r.agent, r.started_ms, r.level, r.size, r.code_hash, r.shape, r.tree, r.key_id, r.state, "              \
    "r.is_recovered, (SELECT w.gained FROM gains w WHERE w.agent = r.agent AND w.code_hash = r.code_hash), h.gained, " \
    "h.is_work"
/* Behind «runs r» and its conditions' tables; a run without a shape has none here. */
#define OPEN_RUN_SHAPE " LEFT JOIN shapes h ON h.agent = r.agent AND h.shape = r.shape AND h.shape <> '' "
void open_run_read(struct query *q, int first_column, struct open_run *ret);

/* Its agent, and what changes of it as its runs are settled. */
struct learner {
    struct agent_row row;
    uint64_t last_hour, learned; /* the hour of its last evidence; runs that taught its baseline */
    uint32_t gained_last_hour;
    uint64_t shapes, hours; /* evidence that is new */
};
/* The second argument is the time of an hour ago. */
#define LEARNER_COLUMNS                                                                                   \
    AGENT_COLUMNS                                                                                         \
    ", last_hour, learned, (SELECT sum(x.gain) FROM runs x WHERE x.gain > 0 AND x.agent = agents.number " \
    "AND x.ended_ms > ?2)"
#define LEARNER_COLUMN_COUNT (AGENT_COLUMN_COUNT + 3)
void learner_read(struct query *q, struct learner *ret);
/* Recovery and drift for the silence before the run, then what its end means: into *l alone. */
void run_learn(struct learner *l, const struct settle *r, uint64_t started_ms, const struct trust_past *past,
               enum trust_event event, struct trust_step *ret_drift, struct trust_step *ret_step);
/* Evidence for low: a shape of real work that is new for this agent, an hour in which there was none yet. Whether this
 * run is any. */
bool run_learn_work(struct learner *l, const struct settle *r, const struct open_run *run, enum trust_event event,
                    bool is_known_work);
struct query run_ask_volume(struct sql *s, uint64_t agent, const struct settle *r); /* one number */
static inline uint64_t settle_cpu_ms(const struct settle *r)
{
    return (r->use.cpu_us + 999) / 1000;
}
static inline bool run_is_failure(enum trust_event e)
{
    return e == TRUST_FAILURE || e == TRUST_VIOLATION || e == TRUST_ATTEMPT || e == TRUST_ERROR;
}

/* --- within another verb's transaction --- */

/* reserve.accept: as running; and the row alone. */
int execution_of(const struct reserve *run, struct execution_row *ret, struct error *err);
int execution_begin(struct sql *s, const struct reserve *run, struct error *err); /* executions.c */
/* The audit has the end of this run. */
int run_told(struct sql *s, const char *execution_id, struct error *err); /* recover.c */

/* --- meter.c --- */

/* Adds to the hour of now_ms: a run, whether not all of it is known, and what it took (NULL: nothing). */
int meter_add(struct sql *s, uint64_t agent, const char *key_id, uint64_t now_ms, bool is_unmeasured,
              const struct use *use, struct error *err);

/* What was used since 00:00 UTC: by an agent (key_id NULL), or by all of a key. */
struct query meter_ask_today(struct sql *s, uint64_t agent, const char *key_id, uint64_t now_ms);
int meter_read_today(struct query *q, struct budget *ret, struct error *err);

/* --- leases.c --- */

#define LEASE_NO_CPU_LIMIT "9000000000000000000"
bool leases_are_used(const struct sql *s); /* there are nodes */
/* Books these runs, which lease_is_shared(), by a lease of this process: all or none. One statement, which is a
 * transaction by itself. -> enum lease_outcome or negative. */
enum lease_outcome {
    LEASE_NONE,    /* there is no lease for them, or it does not hold now */
    LEASE_BOOKED,  /* *ret: the agent as it was before; *ret_counts: with the first of them, as far as it is known here
                    */
    LEASE_CHANGED, /* *ret: the agent; it is not in good standing any more, or has another trust than was seen */
    LEASE_KEYS     /* the list of keys is another one than was seen */
};
int lease_book(struct sql *s, const struct reserve *const *list, uint32_t n, struct agent_row *ret,
               struct limit_counts *ret_counts, struct error *err);
bool lease_is_shared(const struct reserve *a, const struct reserve *b);
uint32_t lease_left(struct sql *s, const struct reserve *r); /* so many like this one, maybe */
/* Within the transaction that books by counting. lease_end() has to follow these two. */
/* Before it counts: gives back what is left of ours. */
int lease_give_back(struct sql *s, const struct reserve *r, struct error *err);
/* After it counted, n with this run: takes further runs where this agent runs often. *ret_is_durable: this booking has
 * to be on the disk, for limits that hold after a crash. */
int lease_take(struct sql *s, uint64_t agent, const struct reserve *r, const struct limit_counts *n,
               const struct limit_counts *leased, bool *ret_is_durable, struct error *err);
void lease_end(struct sql *s, const struct reserve *r, bool is_done); /* it was committed, or was not */
/* Takes what is not used yet from all nodes: of this agent, or of all. */
int leases_reclaim(struct sql *s, uint64_t agent, bool of_all, struct error *err);
/* Before all else that settling a run writes: what it took is left to no lease of this agent and level. */
int lease_charge(struct sql *s, uint64_t agent, uint8_t level, uint64_t cpu_ms, struct error *err);
/* Every second: gives back those whose time is over. */
int leases_sweep(struct sql *s, uint64_t now_ms, struct error *err);
/* Of the dead, beyond every window. */
int leases_prune(struct sql *s, uint64_t before_ms, struct error *err);

/* --- recover.c --- */

/* Within a transaction: settles all that dead owners left running. */
int recover_running(struct sql *s, uint64_t now_ms, struct error *err);
