/* batch_api.h - POST /executions:batch: many programs in one request, a line of JSON each, and a line of JSON for each
 * as it ends.
 *
 * Theory of operation. Some threads (BATCH_WORKERS at most) take one line after the other and run it as POST /execute
 * would; the connection's own thread sends what they leave. A worker that is ahead of its client by BATCH_AHEAD answers
 * waits. What is refused only for now (429, 503) is tried again when the refusal says so, and the whole batch waits
 * until then: a limit that one line has met is the next one's, too. A client that leaves ends the programs that run;
 * what was not begun never is.
 */
#pragma once
#include "daemon/service.h"

#define BATCH_MAX_LINES 100000u
#define BATCH_WORKERS   32u
#define BATCH_AHEAD     64u

void batch_run(struct call *c, struct http_answer *a);
