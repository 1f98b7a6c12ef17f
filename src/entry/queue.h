/* queue.h - bytes on their way from one descriptor to another, in memory of a fixed size that another process owns. */
#pragma once
#include "base/base.h"

struct queue {
    char *data;
    size_t begin, end, cap;
};

static inline size_t queue_size(const struct queue *q)
{
    return q->end - q->begin;
}
static inline size_t queue_space(const struct queue *q)
{
    return q->cap - queue_size(q);
}

/* Where to put the next bytes: at least `least` of them, as many as *ret_size; NULL: there is not so much space.
 * queue_grow() says how many it were. */
char *queue_room(struct queue *q, size_t least, size_t *ret_size);
void queue_grow(struct queue *q, size_t n);
/* False: no space, nothing was put. */
bool queue_put(struct queue *q, const void *data, size_t size);
/* What fd takes now, which may be nothing: the number of bytes, or -errno. */
ssize_t queue_write(struct queue *q, int fd);
void queue_drop(struct queue *q);
