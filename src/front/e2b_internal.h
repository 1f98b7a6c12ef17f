/* e2b_internal.h - what the files of the front share. */
#pragma once
#include "front/e2b.h"
#include "front/call.h"
#include "front/e2b_wire.h"

#define E2B_HOME         "/home/user" /* of its sandboxes: /workspace (plan/tree.c) */
#define E2B_ENVD_VERSION "0.6.1"      /* what clients make of it: docs/e2b.md */
#define E2B_PAGE         "docs/e2b.md"

/* A text of the body, or NULL; another kind of value is refused at the end (body_end_open). */
const char *e2b_text(struct body *b, const char *name);

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
struct e2b_stream *e2b_stream_begin(struct front_call *c, const char *content_type, const struct http_answer *events,
                                    void (*take)(struct e2b_stream *s, struct body *event));
/* An envelope that ends it. code NULL: it ended well. */
void e2b_stream_end(struct e2b_stream *s, const char *code, const char *message);

/* e2b_sandboxes.c */
void e2b_create(struct front_call *c);
void e2b_list(struct front_call *c);
void e2b_show(struct front_call *c);
void e2b_connect(struct front_call *c);
void e2b_timeout(struct front_call *c);
void e2b_pause(struct front_call *c);
void e2b_kill(struct front_call *c);
void e2b_metrics(struct front_call *c);
/* e2b_processes.c */
void e2b_process(struct front_call *c);
bool e2b_process_streams(const char *method);
/* e2b_files.c */
void e2b_filesystem(struct front_call *c);
void e2b_upload(struct front_call *c);
void e2b_download(struct front_call *c);
/* e2b_code.c */
void e2b_execute(struct front_call *c);
void e2b_context_create(struct front_call *c);
void e2b_context_list(struct front_call *c);
void e2b_context_delete(struct front_call *c);
void e2b_context_restart(struct front_call *c);

/* e2b_state.c */
struct front_contexts *e2b_contexts(struct e2b *e); /* that were made through the front */
#define E2B_TOKEN_SIZE 96u
void e2b_token(const struct e2b *e, const char *session_id, char ret[static E2B_TOKEN_SIZE]);
/* The session that the token is of, in the arena; NULL: it is none of ours. */
const char *e2b_token_read(const struct e2b *e, const char *token, struct arena *a);
