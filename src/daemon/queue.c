#include "daemon/queue.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/wait.h"

#define LOOK_MS 200u /* how soon it is noticed that a client left the line, or that another node has its run */

struct group { /* those of one name, in the order of their coming */
    struct queue_place *first, *last;
    uint32_t count;
    struct group *next;
};

struct queue {
    pthread_mutex_t lock;
    struct group *groups, *turn; /* ring by wrapping around; turn: whose it is next */
    uint32_t slots, size, running, waiting;
    struct queue_place *lasting; /* those that last, running and waiting */
    uint64_t mean_us;            /* of a turn, smoothed: for Retry-After */
};

struct queue *queue_new(uint32_t slots, uint32_t size)
{
    struct queue *q = calloc(1, sizeof *q);
    if (!q)
        abort();
    *q = (struct queue){ .slots = slots, .size = size, .mean_us = 50000 };
    (void)pthread_mutex_init(&q->lock, NULL);
    return q;
}

struct queue *queue_free(struct queue *q)
{
    if (!q)
        return NULL;
    assert(!q->waiting && !q->running);
    (void)pthread_mutex_destroy(&q->lock);
    free(q);
    return NULL;
}

/* --- the line; the lock is held ---------------------------------------------------------------------- */

static struct group *find(struct queue *q, const char *name)
{
    struct group *g = q->groups;
    while (g && !str_eq(g->first->name, name))
        g = g->next;
    return g;
}

static void drop_group(struct queue *q, struct group *g)
{
    struct group **at = &q->groups;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    if (q->turn == g)
        q->turn = g->next;
    free(g);
}

static void append(struct queue *q, struct queue_place *p)
{
    struct group *g = find(q, p->name);
    if (!g) {
        g = calloc(1, sizeof *g);
        if (!g)
            abort(); /* forty bytes: a service without them is none */
        struct group **at = &q->groups;
        while (*at)
            at = &(*at)->next;
        *at = g;
    }
    if (g->last)
        g->last->next = p;
    else
        g->first = p;
    g->last = p;
    g->count++;
    q->waiting++;
    p->is_waiting = true;
}

static void take_out(struct queue *q, struct queue_place *p)
{
    struct group *g = find(q, p->name);
    assert(g); /* who waits is in the group of its name */
    struct queue_place **at = &g->first, *before = NULL;
    while (*at != p) {
        before = *at;
        at = &(*at)->next;
    }
    *at = p->next;
    if (g->last == p)
        g->last = before;
    p->next = NULL;
    p->is_waiting = false;
    q->waiting--;
    if (!--g->count)
        drop_group(q, g);
}

static void grant(struct queue *q, struct queue_place *p)
{
    p->has_turn = true;
    p->granted_us = clock_us();
    q->running++;
}

static void next_turns(struct queue *q)
{
    while (q->running < q->slots && q->waiting) {
        struct group *g = q->turn ? q->turn : q->groups;
        assert(g); /* one waits */
        struct queue_place *p = g->first;
        q->turn = g->next;
        take_out(q, p);
        grant(q, p);
        (void)pthread_cond_signal(&p->turn);
    }
}

/* --- callers ------------------------------------------------------------------------------------------ */

void queue_resize(struct queue *q, uint32_t slots, uint32_t size)
{
    (void)pthread_mutex_lock(&q->lock);
    q->slots = slots;
    q->size = size;
    next_turns(q);
    (void)pthread_mutex_unlock(&q->lock);
}

/* What one name may have where all have so much. */
static uint32_t share(uint32_t all)
{
    return MAX_OF(all - all / 4, 1u);
}

static bool is_full(struct queue *q, const char *name)
{
    struct group *g = find(q, name);
    return q->waiting >= q->size || (g && g->count >= share(q->size));
}

static uint32_t lasting_max(const struct queue *q)
{
    return MAX_OF(q->slots - MIN_OF(MAX_OF(q->slots / 4, 1u), q->slots), 1u);
}

static bool is_full_of_lasting(const struct queue *q, const char *name)
{
    uint32_t all = 0, own = 0;
    for (const struct queue_place *p = q->lasting; p; p = p->next_lasting) {
        all++;
        own += str_eq(p->name, name);
    }
    return all >= lasting_max(q) || own >= share(lasting_max(q));
}

static void drop_lasting(struct queue *q, const struct queue_place *p)
{
    struct queue_place **at = &q->lasting;
    while (*at != p)
        at = &(*at)->next_lasting;
    *at = p->next_lasting;
}

uint32_t queue_lasting_max(struct queue *q)
{
    (void)pthread_mutex_lock(&q->lock);
    const uint32_t most = lasting_max(q);
    (void)pthread_mutex_unlock(&q->lock);
    return most;
}

bool queue_join(struct queue *q, const char *name, bool is_lasting, struct queue_place *p, uint64_t *ret_wait_ms)
{
    *p = (struct queue_place){ .queue = q, .joined_us = clock_us(), .is_lasting = is_lasting };
    (void)snprintf(p->name, sizeof p->name, "%s", name);
    (void)pthread_mutex_lock(&q->lock);
    bool is_in = true;
    if (is_lasting && is_full_of_lasting(q, p->name))
        is_in = false;
    else if (q->running < q->slots && !q->waiting)
        grant(q, p);
    else if (is_full(q, p->name))
        is_in = false;
    if (is_in) {
        if (is_lasting)
            p->next_lasting = q->lasting, q->lasting = p;
        wait_init(&p->turn);
        if (!p->has_turn)
            append(q, p);
    }
    *ret_wait_ms = MAX_OF(q->mean_us * q->waiting / MAX_OF(q->slots, 1u) / 1000, UINT64_C(1000));
    (void)pthread_mutex_unlock(&q->lock);
    if (!is_in)
        p->queue = NULL;
    return is_in;
}

static bool has_left(int stop, int peer)
{
    struct pollfd f[] = { { .fd = stop, .events = POLLIN }, { .fd = peer, .events = POLLRDHUP } };
    return poll(f, ARRAY_LEN(f), 0) > 0;
}

enum queue_answer queue_wait(struct queue_place *p, uint64_t max_ms, int stop, int peer, const _Atomic bool *is_away)
{
    struct queue *q = p->queue;
    uint64_t until = clock_ms() + max_ms;
    enum queue_answer answer = QUEUE_TURN;
    (void)pthread_mutex_lock(&q->lock);
    while (!p->has_turn && answer == QUEUE_TURN) {
        (void)wait_until(&p->turn, &q->lock, MIN_OF(clock_ms() + LOOK_MS, until));
        if (p->has_turn)
            break;
        (void)pthread_mutex_unlock(&q->lock);
        if (has_left(stop, peer))
            answer = QUEUE_STOPPED;
        else if (is_away && *is_away)
            answer = QUEUE_MOVED;
        else if (clock_ms() >= until)
            answer = QUEUE_TIMEOUT;
        (void)pthread_mutex_lock(&q->lock);
    }
    if (p->has_turn)
        answer = QUEUE_TURN;
    (void)pthread_mutex_unlock(&q->lock);
    return answer;
}

void queue_leave(struct queue_place *p)
{
    struct queue *q = p->queue;
    if (!q)
        return;
    (void)pthread_mutex_lock(&q->lock);
    if (p->is_waiting)
        take_out(q, p);
    if (p->is_lasting)
        drop_lasting(q, p);
    if (p->has_turn) {
        q->running--;
        q->mean_us += (clock_us() - p->granted_us) / 16 - q->mean_us / 16;
    }
    next_turns(q);
    (void)pthread_mutex_unlock(&q->lock);
    (void)pthread_cond_destroy(&p->turn);
    p->queue = NULL;
}

void queue_count(struct queue *q, struct queue_counts *ret)
{
    (void)pthread_mutex_lock(&q->lock);
    *ret = (struct queue_counts){ q->slots, q->size, q->running, q->waiting };
    (void)pthread_mutex_unlock(&q->lock);
}
