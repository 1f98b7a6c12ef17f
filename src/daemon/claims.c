#include "daemon/claims.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/clock.h"
#include "daemon/answer.h"
#include "daemon/auth.h"
#include "daemon/run_api.h"
#include "daemon/runner_row.h"
#include "daemon/turns.h"
#include "run/result.h"

#define LOOK_MS      250u
#define AWAY_EVERY   4u  /* looks */
#define AWAY_AT_ONCE 64u /* executions */
#define HELD_EVERY   40u /* looks */
#define HELD_AT_ONCE 64u

struct claims {
    struct service *service;
    struct turns turns;
};

static bool has_room(struct service *v)
{
    struct queue_counts n;
    queue_count(v->queue, &n);
    return !v->is_draining && !v->is_leaving && !v->is_drained && !v->is_off_clock && !v->store_is_away && !n.waiting &&
           n.running < n.slots;
}

static const char *copy(struct arena *a, const char *text)
{
    return text ? arena_copy(a, text) : NULL;
}

/* -> 1: *ret is this node's, its strings are the arena's. */
static int take(struct service *v, struct arena *a, struct request_claim *ret, struct error *err)
{
    (void)pthread_mutex_lock(&v->store_lock);
    const int e = store_request_take(v->store, ret, err);
    if (e == 1) {
        ret->id = copy(a, ret->id);
        ret->key_id = copy(a, ret->key_id);
        ret->trace_id = copy(a, ret->trace_id);
        ret->idempotency_key = copy(a, ret->idempotency_key);
        ret->body = arena_copy_bytes(a, ret->body, ret->body_size);
    }
    (void)pthread_mutex_unlock(&v->store_lock);
    return e;
}

static void leave(struct service *v, const char *id, bool is_offered)
{
    struct error err = { 0 };
    (void)pthread_mutex_lock(&v->store_lock);
    const int e = store_request_leave(v->store, id, is_offered, &err);
    (void)pthread_mutex_unlock(&v->store_lock);
    if (e < 0)
        service_log(v, LOG_ERROR, "execution %s: %s", id, err.text);
}

/* --- one that cannot be run here either --------------------------------------------------------------------------- */

static void read_refusal(const struct http_answer *a, struct error *err)
{
    json_t *whole = a->body.data ? json_loadb(a->body.data, a->body.size, 0, NULL) : NULL;
    const char *message = json_string_value(json_object_get(json_object_get(whole, "error"), "message"));
    (void)err_set(err, -EPERM, a->status < 500 ? BLAME_POLICY : BLAME_HOST, NULL, "%s",
                  message ? message : "it could not be begun");
    json_decref(whole);
}

/* Accepted, so it has an end; its key may have lost its rights meanwhile. */
void claims_end(struct service *v, const struct request_claim *k, const struct error *why)
{
    static const struct error none;
    struct error err = { 0 };
    struct buf text;
    const struct outcome killed = { .reason = REASON_KILLED };
    const struct result res = {
        .id = k->id, .trace_id = k->trace_id, .outcome = why ? NULL : &killed, .error = why ? why : &none
    };
    buf_init(&text, STORE_RESULT_MAX);
    (void)result_json(&res, &text);
    const struct execution_row row = { .id = k->id,
                                       .key_id = k->key_id,
                                       .level = -1,
                                       .reason = (int)result_reason(&res),
                                       .finished_ms = wall_clock_ms(),
                                       .result = text.failed ? NULL : text.data,
                                       .result_size = text.size };
    (void)pthread_mutex_lock(&v->store_lock);
    const int e = store_execution_finish(v->store, &row, &err);
    (void)pthread_mutex_unlock(&v->store_lock);
    if (e < 0)
        service_log(v, LOG_ERROR, "execution %s: its end is not in the store: %s", k->id, err.text);
    else
        leave(v, k->id, false); /* it is needed for another try: release_held() */
    buf_done(&text);
}

/* --- one that is taken ---------------------------------------------------------------------------------------------
 */

/* False: there is no room after all, and it waits again. */
static bool begin(struct service *v, const struct request_claim *k, struct arena *arena)
{
    const struct http_inner inner = { .headers = {
                                          { k->idempotency_key ? "Idempotency-Key" : NULL, k->idempotency_key } } };
    const struct http_request q = { .method = "POST",
                                    .path = "",
                                    .target = "",
                                    .body = k->body,
                                    .body_size = k->body_size,
                                    .body_length = k->body_size,
                                    .has_body = true,
                                    .fd = -1,
                                    .arena = arena,
                                    .inner = &inner,
                                    .received_us = clock_us() };
    struct http_answer a = { 0 };
    struct caller caller;
    struct error err = { 0 };
    struct runner *r;
    if (auth_of_key(v, k->key_id, arena, &caller, &err) < 0) {
        claims_end(v, k, &err);
        return true;
    }
    const int e = runner_begin_claimed(v, &q, &caller, k, &r, &a);
    const bool may_wait = e && (a.status == 429 || a.status == 503);
    if (e == 0) {
        if (!row_request_stays(v, k->retries))
            leave(v, k->id, false);
        run_begun(r);
    } else if (may_wait) {
        leave(v, k->id, true);
    } else {
        read_refusal(&a, &err);
        claims_end(v, k, &err);
    }
    buf_done(&a.body);
    return !may_wait;
}

/* False: that is all for now. */
static bool take_one(struct service *v)
{
    struct arena arena = { 0 };
    struct error err = { 0 };
    struct request_claim k;
    const int e = take(v, &arena, &k, &err);
    bool goes_on = false;
    struct execution *own = e == 1 ? executions_find(v->executions, k.id) : NULL;
    if (own) /* its own runner has the turn, and finds it taken: the next look has it */
        leave(v, k.id, true);
    else if (e == 1)
        goes_on = begin(v, &k, &arena);
    (void)execution_unref(own);
    if (e < 0 && e != -EHOSTDOWN) /* which housekeeping tells */
        service_log(v, LOG_WARN, "the store: %s", err.text);
    arena_done(&arena);
    return goes_on;
}

/* --- those that another node has taken ------------------------------------------------------------------------------
 */

static bool waits_for_any(void *context, struct execution *e)
{
    (void)context;
    (void)pthread_mutex_lock(&e->lock);
    const bool waits = e->is_shared && e->state == EXECUTION_QUEUED && !e->is_away;
    (void)pthread_mutex_unlock(&e->lock);
    return waits;
}

static bool is_taken_away(struct service *v, const char *id)
{
    struct execution_owner o;
    struct error err = { 0 };
    (void)pthread_mutex_lock(&v->store_lock);
    const bool is_away = store_execution_owner(v->store, id, &o, &err) == 1 && !o.is_ours;
    (void)pthread_mutex_unlock(&v->store_lock);
    return is_away;
}

/* Its runner would see that when its turn comes, which takes long where all turns are in use: until then a client would
 * be told that it waits, though it may have ended. */
static void find_away(struct service *v)
{
    struct execution *found[AWAY_AT_ONCE];
    const uint32_t count = executions_select(v->executions, waits_for_any, NULL, found, AWAY_AT_ONCE);
    for (uint32_t i = 0; i < count; i++) {
        found[i]->is_away = is_taken_away(v, found[i]->id);
        (void)execution_unref(found[i]);
    }
}

/* --- those that nothing here runs ----------------------------------------------------------------------------------
 */

struct held {
    struct arena arena;
    uint32_t count;
    const char *ids[HELD_AT_ONCE];
};

static void take_held(void *context, const char *id)
{
    struct held *h = context;
    const char *kept = h->count < HELD_AT_ONCE ? arena_copy(&h->arena, id) : NULL;
    if (kept)
        h->ids[h->count++] = kept;
}

/* The connection was lost between a statement and its answer, say: it did take one, and nothing here knows of it. */
static void release_held(struct service *v)
{
    struct held h = { 0 };
    struct error ignored;
    (void)pthread_mutex_lock(&v->store_lock);
    (void)store_requests_held(v->store, take_held, &h, &ignored); /* while it is away: the next time */
    (void)pthread_mutex_unlock(&v->store_lock);
    for (uint32_t i = 0; i < h.count; i++) {
        struct execution *e = executions_find(v->executions, h.ids[i]);
        if (!e) {
            service_log(v, LOG_WARN, "execution %s: it was taken, but nothing runs it: it waits again", h.ids[i]);
            leave(v, h.ids[i], true);
        }
        (void)execution_unref(e);
    }
    arena_done(&h.arena);
}

/* --- life ----------------------------------------------------------------------------------------------------------
 */

static void *look(void *context)
{
    struct claims *c = context;
    for (unsigned n = 1; turns_rest(&c->turns, clock_ms() + LOOK_MS); n++) {
        while (has_room(c->service) && take_one(c->service))
            ;
        if (n % AWAY_EVERY == 0)
            find_away(c->service);
        if (n % HELD_EVERY == 0)
            release_held(c->service);
    }
    return NULL;
}

int claims_start(struct service *v, struct claims **ret, struct error *err)
{
    *ret = NULL;
    if (!store_has_nodes(v->store) || !v->first_policies->level[0].config.fleet.share_queue)
        return 0;
    struct claims *c = calloc(1, sizeof *c);
    if (!c)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    c->service = v;
    int e = turns_start(&c->turns, look, c, err);
    if (e < 0)
        free(c);
    else
        *ret = c;
    return e;
}

struct claims *claims_stop(struct claims *c)
{
    if (!c)
        return NULL;
    turns_stop(&c->turns);
    free(c);
    return NULL;
}
