/* e2b.h - E2B's interface, for its own clients without a change: they are pointed at this service by E2B_API_URL and
 * E2B_SANDBOX_URL (docs/e2b.md).
 *
 * A front, and thin: a sandbox is a session, a command a process, runCode a cell of a context. Each request becomes one
 * or two of our own interface (inner.h), by the key that the client shows, so keys, roles, agents, trust, scan, limits,
 * records and audit are those of every other client. The routes are E2B's, and stand in a table of their own: what our
 * table knows goes there, but for requests that name a sandbox in E2b-Sandbox-Id.
 *
 * The control plane shows a key of ours in X-API-KEY (e2b_wire.h). Inside a sandbox its own token counts, which only
 * this front takes: the session's id with a MAC of it, under a secret that lasts as long as the service, as sessions
 * do. A request with this token has the rights of the session's key, in that session. A signed URL (e2b_wire.h) stands
 * for it at /files.
 *
 * An answer that is no success is one of ours until the end, where it is reworded: {code, message}; for Connect with
 * its own codes; in a stream as the envelope that ends it.
 */
#pragma once
#include "daemon/service.h"

struct e2b;
struct e2b *e2b_new(void);           /* NULL: no memory, or no random numbers */
struct e2b *e2b_free(struct e2b *e); /* no request may be under way; accepts NULL, returns NULL */

/* Whether this request is for the front: answered then. has_route: our own table knows it. */
bool e2b_answer(struct call *c, bool has_route, struct http_answer *a);
/* A refusal without a handler, such as of a body that is too large: false, it is not of a request for the front. */
bool e2b_refuse(const struct http_request *q, unsigned status, const char *message, struct buf *body);
/* Whether its body may come: as auth_check() for keys. */
bool e2b_admits(struct service *v, struct http_request *q);
