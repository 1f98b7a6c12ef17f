/* inner.h - how a front asks our own interface (routes_inner()): as its client, with a request of its own making.
 */
#pragma once
#include "daemon/body.h"
#include "daemon/service.h"

#define INNER_ANSWER_MAX (256 * MIB) /* of our own interface */

/* What an inner request has beside its row of the table. */
struct inner_asked {
    const char *parts[2];
    const void *body; /* borrowed until the answer is out, or read */
    size_t body_size;
    struct http_pair headers[2], query[3]; /* of headers the first without a name ends */
    const char *trace;                     /* traceparent; NULL: the client's own */
    void (*begun)(void *context, const char *execution_id);
    void *context;
    bool waits_for_end; /* what answers as a stream of events comes when it has ended */
};

/* The request is the client's with another method, path and body; it is gone when its connection is. The answer is to
 * be read, and freed, by the caller, before the client's arena goes. */
void inner_ask(const struct call *outer, const char *method, const char *pattern, const struct inner_asked *with,
               struct http_answer *a);
/* Reads the whole answer into out, at most out->max bytes (beyond them ret_is_cut), and frees it. False: it was broken
 * off. */
bool inner_read(struct http_answer *a, struct buf *out, bool *ret_is_cut);
/* Both, of an answer that another request follows from: body_free() it; its texts are the arena's. NULL: it is no
 * success, and is left in a. */
struct body *inner_ask_first(const struct call *outer, const char *method, const char *pattern,
                             const struct inner_asked *with, struct http_answer *a);

/* A member that is a number, as text; NULL: it is none. b may be NULL. */
const char *inner_number(struct body *b, const char *name);

/* An answer that is no success, without its body and with this status, to be written anew: -> what its message and its
 * remedy say, in the arena, or `words` where it says nothing. a->body: empty, of 64 KiB; the type is JSON. */
const char *inner_reword(struct http_answer *a, struct arena *arena, unsigned status, const char *words);
/* Where a client waits that our interface does not let wait: true, it is still there after so long. */
bool inner_client_waits(const struct call *c, unsigned ms);
/* The agent that a request of this caller is for: the one that its metadata names, else the only one of its key; NULL:
 * it is not said. */
const char *inner_agent(const struct caller *c, const char *named);

/* What was run, both outputs as one, in the order in which they came. */
struct inner_ran {
    struct buf output;
    bool has_started; /* false: a compiler ended it */
};
/* Runs by a row that streams (its body says so) until the end, which is handed to end(): result is borrowed. Where
 * nothing was run, or the client has left, *a is our own answer, and there is no end. */
void inner_run(const struct call *outer, const char *pattern, const struct inner_asked *with, struct http_answer *a,
               void (*end)(void *context, const struct inner_ran *ran, struct body *result), void *context);

/* Our own stream of events, one after the other, and what a front makes of them for its client. */
struct inner_events {
    struct http_answer answer; /* taken; inner_events_done() */
    struct buf in;             /* not yet an event */
    size_t scanned;            /* so much of in has no event's end: a long event is not searched anew with each piece */
    struct buf out;            /* for the client, not yet sent */
    size_t sent;
    bool is_over; /* set with the last word of out */
};
/* answer NULL: there are no events, and what is written to out is all. */
void inner_events_init(struct inner_events *s, const struct http_answer *answer);
void inner_events_done(struct inner_events *s);
/* A client's stream (http_answer.stream) of what take() writes to out. */
ssize_t inner_events_pass(struct inner_events *s, bool (*take)(void *context, struct body *event), void *context,
                          char *to, size_t max);

/* What an execution has written so far, by its events: of one that runs, what comes at once. False: *a is our own
 * answer; else inner_said_done(). */
struct inner_said {
    struct buf both, out, err;
};
bool inner_output(const struct call *outer, const char *pattern, const struct inner_asked *with, struct inner_said *ret,
                  struct http_answer *a);
void inner_said_done(struct inner_said *s);
/* As http_answer.stream: how many bytes came, 0: none yet, or what ended it. take: with each whole event (its data), or
 * NULL for one that only says that the stream lives; false: no more of them. */
int inner_events_read(struct inner_events *s, bool (*take)(void *context, struct body *event), void *context);
