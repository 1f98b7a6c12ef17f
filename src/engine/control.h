/* control.h - one connection to a client: requests in, outcomes out. One run at a time; this process serves one
 * connection.
 *
 * A resident program forks a child for each further connection (MESSAGE_CONNECTION), which takes it as descriptor 3.
 * Children die with the program.
 */
#pragma once
#include "engine/request.h"

#include <poll.h>

#define CONTROL_FD      3
#define SWEEP_FD        4 /* resident: children tell the program which engine to sweep, how often */
#define CONNECTIONS_MAX 1024
/* What a run that is to end still grants an engine: the call under way, since one that answers has named by then what
 * it made; once that was in vain, all that is left to do; and cleaning up where nothing was in vain. */
#define CALL_GRACE_MS    2000u
#define CLEANUP_GRACE_MS 8000u

struct sweep_wish {
    char socket[108];
    uint64_t answer_ms, every_ms;
    bool sweeps;
};

struct control {
    bool is_owner, is_for_one_run;
    bool is_leaving;        /* the client is gone, or we are to end */
    int signals;            /* signalfd: SIGTERM, and SIGCHLD */
    int sweep_in;           /* resident program: the other end of SWEEP_FD; -1 */
    struct sweep_wish wish; /* the last one */
    uint64_t sweep_us;      /* when the next sweep is due; UINT64_MAX: never */
    unsigned connection_count;
    pid_t connections[CONNECTIONS_MAX];
    struct strlist left;                      /* «containers/ID», «volumes/NAME»: what could not be removed */
    uint32_t call_grace_ms, cleanup_grace_ms; /* 0: CALL_GRACE_MS, CLEANUP_GRACE_MS */
    const char *entry;                        /* borrows; NULL: sandbox-entry beside this program */
    bool has_left;       /* something of a run may still be there, or be made when the engine comes to it */
    char *message;       /* the last request: borrowed from while it runs */
    bool has_run;        /* a request is being served */
    bool is_engine_away; /* in the last run: no process would be there to sweep, and the command line waits for our end
                          */
    uint64_t tag;        /* its */
    enum run_reason killed; /* REASON_COMPLETED: not */
};

int peer_open(struct control *c);
/* Until the client is gone, and everything it made. */
void peer_serve(struct control *c);
/* During a run: for poll(2), and what to do afterwards. */
#define CONTROL_POLLS 2
void peer_polls(const struct control *c, struct pollfd out[static CONTROL_POLLS]);
void peer_on_polls(struct control *c, const struct pollfd polled[static CONTROL_POLLS]);
void peer_look(struct control *c);            /* without waiting */
bool peer_wants_end(const struct control *c); /* of the run that is served */
void peer_answer(struct control *c, uint64_t tag, const struct outcome *o);
/* After the answer to a run that left something. A connection ends: only a dead owner's things are swept. */
void peer_retire(struct control *c);
