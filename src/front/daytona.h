/* daytona.h - Daytona's interface, for its own clients without a change: DAYTONA_API_URL points them here, with /api
 * (docs/daytona.md).
 *
 * A front, and thin: a sandbox is a session, a command a job of it, a session of its shell a context of bash. Each
 * request becomes one or two of our own interface (inner.h), by the key that the client shows as a bearer token, so
 * keys, roles, agents, trust, scan, limits, records and audit are those of every other client. Its paths, below
 * /api/sandbox and /toolbox, are none of ours.
 *
 * An answer that is no success is one of ours until the end, where it is reworded: {statusCode, message, code, source}.
 */
#pragma once
#include "daemon/service.h"

/* Whether this request, which our own table does not know, is for the front: answered then. service.daytona: the shells
 * that its clients have made (contexts.h). */
bool daytona_answer(struct call *c, struct http_answer *a);
/* A refusal without a handler, such as of a body that is too large: false, it is not of a request for the front. */
bool daytona_refuse(const struct http_request *q, unsigned status, const char *message, struct buf *body);
