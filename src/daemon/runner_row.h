/* runner_row.h - what the store keeps of an execution: its row, written when it is accepted or decided, and when it has
 * ended. */
#pragma once
#include "daemon/runner.h"
#include "store/service.h"

/* ACCEPT_OK, ACCEPT_SEEN or ACCEPT_CONFLICT (first: whose Idempotency-Key it is), or negative. level: -1, not decided.
 */
int row_accept(struct runner *r, enum execution_state state, int level, char first[static STORE_ID_MAX + 1],
               struct error *err);
/* The row of a run that has none yet is written with its booking (struct reserve). */
void row_prepare(struct runner *r);
/* Of a shared one, when its turn has come: false where another node has it, or will: the store did not say for half a
 * minute that it is ours. */
bool row_begin(struct runner *r);
/* Whether the request of one that has begun stays in the store: until its end where a lost node's is run once more, and
 * until it has started where this node may not take its level. */
bool row_request_stays(const struct service *v, bool retries);
/* One that was taken needs a level that this node does not take: true where it waits for a node that does. */
bool row_defer(struct runner *r, int level);
/* What the store cannot take does not end the run, and is logged: the audit has it. */
void row_start(struct runner *r, int level);
void row_end(struct runner *r, const struct execution_end *end);
/* The end of an execution, brought to the store, whose lock is not held. releases, is_retried: as in struct
 * late_finish. -EXDEV: another node runs it once more (this one was silent for too long), and tells its end. */
int row_finish(struct service *v, const struct execution_row *row, bool releases, bool is_retried, struct error *err);
