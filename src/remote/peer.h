/* peer.h - the client's side: requests come in, outcomes go out. One run at a time; a process for each connection. */
#pragma once
#include "plan/remote.h"

#define CONTROL_FD 3

struct remote_run {
    uint64_t tag;
    struct remote remote;
    struct job job;
    int fds[RUN_FD_MAX]; /* owned; -1 where the job asks for none */
};

/* The last word of a client while its run is under way: why it is to end; REASON_KILLED, too, when the client is gone.
 * REASON_COMPLETED: it has said nothing yet. Does not wait. */
enum run_reason peer_killed(uint64_t tag);
void peer_answer(uint64_t tag, const struct outcome *o);
