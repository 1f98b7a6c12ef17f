/* contexts.h - the contexts of sessions that one front's clients made, with what those know of them: a name, how many
 * cells it ran, and whether it is the one that a client means who names none. A list under a lock: each of its rows is
 * a process in a session, of which a session has few.
 */
#pragma once
#include "config/language.h"
#include "daemon/executions.h"
#include "front/call.h"

#define FRONT_NAME_MAX 128u

struct front_context {
    char session_id[EXECUTION_ID_SIZE], id[EXECUTION_ID_SIZE];
    char name[FRONT_NAME_MAX + 1]; /* the client's; "": the default one, while it is made */
    uint64_t cells;
    enum language language;
    bool is_default;
};

struct front_contexts;
struct front_contexts *front_contexts_new(void);                      /* NULL: no memory */
struct front_contexts *front_contexts_free(struct front_contexts *t); /* accepts NULL, returns NULL */

/* Asks our own interface for one. name NULL: its id. False: that is the answer. Rows of sessions that have ended go. */
bool front_context_make(struct front_call *c, struct front_contexts *t, const char *name, enum language language,
                        struct front_context *ret);
/* The same, kept under its name, of which there may be one in a session. what: «session». */
bool front_context_create(struct front_call *c, struct front_contexts *t, const char *what, const char *name,
                          enum language language, struct front_context *ret);
/* False: there is none, and that is the answer. Which key may see it, our own interface says of what is asked of it. */
bool front_context_find(struct front_call *c, struct front_contexts *t, const char *what, const char *name,
                        struct front_context *ret);
/* Ends it, and forgets it; one that has ended by itself is only forgotten. False: that is the answer. */
bool front_context_end(struct front_call *c, struct front_contexts *t, const struct front_context *x);
void front_context_remove(struct front_contexts *t, const char *session_id, const char *name);
/* One more cell: how many then. */
uint64_t front_context_count(struct front_contexts *t, const char *session_id, const char *name);
void front_contexts_each(struct front_contexts *t, const char *session_id,
                         void (*then)(void *context, const struct front_context *x), void *context);

enum front_default { FRONT_IS_THERE, FRONT_MAKE_IT, FRONT_IS_BEING_MADE };
/* The default one of a session and language. MAKE_IT: the caller makes it, and says so by front_default_made(), with
 * NULL where that failed. */
enum front_default front_default_find(struct front_contexts *t, const char *session_id, enum language language,
                                      struct front_context *ret);
void front_default_made(struct front_contexts *t, const char *session_id, enum language language,
                        const char *context_id);
