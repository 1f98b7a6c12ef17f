#include "engine/api.h"

#define HEAD_SIZE sizeof((struct demux *)0)->head

/* 0 is what was typed, where an engine echoes it; no engine sends it here, and nothing of ours could mean it. */
static bool is_head(const uint8_t h[static 8])
{
    return (h[0] == 1 || h[0] == 2) && !h[1] && !h[2] && !h[3];
}

static int begin_frame(struct demux *d)
{
    if (!is_head(d->head))
        return -EBADMSG;
    d->stream = d->head[0];
    d->left = (uint32_t)d->head[4] << 24 | (uint32_t)d->head[5] << 16 | (uint32_t)d->head[6] << 8 | d->head[7];
    d->head_size = 0;
    return 0;
}

int demux_feed(struct demux *d, const void *data, size_t size,
               int (*take)(void *context, unsigned stream, const void *data, size_t size), void *context)
{
    const uint8_t *at = data, *const end = at + size;
    if (d->head_size == HEAD_SIZE) /* refused before: there is no way back into step */
        return -EBADMSG;
    while (at < end) {
        if (d->left == 0) {
            d->head[d->head_size++] = *at++;
            if (d->head_size == HEAD_SIZE && begin_frame(d) < 0)
                return -EBADMSG;
            continue;
        }
        const size_t n = MIN_OF((size_t)(end - at), (size_t)d->left);
        const int r = take(context, d->stream, at, n);
        if (r != 0)
            return r;
        d->left -= (uint32_t)n;
        at += n;
    }
    return 0;
}
