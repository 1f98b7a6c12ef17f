/* service.c - the service comes up, is loaded anew, and goes down: in which order its parts are made and unmade. */
#include "daemon/service.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>

#include "audit/hmac.h"
#include "base/clock.h"
#include "base/io.h"
#include "daemon/content.h"
#include "daemon/cosigner.h"
#include "daemon/executions.h"
#include "daemon/fixed.h"
#include "daemon/janitor.h"
#include "daemon/web_session.h"
#include "daemon/late.h"
#include "daemon/lender.h"
#include "daemon/launcher.h"
#include "daemon/mirror.h"
#include "daemon/node_tls.h"
#include "daemon/orphans.h"
#include "daemon/queue.h"
#include "daemon/routes.h"
#include "daemon/runner.h"
#include "daemon/sessions.h"
#include "daemon/package_builds.h"
#include "daemon/pass_on.h"
#include "daemon/snapshots.h"
#include "daemon/stock.h"
#include "daemon/verifier.h"
#include "front/contexts.h"
#include "front/e2b.h"
#include "front/mcp_private.h"
#include "front/mcp_state.h"
#include "front/piston.h"
#include "run/backend.h"
#include "run/learn.h"
#include "postgres/postgres.h"
#include "run/ledger.h"
#include "sqlite/sqlite.h"
#include "store/ops.h"

#define KILL_PATIENCE_MS    10000u
#define WEBHOOK_PATIENCE_MS 2000u
#define MIRROR_PATIENCE_MS  5000u
#define DRAIN_STEP_MS       100u

/* --- what handlers use -------------------------------------------------------------------------------- */

void service_log(struct service *v, int level, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    service_log_write(&v->log, (enum log_level)level, text);
}

struct policy_set *service_policies(struct service *v)
{
    (void)pthread_rwlock_rdlock(&v->policy_lock);
    struct policy_set *set = policy_set_ref(v->policies);
    (void)pthread_rwlock_unlock(&v->policy_lock);
    return set;
}

#define STORE_PATIENCE_MS 30000u
#define END_PATIENCE_MS   5000u
#define DRAIN_PATIENCE_MS 5000u
#define STORE_PAUSE_MS    100u

/* A database that several nodes share: it is away, its disk is full, or a lock was not given in time. */
bool service_store_may_pass(const struct service *v, int e)
{
    return e == -EHOSTDOWN || ((e == -ENOSPC || e == -EBUSY) && store_has_nodes(v->store));
}

static bool awaits(const struct service *v, int e, uint64_t patience, uint64_t *until_ms)
{
    if (!service_store_may_pass(v, e))
        return false;
    const uint64_t now = clock_ms();
    *until_ms = *until_ms ? *until_ms : now + (v->is_draining ? MIN_OF(patience, DRAIN_PATIENCE_MS) : patience);
    if (now >= *until_ms)
        return false;
    (void)nanosleep(&(struct timespec){ .tv_nsec = STORE_PAUSE_MS * 1000000 }, NULL);
    return true;
}

bool service_awaits_store(const struct service *v, int e, uint64_t *until_ms)
{
    return awaits(v, e, STORE_PATIENCE_MS, until_ms);
}

bool service_awaits_end(const struct service *v, int e, uint64_t *until_ms)
{
    return awaits(v, e, v->late ? END_PATIENCE_MS : STORE_PATIENCE_MS, until_ms);
}

/* *ret says so. A restart of the database is waited for: its trust belongs to the answer. */
static int settle(struct service *v, const struct settle *r, struct settle_reply *ret, struct arena *arena,
                  struct error *err)
{
    struct error why = { 0 };
    uint64_t until_ms = 0;
    int e;
    do
        e = gather_settle(v->gather, r, ret, arena, err);
    while (service_awaits_end(v, e, &until_ms));
    if (!v->late || !service_store_may_pass(v, e))
        return e;
    int kept = late_keep_settle(v->late, r, &why);
    if (kept < 0) {
        service_log(v, LOG_ERROR, "execution %s: %s", r->execution_id, why.text);
        return e;
    }
    *ret = (struct settle_reply){ .standing_reason = "", .is_late = true };
    return 0;
}

/* The service's store with its lock, and the caller's arena for what it answers. */
static int call_locked(struct service *v, struct arena *arena, enum ledger_request verb, const void *request, void *ret,
                       struct error *err)
{
    struct store locked = *v->store;
    uint64_t until_ms = 0;
    int e;
    locked.arena = arena;
    do {
        (void)pthread_mutex_lock(&v->store_lock);
        e = locked.ops->call(&locked, verb, request, ret, err);
        (void)pthread_mutex_unlock(&v->store_lock);
    } while (verb == LEDGER_AUDITED && service_awaits_end(v, e, &until_ms));
    return e;
}

/* With the key's check where it has one: the list of keys in which it is good is still the store's. */
static int reserve(struct service *v, const struct reserve *r, struct reserve_reply *ret, struct arena *arena,
                   struct error *err)
{
    struct reserve own = *r;
    const bool has_key = r->accept && r->key_id && str_starts(r->key_id, "key-");
    for (int tries = 0; tries < 5; tries++) {
        const uint64_t begun_ms = clock_ms();
        int e = 0;
        own.keys_seen = has_key ? auth_keys_seen(v->auth, r->key_id) : 0;
        if (!has_key || own.keys_seen) {
            e = gather_reserve(v->gather, &own, ret, arena, err);
            if (e < 0 || ret->outcome != RESERVE_KEYS) {
                if (e == 0 && ret->outcome == RESERVE_OK && has_key)
                    auth_keys_held(v->auth, own.keys_seen, begun_ms);
                return e;
            }
        }
        e = auth_confirm(v->auth, r->key_id, err);
        if (e < 0)
            return e;
    }
    (void)err_set(err, -EHOSTDOWN, BLAME_HOST, "STORE", "keys changed 5 times while this run was booked");
    return err_remedy(err, "try again");
}

static int call_store(struct store *s, enum ledger_request verb, const void *request, void *ret, struct error *err)
{
    struct service *v = s->self;
    const bool is_gathered = store_has_nodes(v->store);
    int e = verb == LEDGER_SETTLE                   ? settle(v, request, ret, s->arena, err)
            : is_gathered && verb == LEDGER_RESERVE ? reserve(v, request, ret, s->arena, err)
            : is_gathered && verb == LEDGER_AGENT   ? gather_agent(v->gather, request, ret, s->arena, err)
                                                    : call_locked(v, s->arena, verb, request, ret, err);
    if (verb == LEDGER_STEER)
        gather_forget(v->gather, ((const struct steer *)request)->agent_id);
    else if (verb == LEDGER_REFUSE)
        gather_forget(v->gather, ((const struct refusal *)request)->agent_id);
    /* the run has been: this is no «try again» for a client (runner.c) */
    if ((verb == LEDGER_SETTLE || verb == LEDGER_AUDITED) && service_store_may_pass(v, e))
        e = err->code = -EIO;
    return e;
}

static void leave_store(void *self)
{
    (void)self; /* it is the service's */
}

struct store service_ledger(struct service *v, struct arena *arena)
{
    static const struct store_ops ops = { .call = call_store, .close = leave_store };
    return (struct store){ &ops, v, arena };
}

void metrics_gauges(struct service *v, struct metrics_gauges *ret)
{
    struct queue_counts q;
    const struct http_counters *h = http_counters(v->http);
    queue_count(v->queue, &q);
    ret->running = q.running;
    ret->queued = q.waiting;
    ret->queue_max = q.size;
    ret->launcher_is_up = launcher_is_alive(v->launcher);
    ret->is_draining = v->is_draining || v->is_drained;
    ret->has_warm = v->stock != NULL;
    ret->warm_waiting = stock_waiting(v->stock);
    (void)pthread_mutex_lock(&v->trail.lock);
    ret->has_audit = true;
    ret->audit_lines = v->trail.audit.head.sequence;
    ret->audit_file_bytes = v->trail.audit.head.offset;
    (void)pthread_mutex_unlock(&v->trail.lock);
    ret->connections = h->live;
    ret->connections_total = h->connections;
    ret->connections_refused = h->refused_connections;
    ret->connections_evicted = h->evicted;
    ret->requests_bad = h->bad_requests;
    ret->requests_timed_out = h->timeouts;
    ret->log_dropped = v->log.dropped;
    ret->webhooks_waiting = webhook_waiting(v->webhooks);
    ret->is_verified = verifier_last(v->verifier, &ret->verified_ms, &ret->audit_problems);
    struct cosigner_state fleet = { 0 };
    ret->has_cosigner = cosigner_state(v->cosigner, &fleet);
    ret->is_witnessed = (ret->witnessed_ms = fleet.witnessed_ms) > 0;
    ret->has_cosigned = (ret->cosigned_ms = fleet.cosigned_ms) > 0;
    ret->has_nodes = store_has_nodes(v->store);
    ret->policies_differ = v->policies_differ;
    ret->audits_refused = fleet.refused;
    struct mirror_state mirror = { 0 };
    ret->has_content = mirror_state(v->mirror, &mirror);
    ret->content_waiting = mirror.waiting;
    ret->content_written = mirror.written;
    ret->content_failed = mirror.failed;
    ret->content_dropped = mirror.dropped;
    ret->has_expiry = auth_next_expiry(v->auth, &ret->key_expires_ms);
}

/* --- configuration ---------------------------------------------------------------------------------------- */

static void configure(struct service *v, const struct config *c)
{
    service_log_configure(&v->log, c, v->trail.audit.dir);
    const uint32_t all = c->rate_limiting.global.max_concurrent_executions, own = c->fleet.max_concurrent_executions;
    queue_resize(v->queue, MIN_OF(all ? all : UINT32_MAX, own ? own : UINT32_MAX), c->endpoints.api.queue_size);
    executions_limit(v->executions, c->endpoints.api.max_buffered);
    webhook_configure(v->webhooks, c);
    messenger_configure(v->messenger, c);
    otlp_configure(v->otlp, c);
    metrics_apply(v, c);
}

static void tell_fixed(void *context, const char *key, const char *in_force, const char *now)
{
    service_log(
        context, LOG_WARN,
        "reload: %s is %s now, but is read at the start only: %s stays in force until the service is started again",
        key, now, in_force);
}

static void tell_notices(struct service *v, const struct policy_set *set)
{
    struct buf text;
    buf_init(&text, 8 * KIB);
    policy_notices(&set->level[0], NULL, &text);
    if (text.size)
        service_log(v, LOG_WARN, "%s", text.data);
    buf_done(&text);
}

int service_reload(struct service *v, struct error *err)
{
    struct policy_set *set = NULL;
    int e = policy_set_load(v->paths, v->config_path, &set, err);
    if (e == 0)
        e = webhook_check(&set->level[0].config, err);
    if (e == 0)
        e = messenger_check(&set->level[0].config, err);
    if (e == 0)
        e = otlp_check(&set->level[0].config, err);
    if (e < 0) {
        metrics_count(v->metrics, METRICS_RELOAD_FAILED);
        (void)policy_set_unref(set);
        return e;
    }
    (void)pthread_rwlock_wrlock(&v->policy_lock);
    struct policy_set *old = v->policies;
    v->policies = set;
    (void)pthread_rwlock_unlock(&v->policy_lock);
    configure(v, &set->level[0].config);
    (void)policy_set_unref(old);
    tell_notices(v, set);
    fixed_differences(&v->first_policies->level[0].config, &set->level[0].config, tell_fixed, v);
    metrics_count(v->metrics, METRICS_RELOAD);
    return 0;
}

/* --- up ------------------------------------------------------------------------------------------------------ */

/* PostgreSQL may be away when we start, and come later: until then requests are refused (503), and /readyz says so. */
static int open_shared_store(struct service *v, const struct config *c, struct error *err)
{
    const struct store_place place = ledger_place(c);
    int e = pass_on_check(c, err);
    if (e < 0)
        return e;
    e = postgres_open(&place, true, false, &v->store, err);
    return e < 0 ? e : store_set_service(v->store, err);
}

static int open_any_store(struct service *v, const struct config *c, struct error *err)
{
    if (c->store.backend == STORE_POSTGRESQL)
        return open_shared_store(v, c, err);
    if (!v->places.state_dir) {
        (void)err_set(err, -ENOENT, BLAME_CALLER, "STORE",
                      "no place for the state: neither HOME nor XDG_STATE_HOME is set");
        return err_remedy(err, "set sandbox.paths.state_dir");
    }
    struct stat st;
    const char *path = arena_printf(&v->arena, "%s/state.db", v->places.state_dir);
    int e = store_open(path, &v->store, err);
    if (e == 0 && stat(path, &st) < 0)
        e = err_set(err, -errno, BLAME_HOST, "STORE", "%s: %m", path);
    if (e == 0) {
        v->store_dev = st.st_dev;
        v->store_ino = st.st_ino;
        e = store_set_service(v->store, err);
    }
    return e;
}

static int open_store(struct service *v, const struct config *c, struct error *err)
{
    int e = open_any_store(v, c, err);
    v->gather = e == 0 ? gather_new(&v->store_lock, v->store) : NULL;
    if (e == 0 && !v->gather)
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    return e < 0 ? e : late_open(v, &v->late, err);
}

static void audit_took(void *metrics, uint64_t us)
{
    metrics_time(metrics, METRICS_AUDIT_WRITE, us);
}

static void log_event(void *context, const struct event_line *line)
{
    service_log_line(context, line);
}

static int open_audit(struct service *v, const struct config *c, struct error *err)
{
    int e = trail_open_audit(&v->trail.audit, v->paths, c, &v->arena, err);
    v->trail.audit.leaves.batch = AUDIT_TREE_BATCH;
    if (e == 0) {
        v->trail.alert = webhook_alert;
        v->trail.tell = messenger_alert;
        v->trail.log = log_event;
        v->trail.log_context = &v->log;
        v->trail.on_write = audit_took;
        v->trail.write_context = v->metrics;
        v->has_audit = true;
        /* beside the audit, as keep_path() puts them: where that would be could only be guessed until now */
        const char *path = c->security.store_artifacts.path;
        v->places.artifacts_dir = path ? locations_below(path, v->trail.audit.dir, &v->arena)
                                       : arena_printf(&v->arena, "%s/artifacts", v->trail.audit.dir);
    }
    return e;
}

static void tell_launcher(void *context, bool is_bad, const char *text)
{
    struct service *v = context;
    service_log(v, is_bad ? LOG_WARN : LOG_INFO, "%s", text);
    if (!is_bad)
        metrics_count(v->metrics, METRICS_LAUNCHER_RESTART);
}

static int open_launcher(struct service *v, const struct service_options *o, const struct config *c, struct error *err)
{
    const char *socket = o->launcher ? o->launcher : c->endpoints.api.launcher;
    bool has_parent = o->parent_fd >= 0;
    const struct launcher_options l = {
        .program = socket || has_parent ? NULL : arena_printf(&v->arena, "%s/sandbox-launcher", v->paths->libexec),
        .socket = socket,
        .parent_fd = socket ? -1 : o->parent_fd,
        .idle_connections = LAUNCHER_MAX_IDLE,
        .tell = tell_launcher,
        .context = v
    };
    return launcher_open(&l, &v->launcher, err);
}

/* stock.h */
static void on_lost(void *context, const char *program, const char *why)
{
    struct service *v = context;
    metrics_count(v->metrics, METRICS_WARM_LOST);
    if (why)
        service_log(v, LOG_WARN, "%s, opened before a run asked for it, has ended: %s", program, why);
}

/* Without it runs start cold, which every result says. */
static void open_stock(struct service *v, const struct config *c)
{
    struct sysinfo host = { .mem_unit = 1 };
    (void)sysinfo(&host);
    const uint64_t bytes = (uint64_t)host.totalram * host.mem_unit / 1000 * c->warm.memory;
    const uint64_t each = c->languages[LANG_PYTHON].preload.count ? STOCK_BYTES_PRELOADED : STOCK_BYTES_EACH;
    const struct stock_options o = { .launcher = v->launcher,
                                     .next_tag = &v->next_tag,
                                     .max_count = (uint32_t)MIN_OF(bytes / each, (uint64_t)STOCK_MAX),
                                     .idle_ms = c->warm.idle,
                                     .on_lost = on_lost,
                                     .context = v };
    if (c->warm.enabled && o.max_count && !(v->stock = stock_new(&o)))
        service_log(v, LOG_WARN, "no memory or no thread for sandboxes that are opened early (warm.enabled)");
}

/* Where the launcher is our own child, and so this user's. */
static int open_lender(struct service *v, const struct service_options *o, const struct config *c, struct error *err)
{
    char path[256];
    if (!c->warm.command_line || o->is_private || o->launcher || c->endpoints.api.launcher || o->parent_fd >= 0)
        return 0;
    int e = lender_open(v->launcher, v->stock, arena_printf(&v->arena, "%s/sandbox-launcher", v->paths->libexec), path,
                        sizeof path, &v->lender, err);
    if (v->lender)
        service_log(v, LOG_INFO, "this user's command line is lent sandboxes at %s (warm.command_line)", path);
    return e;
}

int service_launcher(struct service *v, enum config_backend b, struct launcher **ret, struct error *err)
{
    char program[4096]; /* copied by launcher_open() */
    int e = 0;
    if (b == BACKEND_NATIVE) {
        *ret = v->launcher;
        return 0;
    }
    (void)snprintf(program, sizeof program, "%s/%s", v->paths->libexec, backend_of(b)->program);
    const struct launcher_options l = { .program = program,
                                        .parent_fd = -1,
                                        .name = backend_of(b)->program,
                                        .idle_connections = LAUNCHER_MAX_IDLE,
                                        .tell = tell_launcher,
                                        .context = v };
    (void)pthread_mutex_lock(&v->engine_lock);
    if (!v->others[b])
        e = launcher_open(&l, &v->others[b], err);
    *ret = v->others[b];
    (void)pthread_mutex_unlock(&v->engine_lock);
    return e;
}

static int check_listening(struct service *v, const struct http_options *h, struct error *err)
{
    if (!h->host && !h->socket && !h->fd_count)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "endpoints.api.enabled is false, and there is no socket: nothing to listen on");
    if (h->host && !http_is_loopback(h->host) && !auth_has_key(v->auth)) {
        (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "%s is beyond loopback, and there is no key that is good",
                      h->host);
        return err_remedy(err, "sandbox-agent keys create --role admin, or listen on 127.0.0.1");
    }
    return 0;
}

static int listen_http(struct service *v, const struct service_options *o, const struct config *c, struct error *err)
{
    struct mcp_place place = { 0 };
    int e = o->is_private ? mcp_place_find(v->paths, c, &v->arena, &place, err) : 0;
    if (e == 0 && o->is_private)
        e = mcp_private_begin(&place, &v->private_lock, err);
    if (e == 0 && (!v->mcp || !v->e2b || !v->piston || !v->daytona))
        e = err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    if (e < 0)
        return e;
    struct http_options h = { .host = o->fd_count || o->is_private ? NULL
                                      : o->host                    ? o->host
                                      : c->endpoints.api.enabled   ? c->endpoints.api.host
                                                                   : NULL,
                              .port = o->has_port ? o->port : (uint16_t)c->endpoints.api.port,
                              .socket = place.socket ? place.socket
                                        : o->socket  ? o->socket
                                                     : c->endpoints.api.socket,
                              .fds = o->fds,
                              .fd_count = o->fd_count,
                              .max_body = c->endpoints.api.max_body,
                              .request_timeout_ms = c->endpoints.api.request_timeout,
                              .idle_timeout_ms = c->endpoints.api.idle_timeout,
                              .write_timeout_ms = c->endpoints.api.write_timeout,
                              .max_connections = c->endpoints.api.max_connections,
                              .allowed_hosts = &c->endpoints.api.allowed_hosts,
                              .allowed_origins = &c->endpoints.api.allowed_origins,
                              .handle = routes_handle,
                              .feeds = routes_feed,
                              .admits = routes_admit,
                              .refuse = routes_refuse,
                              .context = v };
    struct pem pem = o->pem;
    e = check_listening(v, &h, err);
    if (e == 0 && !pem.certificate)
        e = pem_load(c, &v->arena, &pem, err);
    if (e == 0 && c->store.backend == STORE_POSTGRESQL && !o->is_private)
        e = node_tls_load(c, &v->arena, &h.tls_authorities, err);
    h.tls_certificate = pem.certificate;
    h.tls_key = pem.key;
    v->listens_on = h.host;
    if (e == 0)
        e = http_start(&h, &v->http, err);
    if (e == 0 && c->fleet.address && str_starts(c->fleet.address, "https://") && !h.tls_authorities && !o->is_private)
        service_log(v, LOG_INFO,
                    "fleet.certificate is not set: what other nodes pass on is let in by its caller's key, "
                    "whoever sent it");
    return e < 0 || o->is_private ? e : piston_listen(v, &h, &v->piston_http, err);
}

static void end_runner(void *runner)
{
    runner_end(runner);
}

void service_init(struct service *v, const struct paths *p)
{
    *v = (struct service){ .paths = p, .private_lock = -1 };
    (void)pthread_rwlock_init(&v->policy_lock, NULL);
    (void)pthread_mutex_init(&v->store_lock, NULL);
    (void)pthread_mutex_init(&v->engine_lock, NULL);
    (void)pthread_mutex_init(&v->packages_lock, NULL);
    (void)pthread_mutex_init(&v->trail.lock, NULL);
    (void)pthread_cond_init(&v->trail.written, NULL);
    told_init(&v->trail.told);
    service_log_init(&v->log);
    v->metrics = metrics_new();
    v->executions = executions_new();
    v->sessions = sessions_new();
    v->queue = queue_new(1, 1);
    v->janitor = janitor_new(end_runner);
    v->web_sessions = web_sessions_new();
    v->mcp = mcp_new();
    v->e2b = e2b_new();
    v->piston = piston_new();
    v->daytona = front_contexts_new();
}

static void warn(void *context, const char *text)
{
    service_log(context, LOG_WARN, "%s", text);
}

/* Where the shared store is away, housekeeping does it when that is there. */
static int recover(struct service *v, struct error *err)
{
    const int e = orphans_tell(v, err);
    v->owes_recovery = e == -EHOSTDOWN && store_has_nodes(v->store);
    if (v->owes_recovery)
        service_log(v, LOG_ERROR, "started without the store, and waits for it: %s", err->text);
    return v->owes_recovery ? 0 : e;
}

int service_open(struct service *v, const struct service_options *o, struct error *err)
{
    v->start_ms = wall_clock_ms();
    v->config_path = o->config;
    int e = policy_set_load(v->paths, o->config, &v->policies, err);
    if (e < 0)
        return e;
    v->first_policies = policy_set_ref(
        v->policies); /* what was read once is borrowed from it: where we listen, whom we let in */
    const struct config *c = &v->first_policies->level[0].config;
    locations_find(v->paths, c, &v->arena, &v->places);
    v->snapshots = snapshots_new(v->places.state_dir, warn, v);
    v->packages = package_builds_new(v);
    if (!v->packages)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    e = open_store(v, c, err);
    if (e == 0)
        e = open_audit(v, c, err);
    if (e == 0) { /* its files may lie beside the audit */
        service_log_configure(&v->log, c, v->trail.audit.dir);
        tell_notices(v, v->policies);
    }
    if (e == 0)
        e = content_open(c, store_has_nodes(v->store) ? postgres_node_name(v->store) : "local", &v->content, err);
    if (e == 0)
        e = auth_open(v, &v->auth, err);
    if (e == 0)
        e = webhook_open(v, &v->webhooks, err);
    if (e == 0)
        e = messenger_open(v, c, &v->messenger, err);
    if (e == 0)
        e = otlp_open(v, c, &v->otlp, err);
    if (e == 0)
        e = routes_open(v, &v->routes, err);
    if (e == 0)
        e = recover(v, err);
    if (e == 0)
        e = open_launcher(v, o, c, err);
    if (e == 0) {
        open_stock(v, c);
        e = open_lender(v, o, c, err);
    }
    if (e < 0)
        return e;
    v->trail.alert_context = v->webhooks;
    v->trail.tell_context = v->messenger;
    configure(v, c);
    e = mirror_start(v, &v->mirror, err);
    if (e == 0)
        e = listen_http(v, o, c, err);
    if (e == 0)
        otlp_collects(v->otlp, true);
    return e;
}

/* --- down ---------------------------------------------------------------------------------------------------- */

/* What spreads requests over nodes sends some until it has asked /readyz again: they are taken as before. Nothing
 * spreads a private service's, and its next client waits for its end (front/mcp_private.c). */
static void linger(struct service *v, bool (*is_in_a_hurry)(void *context), void *context)
{
    const struct timespec step = { .tv_nsec = 50 * 1000000L };
    if (v->private_lock >= 0)
        return;
    struct policy_set *set = service_policies(v);
    const uint64_t until_ms = clock_ms() + set->level[0].config.endpoints.api.linger;
    (void)policy_set_unref(set);
    v->is_leaving = true;
    while (clock_ms() < until_ms && !is_in_a_hurry(context))
        (void)nanosleep(&step, NULL);
}

void service_drain(struct service *v, uint64_t max_ms, bool (*is_in_a_hurry)(void *context), void *context)
{
    linger(v, is_in_a_hurry, context);
    const uint64_t until_ms = clock_ms() + max_ms;
    bool have_ended = false, is_over = false;
    v->is_draining = true;
    sessions_end_all(v->sessions, SESSION_SHUTDOWN);
    package_builds_stop(v->packages);
    lender_refuse(v->lender);
    while (!have_ended && !is_over) {
        have_ended = executions_wait_all(v->executions, DRAIN_STEP_MS) && lender_wait(v->lender, DRAIN_STEP_MS);
        is_over = clock_ms() >= until_ms || is_in_a_hurry(context);
    }
    if (!have_ended) {
        service_log(v, LOG_WARN, "%u executions and %u runs of the command line have not ended in time and are killed",
                    executions_live(v->executions), lender_lent(v->lender));
        executions_stop_all(v->executions);
        (void)executions_wait_all(v->executions, KILL_PATIENCE_MS);
    }
}

void service_close(struct service *v)
{
    v->is_draining = true;
    executions_stop_all(v->executions);
    if (v->packages)
        package_builds_stop(v->packages);
    if (v->otlp)
        otlp_collects(v->otlp, false); /* metrics read gauges of all that is closed below */
    v->http = v->http ? http_stop(v->http) : NULL;
    v->piston_http = v->piston_http ? http_stop(v->piston_http) : NULL;
    v->janitor = janitor_stop(v->janitor); /* no thread is left to bring it more */
    bool all_ended = executions_wait_all(v->executions, KILL_PATIENCE_MS);
    all_ended &= !v->packages || package_builds_wait(v->packages, KILL_PATIENCE_MS);
    if (!all_ended) /* threads that still use all this, the webhooks too: the kernel takes it back */
        return;
    v->mirror = mirror_stop(v->mirror, MIRROR_PATIENCE_MS);
    v->otlp = otlp_close(v->otlp, WEBHOOK_PATIENCE_MS);
    v->webhooks = v->webhooks ? webhook_close(v->webhooks, WEBHOOK_PATIENCE_MS) : NULL;
    v->messenger = messenger_close(v->messenger, WEBHOOK_PATIENCE_MS);
    v->lender = lender_close(v->lender);
    v->stock = stock_free(v->stock);
    v->launcher = v->launcher ? launcher_close(v->launcher) : NULL;
    for (size_t b = 0; b < BACKEND_COUNT; b++)
        v->others[b] = v->others[b] ? launcher_close(v->others[b]) : NULL;
    v->routes = routes_close(v->routes);
    v->auth = v->auth ? auth_close(v->auth) : NULL;
    if (v->has_audit)
        audit_close(&v->trail.audit);
    key_forget(&v->trail.key);
    v->late = late_free(v->late);
    v->gather = gather_free(v->gather);
    v->store = store_close(v->store);
    v->sessions = sessions_free(v->sessions);
    v->snapshots = snapshots_free(v->snapshots);
    v->content = content_close(v->content);
    v->packages = package_builds_free(v->packages);
    v->executions = executions_free(v->executions);
    v->queue = queue_free(v->queue);
    v->web_sessions = web_sessions_free(v->web_sessions);
    v->mcp = mcp_free(v->mcp);
    v->e2b = e2b_free(v->e2b);
    v->piston = piston_free(v->piston);
    v->daytona = front_contexts_free(v->daytona);
    v->policies = policy_set_unref(v->policies);
    v->first_policies = policy_set_unref(v->first_policies);
    v->metrics = metrics_free(v->metrics);
    service_log_done(&v->log);
    arena_done(&v->arena);
}
