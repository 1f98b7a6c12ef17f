/* progress.h - a line for a person who waits: «sandbox-agent: compiling go: 3 s», on standard error, where that is a
 * terminal. Nothing within the first second, and nothing is left of it.
 *
 * One thread at a time. `what` is ours, without controls; borrowed.
 */
#pragma once
#include "base/base.h"

struct progress {
    const char *what;
    uint64_t begin_ms, next_ms; /* CLOCK_MONOTONIC; next_ms 0: there is no terminal */
    int shown;                  /* columns of the line that is there */
};

void progress_begin(struct progress *p, const char *what);
/* To be called now and then; -> in how many ms again; 0: never. */
uint32_t progress_look(struct progress *p);
/* Takes the line away. Also twice. */
void progress_end(struct progress *p);
