/* session_command.h - `sandbox-agent session start|list|exec|shell|cp|snapshot|snapshots|...`: sessions of a
 * service, from a shell. It is the service's program that does it, as for ps and top: a client of the API and nothing
 * more (docs/sessions.md). */
#pragma once
#include "base/strlist.h"
#include "daemon/service_client.h"

#define SESSION_ANSWER_MAX  (8 * MIB)
#define SESSION_PATIENCE_MS 60000u /* for what the service does at once */

struct session_command {
    struct service_client service;
    const char *level, *agent, *ttl, *code, *language, *timeout, *cwd, *state, *from,
        *packages;                /* of the words, borrowed; or NULL */
    struct strlist env, metadata; /* NAME=VALUE each */
    struct strlist places;        /* the words without a dash: ids, or from where and to where */
    char **rest;                  /* behind --; NULL: no -- */
    bool json, help;
};

int session_command_main(int argc, char **argv); /* -> the exit code */

/* Each: an exit code, or negative and an error. */
int session_command_exec(struct session_command *s, struct error *err);
int session_command_shell(struct session_command *s, struct error *err);
int session_command_copy(struct session_command *s, struct error *err);
int session_command_list(struct session_command *s, struct error *err);
int session_command_snapshots(struct session_command *s, struct error *err); /* list, or remove and ids */
/* Its words. 0, or an error (BLAME_CALLER). */
int session_command_check_snapshots(const struct session_command *s, struct error *err);

/* One question to the service, whose answer of success is out (the caller's: buf_done()). */
int session_command_ask(const struct session_command *s, struct service_request r, struct buf *out, struct error *err);
/* The same question for each of the places: to the path that is `before`, the ID and `after`. */
struct session_deed {
    const char *verb; /* for errors */
    const char *method, *before, *after;
};
/* but: one of the places that is no ID, or NULL. All of them are tried; the first that failed is told last. */
int session_command_each(const struct session_command *s, const char *but, const struct session_deed *d,
                         struct error *err);
/* To standard output: 0 or an exit code. */
int session_command_print(const char *text, size_t size);

/* The stream of an execution that r asks for, until its end: what it writes is written, and what was done to it is said
 * under verb's name. A signal of ours ends it; id: where it is known before the stream says it, else "". -> its exit
 * code, or negative */
int session_command_follow(const struct session_command *s, const char *verb, struct service_request r, const char *id,
                           struct error *err);
/* A member of this name with the words, to their NULL. */
void session_command_words(struct buf *b, const char *name, char **words);
/* «/sessions/ID», for a path; what stands behind may be added. */
void session_command_path(struct buf *to, const char *id);
/* A member of this name with the pairs. */
void session_command_pairs(struct buf *b, const char *name, const struct strlist *pairs);
