/* talk.h - the conversation with sandbox-entry over an attached container: frames both ways, bounded.
 *
 * What comes up is read only when the caller asks for it, so a slow reader of the program's output stops the program,
 * and nobody's memory grows. The payload cannot write frames of its own, but what came is checked as if it had.
 */
#pragma once
#include "engine/api.h"
#include "entry/frame.h"

struct talk {
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

int talk_init(struct talk *t); /* 0 or -ENOMEM */
void talk_done(struct talk *t);
/* 0 or -errno */
int talk_send(struct talk *t, enum frame_type type, const void *data, size_t size);
int talk_send_fields(struct talk *t, enum frame_type type, const struct field *table, size_t count, const void *base);
int talk_send_input(struct talk *t, const void *data, size_t size);
/* How much of the payload's input may be sent now. */
size_t talk_input_room(const struct talk *t);
/* What entry says it is rid of. 0 or -EBADMSG. */
int talk_taken(struct talk *t, uint64_t bytes);
/* Writes what it can. */
void talk_flush(struct talk *t);
static inline size_t talk_waiting(const struct talk *t)
{
    return t->down.size - t->down_sent;
}

/* Bytes from the connection, by one read or given. 0, -EBADMSG, or what the callback returned; has_ended at the end. */
int talk_read(struct talk *t, frame_take *take, void *context);
int talk_feed(struct talk *t, const void *data, size_t size, frame_take *take, void *context);
