/* channel.h - the conversation with sandbox-entry over an attached container: frames both ways, bounded.
 *
 * What comes up is read only when the caller asks for it, so a slow reader of the program's output stops the program,
 * and no process's memory grows. The payload cannot write frames of its own, but what came is checked as if it had.
 */
#pragma once
#include "engine/api.h"
#include "entry/frame.h"

struct channel {
    int fd; /* the attach connection, non-blocking; -1: none */
    struct demux demux;
    struct frame_reader reader;
    char *memory; /* the reader's */
    struct buf down;
    size_t down_sent;
    uint64_t input_bytes,
        taken_bytes; /* STDIN that was sent, and that entry is rid of: ENTRY_STDIN_WINDOW bounds what lies between */
    bool has_ended;  /* of its own or by an error */
    char words[300]; /* what came on the container's standard error: an engine's or runtime's last words */
};

int channel_init(struct channel *t); /* 0 or -ENOMEM */
void channel_done(struct channel *t);
/* 0 or -errno */
int channel_send(struct channel *t, enum frame_type type, const void *data, size_t size);
int channel_send_fields(struct channel *t, enum frame_type type, const struct field *table, size_t count,
                        const void *base);
int channel_send_input(struct channel *t, const void *data, size_t size);
/* How much of the payload's input may be sent now. */
size_t channel_input_room(const struct channel *t);
/* What entry says it is rid of. 0 or -EBADMSG. */
int channel_taken(struct channel *t, uint64_t bytes);
/* Writes what it can. */
void channel_flush(struct channel *t);
static inline size_t channel_waiting(const struct channel *t)
{
    return t->down.size - t->down_sent;
}

/* Bytes from the connection, by one read or given. 0, -EBADMSG, or what the callback returned; has_ended at the end. */
int channel_read(struct channel *t, frame_take *take, void *context);
int channel_feed(struct channel *t, const void *data, size_t size, frame_take *take, void *context);
