/* live.h - what a run uses at this moment, from its events: for lists of what runs. Pure. */
#pragma once
#include "watch/event.h"

struct live_usage {
    uint64_t at_us; /* of the last sample, since the run began; 0: there was none */
    uint64_t cpu_us, memory_bytes;
    uint64_t bytes_out, bytes_in; /* of all its connections so far, as the code sees it */
    uint32_t pids;
};

#define LIVE_CONNECTIONS 64u /* that count while they are open; others count when they are closed */
struct live {
    struct live_usage usage;
    struct {
        uint64_t number, bytes_out, bytes_in; /* number 0: free */
    } open[LIVE_CONNECTIONS];
};

/* True: the event has changed it. */
bool live_add(struct live *l, const struct watch_event *e);
