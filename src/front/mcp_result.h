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

#define MCP_SESSION_SCHEMA                                                                          \
    "{\"type\":\"object\",\"properties\":{\"session_id\":" MCP_STRING ",\"risk_level\":" MCP_STRING \
    ",\"state\":" MCP_STRING ",\"expires_at\":" MCP_STRING ",\"reason\":" MCP_STRING "," MCP_ERROR "}}"
#define MCP_CHECKPOINT_SCHEMA                                                                          \
    "{\"type\":\"object\",\"properties\":{\"checkpoint_id\":" MCP_STRING ",\"session_id\":" MCP_STRING \
    ",\"kept\":{\"type\":\"integer\"},\"dropped\":{\"type\":\"array\",\"items\":" MCP_STRING           \
    "},\"reason\":" MCP_STRING "," MCP_ERROR "}}"
#define MCP_FILE_SCHEMA                                                                          \
    "{\"type\":\"object\",\"properties\":{\"path\":" MCP_STRING                                  \
    ",\"size\":{\"type\":\"integer\"},\"content\":" MCP_STRING ",\"content_base64\":" MCP_STRING \
    ",\"mime_type\":" MCP_STRING ",\"truncated\":" MCP_BOOLEAN ",\"reason\":" MCP_STRING "," MCP_ERROR "}}"
#define MCP_LIST_SCHEMA                                                                           \
    "{\"type\":\"object\",\"properties\":{\"entries\":" MCP_OBJECTS ",\"truncated\":" MCP_BOOLEAN \
    ",\"reason\":" MCP_STRING "," MCP_ERROR "}}"
#define MCP_EXPLAIN_SCHEMA                                                                                \
    "{\"type\":\"object\",\"properties\":{\"execution_id\":" MCP_STRING ",\"reason\":" MCP_STRING         \
    ",\"risk_level\":" MCP_STRING ",\"language\":" MCP_STRING ",\"kill_switch\":" MCP_STRING              \
    ",\"reasons\":{\"type\":\"array\",\"items\":" MCP_STRING                                              \
    ",\"description\":\"Why this level\"},\"violations\":" MCP_OBJECTS ",\"findings\":" MCP_OBJECTS       \
    ",\"trust\":{\"type\":\"object\"},\"allowed\":{\"type\":\"object\",\"description\":\"What the level " \
    "permits\"}," MCP_ERROR "}}"

#define MCP_FILE_MAX (4 * MIB) /* of a file that is read: a picture; of text MCP_OUTPUT_MAX */

void mcp_tell_members(struct body *answer, const char *const *names, struct mcp_result *ret);
void mcp_tell_written(struct body *answer, struct mcp_result *ret);
/* A file's first bytes, as text or as what they are; a picture is an item of content, too. */
void mcp_tell_file(const char *data, size_t size, struct mcp_result *ret);
void mcp_tell_run(struct body *answer, struct mcp_result *ret);
/* {"error": …}, of whatever tool. */
void mcp_tell_error(struct body *answer, struct mcp_result *ret);
