/* events.h - what an execution said while it ran, in order, for those who listen now or later.
 *
 * One writer, any number of readers, each with a cursor of its own: the writer never waits for a slow reader, and what
 * is kept is bounded by the profile's max_output and EVENTS_MAX. A piece of output never ends within a UTF-8 sequence,
 * unless the program does. Numbers begin with 1 and are those of Server-Sent Events («id:»). All functions want the
 * execution's lock held.
 */
#pragma once
#include "base/buf.h"

#define EVENTS_MAX       65536u
#define EVENTS_MAX_BYTES (64 * MIB)

enum event_type {
    EVENT_STARTED,
    EVENT_STDOUT,
    EVENT_STDERR,
    EVENT_LOST /* more than EVENTS_MAX: the result has what is missing here */
};

struct event {
    uint8_t type;
    uint32_t at_ms; /* since the execution was accepted */
    uint32_t offset, size;
};

struct events {
    uint32_t count, cap;
    struct event *list;
    struct buf bytes;
    struct {
        unsigned char held[4]; /* the beginning of a sequence */
        uint8_t size;
    } tail[2];
    bool has_lost;
};

/* max_bytes: of output; beyond it the events end with EVENT_LOST. */
void events_init(struct events *e, size_t max_bytes);
void events_done(struct events *e);
void events_add(struct events *e, enum event_type type, uint32_t at_ms, const char *data, size_t size);
/* The program has ended: what was held back is there now. */
void events_end(struct events *e, uint32_t at_ms);
/* Event `number` as one message of a stream: «id: …\nevent: …\ndata: {…}\n\n». False: it is not there (yet). */
bool events_print(const struct events *e, uint32_t number, const char *execution_id, struct buf *out);
