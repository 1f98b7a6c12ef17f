/* checkpoints.h - what a context and its session's workspace were, to go back to (docs/sessions.md, «Undo»).
 *
 * A checkpoint has two halves of the same number: a twin of the kernel, which stands still (guards/kernel_python.py),
 * and a record of the workspace (files/checkpoint.h). Both are inside the sandbox, and count there. While one is made
 * or gone back to, the context is held: no cell runs.
 */
#pragma once
#include "daemon/contexts.h"
#include "daemon/sessions.h"

struct checkpoint {
    uint64_t number;
    uint64_t dropped[STEWARD_CHECKPOINTS_MAX]; /* those that it cost: the oldest; of an undo: what came after it */
    unsigned dropped_count, kept;
    uint64_t entries, copied_bytes; /* of the workspace; not of an undo */
    char damaged[64];               /* «checkpoint 3», whose record inside cannot be read any more; or "" */
};

/* 0, or an error: -EOPNOTSUPP (BLAME_CALLER): this context has none; -EBUSY, -ESHUTDOWN (BLAME_CALLER): as
 * context_hold(); -EDEADLK (BLAME_GUEST): threads run in the kernel; -EFBIG (BLAME_POLICY): there is no memory for it,
 * also when all others went; -EAGAIN (BLAME_POLICY): others have all places of the session, or too many requests for
 * files are under way. After an error there is no such checkpoint. */
int checkpoint_make(struct session_entry *s, struct context_entry *e, struct checkpoint *ret, struct error *err);
/* number 0: the last one. -ENOENT (BLAME_CALLER): there is none, or its twin has ended. Another error behind that of
 * the kernel says what of the workspace is not what it was: to ask again helps where its reason has gone. */
int checkpoint_undo(struct session_entry *s, struct context_entry *e, uint64_t number, struct checkpoint *ret,
                    struct error *err);
/* The same of the workspace alone, without a context: for what commands do. -EBUSY (BLAME_CALLER): another request has
 * it. */
int checkpoint_make_workspace(struct session_entry *s, struct checkpoint *ret, struct error *err);
int checkpoint_undo_workspace(struct session_entry *s, uint64_t number, struct checkpoint *ret, struct error *err);
/* The kernel has ended, and its twins with it. */
void checkpoints_end(struct session_entry *s, struct context_entry *e);
