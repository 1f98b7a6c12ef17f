/* contexts.h - the contexts of a session (docs/sessions.md): cells that share their variables.
 *
 * An entry is made with its kernel, which is the work of a runner of its own (runner.h), and held by the session's
 * table until it is taken out. Counted references; what may change stands behind the table's lock.
 */
#pragma once
#include "daemon/executions.h"
#include "scan/client.h"
#include "session/context.h"

struct contexts;

/* Of a context whose kernel can make them (daemon/checkpoints.h): oldest first. Only who holds the context
 * (context_hold()) looks. */
struct context_checkpoints {
    uint64_t numbers[STEWARD_CHECKPOINTS_MAX];
    unsigned count;
    bool is_making;       /* another one */
    uint64_t seen, since; /* session_memory() at the last one, and how many were made since it was seen anew */
};

struct context_entry {
    char id[EXECUTION_ID_SIZE];   /* fixed */
    enum language language;       /* fixed */
    struct context *live;         /* fixed */
    struct scan_resident scanner; /* of the cell that context_connect() has let in */
    struct context_checkpoints checkpoints;

    /* under the table's lock */
    struct execution *execution; /* its kernel's; NULL: not begun, or over */
    bool has_ended;
    bool is_full;    /* the text could not take another cell: none is run any more */
    uint64_t cells;  /* so far */
    struct buf text; /* what its cells add up to: those that were run and could be read */

    unsigned refs;
    struct contexts *home;
    struct context_entry *next;
};

struct contexts *contexts_new(void);                /* NULL: no memory */
struct contexts *contexts_free(struct contexts *l); /* none may live; accepts NULL, returns NULL */

/* One that takes the place of the one with the same id, if there is one. With a reference for the caller. -EAGAIN
 * (BLAME_POLICY): CONTEXTS_MAX are there; -ESHUTDOWN (BLAME_CALLER): the one that is there has begun meanwhile. */
int contexts_add(struct contexts *l, struct session *s, const char *id, enum language language,
                 struct context_entry **ret, struct error *err);
struct context_entry *contexts_find(struct contexts *l, const char *id); /* with a reference, or NULL */
void contexts_clear(struct contexts *l); /* all of the table's references: the session is over */
void contexts_remove(struct contexts *l, const struct context_entry *e); /* the table's reference */
struct context_entry *context_entry_ref(struct context_entry *e);
struct context_entry *context_entry_unref(struct context_entry *e); /* accepts NULL, returns NULL */

/* The workspace's checkpoints are the session's, and one is made, gone back to or forgotten at a time: until unlocked.
 */
void contexts_lock_files(struct contexts *l);
void contexts_unlock_files(struct contexts *l);
/* Checkpoints of the workspace without a context, to look at until they are released; NULL: another one does. */
struct context_checkpoints *contexts_hold_workspace(struct contexts *l);
void contexts_release_workspace(struct contexts *l);
/* A place among the session's STEWARD_CHECKPOINTS_MAX. False: there is none. */
bool contexts_take_checkpoint(struct contexts *l, uint64_t *ret_number);
void contexts_give_checkpoint(struct contexts *l);
/* One whose place is not given back yet, since the store could not be told that it is over. */
void contexts_owe_checkpoint(struct contexts *l, uint64_t number);
unsigned contexts_owed_checkpoints(struct contexts *l);
uint64_t contexts_take_owed(struct contexts *l); /* the first of them. 0: another request took it */

void context_entry_begun(struct context_entry *e, struct execution *x); /* x is referenced */
void context_entry_over(struct context_entry *e);
/* Asks its kernel to end; -> its execution, referenced, or NULL: it has ended. */
struct execution *context_entry_end(struct context_entry *e);
bool context_is_for(enum language language); /* contexts can be had for it */
/* What begins a comment in a language that has kernels. */
const char *context_comment(enum language language);
/* What is scanned for a cell: what its context adds up to, with it behind. NULL: longer than REQUEST_MAX_CODE_BYTES. */
const char *context_entry_judged(struct context_entry *e, const char *code, size_t size, struct arena *a,
                                 size_t *ret_size);
/* A cell was run. is_read: all of it was understood by the scan, so that nothing behind it is hidden by it. */
void context_entry_ran(struct context_entry *e, const char *code, size_t size, bool is_read);
