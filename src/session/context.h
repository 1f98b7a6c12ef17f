/* context.h - cells that share their variables: one kernel (guards/kernel_*), which is a job of a session.
 *
 * How this works. The kernel is a job like any other, with a struct exec of its own; each cell has a struct exec, too,
 * so that it is scanned, judged, audited and answered as a job is. The context, a thread, stands in between:
 *
 *   the kernel's exec --RUN, KILL-->  context  --RUN, with its descriptors exchanged for ours--> the session's keeper
 *   a cell's exec     --RUN, KILL-->  context  --frames (kernel/frame.h) over the kernel's standard input--> kernel
 *                     <--OUTCOME----           <--frames, and what it writes and its guard reports meanwhile--
 *
 * What the kernel writes while a cell runs is the cell's; what its threads write between cells comes with the next one.
 * A deadline interrupts the cell (SIGINT) and, after the job's grace, ends the kernel. A kernel that says what is no
 * reply, or anything when it was not asked, is ended: a cell can forge its own result and nothing else.
 *
 * Memory: one owner makes and frees it. All functions may be called by any thread between context_start() and
 * context_join(); the two by one thread.
 */
#pragma once
#include "kernel/frame.h"
#include "session/session.h"
#include "steward/protocol.h"

#define CONTEXTS_MAX STEWARD_CONTEXTS_MAX /* of a session, with those whose kernel has ended */

struct context;

struct context *context_new(struct session *s);  /* NULL: no memory or descriptors. s outlives it */
struct context *context_free(struct context *c); /* not before context_join(); accepts NULL, returns NULL */

/* session: of session_connect(); the context's from now on. ret_own: the kernel's exec runs over it. */
int context_start(struct context *c, struct client *session, struct client *ret_own, struct error *err);
/* After the kernel's exec has closed its client. */
void context_join(struct context *c);

/* What a cell is asked with, and what it answers: set before context_connect(), and read after its outcome is there. */
struct context_cell {
    const char *source; /* borrowed until context_leave() */
    size_t size;
    struct buf results, error; /* JSON (kernel_results_json(), kernel_error_json()); size 0: it was not answered */
};
/* For a cell's exec: a connection over which it runs. cell: filled in until context_leave(). -EBUSY (BLAME_CALLER):
 * another cell is under way; -ESHUTDOWN (BLAME_CALLER): the kernel has ended. */
int context_connect(struct context *c, struct context_cell *cell, struct client *ret, struct error *err);
/* The next cell may come: until then no other one is let in, also when this one's outcome is there. */
void context_leave(struct context *c, struct context_cell *cell);
bool context_is_busy(struct context *c); /* a cell is under way: another one would get -EBUSY */
/* The cell that runs is interrupted (KeyboardInterrupt). False: none does. */
bool context_interrupt(struct context *c);
bool context_has_ended(struct context *c);

/* Between two cells: none is let in until context_release(). -EBUSY (BLAME_CALLER): one is under way, or it is held;
 * -ESHUTDOWN (BLAME_CALLER): the kernel has ended. */
int context_hold(struct context *c, struct error *err);
void context_release(struct context *c);
/* Of one whose kernel has ended: waits until the one that holds it has released it. */
void context_hold_last(struct context *c);

#define CONTEXT_WHY_MAX 32u
struct context_answer {
    char why[CONTEXT_WHY_MAX]; /* the kernel's word where it refuses: threads, gone, fork, unsupported; "": it did it */
    char text[512];            /* what it says about it. Both from inside: raw bytes */
};
/* While held, of a kernel of Python. 0: it has answered; -ESHUTDOWN (BLAME_CALLER): it ended meanwhile, also because it
 * did not answer. */
int context_wish(struct context *c, enum kernel_wish wish, uint64_t checkpoint, struct context_answer *ret,
                 struct error *err);
