/* listener.h - a stream of Server-Sent Events over one execution: from the first event or a later one, until the
 * result.
 *
 * The last event is the result (or an error with it); nothing follows. While nothing happens a comment goes out every
 * LISTENER_QUIET_MS, so that neither side takes the other for dead.
 */
#pragma once
#include "daemon/executions.h"
#include "http/http.h"

#define LISTENER_QUIET_MS 10000u

/* Fills *a. Takes the reference. after: number of the last event that was seen, 0: none. is_owner: whose going away
 * ends the execution. */
void listener_answer(struct execution *e, uint32_t after, bool is_owner, struct http_answer *a, struct arena *arena);
/* What is kept of one that has finished: its stream up to the result, which is kept beside it. status, refusal: as in
 * struct execution_end. */
void listener_record(const struct events *e, const char *id, unsigned status, const struct buf *refusal,
                     struct buf *out);
/* One that is not in memory any more: that, and its result. Where no events are kept, what the result says, as events.
 */
void listener_replay(const struct execution_row *row, uint32_t after, struct http_answer *a, struct arena *arena);
