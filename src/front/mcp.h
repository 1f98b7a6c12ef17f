/* mcp.h - the Model Context Protocol: what an agent's client calls «tools» is what the service has as routes.
 *
 * A front, and thin: a message is read (mcp_message.h), its tool becomes one request of our own interface with the
 * caller of the message (mcp_tools.h, routes_inner()), and what that answers becomes the tool's result (mcp_result.h).
 * So keys, roles, agents, trust, scan, limits, records and audit are those of every other client.
 *
 * Two eras of the protocol, told apart by the message: 2026-07-28 says its version in each request's `_meta` and has no
 * sessions; those before begin with `initialize`, from which on the client names an MCP session (mcp_state.h). A call
 * is ended by its client's going away, or by `notifications/cancelled`.
 *
 * `sandbox-agent mcp` (mcp_stdio.c) passes lines of standard input on to a service, and has no tools of its own.
 */
#pragma once
#include "daemon/service.h"

#define MCP_SERVER_NAME "sandbox-agent"

/* The tools that there are, as the member «tools» of tools/list without its braces; for its test, too. */
void mcp_tools_list(struct buf *out);

/* A refusal without a handler, such as of a body that is too large: false, it is not of a request to /mcp. */
bool mcp_refuse_request(const struct http_request *q, unsigned status, const char *message, struct buf *body);
void mcp_post(struct call *c, struct http_answer *a);   /* POST /mcp */
void mcp_delete(struct call *c, struct http_answer *a); /* DELETE /mcp: the end of an MCP session */
