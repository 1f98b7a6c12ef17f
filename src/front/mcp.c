#include "front/mcp.h"

#include "base/json.h"
#include "daemon/executions.h"
#include "daemon/routes.h"
#include "front/inner.h"
#include "front/mcp_message.h"
#include "front/mcp_ask.h"
#include "front/mcp_result.h"
#include "front/mcp_state.h"
#include "front/mcp_stream.h"
#include "front/mcp_tools.h"

#define SESSION_HEADER "Mcp-Session-Id"
#define ANSWER_MAX     (256 * MIB)
#define LIST_TTL_MS    3600000u

static const char instructions[] =
    "Runs code and commands in sandboxes. run_code and run_command keep nothing without a session; session_start "
    "gives a "
    "sandbox whose files stay. When something is refused, `error` says why, and explain says what would be allowed.";

/* --- writing -------------------------------------------------------------------------------------------------- */

/* «{"jsonrpc":"2.0","id":…,"result":{» */
static void open_result(const struct mcp_message *m, struct buf *b)
{
    (void)buf_addf(b, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{", m->id);
    if (m->is_modern)
        json_key(b, "resultType"), json_put_string(b, "complete");
}

static void close_result(const struct mcp_message *m, struct buf *b)
{
    if (m->is_modern) {
        json_key(b, "_meta"), json_open(b, '{');
        json_key(b, MCP_META "serverInfo"),
            (void)buf_adds(b, "{\"name\":\"" MCP_SERVER_NAME "\",\"version\":\"" VERSION "\"}");
        json_close(b, '}');
    }
    (void)buf_adds(b, "}}\n");
}

static void put_versions(struct buf *b, bool is_modern_only)
{
    json_open(b, '[');
    json_put_string(b, MCP_MODERN);
    for (size_t i = 0; !is_modern_only && mcp_legacy_versions[i]; i++)
        json_put_string(b, mcp_legacy_versions[i]);
    json_close(b, ']');
}

/* «{"jsonrpc":"2.0","id":…,"error":{"code":…,"message":…», without its ends. */
static void put_fault(const struct mcp_message *m, int code, const char *text, struct buf *b)
{
    json_open(b, '{');
    json_key(b, "jsonrpc"), json_put_string(b, "2.0");
    if (m->id)
        json_key(b, "id"), (void)buf_adds(b, m->id);
    json_key(b, "error"), json_open(b, '{');
    json_key(b, "code"), json_int(b, code);
    json_key(b, "message"), json_put_string(b, text);
}

static void answer_fault(const struct mcp_message *m, const struct mcp_fault *f, struct http_answer *a)
{
    struct buf *b = answer_json(a, f->status, 8 * KIB);
    put_fault(m, f->code, f->text, b);
    if (f->code == MCP_UNKNOWN_VERSION) {
        json_key(b, "data"), json_open(b, '{');
        json_key(b, "supported"), put_versions(b, m->is_modern);
        json_key(b, "requested"), json_put_string(b, f->requested ? f->requested : "");
        json_close(b, '}');
    }
    json_close(b, '}');
    json_close(b, '}');
    (void)buf_addc(b, '\n');
}

static void fail(const struct mcp_message *m, int code, const char *text, struct http_answer *a)
{
    struct mcp_fault f;
    (void)mcp_fault_set(&f, code, m->is_modern && code == MCP_NO_METHOD ? 404 : 200, "%s", text);
    answer_fault(m, &f, a);
}

void mcp_write_result(const struct mcp_message *m, const struct mcp_result *r, struct buf *b)
{
    open_result(m, b);
    json_key(b, "content"), json_open(b, '[');
    (void)buf_add(b, r->content.data, r->content.size);
    (void)buf_adds(b, "{\"type\":\"text\",\"text\":\"");
    json_escape(b, r->structured.data, r->structured.size);
    (void)buf_adds(b, "\"}]");
    json_key(b, "structuredContent"), (void)buf_add(b, r->structured.data, r->structured.size);
    json_key(b, "isError"), json_bool(b, r->is_error);
    close_result(m, b);
    b->failed |= r->structured.failed || r->content.failed;
}

/* --- methods -------------------------------------------------------------------------------------------------- */

struct conversation { /* a message, and whose */
    struct call *call;
    struct mcp_message message;
    const char *session; /* "": none */
};

static void initialize(struct conversation *v, struct http_answer *a)
{
    const struct mcp_message *m = &v->message;
    char id[MCP_SESSION_ID_SIZE];
    const char *version = m->params && body_kind(m->params, "protocolVersion") == BODY_TEXT
                              ? body_text(m->params, "protocolVersion", 64)
                              : NULL,
               *agreed = MCP_LEGACY;
    if (!version) {
        fail(m, MCP_INVALID_PARAMS, "protocolVersion: expected is a text", a);
        return;
    }
    for (size_t i = 0; mcp_legacy_versions[i]; i++)
        if (str_eq(version, mcp_legacy_versions[i]))
            agreed = mcp_legacy_versions[i];
    if (!mcp_session_begin(v->call->service->mcp, v->call->caller->key_id, id)) {
        fail(m, MCP_INTERNAL, "no memory", a);
        return;
    }
    struct buf *b = answer_json(a, 200, 8 * KIB);
    open_result(m, b);
    json_key(b, "protocolVersion"), json_put_string(b, agreed);
    json_key(b, "capabilities"), (void)buf_adds(b, "{\"tools\":{}}");
    json_key(b, "serverInfo"), (void)buf_adds(b, "{\"name\":\"" MCP_SERVER_NAME
                                                 "\",\"title\":\"Sandbox for agents\",\"version\":\"" VERSION "\"}");
    json_key(b, "instructions"), json_put_string(b, instructions);
    close_result(m, b);
    http_answer_header(a, SESSION_HEADER, arena_copy(v->call->arena, id));
}

static void put_caching(struct buf *b)
{
    json_key(b, "ttlMs"), json_uint(b, LIST_TTL_MS);
    json_key(b, "cacheScope"), json_put_string(b, "public");
}

static void discover(struct conversation *v, struct http_answer *a)
{
    struct buf *b = answer_json(a, 200, 8 * KIB);
    open_result(&v->message, b);
    json_key(b, "supportedVersions"), put_versions(b, false);
    json_key(b, "capabilities"), (void)buf_adds(b, "{\"tools\":{}}");
    json_key(b, "instructions"), json_put_string(b, instructions);
    put_caching(b);
    close_result(&v->message, b);
}

static void ping(struct conversation *v, struct http_answer *a)
{
    struct buf *b = answer_json(a, 200, KIB);
    open_result(&v->message, b);
    close_result(&v->message, b);
}

static void list_tools(struct conversation *v, struct http_answer *a)
{
    struct buf *b = answer_json(a, 200, 256 * KIB);
    open_result(&v->message, b);
    mcp_tools_list(b);
    if (v->message.is_modern)
        put_caching(b);
    close_result(&v->message, b);
}

static bool accepts_events(const struct http_request *q)
{
    const char *accept = http_header(q, "Accept");
    return accept && strstr(accept, "text/event-stream");
}

static void answer_result(struct conversation *v, const struct mcp_result *r, struct http_answer *a)
{
    mcp_write_result(&v->message, r, answer_json(a, 200, ANSWER_MAX));
}

/* The answer of our own interface, whole: the tool's result. */
static void tell(struct conversation *v, struct mcp_call *t, struct http_answer *inner, struct http_answer *a)
{
    struct mcp_result r;
    struct buf text;
    bool is_cut = false;
    const unsigned status = inner->status;
    mcp_result_init(&r);
    buf_init(&text, t->tool->is_raw ? MCP_FILE_MAX : ANSWER_MAX);
    if (inner_read(inner, &text, &is_cut) && (!is_cut || t->tool->is_raw)) {
        mcp_tool_tell(t->tool, status, text.data, text.size, &r);
    } else {
        struct error err;
        (void)err_set(&err, -EPIPE, BLAME_HOST, NULL, "the answer was broken off");
        mcp_tool_refuse(&err, &r);
    }
    buf_done(&text);
    answer_result(v, &r, a);
    mcp_result_done(&r);
}

static void perform(struct conversation *v, struct mcp_call *t, struct http_answer *a)
{
    struct http_answer inner = { 0 };
    struct mcp *state = v->call->service->mcp;
    mcp_running_add(state, &t->running);
    const bool is_asked = mcp_tool_ask(t, &inner);
    if (!is_asked) {
        struct mcp_result r;
        mcp_result_init(&r);
        mcp_tool_refuse(&t->err, &r);
        answer_result(v, &r, a);
        mcp_result_done(&r);
    } else if (t->wants_events && inner.stream && inner.content_type &&
               str_eq(inner.content_type, "text/event-stream")) {
        mcp_stream_answer(state, t, &inner, a);
        return; /* the call runs as long as its stream */
    } else {
        tell(v, t, &inner, a);
    }
    mcp_running_remove(state, &t->running);
}

static void call_tool(struct conversation *v, struct http_answer *a)
{
    const struct mcp_message *m = &v->message;
    const char *name = m->params && body_kind(m->params, "name") == BODY_TEXT ? body_text(m->params, "name", 256)
                                                                              : NULL;
    const struct mcp_tool *tool = name ? mcp_tool_find(name) : NULL;
    struct mcp_call *t = arena_zero(v->call->arena, sizeof *t); /* a stream outlives this function */
    const enum body_kind kind = tool ? body_kind(m->params, "arguments") : BODY_ABSENT;
    struct body *none = NULL;
    struct error err = { 0 };
    if (!tool || (kind != BODY_ABSENT && kind != BODY_OBJECT)) {
        fail(m, MCP_INVALID_PARAMS,
             !name   ? "name: expected is a tool's name"
             : !tool ? "name: there is no such tool; tools/list has them"
                     : "arguments: expected is an object",
             a);
        return;
    }
    if (!t || (kind == BODY_ABSENT && body_parse("{}", 2, false, &none, &err) < 0)) {
        fail(m, MCP_INTERNAL, "no memory", a);
        return;
    }
    *t = (struct mcp_call){ .outer = v->call,
                            .message = m,
                            .mcp_session = v->session,
                            .tool = tool,
                            /* a model knows its arguments, and no message around them */
                            .arguments = none ? none : body_object_alone(m->params, "arguments"),
                            .wants_events = m->progress && tool->runs && accepts_events(v->call->request),
                            .running = { .key_id = v->call->caller->key_id, .session_id = v->session, .id = m->id } };
    perform(v, t, a);
    (void)body_free(none);
}

static const struct method {
    const char *name;
    bool is_modern, is_legacy;
    void (*handle)(struct conversation *v, struct http_answer *a);
} methods[] = { { "tools/call", true, true, call_tool },
                { "tools/list", true, true, list_tools },
                { "server/discover", true, false, discover },
                { "initialize", false, true, initialize },
                { "ping", false, true, ping } };

static void request(struct conversation *v, struct http_answer *a)
{
    for (size_t i = 0; i < ARRAY_LEN(methods); i++)
        if (str_eq(methods[i].name, v->message.method) &&
            (v->message.is_modern ? methods[i].is_modern : methods[i].is_legacy)) {
            methods[i].handle(v, a);
            return;
        }
    fail(&v->message, MCP_NO_METHOD, "there is no such method", a);
}

/* Its call, if it still runs, ends as one that is deleted; the answer goes to the call itself. Without a session it
 * could be another client's: such a client closes its connection. */
static void notification(struct conversation *v)
{
    const struct mcp_message *m = &v->message;
    char execution_id[48];
    struct buf id;
    if (!str_eq(m->method, "notifications/cancelled") || !m->params || !v->session[0])
        return;
    buf_init(&id, KIB);
    body_json(m->params, "requestId", &id);
    const struct mcp_running which = { .key_id = v->call->caller->key_id,
                                       .session_id = v->session,
                                       .id = id.size && !id.failed ? id.data : "" };
    if (mcp_running_cancel(v->call->service->mcp, &which, execution_id)) {
        struct execution *e = executions_find(v->call->service->executions, execution_id);
        if (e)
            (void)execution_stop(e);
        (void)execution_unref(e);
    }
    buf_done(&id);
}

/* --- the two routes ------------------------------------------------------------------------------------------- */

static bool is_enabled(struct call *c, struct http_answer *a)
{
    struct policy_set *policies = service_policies(c->service);
    const bool is_on = policies->level[0].config.endpoints.mcp.enabled;
    (void)policy_set_unref(policies);
    if (!is_on)
        answer_fail(a, c->arena, ANSWER_NOT_FOUND, "endpoints.mcp.enabled is false");
    return is_on;
}

bool mcp_refuse_request(const struct http_request *q, unsigned status, const char *message, struct buf *body)
{
    if (!str_eq(q->path, "/mcp"))
        return false;
    put_fault(&(struct mcp_message){ 0 }, status < 500 ? MCP_INVALID_REQUEST : MCP_INTERNAL, message, body);
    json_close(body, '}');
    json_close(body, '}');
    return true;
}

/* An MCP session that the client names has to be one. */
static bool check_session(struct conversation *v, struct http_answer *a)
{
    const char *id = http_header(v->call->request, SESSION_HEADER);
    struct mcp_fault f;
    if (!id || v->message.is_modern || (v->message.method && str_eq(v->message.method, "initialize")))
        return true;
    if (mcp_session_is(v->call->service->mcp, v->call->caller->key_id, id)) {
        v->session = arena_copy(v->call->arena, id);
        return true;
    }
    (void)mcp_fault_set(&f, MCP_NO_SESSION, 404,
                        "there is no such MCP session, or not any more: initialize begins another one");
    answer_fault(&v->message, &f, a);
    return false;
}

void mcp_post(struct call *c, struct http_answer *a)
{
    struct conversation v = { .call = c, .session = "" };
    struct mcp_fault f;
    if (!is_enabled(c, a))
        return;
    if (mcp_message_read(c->request, &v.message, &f) != 0) {
        answer_fault(&v.message, &f, a);
    } else if (check_session(&v, a)) {
        if (v.message.kind == MCP_REQUEST) {
            request(&v, a);
        } else {
            if (v.message.kind == MCP_NOTIFICATION)
                notification(&v);
            a->status = 202;
            buf_init(&a->body, 1);
        }
    }
    mcp_message_done(&v.message);
}

void mcp_delete(struct call *c, struct http_answer *a)
{
    const char *id = http_header(c->request, SESSION_HEADER);
    if (!is_enabled(c, a))
        return;
    if (!id)
        answer_fail(a, c->arena, ANSWER_INVALID_REQUEST, SESSION_HEADER " is missing: which MCP session is to end");
    else if (!mcp_session_end(c->service->mcp, c->caller->key_id, id))
        answer_fail(a, c->arena, ANSWER_NOT_FOUND, "there is no such MCP session");
    else
        mcp_end_sessions(c, id), a->status = 204, buf_init(&a->body, 1);
}
