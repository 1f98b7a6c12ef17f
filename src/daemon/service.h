/* service.h - sandboxd: everything that lives as long as the service, in one struct that main() makes and hands down.
 *
 * Threads: one for each connection (http), one for each asynchronous execution and each session, one for each
 * session's keeper, some for each batch, one for each build of a package set, one for webhooks, one for alerts to
 * people, one for OpenTelemetry, one that verifies the audit, two for housekeeping (audit to the disk; limits of age,
 * reload), one for the launcher's life, one for sandboxes that are opened early. What they share stands here, each with
 * the lock that guards it; a lock is held for microseconds and never while another one is taken, except where said.
 */
#pragma once
#include <pthread.h>

#include "daemon/answer.h"
#include "daemon/auth.h"
#include "daemon/log.h"
#include "daemon/metrics.h"
#include "daemon/pem.h"
#include "daemon/messenger.h"
#include "daemon/otlp.h"
#include "daemon/webhook.h"
#include "http/http.h"
#include "run/locations.h"
#include "run/policy.h"
#include "run/trail.h"
#include "store/gather.h"
#include "store/service.h"

struct verifier;     /* verifier.h: is the audit what was written? */
struct sessions;     /* sessions.h: sandboxes that stay */
struct snapshots;    /* snapshots.h: of their workspaces */
struct content;      /* content.h: what outlives this node */
struct mirror;       /* mirror.h: brings it there */
struct janitor;      /* janitor.h: what is done when answers are out */
struct queue;        /* queue.h: who may run now */
struct executions;   /* executions.h: live ones and finished ones */
struct routes;       /* routes.h: what handlers keep between requests */
struct web_sessions; /* web_session.h: who has logged in to the page */
struct mcp;          /* front/mcp.h: clients of the Model Context Protocol */
struct e2b;          /* front/e2b.h: clients of E2B */
struct piston;       /* front/piston.h: clients of Piston */
struct front_contexts;
struct stock;    /* stock.h: sandboxes opened before they are asked for */
struct launcher; /* launcher.h: the process that owns the sandboxes, and connections to it */

struct late;           /* late.h */
struct package_builds; /* package_builds.h: package sets on their way */

struct service {
    const struct paths *paths;
    struct arena arena;      /* of main(): lives as long as the service */
    const char *config_path; /* --config, or NULL */
    struct locations places;

    pthread_rwlock_t policy_lock;
    struct policy_set *policies;       /* service_policies() */
    struct policy_set *first_policies; /* those of the start: what cannot change while we run is theirs */
    struct service_log log;

    pthread_mutex_t store_lock; /* around every use of the store */
    struct store *store;
    struct gather *gather;         /* of ends that come together */
    struct late *late;             /* ends that the store could not take; NULL: there are no nodes */
    uint64_t store_dev, store_ino; /* its file, as it was opened: health.c; 0: it is no file */
    bool store_is_away;            /* housekeeping.c */
    bool owes_recovery;            /* it was away at the start: what services of before left is not told yet */

    struct trail_shared trail;
    bool has_audit;
    struct verifier *verifier;
    struct cosigner *cosigner; /* NULL: there is no fleet */

    struct auth *auth;
    struct web_sessions *web_sessions;
    struct mcp *mcp;
    struct e2b *e2b;
    struct piston *piston;
    struct front_contexts *daytona; /* shells that its clients made (front/contexts.h) */
    struct queue *queue;
    struct executions *executions;
    struct sessions *sessions;
    struct snapshots *snapshots;
    struct content *content; /* NULL: content.place is not given */
    struct mirror *mirror;   /* likewise */
    struct package_builds *packages;
    pthread_mutex_t packages_lock; /* package_share.c: one tree after the other is fetched */
    struct janitor *janitor;
    struct launcher *launcher;
    struct stock *stock;   /* NULL: warm.enabled is false */
    struct lender *lender; /* NULL: nothing is lent to the command line */
    pthread_mutex_t engine_lock;
    /* By backend, the native one's is `launcher`; opened by the first run that asks for it. They run as the service's
     * user: a user of an engine's socket is root there. */
    struct launcher *others[BACKEND_COUNT];
    struct metrics *metrics;
    struct webhooks *webhooks;
    struct messenger *messenger;
    struct otlp *otlp;
    _Atomic uint64_t next_tag; /* of a run on its connection */
    struct routes *routes;
    struct http_server *http, *piston_http; /* piston_http NULL: endpoints.piston.enabled is false */
    int private_lock;                       /* front/mcp_private.h; -1: this is no private service */

    const char *listens_on;           /* host, or NULL */
    uint64_t start_ms;                /* wall clock */
    _Atomic bool is_leaving;          /* /readyz says so; what comes is taken (endpoints.api.linger) */
    _Atomic uint64_t policies_differ; /* nodes whose policies are others than ours, by the last beat */
    _Atomic uint64_t clock_off_ms; /* this machine's clock from the database's; is_off_clock: more than is permitted */
    _Atomic bool is_off_clock;
    _Atomic bool is_draining, is_drained; /* it ends; a fleet's administrator wants no new runs here */
    _Atomic uint64_t closed_ms;           /* clock_ms() from which a drained node refuses what still comes */
};

/* What main() was told. */
struct service_options {
    const char *config, *host, *socket, *launcher, *user; /* NULL: the configuration's */
    uint16_t port;
    bool has_port, is_private;
    int fds[16]; /* sockets that listen already */
    size_t fd_count;
    int parent_fd;  /* parent.h; -1: none */
    struct pem pem; /* read by root before it was given up; empty: not yet */
};
/* Everything but the signals. After a failure service_close() all the same. *v: service_init() before. */
void service_init(struct service *v, const struct paths *p);
int service_open(struct service *v, const struct service_options *o, struct error *err);
/* First, for endpoints.api.linger, all goes on but /readyz says 503. Then no new executions are taken; those that live
 * may end within max_ms, then they are killed. is_in_a_hurry(): no more of either. */
void service_drain(struct service *v, uint64_t max_ms, bool (*is_in_a_hurry)(void *context), void *context);
void service_close(struct service *v);

/* The launcher of that backend: 0, or why there is none. */
int service_launcher(struct service *v, enum config_backend b, struct launcher **ret, struct error *err);
/* The policies of now: the caller's reference (policy_set_unref). */
struct policy_set *service_policies(struct service *v);
/* Configuration and profiles anew; a bad file keeps what was there. What is read at the start only is told in the log
 * (fixed.h). */
int service_reload(struct service *v, struct error *err);
/* The store's answer was e: false when it is to be believed. When its database is away or full, and what was asked must
 * not be lost (the end of a run), true after a moment, half a minute long: ask again. *until_ms begins as 0. */
bool service_awaits_store(const struct service *v, int e, uint64_t *until_ms);
/* The same for the end of a run: shorter where it can be kept for later (late.h). */
bool service_awaits_end(const struct service *v, int e, uint64_t *until_ms);
bool service_store_may_pass(const struct service *v, int e); /* it may be well later */
/* The store for any thread, by its lock; arena: for the strings of what it answers. store_close() when done. */
struct store service_ledger(struct service *v, struct arena *arena);
/* A line for the log: monitoring.logging. Never with code, environment or keys in it. */
void service_log(struct service *v, int level /* enum log_level */, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* A request that was let in: by whom. Handlers have this form; one row each in routes.c. */
struct call {
    struct service *service;
    const struct http_request *request;
    const struct caller *caller; /* auth.h */
    const char *parts[2];        /* what stood for {…} in the path, in order */
    struct arena *arena;
};
typedef void (*route_handler)(struct call *c, struct http_answer *a);
