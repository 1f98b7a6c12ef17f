#include "front/mcp_message.h"

#include <stdarg.h>
#include <stdio.h>

#include "audit/hmac.h"

#define METHOD_MAX 128u
#define ID_MAX     256u /* bytes as JSON; the protocol has no limit */
#define HEADER_MAX 512u
#define TOOL_MAX   256u

const char *const mcp_legacy_versions[] = { MCP_LEGACY, "2025-06-18", "2025-03-26", "2024-11-05", NULL };

int mcp_fault_set(struct mcp_fault *f, int code, unsigned status, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    f->code = code;
    f->status = status;
    (void)vsnprintf(f->text, sizeof f->text, fmt, args);
    va_end(args);
    return code;
}

/* --- JSON-RPC ------------------------------------------------------------------------------------------------ */

/* A text or a whole number, as JSON: what is echoed has to be what came. False: it is neither, or too long. */
static bool read_token(struct body *b, const char *name, struct arena *a, const char **ret)
{
    const enum body_kind kind = body_kind(b, name);
    struct buf text;
    if (kind == BODY_ABSENT)
        return true;
    if (kind != BODY_TEXT && kind != BODY_INTEGER)
        return false;
    buf_init(&text, ID_MAX);
    body_json(b, name, &text);
    const bool is_whole = !text.failed;
    if (is_whole)
        *ret = arena_copy_bytes(a, text.data, text.size);
    buf_done(&text);
    return is_whole;
}

static int read_envelope(struct mcp_message *m, struct arena *a, struct mcp_fault *f)
{
    struct body *b = m->root;
    const enum body_kind method = body_kind(b, "method"), params = body_kind(b, "params");
    if (!read_token(b, "id", a, &m->id))
        return mcp_fault_set(f, MCP_INVALID_REQUEST, 400, "id: expected is a text or a whole number, at most %u bytes",
                             ID_MAX);
    const char *version = body_kind(b, "jsonrpc") == BODY_TEXT ? body_text(b, "jsonrpc", 8) : NULL;
    if (!version || !str_eq(version, "2.0"))
        return mcp_fault_set(f, MCP_INVALID_REQUEST, 400, "jsonrpc: expected is \"2.0\"");
    if (method == BODY_ABSENT && m->id && (body_has(b, "result") || body_has(b, "error"))) {
        m->kind = MCP_RESPONSE;
        return 0;
    }
    m->method = method == BODY_TEXT ? body_text(b, "method", METHOD_MAX) : NULL;
    if (!m->method)
        return mcp_fault_set(f, MCP_INVALID_REQUEST, 400, "method: expected is a text of at most %u bytes", METHOD_MAX);
    m->kind = m->id ? MCP_REQUEST : MCP_NOTIFICATION;
    if (params != BODY_ABSENT && params != BODY_OBJECT)
        return mcp_fault_set(f, MCP_INVALID_PARAMS, 400, "params: expected is an object");
    m->params = params == BODY_OBJECT ? body_object(b, "params") : NULL;
    return 0;
}

static int read_meta(struct mcp_message *m, struct arena *a, struct mcp_fault *f)
{
    const enum body_kind kind = m->params ? body_kind(m->params, "_meta") : BODY_ABSENT;
    if (kind != BODY_ABSENT && kind != BODY_OBJECT)
        return mcp_fault_set(f, MCP_INVALID_PARAMS, 400, "_meta: expected is an object");
    if (kind == BODY_ABSENT)
        return 0;
    m->meta = body_object(m->params, "_meta");
    if (!m->meta || !read_token(m->meta, "progressToken", a, &m->progress))
        return mcp_fault_set(f, MCP_INVALID_PARAMS, 400,
                             "_meta.progressToken: expected is a text or a whole number, at most %u bytes", ID_MAX);
    if (body_kind(m->meta, "traceparent") == BODY_TEXT)
        m->trace = body_text(m->meta, "traceparent", HEADER_MAX);
    return 0;
}

/* --- 2026-07-28: what is in the head has to be what is in the body -------------------------------------------- */

/* The value without its blanks; «=?base64?…?=» is what a header cannot say. NULL: malformed. */
static const char *header_value(const char *text, struct arena *a)
{
    static const char begin[] = "=?base64?", end[] = "?=";
    text += strspn(text, " \t");
    size_t n = strlen(text), size = 0;
    while (n && strchr(" \t", text[n - 1]))
        n--;
    const char *value = n <= HEADER_MAX ? arena_copy_bytes(a, text, n) : NULL;
    if (!value || n < sizeof begin + sizeof end - 2 || !str_starts(value, begin) || !str_eq(value + n - 2, end))
        return value;
    char *bytes = arena_zero(a, n);
    if (!bytes || base64_read(value + sizeof begin - 1, n - (sizeof begin + sizeof end - 2), bytes, &size) < 0)
        return NULL;
    bytes[size] = '\0';
    return bytes;
}

static int check_header(const struct http_request *q, const char *name, const char *expected, struct mcp_fault *f)
{
    const char *text = http_header(q, name), *value = text ? header_value(text, q->arena) : NULL;
    if (value && str_eq(value, expected))
        return 0;
    return mcp_fault_set(f, MCP_HEADER_MISMATCH, 400, "%s: %s", name,
                         !text    ? "the header is missing"
                         : !value ? "the header is malformed"
                                  : "the header says otherwise than the message");
}

static int check_modern(const struct http_request *q, struct mcp_message *m, struct mcp_fault *f)
{
    static const char version_name[] = MCP_META "protocolVersion", able_name[] = MCP_META "clientCapabilities";
    const char *version = m->meta && body_kind(m->meta, version_name) == BODY_TEXT
                              ? body_text(m->meta, version_name, 64)
                              : NULL;
    if (!version || body_kind(m->meta, able_name) != BODY_OBJECT)
        return mcp_fault_set(f, MCP_INVALID_PARAMS, 400, "_meta: expected are %s (a text) and %s (an object)",
                             version_name, able_name);
    int e = check_header(q, "MCP-Protocol-Version", version, f);
    if (e == 0 && !str_eq(version, MCP_MODERN)) {
        f->requested = version;
        e = mcp_fault_set(f, MCP_UNKNOWN_VERSION, 400,
                          "this version of the protocol is not known; without sessions it is " MCP_MODERN);
    }
    if (e == 0)
        e = check_header(q, "Mcp-Method", m->method, f);
    if (e == 0 && str_eq(m->method, "tools/call")) {
        const char *name = body_kind(m->params, "name") == BODY_TEXT ? body_text(m->params, "name", TOOL_MAX) : NULL;
        e = name ? check_header(q, "Mcp-Name", name, f)
                 : mcp_fault_set(f, MCP_INVALID_PARAMS, 400, "name: expected is a tool's name");
    }
    return e;
}

static bool is_legacy(const char *version)
{
    for (size_t i = 0; mcp_legacy_versions[i]; i++)
        if (str_eq(version, mcp_legacy_versions[i]))
            return true;
    return false;
}

static int check_era(const struct http_request *q, struct mcp_message *m, struct mcp_fault *f)
{
    const char *header = http_header(q, "MCP-Protocol-Version"),
               *version = header ? header_value(header, q->arena) : NULL;
    if (m->kind == MCP_RESPONSE)
        return 0;
    m->is_modern = (version && str_eq(version, MCP_MODERN)) ||
                   (m->meta && body_has(m->meta, MCP_META "protocolVersion"));
    if (m->is_modern && m->kind == MCP_REQUEST)
        return check_modern(q, m, f);
    if (m->is_modern || !header || (version && is_legacy(version)))
        return 0;
    f->requested = version;
    return mcp_fault_set(f, MCP_UNKNOWN_VERSION, 400, "MCP-Protocol-Version: this version is not known");
}

/* --- the whole ------------------------------------------------------------------------------------------------ */

int mcp_message_read(const struct http_request *q, struct mcp_message *ret, struct mcp_fault *f)
{
    struct error err = { 0 };
    enum body_kind kind;
    *ret = (struct mcp_message){ .kind = MCP_REQUEST };
    *f = (struct mcp_fault){ 0 };
    if (body_parse_kind(q->body, q->body_size, &kind, &ret->root, &err) < 0)
        return err.blame != BLAME_CALLER ? mcp_fault_set(f, MCP_INTERNAL, 503, "%s", err.text)
               : kind != BODY_ABSENT ? mcp_fault_set(f, MCP_INVALID_REQUEST, 400, "%s: one message at a time", err.text)
                                     : mcp_fault_set(f, MCP_PARSE, 400, "%s", err.text);
    int e = read_envelope(ret, q->arena, f);
    if (e == 0)
        e = read_meta(ret, q->arena, f);
    return e == 0 ? check_era(q, ret, f) : e;
}

void mcp_message_done(struct mcp_message *m)
{
    m->root = body_free(m->root);
}
