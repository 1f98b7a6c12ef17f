#include "daemon/executions.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>

#include "base/fnv.h"
#include "base/wait.h"
#include "daemon/processes.h"

#define BUCKETS         1024u
#define KEPT_MAX        2000u      /* finished ones in memory … */
#define KEPT_MAX_BYTES  (64 * MIB) /* … and what they hold */
#define LOOK_MS         200u
#define QUIET_MAX_BYTES (256 * KIB) /* of events that are hardly ever asked for: the result has all of it */

struct executions {
    pthread_mutex_t lock;
    pthread_cond_t fewer;
    struct execution *buckets[BUCKETS];
    struct execution *newest, *oldest; /* finished ones */
    uint32_t live, kept;
    uint64_t kept_bytes, live_bytes, max_live_bytes;
};

static unsigned bucket_of(const char *id)
{
    return fnv_text(id) % BUCKETS;
}

struct executions *executions_new(void)
{
    struct executions *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    l->max_live_bytes = UINT64_MAX;
    (void)pthread_mutex_init(&l->lock, NULL);
    wait_init(&l->fewer);
    return l;
}

/* --- one ---------------------------------------------------------------------------------------------- */

static void destroy(struct execution *e)
{
    if (e->stop >= 0)
        (void)close(e->stop);
    e->process = process_free(e->process);
    events_done(&e->events);
    result_text_done(&e->result);
    buf_done(&e->refusal);
    (void)pthread_mutex_destroy(&e->lock);
    (void)pthread_cond_destroy(&e->changed);
    free(e->key_id);
    free(e->agent_id);
    free(e->language);
    free(e);
}

struct execution *executions_add(struct executions *l, const char *id, const char *key_id, const char *agent_id,
                                 const char *language, const char *trace_id, bool is_asynchronous, bool is_listened_to)
{
    struct execution *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    *e = (struct execution){ .is_asynchronous = is_asynchronous,
                             .accepted_ms = wall_clock_ms(),
                             .accepted_us = clock_us(),
                             .level = -1,
                             .reason = -1,
                             .home = l,
                             .refs = 2 /* the list's and the caller's */,
                             .is_listed = true };
    (void)snprintf(e->id, sizeof e->id, "%s", id);
    (void)snprintf(e->trace_id, sizeof e->trace_id, "%s", trace_id ? trace_id : "");
    e->key_id = strdup(key_id);
    e->agent_id = agent_id ? strdup(agent_id) : NULL;
    e->language = strdup(language);
    e->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    (void)pthread_mutex_init(&e->lock, NULL);
    wait_init(&e->changed);
    events_init(&e->events, is_listened_to ? EVENTS_MAX_BYTES : QUIET_MAX_BYTES);
    if (!e->key_id || !e->language || (agent_id && !e->agent_id) || e->stop < 0) {
        destroy(e);
        return NULL;
    }
    (void)pthread_mutex_lock(&l->lock);
    e->next = l->buckets[bucket_of(id)];
    l->buckets[bucket_of(id)] = e;
    l->live++;
    (void)pthread_mutex_unlock(&l->lock);
    return e;
}

/* The list's lock is held. */
static void discharge(struct executions *l, struct execution *e)
{
    l->live_bytes -= e->charged;
    e->charged = 0;
}

struct execution *executions_find(struct executions *l, const char *id)
{
    (void)pthread_mutex_lock(&l->lock);
    struct execution *e = l->buckets[bucket_of(id)];
    while (e && !str_eq(e->id, id))
        e = e->next;
    if (e)
        e->refs++;
    (void)pthread_mutex_unlock(&l->lock);
    return e;
}

uint32_t executions_select(struct executions *l, bool (*is_wanted)(void *context, struct execution *e), void *context,
                           struct execution **ret, uint32_t most)
{
    uint32_t count = 0;
    (void)pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct execution *e = l->buckets[i]; e && count < most; e = e->next)
            if (is_wanted(context, e)) {
                e->refs++;
                ret[count++] = e;
            }
    (void)pthread_mutex_unlock(&l->lock);
    return count;
}

struct execution *execution_ref(struct execution *e)
{
    (void)pthread_mutex_lock(&e->home->lock);
    e->refs++;
    (void)pthread_mutex_unlock(&e->home->lock);
    return e;
}

struct execution *execution_unref(struct execution *e)
{
    if (!e)
        return NULL;
    struct executions *l = e->home;
    (void)pthread_mutex_lock(&l->lock);
    bool is_last = !--e->refs;
    if (is_last)
        discharge(l, e);
    (void)pthread_mutex_unlock(&l->lock);
    if (is_last)
        destroy(e);
    return NULL;
}

bool execution_stop(struct execution *e)
{
    uint64_t one = 1;
    (void)pthread_mutex_lock(&e->lock);
    bool lives = e->state != EXECUTION_FINISHED;
    e->was_stopped |= lives;
    ssize_t n = lives ? write(e->stop, &one, sizeof one) : 0;
    (void)n; /* full: it was told often enough */
    (void)pthread_mutex_unlock(&e->lock);
    return lives;
}

uint32_t execution_age_ms(const struct execution *e)
{
    return (uint32_t)((clock_us() - e->accepted_us) / 1000);
}

void execution_started(struct execution *e, int level)
{
    (void)pthread_mutex_lock(&e->lock);
    if (e->state == EXECUTION_QUEUED) {
        e->state = EXECUTION_RUNNING;
        e->level = level;
        e->started_ms = wall_clock_ms();
        events_add(&e->events, EVENT_STARTED, execution_age_ms(e), NULL, 0);
        (void)pthread_cond_broadcast(&e->changed);
    }
    (void)pthread_mutex_unlock(&e->lock);
}

void execution_uses(struct execution *e, const struct live_usage *usage)
{
    (void)pthread_mutex_lock(&e->lock);
    e->usage = *usage;
    (void)pthread_mutex_unlock(&e->lock);
}

bool executions_usage(struct executions *l, const char *id, struct live_usage *ret)
{
    struct execution *e = executions_find(l, id);
    if (!e)
        return false;
    (void)pthread_mutex_lock(&e->lock);
    *ret = e->usage;
    const bool is_known = e->state == EXECUTION_RUNNING && ret->at_us;
    (void)pthread_mutex_unlock(&e->lock);
    (void)execution_unref(e);
    return is_known;
}

void execution_output(struct execution *e, int which, const char *data, size_t size)
{
    (void)pthread_mutex_lock(&e->lock);
    events_add(&e->events, which ? EVENT_STDERR : EVENT_STDOUT, execution_age_ms(e), data, size);
    (void)pthread_cond_broadcast(&e->changed);
    (void)pthread_mutex_unlock(&e->lock);
}

/* --- memory of those that live ------------------------------------------------------------------------- */

void executions_limit(struct executions *l, uint64_t max_live_bytes)
{
    (void)pthread_mutex_lock(&l->lock);
    l->max_live_bytes = max_live_bytes;
    (void)pthread_mutex_unlock(&l->lock);
}

bool execution_charge(struct execution *e, uint64_t size)
{
    struct executions *l = e->home;
    (void)pthread_mutex_lock(&l->lock);
    bool may = size <= l->max_live_bytes && l->live_bytes <= l->max_live_bytes - size;
    if (may) {
        l->live_bytes += size;
        e->charged += size;
    }
    (void)pthread_mutex_unlock(&l->lock);
    return may;
}

bool execution_may_keep(struct execution *e, size_t size)
{
    /* the result's copy and the events', each in a buffer that grows by doubling */
    uint64_t need = (uint64_t)size * (e->events.bytes.max == QUIET_MAX_BYTES ? 2 : 4);
    if (e->own_bytes + need <= EXECUTION_OWN_BYTES) {
        e->own_bytes += need;
        return true;
    }
    if (execution_charge(e, need))
        return true;
    e->was_cut = true;
    return false;
}

uint64_t executions_kept_bytes(struct executions *l)
{
    (void)pthread_mutex_lock(&l->lock);
    uint64_t n = l->kept_bytes;
    (void)pthread_mutex_unlock(&l->lock);
    return n;
}

/* --- ends ----------------------------------------------------------------------------------------------- */

static uint64_t weight(const struct execution *e)
{
    return e->events.bytes.cap + e->events.cap * sizeof *e->events.list + result_text_weight(&e->result) +
           e->refusal.cap + sizeof *e + 512; /* its names */
}

static void unlist(struct executions *l, struct execution *e)
{
    struct execution **at = &l->buckets[bucket_of(e->id)];
    while (*at != e)
        at = &(*at)->next;
    *at = e->next;
    e->is_listed = false;
}

/* The list's lock is held. -> the one that is not listed any more, its reference is the caller's */
static struct execution *take_oldest(struct executions *l)
{
    struct execution *e = l->oldest;
    unlist(l, e);
    l->oldest = e->newer;
    if (l->oldest)
        l->oldest->older = NULL;
    else
        l->newest = NULL;
    l->kept--;
    l->kept_bytes -= MIN_OF(weight(e), l->kept_bytes);
    if (e->refs > 1) { /* it is being sent yet */
        e->charged = weight(e);
        l->live_bytes += e->charged;
    }
    return e;
}

void execution_finished(struct execution *e, struct execution_end *end)
{
    (void)pthread_mutex_lock(&e->lock);
    events_end(&e->events, execution_age_ms(e));
    process_close(e->process);
    e->state = EXECUTION_FINISHED;
    e->reason = end->reason;
    e->level = end->level;
    e->finished_ms = wall_clock_ms();
    e->result = end->result;
    buf_trim(&e->events.bytes);
    e->refusal = end->refusal;
    e->status = end->status;
    e->retry_after_ms = end->retry_after_ms;
    memcpy(e->timing, end->timing, sizeof e->timing);
    e->is_none = end->is_none;
    e->elsewhere = end->elsewhere;
    end->result = (struct result_text){ 0 };
    end->refusal = (struct buf){ 0 };
    (void)pthread_cond_broadcast(&e->changed);
    (void)pthread_mutex_unlock(&e->lock);
}

void execution_moved(struct execution *e)
{
    (void)pthread_mutex_lock(&e->lock);
    e->was_moved = true;
    (void)pthread_cond_broadcast(&e->changed);
    (void)pthread_mutex_unlock(&e->lock);
}

void execution_ended(struct execution *e)
{
    struct executions *l = e->home;
    struct execution *gone = NULL;
    (void)pthread_mutex_lock(&e->lock);
    e->has_ended = true;
    closep(&e->stop); /* it is kept in memory for long, and descriptors are few */
    (void)pthread_cond_broadcast(&e->changed);
    (void)pthread_mutex_unlock(&e->lock);
    (void)pthread_mutex_lock(&l->lock);
    discharge(l, e);
    l->kept++;
    l->kept_bytes += weight(e); /* nothing is added to it any more */
    e->older = l->newest;
    if (l->newest)
        l->newest->newer = e;
    else
        l->oldest = e;
    l->newest = e;
    while (l->oldest && (l->kept > KEPT_MAX || l->kept_bytes > KEPT_MAX_BYTES)) {
        struct execution *old = take_oldest(l); /* one that is larger than all of it goes itself */
        old->next = gone;
        gone = old;
    }
    (void)pthread_mutex_unlock(&l->lock);
    while (gone) {
        struct execution *next = gone->next;
        (void)execution_unref(gone);
        gone = next;
    }
    (void)pthread_mutex_lock(&l->lock);
    bool is_last = !--e->refs; /* newer ones needed the room meanwhile */
    if (is_last)
        discharge(l, e);
    l->live--;
    (void)pthread_cond_broadcast(&l->fewer);
    (void)pthread_mutex_unlock(&l->lock);
    if (is_last)
        destroy(e);
}

static bool has_left(int peer)
{
    struct pollfd f = { .fd = peer, .events = POLLRDHUP };
    return peer >= 0 && poll(&f, 1, 0) > 0;
}

static bool has_started(const struct execution *e)
{
    return e->state != EXECUTION_QUEUED || e->was_moved;
}

static bool has_finished(const struct execution *e)
{
    return e->state == EXECUTION_FINISHED;
}

static bool has_ended(const struct execution *e)
{
    return e->has_ended;
}

static bool wait_for(struct execution *e, bool (*is_true)(const struct execution *e), uint64_t max_ms, int peer)
{
    uint64_t until = clock_ms() + max_ms;
    bool is_there;
    (void)pthread_mutex_lock(&e->lock);
    while (!(is_there = is_true(e)) && clock_ms() < until && !has_left(peer))
        (void)wait_until(&e->changed, &e->lock, MIN_OF(clock_ms() + LOOK_MS, until));
    (void)pthread_mutex_unlock(&e->lock);
    return is_there;
}

bool execution_wait(struct execution *e, bool for_end, uint64_t max_ms, int peer)
{
    return wait_for(e, for_end ? has_ended : has_finished, max_ms, peer);
}

bool execution_wait_start(struct execution *e, uint64_t max_ms, int peer)
{
    return wait_for(e, has_started, max_ms, peer);
}

void execution_forget(struct execution *e)
{
    struct executions *l = e->home;
    (void)pthread_mutex_lock(&l->lock);
    discharge(l, e);
    unlist(l, e);
    e->refs -= 2; /* the list's and the caller's */
    bool is_last = !e->refs;
    l->live--;
    (void)pthread_cond_broadcast(&l->fewer);
    (void)pthread_mutex_unlock(&l->lock);
    if (is_last)
        destroy(e);
}

/* --- all -------------------------------------------------------------------------------------------------- */

uint32_t executions_live(struct executions *l)
{
    (void)pthread_mutex_lock(&l->lock);
    uint32_t n = l->live;
    (void)pthread_mutex_unlock(&l->lock);
    return n;
}

void executions_stop_all(struct executions *l)
{
    (void)pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct execution *e = l->buckets[i]; e; e = e->next)
            (void)execution_stop(
                e); /* takes the execution's lock inside ours: no code takes them the other way round */
    (void)pthread_mutex_unlock(&l->lock);
}

bool executions_wait_all(struct executions *l, uint64_t max_ms)
{
    uint64_t until = clock_ms() + max_ms;
    (void)pthread_mutex_lock(&l->lock);
    while (l->live && clock_ms() < until)
        (void)wait_until(&l->fewer, &l->lock, until);
    bool none = !l->live;
    (void)pthread_mutex_unlock(&l->lock);
    return none;
}

struct executions *executions_free(struct executions *l)
{
    if (!l)
        return NULL;
    assert(!l->live);
    while (l->oldest)
        (void)execution_unref(take_oldest(l));
    (void)pthread_mutex_destroy(&l->lock);
    (void)pthread_cond_destroy(&l->fewer);
    free(l);
    return NULL;
}
