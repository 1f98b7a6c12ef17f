/* request.h - what a client asks for, checked; one at a time per connection. */
#pragma once
#include "plan/container.h"

#define CODE_DIR "/code" /* where the code's volume lies in a container */

struct request {
    uint64_t tag;
    struct container container;
    struct shape shape;
    struct job job;
    int fds[RUN_FD_MAX]; /* -1 where the job asks for none */
};

/* Paths are plain, ids are no root's, mounts are of the kinds that an engine can make, files lie in the code's memory.
 */
int request_check(const struct request *q, struct error *err);
