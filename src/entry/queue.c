#include "entry/queue.h"

char *queue_room(struct queue *q, size_t least, size_t *ret_size)
{
    if (queue_space(q) < least)
        return NULL;
    if (q->cap - q->end < least) {
        memmove(q->data, q->data + q->begin, queue_size(q));
        q->end -= q->begin;
        q->begin = 0;
    }
    *ret_size = q->cap - q->end;
    return q->data + q->end;
}

void queue_grow(struct queue *q, size_t n)
{
    assert(n <= q->cap - q->end);
    q->end += n;
}

bool queue_put(struct queue *q, const void *data, size_t size)
{
    size_t room;
    char *to = queue_room(q, size, &room);
    if (!to)
        return false;
    memcpy(to, data, size);
    queue_grow(q, size);
    return true;
}

ssize_t queue_write(struct queue *q, int fd)
{
    if (queue_size(q) == 0)
        return 0;
    ssize_t n = write(fd, q->data + q->begin, queue_size(q));
    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    q->begin += (size_t)n;
    if (q->begin == q->end)
        queue_drop(q);
    return n;
}

void queue_drop(struct queue *q)
{
    q->begin = q->end = 0;
}
