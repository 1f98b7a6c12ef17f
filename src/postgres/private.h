/* private.h - inside src/postgres: the connection, what has been sent on it, and what it says about failures. */
#pragma once
#include <libpq-fe.h>
#include "postgres/postgres.h"
#include "sql/sql.h"

#define POSTGRES_STATEMENTS 230u
#define POSTGRES_ARGUMENTS  40
#define POSTGRES_QUEUE      128u
#define POSTGRES_DOUBTFUL   8u
#define POSTGRES_LOCK(what) (0x5b0000 + (int)(what)) /* of advisory locks, the first number */
#define PATIENCE_MS         20000u                   /* for the server itself; then the connection is given up */
#define NOW_MS              "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)" /* of the server, in SQL */

struct statement {
    const char *sql;  /* as the verbs have it: found by its address */
    const char *text; /* as PostgreSQL has it */
    char name[12];
    int arguments;
    bool is_prepared, only_writes;
};

struct booking {
    char runs[STORE_SETTLE_MANY * (2 * STORE_ID_MAX + 3) + 2]; /* an array of their ids, as a text; "": none */
    char agent[AGENT_ID_MAX + 1];
    uint64_t lease, epoch; /* lease 0: it was counted, under the agent's lock */
};

struct postgres {
    struct sql sql;
    struct arena own; /* the options' strings, the statements' texts */
    struct store_place options;
    char policy[65];   /* of the beat */
    const char *where; /* for errors: «PostgreSQL at …» */
    PGconn *conn;      /* NULL: not connected */
    uint64_t pause_ms, next_try_ms;
    char why[200];        /* the last try to connect failed; "": none did */
    uint32_t patience_ms; /* PATIENCE_MS, but in tests */
    bool is_migrating;
    /* the transaction */
    bool has_begun, has_failed, is_committing;
    bool is_conflict;   /* another transaction was preferred: a deadlock */
    struct error error; /* the first failure of what was sent */
    uint64_t changes;
    struct booking booked; /* by this transaction */
    /* Bookings whose commit was under way when the connection broke: their callers were refused. The server may be
     * committing still, or waits for a COMMIT that never comes (connect.c has how it is known that it has decided). */
    struct booking doubtful[POSTGRES_DOUBTFUL];
    uint32_t doubtful_count;
    uint64_t next_look_ms; /* at the doubtful ones */
    bool is_looking;
    /* sent, and not yet answered */
    struct {
        struct statement *prepared; /* by this command; NULL: it is an execution, or a plain command */
        struct query *reader;       /* of its rows, until its query_done(); NULL: no rows are wanted */
    } queue[POSTGRES_QUEUE];
    uint32_t queued;
    /* the arguments of the statement that is being made */
    const char *values[POSTGRES_ARGUMENTS];
    char numbers[POSTGRES_ARGUMENTS][24];
    Oid types[POSTGRES_ARGUMENTS];
    uint32_t statement_count;
    struct statement statements[POSTGRES_STATEMENTS];
    /* nodes.c */
    bool has_had_name;     /* it held the lock of the node's name */
    uint64_t clock_off_ms; /* our clock from the database's, at the last beat */
    uint64_t lost_at_ms;
    char *lost; /* services that are dead, «pid start place» a line; malloc'ed */
};

/* --- connect.c --- */

/* Connected, or why not. Tries at most once a pause. Not within a transaction. */
int connection_need(struct postgres *p, struct error *err);
void connection_drop(struct postgres *p);
/* What the server said, or why the connection is gone. Keeps the first of a transaction in p->error. */
int connection_fail(struct postgres *p, const PGresult *r, struct error *err);
/* Waits where the queue could not take a statement's preparation and its execution. */
int connection_make_room(struct postgres *p);
/* A command without arguments, behind what was sent already; waits for nothing. */
int connection_send(struct postgres *p, const char *sql, struct error *err);
/* Waits for the answers of all that was sent; rows go to their readers. */
int connection_wait(struct postgres *p, struct error *err);

/* --- driver.c --- */
extern const struct sql_driver postgres_driver;

/* --- schema.c --- */
int schema_check(struct postgres *p, struct error *err);
/* Into sql.epoch. */
int schema_epoch(struct postgres *p, struct error *err);

/* --- nodes.c --- */
int nodes_set_service(void *self, struct error *err);
int nodes_beat(void *self, struct beat *ret, struct error *err);
int nodes_take_name(struct postgres *p, struct error *err); /* also after the connection was made anew */
/* --- requests.c: store_request_begin() and so on; for sql_driver.saves and .keeps --- */
int requests_add(struct sql *s, const struct execution_row *r, struct error *err);
int requests_save(struct sql *s, const char *id, struct error *err);
int requests_begin(void *self, const char *id, struct error *err);
int requests_take(void *self, struct request_claim *ret, struct error *err);
int requests_defer(void *self, const char *id, int level, struct error *err);
int requests_leave(void *self, const char *id, bool is_offered, struct error *err);
int requests_held(void *self, request_each each, void *context, struct error *err);

/* --- nodes.c, again --- */
int nodes_owner(void *self, const char *id, struct execution_owner *ret, struct error *err);
int nodes_of_level(void *self, int level, struct execution_owner *ret, struct error *err);
bool nodes_is_lost(struct sql *s, uint64_t pid, uint64_t start, const char *place);
