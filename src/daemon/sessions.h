/* sessions.h - the sessions of the service (docs/sessions.md): who has them, how long they live, why they ended.
 *
 * An entry is made by the request that creates the session, and held by the table until SESSIONS_ENDED_MAX later ones
 * have ended; its sandbox is the work of a runner of its own (runner.h), whose execution has the session's id. Counted
 * references; what may change stands behind the table's lock.
 */
#pragma once
#include "daemon/executions.h"
#include "packages/store.h"
#include "plan/request.h"
#include "session/session.h"

#define SESSIONS_ENDED_MAX 256u /* ended ones that can still be asked for */
#define SESSION_TTL_PRESET 300u /* seconds */
#define SESSION_TTL_MAX    86400u

enum session_end { /* why; the first reason counts */
                   SESSION_LIVES,
                   SESSION_DELETED,
                   SESSION_EXPIRED,
                   SESSION_STANDING, /* its agent is quarantined or banned */
                   SESSION_KEY,      /* its key is revoked or has expired */
                   SESSION_SHUTDOWN, /* the service ends */
                   SESSION_KILLED,   /* a kill switch or a limit of the sandbox */
                   SESSION_LOST,     /* its sandbox died */
                   SESSION_REFUSED,  /* it never began */
                   SESSION_ENDS
};
const char *session_end_name(enum session_end e); /* «expired»; NULL for one that lives */

struct session_entry {
    /* fixed from the beginning */
    char id[EXECUTION_ID_SIZE];
    char *key_id, *agent_id;
    bool is_nameless;
    struct strlist metadata, env; /* owned; K=V */
    uint64_t created_ms;          /* wall clock */
    struct session *live;
    struct contexts *contexts;         /* owned */
    _Atomic unsigned port_connections; /* open ones: ports_api.c */

    /* under the table's lock */
    int level; /* -1: not decided yet */
    struct session_packages {
        char name[PACKAGE_NAME_MAX + 1], tree[65];
        struct request_packages mounted; /* of the two; without where it lies: it is mounted. name NULL: none */
    } packages;                          /* what its jobs find; fixed once the level is decided */
    uint64_t expires_ms;                 /* wall clock */
    enum session_end end;
    bool has_ended;
    uint64_t ended_ms;
    uint64_t jobs;               /* so far */
    struct execution *execution; /* its sandbox's; NULL when that is over */

    unsigned refs;
    struct sessions *home;
    struct session_entry *next; /* newest first */
};

struct sessions *sessions_new(void);
struct sessions *sessions_free(struct sessions *l); /* none may live */

struct session_spec {
    const char *id, *key_id, *agent_id;
    bool is_nameless;
    const struct strlist *metadata, *env; /* copied */
    uint32_t ttl;                         /* seconds */
    uint32_t max_per_key;                 /* 0: no limit */
};
/* With a reference for the caller; e is referenced. -EAGAIN (BLAME_POLICY): the key has as many as it may. */
int sessions_add(struct sessions *l, const struct session_spec *spec, struct execution *e, struct session_entry **ret,
                 struct error *err);
struct session_entry *sessions_find(struct sessions *l, const char *id); /* with a reference, or NULL */
struct session_entry *session_entry_unref(struct session_entry *e);      /* accepts NULL, returns NULL */
struct session_entry *session_entry_ref(struct session_entry *e);

/* The level that was decided, or -1: none yet; *ret_end: SESSION_LIVES, or why it ends. */
int session_entry_level(struct session_entry *e, enum session_end *ret_end);
/* Its sandbox begins at this level, with these packages. */
void session_entry_decided(struct session_entry *e, int level, const struct request_packages *p);
/* Its sandbox is over; what: of an entry that was not told to end. */
void session_entry_over(struct session_entry *e, enum session_end what);
/* Asks its sandbox to end. False: it has ended already. */
bool session_entry_end(struct session_entry *e, enum session_end why);
/* Lives so many seconds from now, but no longer than SESSION_LIFE_MAX_MS in all. False: it has ended. */
bool session_entry_extend(struct session_entry *e, uint32_t ttl);
void session_entry_count_job(struct session_entry *e);

/* Calls then() with each, newest first, under the table's lock, until it says false. */
void sessions_each(struct sessions *l, bool (*then)(void *context, const struct session_entry *e), void *context);
/* Ends what has lived its time; again every second. */
void sessions_expire(struct sessions *l);
void sessions_end_all(struct sessions *l, enum session_end why);
/* Ends those of this key. */
void sessions_end_key(struct sessions *l, const char *key_id, enum session_end why);
/* Ends those of this agent. */
void sessions_end_agent(struct sessions *l, const char *agent_id, enum session_end why);
