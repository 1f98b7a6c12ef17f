#include "store/gather.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/fnv.h"
#include "store/ops.h"

struct wish {
    struct wish *next;
    struct settle_call settle;   /* request NULL: it is not this */
    struct finish_call finish;   /* row NULL: it is not this either */
    struct reserve_call reserve; /* likewise */
    /* any other verb */
    enum ledger_request verb;
    const void *request;
    void *ret;
    struct arena *arena;
    struct error *err;
    int e;
    bool is_done;
};

/* What the store said last of an agent in good standing. */
#define REMEMBERED 64u
struct remembered {
    uint64_t at_ms; /* 0: nothing */
    struct agent agent;
    char id[AGENT_ID_MAX + 1], key_id[STORE_ID_MAX + 1];
};

struct gather {
    pthread_mutex_t lock;
    pthread_cond_t done;
    pthread_mutex_t *store_lock;
    struct store *store;
    struct wish *first, *last; /* those that no thread has taken along yet */
    bool is_led;               /* a thread is on its way with the first ones */
    struct remembered remembered[REMEMBERED];
};

struct gather *gather_new(pthread_mutex_t *lock, struct store *s)
{
    struct gather *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->store_lock = lock;
    g->store = s;
    (void)pthread_mutex_init(&g->lock, NULL);
    (void)pthread_cond_init(&g->done, NULL);
    return g;
}

struct gather *gather_free(struct gather *g)
{
    if (!g)
        return NULL;
    assert(!g->first && !g->is_led);
    (void)pthread_mutex_destroy(&g->lock);
    (void)pthread_cond_destroy(&g->done);
    free(g);
    return NULL;
}

/* --- agents that are remembered -------------------------------------------------------------------- */

static struct remembered *find_place(struct gather *g, const char *id)
{
    return &g->remembered[fnv_text(id) % REMEMBERED];
}

/* With the lock. at_ms: before it was asked for. */
static void remember(struct gather *g, const char *id, const struct agent *a, uint64_t at_ms)
{
    struct remembered *m = find_place(g, id);
    const char *key_id = a->key_id ? a->key_id : "";
    if (!a->is_known || a->standing != STANDING_GOOD || a->public_key || strlen(id) > AGENT_ID_MAX ||
        strlen(key_id) > STORE_ID_MAX) {
        m->at_ms = 0;
        return;
    }
    m->at_ms = at_ms;
    (void)snprintf(m->id, sizeof m->id, "%s", id);
    (void)snprintf(m->key_id, sizeof m->key_id, "%s", key_id);
    m->agent = *a;
    m->agent.id = m->agent.key_id = NULL; /* of the caller's arena, as these two are set where it is told */
    m->agent.standing_reason = m->agent.standing_by = "";
}

static bool is_remembered(struct gather *g, const char *id, uint64_t within_ms, struct agent *ret, struct arena *arena)
{
    (void)pthread_mutex_lock(&g->lock);
    const struct remembered *m = find_place(g, id);
    const bool is_there = m->at_ms && clock_ms() - m->at_ms < within_ms && str_eq(m->id, id);
    if (is_there) {
        *ret = m->agent;
        ret->is_remembered = true;
        ret->id = arena_copy(arena, m->id);
        ret->key_id = arena_copy(arena, m->key_id);
    }
    (void)pthread_mutex_unlock(&g->lock);
    return is_there && !arena->failed;
}

/* --- what is brought together ----------------------------------------------------------------------- */

/* With the lock. At most STORE_SETTLE_MANY wishes. */
static struct wish *take_some(struct gather *g)
{
    struct wish *first = g->first, *at = first;
    for (uint32_t i = 1; i < STORE_SETTLE_MANY && at->next; i++)
        at = at->next;
    g->first = at->next;
    if (!g->first)
        g->last = NULL;
    at->next = NULL;
    return first;
}

/* Who asks for the same agent gets the same answer: it was read when all of them waited. */
static const struct wish *find_same(const struct wish *list, const struct wish *w)
{
    const struct ledger_key *key = w->request;
    for (const struct wish *k = list; w->verb == LEDGER_AGENT && k != w; k = k->next) {
        const struct ledger_key *other = k->request;
        if (k->verb == w->verb && k->e == 0 && str_eq(other->id, key->id) &&
            (other->key_id == key->key_id || (other->key_id && key->key_id && str_eq(other->key_id, key->key_id))))
            return k;
    }
    return NULL;
}

static void call(struct gather *g, const struct wish *list, struct wish *w)
{
    struct store own = *g->store;
    const struct wish *same = find_same(list, w);
    own.arena = w->arena;
    if (!same) {
        w->e = own.ops->call(&own, w->verb, w->request, w->ret, w->err);
        return;
    }
    *(struct agent *)w->ret = *(const struct agent *)same->ret;
    w->e = store_adopt(&own, w->verb, w->ret, w->err);
}

/* Ends first: they change the trust that the next runs are asked about. */
static void bring(struct gather *g, struct wish *list)
{
    struct settle_call settle[STORE_SETTLE_MANY];
    struct finish_call finish[STORE_SETTLE_MANY];
    struct reserve_call reserve[STORE_SETTLE_MANY];
    uint32_t settles = 0, finishes = 0, reserves = 0;
    for (const struct wish *w = list; w; w = w->next)
        if (w->settle.request)
            settle[settles++] = w->settle;
        else if (w->finish.row)
            finish[finishes++] = w->finish;
        else if (w->reserve.request)
            reserve[reserves++] = w->reserve;
    if (settles)
        store_settle_many(g->store, settle, settles);
    if (finishes)
        store_execution_finish_many(g->store, finish, finishes);
    if (reserves)
        store_reserve_many(g->store, reserve, reserves);
    settles = finishes = reserves = 0;
    for (struct wish *w = list; w; w = w->next)
        if (w->settle.request)
            w->settle.e = settle[settles++].e;
        else if (w->finish.row)
            w->finish.e = finish[finishes++].e;
        else if (w->reserve.request)
            w->reserve.e = reserve[reserves++].e;
        else
            call(g, list, w);
}

/* With the lock. */
static void remember_all(struct gather *g, const struct wish *list, uint64_t at_ms)
{
    for (const struct wish *w = list; w; w = w->next) {
        const struct ledger_key *key = w->request;
        if (w->reserve.request && w->reserve.e == 0)
            remember(g, w->reserve.request->agent_id, &w->reserve.ret->agent, at_ms);
        else if (w->verb == LEDGER_AGENT && w->e == 0)
            remember(g, key->id, w->ret, at_ms);
    }
}

/* With the lock, which is free meanwhile. */
static void lead(struct gather *g)
{
    g->is_led = true;
    (void)pthread_mutex_unlock(&g->lock);
    (void)pthread_mutex_lock(g->store_lock); /* others come while we wait for it */
    (void)pthread_mutex_lock(&g->lock);
    struct wish *list = take_some(g);
    (void)pthread_mutex_unlock(&g->lock);
    const uint64_t begun_ms = clock_ms();
    bring(g, list);
    (void)pthread_mutex_lock(&g->lock);
    remember_all(g, list, begun_ms); /* before another verb can change one, and forgets it (gather_forget) */
    (void)pthread_mutex_unlock(g->store_lock);
    while (list) { /* it is its thread's again as soon as it is done */
        struct wish *next = list->next;
        list->is_done = true;
        list = next;
    }
    g->is_led = false;
    (void)pthread_cond_broadcast(&g->done);
}

static void wish(struct gather *g, struct wish *w)
{
    (void)pthread_mutex_lock(&g->lock);
    if (g->last)
        g->last->next = w;
    else
        g->first = w;
    g->last = w;
    while (!w->is_done)
        if (g->is_led)
            (void)pthread_cond_wait(&g->done, &g->lock);
        else
            lead(g);
    (void)pthread_mutex_unlock(&g->lock);
}

int gather_settle(struct gather *g, const struct settle *r, struct settle_reply *ret, struct arena *arena,
                  struct error *err)
{
    struct error ignored = { 0 };
    struct wish w = { .settle = { .request = r, .ret = ret, .arena = arena, .err = err ? err : &ignored } };
    wish(g, &w);
    return w.settle.e;
}

int gather_finish(struct gather *g, const struct execution_row *r, struct error *err)
{
    struct error ignored = { 0 };
    struct wish w = { .finish = { .row = r, .err = err ? err : &ignored } };
    wish(g, &w);
    return w.finish.e;
}

int gather_reserve(struct gather *g, const struct reserve *r, struct reserve_reply *ret, struct arena *arena,
                   struct error *err)
{
    struct error ignored = { 0 };
    struct wish w = { .reserve = { .request = r, .ret = ret, .arena = arena, .err = err ? err : &ignored } };
    wish(g, &w);
    return w.reserve.e;
}

int gather_call(struct gather *g, enum ledger_request verb, const void *request, void *ret, struct arena *arena,
                struct error *err)
{
    struct error ignored = { 0 };
    struct wish w = { .verb = verb, .request = request, .ret = ret, .arena = arena, .err = err ? err : &ignored };
    wish(g, &w);
    return w.e;
}

int gather_agent(struct gather *g, const struct ledger_key *key, struct agent *ret, struct arena *arena,
                 struct error *err)
{
    return is_remembered(g, key->id, key->window_ms, ret, arena) ? 0
                                                                 : gather_call(g, LEDGER_AGENT, key, ret, arena, err);
}

void gather_forget(struct gather *g, const char *agent_id)
{
    (void)pthread_mutex_lock(&g->lock);
    find_place(g, agent_id)->at_ms = 0;
    (void)pthread_mutex_unlock(&g->lock);
}
