#include "daemon/housekeeping.h"
#include "daemon/late.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/wait.h"
#include "daemon/orphans.h"
#include "daemon/sessions.h"
#include "daemon/snapshots.h"
#include "run/sweep.h"

#define GROUP_MS      20u /* docs/audit.md: no line waits longer than 50 ms for the disk */
#define QUIET_ROUNDS  5u  /* of GROUP_MS without a line until the syncer has to be woken: that is work for a run */
#define CHECKPOINT_MS 5000u
#define PRUNE_MS      60000u
#define STEP_MS       1000u
#define FENCE_MS      24000u /* before the 30 s after which others may take this node for dead (postgres/nodes.c) */
#define FENCE_BATCH   64u
#define HOUR_MS       (3600 * UINT64_C(1000))
#define DAY_MS        (24 * HOUR_MS)

struct housekeeping {
    struct service *service;
    pthread_t syncer, keeper;
    pthread_mutex_t lock;
    pthread_cond_t wake; /* is_ending has changed */
    bool is_ending;
    char stamp[COMPILED_STAMP_MAX]; /* of the python that the guards were compiled with */
};

static void rest(uint32_t ms)
{
    const struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 };
    (void)nanosleep(&t, NULL);
}

/* --- the audit ------------------------------------------------------------------------------------------ */

/* Everything written up to here, by a descriptor of our own: a rotation may close the audit's. */
static void sync_audit(struct trail_shared *t)
{
    (void)pthread_mutex_lock(&t->lock);
    int fd = fcntl(t->audit.fd, F_DUPFD_CLOEXEC, 3);
    t->audit.is_behind = fd < 0; /* again, then */
    (void)pthread_mutex_unlock(&t->lock);
    if (fd >= 0) {
        (void)fdatasync(fd); /* no caller to tell: the next line finds the same fault */
        (void)close(fd);
    }
}

static void *sync_audits(void *context)
{
    struct housekeeping *h = context;
    struct trail_shared *t = &h->service->trail;
    unsigned quiet = QUIET_ROUNDS;
    (void)pthread_mutex_lock(&t->lock);
    while (!h->is_ending) {
        if (!t->audit.is_behind && quiet >= QUIET_ROUNDS) {
            (void)pthread_cond_wait(&t->written, &t->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&t->lock);
        rest(GROUP_MS);
        (void)pthread_mutex_lock(&t->lock);
        quiet = t->audit.is_behind ? 0 : quiet + 1;
        if (quiet)
            continue;
        (void)pthread_mutex_unlock(&t->lock);
        sync_audit(t);
        (void)pthread_mutex_lock(&t->lock);
    }
    (void)pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* --- the store -------------------------------------------------------------------------------------------- */

static void checkpoint(struct service *v)
{
    struct error err = { 0 };
    uint64_t pages = 0;
    if (store_checkpoint(v->store, &pages, &err) == 0 && pages > STORE_WAL_LONG) {
        (void)pthread_mutex_lock(&v->store_lock);
        (void)store_checkpoint_rest(v->store, &err);
        (void)pthread_mutex_unlock(&v->store_lock);
    }
    if (err.code)
        service_log(v, LOG_WARN, "the store: %s", err.text);
}

/* A digest a level, in their order, with «-» between: of profile and filter, which are all nodes' alike. */
static void say_policy(struct service *v, char out[static 65])
{
    struct policy_set *set = service_policies(v);
    (void)snprintf(out, 65, "%.20s-%.20s-%.20s", set->hash[0], set->hash[1], set->hash[2]);
    (void)policy_set_unref(set);
}

/* What spreads requests over nodes sees /readyz some checks later, and what it sends until then is taken, as when the
 * service ends. */
static void take_drain(struct service *v, bool is_drained)
{
    struct policy_set *set = service_policies(v);
    v->closed_ms = clock_ms() + set->level[0].config.endpoints.api.linger;
    (void)policy_set_unref(set);
    service_log(v, LOG_WARN, "this node %s", is_drained ? "is drained: it takes no new runs" : "takes runs again");
    v->is_drained = is_drained;
}

/* It is logged once that a database is away, and once that it is there again. */
static void beat(struct service *v)
{
    struct error err = { 0 };
    char policy[65];
    say_policy(v, policy);
    (void)pthread_mutex_lock(&v->store_lock);
    const bool was_away = v->store_is_away;
    struct beat now = { .policy = policy,
                        .is_drained = v->is_drained,
                        .policies_differ = v->policies_differ,
                        .clock_off_ms = v->clock_off_ms }; /* while the store is away: as it was */
    v->store_is_away = store_beat(v->store, &now, &err) < 0;
    (void)pthread_mutex_unlock(&v->store_lock);
    if (now.is_drained != v->is_drained)
        take_drain(v, now.is_drained);
    if (now.policies_differ != v->policies_differ && now.policies_differ)
        service_log(v, LOG_WARN, "the policies of %llu other node%s from this one's: see sandbox-agent fleet status",
                    (unsigned long long)now.policies_differ, now.policies_differ == 1 ? " differ" : "s differ");
    v->policies_differ = now.policies_differ;
    const uint64_t max_ms = v->first_policies->level[0].config.fleet.max_clock_difference;
    const bool is_off = now.clock_off_ms > max_ms;
    if (is_off != (v->clock_off_ms > max_ms))
        service_log(v, is_off ? LOG_ERROR : LOG_INFO, "this node's clock is %llu ms off the database's: it takes %s",
                    (unsigned long long)now.clock_off_ms, is_off ? "no new runs (fleet.max_clock_difference)" : "runs");
    v->clock_off_ms = now.clock_off_ms;
    v->is_off_clock = is_off;
    if (v->store_is_away != was_away)
        service_log(v, was_away ? LOG_INFO : LOG_ERROR, "the store: %s", was_away ? "is there again" : err.text);
}

static bool is_to_be_fenced(void *context, struct execution *e)
{
    (void)context;
    (void)pthread_mutex_lock(&e->lock);
    const bool is_running = e->is_tried_again && e->state == EXECUTION_RUNNING && !e->was_stopped;
    (void)pthread_mutex_unlock(&e->lock);
    return is_running;
}

/* Others take this node for dead soon, and run once more what asked for it: here it ends before. */
static void fence(struct service *v)
{
    struct execution *found[FENCE_BATCH];
    uint32_t n;
    do {
        n = executions_select(v->executions, is_to_be_fenced, NULL, found, FENCE_BATCH);
        for (uint32_t i = 0; i < n; i++) {
            service_log(v, LOG_WARN, "execution %s: ended, since other nodes will run it once more: the store is away",
                        found[i]->id);
            (void)execution_stop(found[i]);
            (void)execution_unref(found[i]);
        }
    } while (n == FENCE_BATCH);
}

/* What service_open() could not do. */
static void recover(struct service *v)
{
    struct error err = { 0 };
    const int e = orphans_tell(v, &err);
    v->owes_recovery = service_store_may_pass(v, e);
    if (e < 0 && !v->owes_recovery)
        service_log(v, LOG_ERROR, "what services of before left is not told: %s", err.text);
    if (!v->owes_recovery && !auth_has_key(v->auth))
        service_log(v, LOG_ERROR, "there is no key that is good: sandbox-agent keys create --role admin");
}

static void prune(struct service *v)
{
    struct error err = { 0 };
    uint64_t removed = 0;
    struct policy_set *set = service_policies(v);
    int e;
    do { /* in small pieces: others want the store meanwhile */
        (void)pthread_mutex_lock(&v->store_lock);
        e = store_executions_prune(v->store, set->level[0].config.endpoints.api.max_results, wall_clock_ms(), &removed,
                                   &err);
        (void)pthread_mutex_unlock(&v->store_lock);
    } while (e == 0 && removed && !v->is_draining);
    (void)policy_set_unref(set);
    auth_tick(v->auth);
    if (e == 0)
        e = orphans_tell(v, &err); /* command lines that died count as well */
    if (e < 0)
        service_log(v, LOG_WARN, "the store: %s", err.text);
}

/* What is too old, or too much: as the command line does it (run/sweep.h), in this thread, which no run waits for. */
static void sweep(struct service *v)
{
    struct arena a = { 0 };
    struct policy_set *set = service_policies(v);
    const struct config *c = &set->level[0].config;
    const struct trail t = { .shared = &v->trail, .is_open = true, .arena = &a };
    uint64_t now_ms = wall_clock_ms(), kept_ms = c->security.store_artifacts.retention_days * DAY_MS, removed;
    struct sweep s;
    struct error err = { 0 };
    sweep_init(&s, &t, c, v->paths, &a);
    for (size_t i = 0; i < RISK_COUNT; i++)
        sweep_add_level(&s, &set->level[i].profile, &a);
    if (sweep_is_due(&s, now_ms)) {
        sweep_now(&s, c, now_ms);
        (void)pthread_mutex_lock(&v->store_lock);
        if (now_ms > kept_ms && store_prune(v->store, now_ms - kept_ms, &removed, &err) < 0)
            service_log(v, LOG_WARN, "the store: %s", err.text);
        (void)pthread_mutex_unlock(&v->store_lock);
    }
    (void)policy_set_unref(set);
    arena_done(&a);
}

static void say_gone(void *context, const struct snapshot *s)
{
    service_log(context, LOG_INFO,
                "snapshot %s of session %s was removed: endpoints.api.snapshots says how long they stay", s->id,
                s->session_id);
}

static void sweep_snapshots(struct service *v)
{
    struct error err = { 0 };
    struct policy_set *set = service_policies(v);
    const struct config *c = &set->level[0].config;
    const struct snapshot_bounds b = { .max_age_ms = c->endpoints.api.snapshots.retention_days * DAY_MS,
                                       .max_bytes = c->endpoints.api.snapshots.max_total_size };
    if ((b.max_age_ms || b.max_bytes) && snapshots_sweep(v->snapshots, &b, wall_clock_ms(), say_gone, v, &err) < 0)
        service_log(v, LOG_WARN, "the snapshots: %s", err.text);
    (void)policy_set_unref(set);
}

/* Guards are kept as bytecode, which another python would not take. */
static void follow_python(struct housekeeping *h)
{
    struct error err = { 0 };
    char stamp[COMPILED_STAMP_MAX];
    compiled_python_stamp(stamp);
    if (str_eq(stamp, h->stamp))
        return;
    memcpy(h->stamp, stamp, sizeof stamp);
    service_log(h->service, LOG_INFO, "python has changed: policies are compiled anew");
    if (service_reload(h->service, &err) < 0)
        service_log(h->service, LOG_ERROR, "%s", err.text);
}

/* --- sessions --------------------------------------------------------------------------------------------- */

static bool add_agent(void *context, const struct session_entry *e)
{
    struct strlist *names = context;
    if (!e->has_ended && !strlist_has(names, e->agent_id))
        (void)strlist_add(names, e->agent_id); /* more than 64 KiB of names: the next turn has them */
    return true;
}

/* By whatever way an agent lost its standing: a violation, the API, a command. */
static void end_sessions_of_offenders(struct service *v)
{
    struct arena a = { 0 };
    struct strlist names = { 0 };
    struct store ledger = service_ledger(v, &a);
    sessions_each(v->sessions, add_agent, &names);
    STRLIST_FOREACH(id, &names)
    {
        struct error err = { 0 };
        struct agent agent;
        if (store_agent(&ledger, id, NULL, &agent, &err) == 0 && agent.is_known && agent.standing != STANDING_GOOD)
            sessions_end_agent(v->sessions, id, SESSION_STANDING);
    }
    strlist_done(&names);
    (void)store_close(&ledger);
    arena_done(&a);
}

static bool add_key(void *context, const struct session_entry *e)
{
    struct strlist *ids = context;
    if (!e->has_ended && !strlist_has(ids, e->key_id))
        (void)strlist_add(ids, e->key_id);
    return true;
}

/* No client could end them any more but an administrator. */
static void end_sessions_of_gone_keys(struct service *v)
{
    struct strlist ids = { 0 };
    sessions_each(v->sessions, add_key, &ids);
    STRLIST_FOREACH(id, &ids)
    {
        if (auth_key_is_gone(v->auth, id))
            sessions_end_key(v->sessions, id, SESSION_KEY);
    }
    strlist_done(&ids);
}

static bool wait_step(struct housekeeping *h)
{
    (void)pthread_mutex_lock(&h->lock);
    if (!h->is_ending)
        (void)wait_until(&h->wake, &h->lock, clock_ms() + STEP_MS);
    bool goes_on = !h->is_ending;
    (void)pthread_mutex_unlock(&h->lock);
    return goes_on;
}

static void *keep_house(void *context)
{
    struct housekeeping *h = context;
    uint64_t checkpoint_ms = clock_ms() + CHECKPOINT_MS, prune_ms = clock_ms() + PRUNE_MS, sweep_ms = clock_ms(),
             hour_ms = clock_ms(), beat_ms = clock_ms();
    while (wait_step(h)) {
        uint64_t now = clock_ms();
        beat(h->service);
        if (!h->service->store_is_away)
            (void)late_bring(h->service, NULL); /* what is left is tried again in a second */
        if (!h->service->store_is_away && h->service->owes_recovery)
            recover(h->service);
        if (!h->service->store_is_away)
            beat_ms = now;
        else if (now - beat_ms > FENCE_MS)
            fence(h->service);
        sessions_expire(h->service->sessions);
        end_sessions_of_offenders(h->service);
        end_sessions_of_gone_keys(h->service);
        if (now >= checkpoint_ms) {
            checkpoint(h->service);
            follow_python(h);
            checkpoint_ms = now + CHECKPOINT_MS;
        }
        if (now >= prune_ms) {
            prune(h->service);
            prune_ms = now + PRUNE_MS;
        }
        if (now >= sweep_ms) {
            sweep(h->service);
            sweep_ms = now + PRUNE_MS;
        }
        if (now >= hour_ms) {
            sweep_snapshots(h->service);
            hour_ms = now + HOUR_MS;
        }
    }
    return NULL;
}

/* --- life -------------------------------------------------------------------------------------------------- */

int housekeeping_start(struct service *v, struct housekeeping **ret, struct error *err)
{
    struct housekeeping *h = calloc(1, sizeof *h);
    if (!h)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    h->service = v;
    compiled_python_stamp(h->stamp);
    (void)pthread_mutex_init(&h->lock, NULL);
    wait_init(&h->wake);
    if (pthread_create(&h->syncer, NULL, sync_audits, h) != 0 || pthread_create(&h->keeper, NULL, keep_house, h) != 0)
        return err_set(err, -EAGAIN, BLAME_HOST, NULL, "no thread could be made"); /* the program ends */
    *ret = h;
    return 0;
}

struct housekeeping *housekeeping_stop(struct housekeeping *h)
{
    if (!h)
        return NULL;
    (void)pthread_mutex_lock(&h->lock);
    (void)pthread_mutex_lock(&h->service->trail.lock);
    h->is_ending = true;
    (void)pthread_cond_signal(&h->service->trail.written);
    (void)pthread_mutex_unlock(&h->service->trail.lock);
    (void)pthread_cond_signal(&h->wake);
    (void)pthread_mutex_unlock(&h->lock);
    (void)pthread_join(h->syncer, NULL);
    (void)pthread_join(h->keeper, NULL);
    if (h->service->has_audit)
        sync_audit(&h->service->trail);
    (void)pthread_cond_destroy(&h->wake);
    (void)pthread_mutex_destroy(&h->lock);
    free(h);
    return NULL;
}
