/* policy_tool.h - sandbox-policy, started by the service for one answer: it reads YAML, which sandboxd does not. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

struct policy_tool {
    const char *step;         /* of our errors */
    const char *const *words; /* its arguments, from its name on; NULL-terminated */
    int lent_fd;              /* open in it, too, under the same number; -1: none */
    uint32_t patience_ms;     /* until it is told to end ... */
    uint32_t tidy_ms;         /* ... and from then on until it is killed: it may have to remove what it has made */
};

/* Waits for its end. 0: everything that it printed is in `out`; its complaints go where ours go. *ret_exit is its exit
 * status, or 128 and the signal that ended it. Otherwise it could not be started, or took longer, or printed more than
 * `out` takes (-ETIMEDOUT): BLAME_HOST. It is gone in any case. */
int policy_tool_run(const char *libexec, struct arena *a, const struct policy_tool *t, struct buf *out, int *ret_exit,
                    struct error *err);
