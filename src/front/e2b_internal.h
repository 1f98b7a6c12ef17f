/* e2b_internal.h - what the files of the front share. */
#pragma once
#include "front/e2b.h"
#include "daemon/executions.h"
#include "front/e2b_wire.h"
#include "front/inner.h"

#define E2B_HOME         "/home/user" /* of its sandboxes: /workspace (plan/tree.c) */
#define E2B_ENVD_VERSION "0.6.1"      /* what clients make of it: docs/e2b.md */

/* A request that was let in. */
struct e2b_call {
    struct call *call;       /* parts: of E2B's pattern */
    const char *session_id;  /* inside a sandbox: which; else NULL */
    struct body *body;       /* of JSON; NULL where the row wants none */
    struct http_answer *out; /* the answer */
    const char *code;        /* Connect's, where the status does not say it; else NULL */
};
typedef void (*e2b_handler)(struct e2b_call *c);

/* Asks our own interface for what another request follows from: NULL, it is no success, and is the call's answer. */
struct body *e2b_ask_first(struct e2b_call *c, const char *method, const char *pattern, const struct inner_asked *with);
/* One of which only matters whether it was a success. */
bool e2b_ask_done(struct e2b_call *c, const char *method, const char *pattern, const struct inner_asked *with);
/* An error of ours, to be reworded. */
void e2b_fail(struct e2b_call *c, enum answer_code code, const char *fmt, ...) PRINTF_LIKE(3, 4);
void e2b_empty(struct e2b_call *c, unsigned status);
/* A text of the body, or NULL; another kind of value is refused at the end (body_end_open). */
const char *e2b_text(struct body *b, const char *name);
/* After all members were read: false, one of them is not accepted, and that is the answer. */
bool e2b_is_read(struct e2b_call *c);

/* An answer that goes on: what our own stream of events says becomes what E2B's client reads, written to events.out by
 * take(). */
struct e2b_stream {
    struct inner_events events;
    struct arena *arena;                                    /* until the answer is out */
    void (*take)(struct e2b_stream *s, struct body *event); /* NULL: it says only that the stream lives */
    uint32_t pid;                                           /* of a process */
    bool is_terminal;
};
/* The call's answer from now on. events: taken; NULL: there are none, and what is written to out is all. */
struct e2b_stream *e2b_stream_begin(struct e2b_call *c, const char *content_type, const struct http_answer *events,
                                    void (*take)(struct e2b_stream *s, struct body *event));
/* An envelope that ends it. code NULL: it ended well. */
void e2b_stream_end(struct e2b_stream *s, const char *code, const char *message);

/* e2b_sandboxes.c */
void e2b_create(struct e2b_call *c);
void e2b_list(struct e2b_call *c);
void e2b_show(struct e2b_call *c);
void e2b_connect(struct e2b_call *c);
void e2b_timeout(struct e2b_call *c);
void e2b_pause(struct e2b_call *c);
void e2b_kill(struct e2b_call *c);
void e2b_metrics(struct e2b_call *c);
/* e2b_processes.c */
void e2b_process(struct e2b_call *c);
bool e2b_process_streams(const char *method);
/* e2b_files.c */
void e2b_filesystem(struct e2b_call *c);
void e2b_upload(struct e2b_call *c);
void e2b_download(struct e2b_call *c);
/* e2b_code.c */
void e2b_execute(struct e2b_call *c);
void e2b_context_create(struct e2b_call *c);
void e2b_context_list(struct e2b_call *c);
void e2b_context_delete(struct e2b_call *c);
void e2b_context_restart(struct e2b_call *c);

/* e2b_state.c: the contexts that were made through the front. */
struct e2b_context {
    char session_id[EXECUTION_ID_SIZE], id[EXECUTION_ID_SIZE];
    uint64_t cells;
    enum language language;
    bool is_default;
};
#define E2B_TOKEN_SIZE 96u
void e2b_token(const struct e2b *e, const char *session_id, char ret[static E2B_TOKEN_SIZE]);
/* The session that the token is of, in the arena; NULL: it is none of ours. */
const char *e2b_token_read(const struct e2b *e, const char *token, struct arena *a);

enum e2b_default { E2B_IS_THERE, E2B_MAKE_IT, E2B_IS_BEING_MADE };
/* The context of a session that a client means who names none. MAKE_IT: the caller makes it, and says so by
 * e2b_default_made(), with NULL where that failed. */
enum e2b_default e2b_default_find(struct e2b *e, const char *session_id, enum language language,
                                  struct e2b_context *ret);
void e2b_default_made(struct e2b *e, const char *session_id, enum language language, const char *context_id);
void e2b_context_add(struct e2b *e, const struct e2b_context *c);
bool e2b_context_find(struct e2b *e, const char *session_id, const char *id, struct e2b_context *ret);
void e2b_context_remove(struct e2b *e, const char *session_id, const char *id);
uint64_t e2b_context_count(struct e2b *e, const char *session_id, const char *id); /* one more cell: how many then */
void e2b_contexts_each(struct e2b *e, const char *session_id, void (*then)(void *context, const struct e2b_context *c),
                       void *context);
/* Forgets those of sessions that have ended. */
void e2b_contexts_prune(struct e2b *e, bool (*lives)(void *context, const char *session_id), void *context);
