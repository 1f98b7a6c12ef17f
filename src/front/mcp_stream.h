/* mcp_stream.h - a call whose client wants to see it go on: our own stream of events becomes notifications of progress,
 * and its last one the answer. */
#pragma once
#include "front/mcp_tools.h"

/* Takes inner, whose stream is one of a run. The call is one of state's until the stream ends, or its client leaves,
 * which ends the run. */
void mcp_stream_answer(struct mcp *state, struct mcp_call *c, struct http_answer *inner, struct http_answer *a);

/* mcp.c: a whole message with the result, and a newline. */
void mcp_write_result(const struct mcp_message *m, const struct mcp_result *r, struct buf *b);
