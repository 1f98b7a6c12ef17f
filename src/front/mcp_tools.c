#include "front/mcp_tools.h"

#include "daemon/executions.h"
#include "daemon/routes.h"
#include "front/mcp.h"
#include "front/mcp_result.h"

#define REQUEST_MAX  (80 * MIB) /* a body of endpoints.api.max_body, written anew */
#define ANSWER_MAX   (256 * MIB)
#define AGENT_HEADER "Sandbox-Agent-Id"
#define AGENT_META   "sandbox-agent/agent_id"

/* --- arguments ------------------------------------------------------------------------------------------------ */

struct argument {
    const char *name, *to; /* the member of the request that it becomes; NULL: see the tool */
    bool is_required;
    const char *schema;
};
#define TEXT(words)   "{\"type\":\"string\",\"description\":\"" words "\"}"
#define NUMBER(words) "{\"type\":\"number\",\"exclusiveMinimum\":0,\"description\":\"" words "\"}"
#define LEVEL                                                                                                         \
    "{\"type\":\"string\",\"enum\":[\"low\",\"medium\",\"high\"],\"description\":\"How strict the sandbox is (high: " \
    "the strictest). Left out: what this agent's record permits\"}"
#define SESSION(words) TEXT("The session, from session_start" words)
#define ENV \
    "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"},\"description\":\"Environment variables\"}"
#define TIMEOUT NUMBER("Seconds until the program is killed; at most the level's")
#define STDIN   TEXT("What the program reads from standard input")
#define LAST                    \
    {                           \
        NULL, NULL, false, NULL \
    }

static const struct argument code_arguments[] = {
    { "language", "language", true,
      "{\"type\":\"string\",\"enum\":[\"python\",\"node\",\"bash\",\"go\",\"rust\"],\"description\":\"The language of "
      "the code\"}" },
    { "code", "code", true, TEXT("The whole program") },
    { "stdin", "stdin", false, STDIN },
    { "args", "args", false,
      "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"Arguments of the program\"}" },
    { "env", "env", false, ENV },
    { "timeout", NULL, false, TIMEOUT },
    { "session_id", NULL, false, SESSION(", where files of before are needed. Not for go and rust") },
    { "risk_level", NULL, false, LEVEL },
    LAST
};

static const struct argument command_arguments[] = {
    { "command", NULL, true, TEXT("A line for bash") },
    { "stdin", "stdin", false, STDIN },
    { "env", "env", false, ENV },
    { "cwd", NULL, false, TEXT("The directory to start in; in a session only") },
    { "timeout", NULL, false, TIMEOUT },
    { "session_id", NULL, false, SESSION(", where files of before are needed") },
    { "risk_level", NULL, false, LEVEL },
    LAST
};

/* --- asking --------------------------------------------------------------------------------------------------- */

static bool refuse(struct mcp_call *c, const char *name, const char *why, const char *remedy)
{
    (void)err_set(&c->err, -EINVAL, BLAME_CALLER, NULL, "%s: %s", name, why);
    err_field(&c->err, name);
    if (remedy)
        (void)err_remedy(&c->err, "%s", remedy);
    return false;
}

static void on_begun(void *context, const char *execution_id)
{
    struct mcp_call *c = context;
    if (!mcp_running_begun(c->outer->service->mcp, &c->running, execution_id))
        return;
    struct execution *e = executions_find(c->outer->service->executions, execution_id);
    if (e)
        (void)execution_stop(e);
    (void)execution_unref(e);
}

/* The request is the client's with another body; it is gone when its connection is. */
static void ask(struct mcp_call *c, const char *method, const char *pattern, const char *parts[static 2],
                struct buf *body, struct http_answer *a)
{
    const char *trace = c->message->trace ? c->message->trace : http_header(c->outer->request, "traceparent");
    c->inner.begun = on_begun;
    c->inner.context = c;
    if (trace)
        c->inner.headers[0] = (struct http_pair){ "traceparent", trace };
    c->request = *c->outer->request;
    c->request.method = method;
    c->request.path = pattern;
    c->request.body = body && body->size ? body->data : "";
    c->request.body_size = body ? body->size : 0;
    c->request.inner = &c->inner;
    struct call inner = { .service = c->outer->service,
                          .request = &c->request,
                          .caller = c->outer->caller,
                          .parts = { parts[0], parts[1] },
                          .arena = c->outer->arena };
    routes_inner(&inner, method, pattern, a);
}

static const char *text_argument(struct mcp_call *c, const char *name)
{
    return body_text(c->arguments, name, 4096);
}

static void put_as(struct mcp_call *c, const char *name, const char *to, struct buf *out)
{
    if (!body_has(c->arguments, name))
        return;
    json_key(out, to);
    body_json(c->arguments, name, out);
}

static void put_arguments(struct mcp_call *c, const struct argument *list, struct buf *out)
{
    for (const struct argument *g = list; g->name; g++)
        if (g->to)
            put_as(c, g->name, g->to, out);
}

/* What the operator, or the client's own configuration, says that this agent is; else the key's rules hold. */
static void put_agent(struct mcp_call *c, struct buf *out)
{
    const struct strlist *own = &c->outer->caller->agents;
    const char *id = http_header(c->outer->request, AGENT_HEADER);
    if (c->message->meta && body_kind(c->message->meta, AGENT_META) == BODY_TEXT)
        id = body_text(c->message->meta, AGENT_META, 4096);
    if (!id && own->count == 1)
        id = own->data;
    if (id)
        json_key(out, "agent_id"), json_put_string(out, id);
}

/* A run of its own, or a job where there is a session. */
static bool ask_run(struct mcp_call *c, const struct argument *list, const char *as_command, struct http_answer *a)
{
    const char *session = text_argument(c, "session_id"), *parts[2] = { session };
    struct buf b;
    if (session && body_has(c->arguments, "risk_level"))
        return refuse(c, "risk_level", "is the session's own", "leave it out, or session_id");
    if (!session && body_has(c->arguments, "cwd"))
        return refuse(c, "cwd", "is for sessions", "leave it out, or begin a session with session_start");
    buf_init(&b, REQUEST_MAX);
    json_open(&b, '{');
    put_arguments(c, list, &b);
    if (as_command && session)
        put_as(c, as_command, "command", &b), put_as(c, "cwd", "cwd", &b);
    else if (as_command)
        json_key(&b, "language"), json_put_string(&b, "bash"), put_as(c, as_command, "code", &b);
    if (session) {
        put_as(c, "timeout", "timeout", &b);
    } else {
        json_key(&b, "limits"), json_open(&b, '{'), put_as(c, "timeout", "timeout", &b), json_close(&b, '}');
        put_as(c, "risk_level", "risk_level", &b);
        put_agent(c, &b);
    }
    json_key(&b, "stream"), json_bool(&b, c->wants_events);
    json_close(&b, '}');
    if (!b.failed)
        ask(c, "POST", session ? "/sessions/{session_id}/execute" : "/execute", parts, &b, a);
    const bool is_asked = !b.failed || refuse(c, "arguments", "are too large together", NULL);
    buf_done(&b);
    return is_asked;
}

static bool ask_code(struct mcp_call *c, struct http_answer *a)
{
    return ask_run(c, code_arguments, NULL, a);
}

static bool ask_command(struct mcp_call *c, struct http_answer *a)
{
    return ask_run(c, command_arguments, "command", a);
}

/* --- the table ------------------------------------------------------------------------------------------------ */

struct mcp_tool {
    const char *name, *title, *description;
    const struct argument *arguments;
    const char *output; /* schema of structuredContent */
    bool runs, reads_only;
    bool (*ask)(struct mcp_call *c, struct http_answer *a);
    void (*tell)(struct body *answer, struct arena *a, struct mcp_result *ret);
};

static const struct mcp_tool tools[] = {
    { .name = "run_code",
      .title = "Run code in a sandbox",
      .description = "Runs a whole program in an isolated sandbox and returns what it printed. Without session_id "
                     "nothing is kept: each call begins with an empty "
                     "/workspace. Print what you want to see: there is no value of a last expression. If it is "
                     "refused, `error` says why and what to do.",
      .arguments = code_arguments,
      .output = MCP_RUN_SCHEMA,
      .runs = true,
      .ask = ask_code,
      .tell = mcp_tell_run },
    { .name = "run_command",
      .title = "Run a command in a sandbox",
      .description = "Runs one line of bash in an isolated sandbox and returns what it printed. Without session_id "
                     "nothing is kept.",
      .arguments = command_arguments,
      .output = MCP_RUN_SCHEMA,
      .runs = true,
      .ask = ask_command,
      .tell = mcp_tell_run },
};

static void put_schema(const struct argument *list, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "type"), json_put_string(out, "object");
    json_key(out, "properties"), json_open(out, '{');
    for (const struct argument *g = list; g->name; g++)
        json_key(out, g->name), (void)buf_adds(out, g->schema);
    json_close(out, '}');
    json_key(out, "required"), json_open(out, '[');
    for (const struct argument *g = list; g->name; g++)
        if (g->is_required)
            json_put_string(out, g->name);
    json_close(out, ']');
    json_key(out, "additionalProperties"), json_bool(out, false);
    json_close(out, '}');
}

static void put_tool(const struct mcp_tool *t, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "name"), json_put_string(out, t->name);
    json_key(out, "title"), json_put_string(out, t->title);
    json_key(out, "description"), json_put_string(out, t->description);
    json_key(out, "inputSchema"), put_schema(t->arguments, out);
    json_key(out, "outputSchema"), (void)buf_adds(out, t->output);
    json_key(out, "annotations"), json_open(out, '{');
    json_key(out, "readOnlyHint"), json_bool(out, t->reads_only);
    json_key(out, "destructiveHint"), json_bool(out, false);
    json_key(out, "openWorldHint"), json_bool(out, t->runs);
    json_close(out, '}');
    json_close(out, '}');
}

void mcp_tools_list(struct buf *out)
{
    json_key(out, "tools"), json_open(out, '[');
    for (size_t i = 0; i < ARRAY_LEN(tools); i++)
        put_tool(&tools[i], out);
    json_close(out, ']');
}

const struct mcp_tool *mcp_tool_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(tools); i++)
        if (str_eq(tools[i].name, name))
            return &tools[i];
    return NULL;
}

bool mcp_tool_runs(const struct mcp_tool *t)
{
    return t->runs;
}

/* Every name is one of the table's, and what must be there is. */
static bool check_arguments(struct mcp_call *c)
{
    static const char prefix[] = "params.arguments.";
    const char *missing = NULL;
    for (const struct argument *g = c->tool->arguments; g->name; g++)
        if (!body_has(c->arguments, g->name) && g->is_required && !missing)
            missing = g->name;
    if (body_end(c->arguments, &c->err) == 0)
        return !missing || refuse(c, missing, "is missing", NULL);
    const char *plain = strstr(c->err.text, prefix); /* the model knows its arguments, and no message around them */
    if (plain)
        memmove(c->err.text + (plain - c->err.text), plain + sizeof prefix - 1, strlen(plain + sizeof prefix - 1) + 1);
    return false;
}

bool mcp_tool_ask(struct mcp_call *c, struct http_answer *a)
{
    return check_arguments(c) && c->tool->ask(c, a);
}

void mcp_tool_tell(const struct mcp_tool *t, struct arena *a, unsigned status, const char *text, size_t size,
                   struct mcp_result *ret)
{
    struct body *answer = NULL;
    struct error err = { 0 };
    if (body_parse(text, size, false, &answer, &err) < 0) {
        (void)err_set(&err, -EPROTO, BLAME_US, NULL, "the service's own answer could not be read: %.200s", err.text);
        mcp_tool_refuse(&err, ret);
    } else if (status / 100 != 2) {
        mcp_tell_error(answer, ret);
    } else {
        t->tell(answer, a, ret);
    }
    (void)body_free(answer);
}

bool mcp_answer_read(struct http_answer *a, struct buf *out, bool *ret_is_cut)
{
    char piece[64 * KIB];
    ssize_t n = -1;
    *ret_is_cut = false;
    if (!a->stream) {
        buf_done(out);
        *out = a->body; /* taken */
        a->body = (struct buf){ 0 };
    }
    while (a->stream && !*ret_is_cut && (n = a->stream(a->context, piece, sizeof piece)) >= 0) {
        const size_t take = MIN_OF((size_t)n, out->max - out->size);
        *ret_is_cut = take < (size_t)n;
        (void)buf_add(out, piece, take);
    }
    if (a->done)
        a->done(a->context);
    return n != -2 && !out->failed;
}
