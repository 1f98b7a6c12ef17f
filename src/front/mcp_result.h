/* mcp_result.h - what a tool says: the answer of our own interface, with what a model can use, and no more of it. */
#pragma once
#include "front/mcp_tools.h"

/* Of a program's output a model gets so much; the whole is with the execution. */
#define MCP_OUTPUT_MAX (256 * KIB)

#define MCP_STRING  "{\"type\":\"string\"}"
#define MCP_BOOLEAN "{\"type\":\"boolean\"}"
#define MCP_OBJECTS "{\"type\":\"array\",\"items\":{\"type\":\"object\"}}"
#define MCP_ERROR                                                                                                      \
    "\"error\":{\"type\":\"object\",\"description\":\"Why it was not done, or ended early; details.remedy is what to " \
    "do\"}"
#define MCP_RUN_SCHEMA                                                                                              \
    "{\"type\":\"object\",\"properties\":{"                                                                         \
    "\"reason\":{\"type\":\"string\",\"description\":\"How it ended: completed (exit code 0), error (another exit " \
    "code), signal, timeout, oom, pids_limit, output_limit, killed, policy_denied, sandbox_error; or the code of "  \
    "error\"},"                                                                                                     \
    "\"exit_code\":{\"type\":\"integer\"},\"signal\":{\"type\":[\"integer\",\"string\"]},\"stdout\":" MCP_STRING    \
    ",\"stderr\":" MCP_STRING ",\"stdout_truncated\":" MCP_BOOLEAN ",\"stderr_truncated\":" MCP_BOOLEAN             \
    ",\"duration_ms\":{\"type\":\"number\"},\"risk_level\":" MCP_STRING ",\"execution_id\":" MCP_STRING             \
    ",\"session_id\":" MCP_STRING ",\"kill_switch\":" MCP_STRING ",\"violations\":" MCP_OBJECTS                     \
    ",\"findings\":" MCP_OBJECTS "," MCP_ERROR "},\"required\":[\"reason\"]}"

void mcp_tell_run(struct body *answer, struct arena *a, struct mcp_result *ret);
/* {"error": …}, of whatever tool. */
void mcp_tell_error(struct body *answer, struct mcp_result *ret);
