#include "notify/pace.h"

#define PER_ANSWER_US (1000000u / PACE_PER_S)

static void fill(struct pace *p, uint64_t now_us)
{
    if (!p->filled_us) {
        p->left = PACE_BURST;
        p->filled_us = now_us;
    }
    uint64_t gained = now_us > p->filled_us ? (now_us - p->filled_us) / PER_ANSWER_US : 0;
    p->filled_us += gained * PER_ANSWER_US;
    p->left = (uint32_t)MIN_OF(p->left + gained, (uint64_t)PACE_BURST);
}

static bool take(struct pace *p)
{
    if (!p->left)
        return false;
    p->left--;
    return true;
}

/* False: no memory. */
static bool append(struct pace *p, uint64_t id, int error)
{
    if (p->count == p->size) {
        uint32_t size = p->size ? p->size * 2 : 16;
        struct late_answer *larger = realloc(p->queue, size * sizeof *larger);
        if (!larger)
            return false;
        p->queue = larger;
        p->size = size;
    }
    p->queue[p->count++] = (struct late_answer){ id, error };
    return true;
}

bool pace_may_answer(struct pace *p, uint64_t id, int error, uint64_t now_us)
{
    fill(p, now_us);
    if (!p->count && take(p)) /* those that wait come first */
        return true;
    return !append(p, id, error);
}

bool pace_next(struct pace *p, uint64_t now_us, struct late_answer *ret)
{
    if (!p->count)
        return false;
    fill(p, now_us);
    if (p->count <= PACE_QUEUE_MAX && !take(p))
        return false;
    *ret = p->queue[0];
    memmove(p->queue, p->queue + 1, --p->count * sizeof p->queue[0]);
    return true;
}

uint64_t pace_due_us(const struct pace *p)
{
    if (!p->count)
        return 0;
    return p->left || p->count > PACE_QUEUE_MAX ? p->filled_us : p->filled_us + PER_ANSWER_US;
}

void pace_done(struct pace *p)
{
    free(p->queue);
    *p = (struct pace){ 0 };
}
