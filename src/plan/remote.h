/* remote.h - what sandbox-remote is told of another sandboxd. The run itself is a request to its REST API
 * (docs/openapi.yaml), which travels as RUN_FD_CODE.
 */
#pragma once
#include "plan/plan.h"

struct remote {
    const char *address;     /* with its scheme */
    const char *key_file;    /* absolute */
    const char *certificate; /* PEM, absolute; NULL: the system's authorities */
    uint64_t connect_ms;
    uint64_t patience_ms; /* beside the program's own time */
    uint64_t max_output;  /* bytes of each output, at most; what comes beyond ends the run */
};

/* MESSAGE_REMOTE, in place of MESSAGE_RUN; everything else of the protocol is as plan.h says. */
void pack_remote_run(struct buf *b, uint64_t tag, const struct remote *r, const struct job *j);
/* Behind type and tag. Borrow from data. 0 or -EBADMSG. */
int unpack_remote_run(struct unpack *u, struct remote *r, struct job *j);
