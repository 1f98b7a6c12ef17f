/* mcp_ask.h - what each tool asks of our own interface. False: the call's err says why nothing was asked; otherwise the
 * answer is to be read, and freed, by the caller. */
#pragma once
#include "front/mcp_tools.h"

bool mcp_ask_code(struct mcp_call *c, struct http_answer *a);
bool mcp_ask_command(struct mcp_call *c, struct http_answer *a);
bool mcp_ask_start(struct mcp_call *c, struct http_answer *a);
/* By the tool's method and pattern. */
bool mcp_ask_of_session(struct mcp_call *c, struct http_answer *a);
bool mcp_ask_write(struct mcp_call *c, struct http_answer *a);
bool mcp_ask_read(struct mcp_call *c, struct http_answer *a);
bool mcp_ask_list(struct mcp_call *c, struct http_answer *a);
bool mcp_ask_explain(struct mcp_call *c, struct http_answer *a);
/* An argument that is not accepted: err, and false. */
bool mcp_refuse(struct mcp_call *c, const char *name, const char *why, const char *remedy);
/* The sandbox sessions that were begun in this MCP session. */
void mcp_end_sessions(struct call *outer, const char *mcp_session);
