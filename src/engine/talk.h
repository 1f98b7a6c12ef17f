/* talk.h - the conversation with sandbox-entry over an attached container: frames both ways, bounded.
 *
 * What comes up is read only when the caller asks for it, so a slow reader of the program's output stops the program, and nobody's memory grows.
 * The payload cannot write frames of its own, but what came is checked as if it had.
 */
#pragma once
#include "engine/api.h"
#include "entry/frame.h"

#define TALK_DOWN_ROOM (64u * 1024u) /* stdin is read while less than this waits */

struct talk {
    int fd; /* the attach connection, non-blocking; -1: none */
    struct demux demux;
    struct buf up, down;
    size_t down_sent;
    bool has_ended; /* of its own or by an error */
    char words[300]; /* what came on the container's standard error: an engine's or runtime's last words */
};

void talk_init(struct talk *t);
void talk_done(struct talk *t);
/* 0 or -errno */
int talk_send(struct talk *t, enum frame_type type, const void *data, size_t size);
int talk_send_fields(struct talk *t, enum frame_type type, const struct field *table, size_t count, const void *base);
/* Writes what it can. */
void talk_flush(struct talk *t);
static inline size_t talk_waiting(const struct talk *t)
{
    return t->down.size - t->down_sent;
}

/* A whole frame; data is its. 0, or anything else to stop. */
typedef int talk_frame(void *context, uint32_t type, const void *data, size_t size);
/* Bytes from the connection, by one read or given. 0, -EBADMSG, or what the callback returned; has_ended at the end. */
int talk_read(struct talk *t, talk_frame *take, void *context);
int talk_feed(struct talk *t, const void *data, size_t size, talk_frame *take, void *context);
