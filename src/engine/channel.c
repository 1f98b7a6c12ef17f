#include "engine/channel.h"

#include <sys/socket.h>

#define DOWN_MAX   (2 * FRAME_MAX_DOWN + ENTRY_STDIN_WINDOW)
#define INPUT_ROOM (64u * 1024u) /* of input that waits for the connection */

int channel_init(struct channel *t)
{
    *t = (struct channel){ .fd = -1, .memory = malloc(FRAME_MAX_UP) };
    buf_init(&t->down, DOWN_MAX);
    if (!t->memory)
        return -ENOMEM;
    frame_reader_init(&t->reader, t->memory, FRAME_MAX_UP);
    return 0;
}

void channel_done(struct channel *t)
{
    closep(&t->fd);
    buf_done(&t->down);
    free(t->memory);
    t->memory = NULL;
}

static void forget_sent(struct channel *t)
{
    if (!t->down_sent)
        return;
    memmove(t->down.data, t->down.data + t->down_sent, t->down.size - t->down_sent);
    t->down.size -= t->down_sent;
    t->down_sent = 0;
}

static int flush(struct channel *t)
{
    if (t->down.failed)
        return -EMSGSIZE;
    channel_flush(t);
    return 0;
}

int channel_send(struct channel *t, enum frame_type type, const void *data, size_t size)
{
    forget_sent(t);
    if (size > FRAME_MAX_DOWN - sizeof(struct frame_head) || DOWN_MAX - t->down.size < size + sizeof(struct frame_head))
        return -EMSGSIZE;
    frame_put(&t->down, type, data, size);
    return flush(t);
}

int channel_send_fields(struct channel *t, enum frame_type type, const struct field *table, size_t count,
                        const void *base)
{
    struct buf b;
    buf_init(&b, FRAME_MAX_DOWN);
    pack_fields(&b, table, count, base);
    int r = b.failed ? -EMSGSIZE : channel_send(t, type, b.data, b.size);
    buf_done(&b);
    return r;
}

int channel_send_input(struct channel *t, const void *data, size_t size)
{
    t->input_bytes += size;
    return channel_send(t, FRAME_STDIN, data, size);
}

size_t channel_input_room(const struct channel *t)
{
    uint64_t under_way = t->input_bytes - t->taken_bytes;
    return channel_waiting(t) >= INPUT_ROOM
               ? 0
               : (size_t)(ENTRY_STDIN_WINDOW - MIN_OF(under_way, (uint64_t)ENTRY_STDIN_WINDOW));
}

int channel_taken(struct channel *t, uint64_t bytes)
{
    if (bytes > t->input_bytes || bytes < t->taken_bytes)
        return -EBADMSG;
    t->taken_bytes = bytes;
    return 0;
}

void channel_flush(struct channel *t)
{
    while (t->fd >= 0 && !t->has_ended && channel_waiting(t)) {
        ssize_t n = send(t->fd, t->down.data + t->down_sent, channel_waiting(t), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN)
            t->down_sent = t->down.size; /* no process reads any more: the end is told by what we read */
        if (n <= 0)
            return;
        t->down_sent += (size_t)n;
    }
}

struct feeding {
    struct channel *talk;
    frame_take *take;
    void *context;
};

static void keep_words(struct channel *t, const char *data, size_t size)
{
    size_t n = strlen(t->words);
    for (size_t i = 0; i < size && n + 1 < sizeof t->words; i++)
        t->words[n++] = data[i] >= ' ' && data[i] < 127 ? data[i] : ' ';
    t->words[n] = '\0';
}

static int on_bytes(void *context, unsigned stream, const void *data, size_t size)
{
    const struct feeding *f = context;
    struct channel *t = f->talk;
    if (stream != 1) {
        keep_words(t, data, size);
        return 0;
    }
    return frame_feed(&t->reader, data, size, f->take, f->context);
}

int channel_feed(struct channel *t, const void *data, size_t size, frame_take *take, void *context)
{
    struct feeding f = { t, take, context };
    return demux_feed(&t->demux, data, size, on_bytes, &f);
}

int channel_read(struct channel *t, frame_take *take, void *context)
{
    char data[32768];
    ssize_t n = recv(t->fd, data, sizeof data, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (n <= 0) {
        t->has_ended = true;
        return 0;
    }
    return channel_feed(t, data, (size_t)n, take, context);
}
