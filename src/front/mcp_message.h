/* mcp_message.h - one message of a client, read strictly: JSON-RPC 2.0 with what the Model Context Protocol asks of it.
 *
 * What is wrong with it is a fault with the protocol's own number; what a tool's arguments have to be, the tool says.
 */
#pragma once
#include "daemon/body.h"
#include "http/http.h"

/* https://modelcontextprotocol.io/specification: the one without sessions, and the latest of those with */
#define MCP_MODERN "2026-07-28"
#define MCP_LEGACY "2025-11-25"
extern const char *const mcp_legacy_versions[]; /* newest first; NULL ends */
#define MCP_META "io.modelcontextprotocol/"

enum mcp_code {
    MCP_PARSE = -32700,
    MCP_INVALID_REQUEST = -32600,
    MCP_NO_METHOD = -32601,
    MCP_INVALID_PARAMS = -32602,
    MCP_INTERNAL = -32603,
    MCP_NO_SESSION = -32001,
    MCP_HEADER_MISMATCH = -32020,
    MCP_UNKNOWN_VERSION = -32022,
};
struct mcp_fault {
    int code;        /* 0: none */
    unsigned status; /* of HTTP */
    char text[400];
    const char *requested; /* MCP_UNKNOWN_VERSION; or NULL */
};
int mcp_fault_set(struct mcp_fault *f, int code, unsigned status, const char *fmt, ...) PRINTF_LIKE(4, 5);

enum mcp_kind { MCP_REQUEST, MCP_NOTIFICATION, MCP_RESPONSE };
struct mcp_message {
    enum mcp_kind kind;
    bool is_modern;
    const char *method;                /* NULL: a response */
    const char *id;                    /* JSON of a text or whole number; NULL: none */
    const char *progress;              /* the same, of `_meta.progressToken` */
    const char *trace;                 /* `_meta.traceparent`, or NULL */
    struct body *root, *params, *meta; /* the latter NULL where they are not there */
};
/* 0, or the fault's code; mcp_message_done() in any case. What was read of a faulty message stays: its id is echoed.
 * Texts are the message's or the request's arena's. */
int mcp_message_read(const struct http_request *q, struct mcp_message *ret, struct mcp_fault *f);
void mcp_message_done(struct mcp_message *m);
