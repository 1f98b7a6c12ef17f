/* snapshot_sweep.c - snapshots that may go: the oldest first, of whichever key. */
#include <stdlib.h>

#include "daemon/snapshots.h"

struct old {
    char id[SNAPSHOT_ID_SIZE];
    uint64_t created_ms;
};
struct olds {
    struct old *list;
    size_t count, room;
    bool is_short; /* no memory: those that came first are enough for now */
};

static void add(void *context, const struct snapshot *s)
{
    struct olds *o = context;
    if (!s->created_ms) /* it cannot be opened now, for whatever reason: that says nothing of its age */
        return;
    if (o->count == o->room) {
        const size_t room = o->room ? 2 * o->room : 64;
        struct old *more = o->is_short ? NULL : reallocarray(o->list, room, sizeof *more);
        o->is_short |= !more;
        if (!more)
            return;
        o->list = more;
        o->room = room;
    }
    o->list[o->count].created_ms = s->created_ms;
    memcpy(o->list[o->count++].id, s->id, sizeof s->id);
}

static int by_age(const void *a, const void *b)
{
    const struct old *x = a, *y = b;
    return x->created_ms < y->created_ms ? -1 : x->created_ms > y->created_ms;
}

int snapshots_sweep(struct snapshots *l, const struct snapshot_bounds *b, uint64_t now_ms,
                    void (*gone)(void *context, const struct snapshot *s), void *context, struct error *err)
{
    struct olds o = { 0 };
    struct snapshot s;
    int first = snapshots_each(l, NULL, add, &o, err);
    if (o.count)
        qsort(o.list, o.count, sizeof *o.list, by_age);
    for (size_t i = 0; i < o.count; i++) {
        struct error one = { 0 };
        const bool is_old = b->max_age_ms && o.list[i].created_ms + b->max_age_ms < now_ms;
        if (!is_old && (!b->max_bytes || snapshots_bytes(l) <= b->max_bytes))
            break;
        const int e = snapshot_remove(l, NULL, o.list[i].id, &s, &one);
        if (e == 0)
            gone(context, &s);
        else if (e != -ENOENT && first == 0) /* else its key has removed it meanwhile */
            first = e, *err = one;
    }
    free(o.list);
    return first;
}
