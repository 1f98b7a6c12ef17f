#include "engine/talk.h"

#include <sys/socket.h>

#define DOWN_MAX (FRAME_MAX_DOWN + 2 * TALK_DOWN_ROOM)
#define UP_MAX (2 * FRAME_MAX_UP + 4096)

void talk_init(struct talk *t)
{
    *t = (struct talk){ .fd = -1 };
    buf_init(&t->up, UP_MAX);
    buf_init(&t->down, DOWN_MAX);
}

void talk_done(struct talk *t)
{
    closep(&t->fd);
    buf_done(&t->up);
    buf_done(&t->down);
}

static void forget_sent(struct talk *t)
{
    if (!t->down_sent)
        return;
    memmove(t->down.data, t->down.data + t->down_sent, t->down.size - t->down_sent);
    t->down.size -= t->down_sent;
    t->down_sent = 0;
}

int talk_send(struct talk *t, enum frame_type type, const void *data, size_t size)
{
    struct frame_head head = { type, (uint32_t)size };
    if (size > FRAME_MAX_DOWN)
        return -EMSGSIZE;
    forget_sent(t);
    if (buf_add(&t->down, &head, sizeof head) < 0 || (size && buf_add(&t->down, data, size) < 0))
        return -EMSGSIZE;
    talk_flush(t);
    return 0;
}

int talk_send_fields(struct talk *t, enum frame_type type, const struct field *table, size_t count, const void *base)
{
    struct buf b;
    buf_init(&b, FRAME_MAX_DOWN);
    pack_fields(&b, table, count, base);
    int r = b.failed ? -EMSGSIZE : talk_send(t, type, b.data, b.size);
    buf_done(&b);
    return r;
}

void talk_flush(struct talk *t)
{
    while (t->fd >= 0 && !t->has_ended && talk_waiting(t)) {
        ssize_t n = send(t->fd, t->down.data + t->down_sent, talk_waiting(t), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN)
            t->down_sent = t->down.size; /* nobody reads any more: the end is told by what we read */
        if (n <= 0)
            return;
        t->down_sent += (size_t)n;
    }
}

struct feeding {
    struct talk *talk;
    talk_frame *take;
    void *context;
};

static int take_frames(struct talk *t, talk_frame *take, void *context)
{
    size_t used = 0;
    int r = 0;
    while (r == 0 && t->up.size - used >= sizeof(struct frame_head)) {
        struct frame_head h;
        memcpy(&h, t->up.data + used, sizeof h);
        if (h.size > FRAME_MAX_UP)
            return -EBADMSG;
        if (t->up.size - used - sizeof h < h.size)
            break;
        r = take(context, h.type, t->up.data + used + sizeof h, h.size);
        used += sizeof h + h.size;
    }
    memmove(t->up.data, t->up.data + used, t->up.size - used);
    t->up.size -= used;
    return r;
}

static void keep_words(struct talk *t, const char *data, size_t size)
{
    size_t n = strlen(t->words);
    for (size_t i = 0; i < size && n + 1 < sizeof t->words; i++)
        t->words[n++] = data[i] >= ' ' && data[i] < 127 ? data[i] : ' ';
    t->words[n] = '\0';
}

static int on_bytes(void *context, unsigned stream, const void *data, size_t size)
{
    const struct feeding *f = context;
    struct talk *t = f->talk;
    if (stream != 1) {
        keep_words(t, data, size);
        return 0;
    }
    for (const char *p = data; size;) { /* at most one frame's worth is held back */
        size_t n = MIN_OF(size, (size_t)FRAME_MAX_UP);
        if (buf_add(&t->up, p, n) < 0)
            return -EBADMSG;
        p += n;
        size -= n;
        int r = take_frames(t, f->take, f->context);
        if (r)
            return r;
    }
    return 0;
}

int talk_feed(struct talk *t, const void *data, size_t size, talk_frame *take, void *context)
{
    struct feeding f = { t, take, context };
    return demux_feed(&t->demux, data, size, on_bytes, &f);
}

int talk_read(struct talk *t, talk_frame *take, void *context)
{
    char data[32768];
    ssize_t n = recv(t->fd, data, sizeof data, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (n <= 0) {
        t->has_ended = true;
        return 0;
    }
    return talk_feed(t, data, (size_t)n, take, context);
}
