/* mcp_ask.c - arguments of a tool become one request of our own interface; for some, after another that says what it is
 * about. */
#include "front/mcp_ask.h"

#include "audit/hmac.h"
#include "daemon/executions.h"
#include "front/files.h"
#include "front/inner.h"

#define REQUEST_MAX         (80 * MIB) /* a body of endpoints.api.max_body, written anew */
#define AGENT_HEADER        "Sandbox-Agent-Id"
#define AGENT_META          "sandbox-agent/agent_id"
#define SESSION_TTL         3600u /* of one that a model starts and thinks about */
#define SESSIONS_ENDED_MOST 256u
#define LOOKED_BACK         "30"
#define SESSION_METADATA    "mcp_session" /* of a sandbox session: the MCP session that began it */
#define SESSION_QUERY       "metadata." SESSION_METADATA

/* --- asking --------------------------------------------------------------------------------------------------- */

bool mcp_refuse(struct mcp_call *c, const char *name, const char *why, const char *remedy)
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

static struct inner_asked known(struct mcp_call *c, const struct inner_asked *with)
{
    struct inner_asked whole = *with;
    whole.trace = c->message->trace;
    whole.begun = on_begun;
    whole.context = c;
    return whole;
}

static void ask(struct mcp_call *c, const char *method, const char *pattern, const struct inner_asked *with,
                struct http_answer *a)
{
    const struct inner_asked whole = known(c, with);
    inner_ask(c->outer, method, pattern, &whole, a);
}

static struct body *ask_first(struct mcp_call *c, const char *pattern, const struct inner_asked *with,
                              struct http_answer *a)
{
    const struct inner_asked whole = known(c, with);
    return inner_ask_first(c->outer, "GET", pattern, &whole, a);
}

static const char *text_argument(struct mcp_call *c, const char *name)
{
    return body_text(c->arguments, name, SIZE_MAX);
}

static void put_as(struct mcp_call *c, const char *name, const char *to, struct buf *out)
{
    if (!body_has(c->arguments, name))
        return;
    json_key(out, to);
    body_json(c->arguments, name, out);
}

static void put_arguments(struct mcp_call *c, const struct mcp_argument *list, struct buf *out)
{
    for (const struct mcp_argument *g = list; g->name; g++)
        if (g->to)
            put_as(c, g->name, g->to, out);
}

/* What the operator, or the client's own configuration, says that this agent is; else the key's rules hold. */
static void put_agent(struct mcp_call *c, struct buf *out)
{
    const char *id = http_header(c->outer->request, AGENT_HEADER);
    if (c->message->meta && body_kind(c->message->meta, AGENT_META) == BODY_TEXT)
        id = body_text(c->message->meta, AGENT_META, 4096);
    id = inner_agent(c->outer->caller, id);
    if (id)
        json_key(out, "agent_id"), json_put_string(out, id);
}

/* --- sessions ------------------------------------------------------------------------------------------------- */

/* The sandbox that this MCP session began last and that lives, or NULL. */
static const char *own_session(struct mcp_call *c)
{
    struct http_answer ignored = { 0 };
    const char *id = NULL;
    const struct inner_asked with = { .query = { { SESSION_QUERY, c->mcp_session }, { "state", "running" } } };
    struct body *list = c->mcp_session[0] ? ask_first(c, "/sessions", &with, &ignored) : NULL;
    struct body *newest = list && body_objects(list, "sessions", 10000) ? body_object_at(list, "sessions", 0) : NULL;
    if (newest && body_kind(newest, "session_id") == BODY_TEXT)
        id = arena_copy(c->outer->arena, body_text(newest, "session_id", 256));
    (void)body_free(list);
    buf_done(&ignored.body);
    return id;
}

/* The one that is meant, or NULL after mcp_refuse(). */
static const char *needed_session(struct mcp_call *c)
{
    const char *id = text_argument(c, "session_id");
    if (!id)
        id = own_session(c);
    if (!id)
        (void)mcp_refuse(c, "session_id", "is missing", "begin a session with session_start and give its session_id");
    return id;
}

/* The open object b is the body, and is freed. session: or NULL; name, why: what mcp_refuse() says of too large a one.
 */
static bool post(struct mcp_call *c, const char *pattern, const char *session, struct buf *b, const char *name,
                 const char *why, struct http_answer *a)
{
    json_close(b, '}');
    const bool is_whole = !b->failed || mcp_refuse(c, name, why, NULL);
    const struct inner_asked with = { .parts = { session }, .body = b->data, .body_size = b->size };
    if (is_whole)
        ask(c, "POST", pattern, &with, a);
    buf_done(b);
    return is_whole;
}

static bool is_compiled(struct mcp_call *c)
{
    const char *language = body_kind(c->arguments, "language") == BODY_TEXT ? text_argument(c, "language") : NULL;
    return language && (str_eq(language, "go") || str_eq(language, "rust"));
}

/* Named, or begun by this MCP session; what a session cannot do is a run of its own unless it was named. */
static bool choose_session(struct mcp_call *c, const char **ret)
{
    const bool has_level = body_has(c->arguments, "risk_level"), is_alone = is_compiled(c);
    *ret = text_argument(c, "session_id");
    if (*ret && has_level)
        return mcp_refuse(c, "risk_level", "is the session's own", "leave it out, or session_id");
    if (*ret && is_alone)
        return mcp_refuse(c, "language", "go and rust are not run in sessions", "leave session_id out");
    if (!*ret && !has_level && !is_alone)
        *ret = own_session(c);
    if (!*ret && body_has(c->arguments, "cwd"))
        return mcp_refuse(c, "cwd", "is for sessions", "leave it out, or begin a session with session_start");
    return true;
}

/* A run of its own, or a job where there is a session. */
static bool ask_run(struct mcp_call *c, const char *as_command, struct http_answer *a)
{
    const char *session;
    struct buf b;
    if (!choose_session(c, &session))
        return false;
    buf_init(&b, REQUEST_MAX);
    json_open(&b, '{');
    put_arguments(c, c->tool->arguments, &b);
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
    return post(c, session ? "/sessions/{session_id}/execute" : "/execute", session, &b, "arguments",
                "are too large together", a);
}

bool mcp_ask_start(struct mcp_call *c, struct http_answer *a)
{
    struct buf b;
    buf_init(&b, REQUEST_MAX);
    json_open(&b, '{');
    put_arguments(c, c->tool->arguments, &b);
    if (!body_has(c->arguments, "ttl"))
        json_key(&b, "ttl"), json_uint(&b, SESSION_TTL);
    put_agent(c, &b);
    if (c->mcp_session[0]) {
        json_key(&b, "metadata"), json_open(&b, '{');
        json_key(&b, SESSION_METADATA), json_put_string(&b, c->mcp_session);
        json_close(&b, '}');
    }
    return post(c, "/sessions", NULL, &b, "env", "is too large", a);
}

bool mcp_ask_of_session(struct mcp_call *c, struct http_answer *a)
{
    const char *session = needed_session(c);
    const struct inner_asked with = { .parts = { session } };
    struct buf b;
    if (!session)
        return false;
    if (str_eq(c->tool->method, "DELETE")) {
        ask(c, c->tool->method, c->tool->pattern, &with, a);
        return true;
    }
    buf_init(&b, REQUEST_MAX);
    json_open(&b, '{');
    put_arguments(c, c->tool->arguments, &b);
    return post(c, c->tool->pattern, session, &b, "arguments", "are too large together", a);
}

void mcp_end_sessions(struct call *outer, const char *mcp_session)
{
    const struct mcp_message none = { 0 };
    struct mcp_call c = { .outer = outer, .message = &none, .mcp_session = mcp_session };
    struct inner_asked with = { 0 };
    for (unsigned i = 0; i < SESSIONS_ENDED_MOST && (with.parts[0] = own_session(&c)); i++) {
        struct http_answer ended = { 0 };
        ask(&c, "DELETE", "/sessions/{session_id}", &with, &ended);
        buf_done(&ended.body);
    }
}

/* --- files ---------------------------------------------------------------------------------------------------- */

/* Below the workspace; models like whole paths. NULL: the workspace itself. Elsewhere: our interface refuses it. */
static const char *path_argument(struct mcp_call *c)
{
    const char *path = text_argument(c, "path"), *below = path ? front_path(path) : NULL;
    return below && *below ? below : below ? NULL : path;
}

bool mcp_ask_read(struct mcp_call *c, struct http_answer *a)
{
    const uint64_t offset = body_uint(c->arguments, "offset", INT64_MAX, 0);
    struct inner_asked with = { .parts = { needed_session(c), path_argument(c) } };
    if (!with.parts[0])
        return false;
    if (!with.parts[1])
        return mcp_refuse(c, "path", "is a directory", "use list_files");
    if (offset)
        with.headers[0] = (struct http_pair){ "Range", arena_printf(c->outer->arena, "bytes=%llu-",
                                                                    (unsigned long long)offset) };
    ask(c, "GET", "/sessions/{session_id}/files/{path}", &with, a);
    return true;
}

bool mcp_ask_write(struct mcp_call *c, struct http_answer *a)
{
    struct inner_asked with = { .parts = { needed_session(c), path_argument(c) } };
    const char *coded = body_bytes(c->arguments, "content_base64", REQUEST_MAX, &with.body_size);
    if (!with.parts[0])
        return false;
    if (!with.parts[1])
        return mcp_refuse(c, "path", "is the workspace itself", "name a file in it");
    if ((coded != NULL) == body_has(c->arguments, "content"))
        return mcp_refuse(c, "content", coded ? "is there beside content_base64" : "is missing",
                          "give content (text) or content_base64");
    char *bytes = coded ? arena_zero(c->outer->arena, with.body_size + 1) : NULL;
    if (coded && (!bytes || base64_read(coded, with.body_size, bytes, &with.body_size) < 0))
        return mcp_refuse(c, "content_base64", "is no base64", "RFC 4648, with padding");
    with.body = coded ? bytes : body_bytes(c->arguments, "content", REQUEST_MAX, &with.body_size);
    if (body_bool(c->arguments, "executable", false))
        with.query[0] = (struct http_pair){ "mode", "0755" };
    ask(c, "PUT", "/sessions/{session_id}/files/{path}", &with, a);
    return true;
}

bool mcp_ask_list(struct mcp_call *c, struct http_answer *a)
{
    const uint64_t depth = body_uint(c->arguments, "depth", 64, 1);
    const struct inner_asked with = {
        .parts = { needed_session(c), path_argument(c) },
        .query = { { "list", "" }, { "depth", arena_printf(c->outer->arena, "%llu", (unsigned long long)depth) } }
    };
    if (with.parts[0])
        ask(c, "GET", with.parts[1] ? "/sessions/{session_id}/files/{path}" : "/sessions/{session_id}/files", &with, a);
    return with.parts[0] != NULL;
}

/* --- explain -------------------------------------------------------------------------------------------------- */

/* A program that ends by itself, with whatever exit code or signal, was neither refused nor cut off. */
static bool is_trouble(const char *reason)
{
    return !str_eq(reason, "completed") && !str_eq(reason, "error") && !str_eq(reason, "signal");
}

/* The last one of this key that was refused or cut off; NULL: there is none of late, or an answer was given. */
static const char *last_trouble(struct mcp_call *c, struct http_answer *a)
{
    const struct inner_asked with = { .query = { { "limit", LOOKED_BACK } } };
    struct body *list = ask_first(c, "/executions", &with, a);
    const uint32_t n = list ? body_objects(list, "executions", 64) : 0;
    const char *id = NULL;
    for (uint32_t i = 0; i < n && !id; i++) {
        struct body *one = body_object_at(list, "executions", i);
        const char *reason = one && body_kind(one, "reason") == BODY_TEXT ? body_text(one, "reason", 64) : NULL;
        const char *key = reason ? body_text(one, "key_id", 256) : NULL;
        if (key && str_eq(key, c->outer->caller->key_id) && is_trouble(reason))
            id = arena_copy(c->outer->arena, body_text(one, "execution_id", 64));
    }
    (void)body_free(list);
    return id;
}

static void put_object(struct body *from, const char *name, const char *to, struct buf *out)
{
    if (!from || body_kind(from, name) == BODY_ABSENT || body_kind(from, name) == BODY_NULL)
        return;
    json_key(out, to);
    body_json(from, name, out);
}

/* What the level permits, as far as a program notices. */
static void put_allowed(struct mcp_call *c, const char *level, const char *language, struct buf *out)
{
    struct http_answer ignored = { 0 };
    const struct inner_asked with = { .parts = { level } };
    struct body *profile = ask_first(c, "/profiles/{level}", &with, &ignored);
    struct body *values = profile ? body_object(profile, "values") : NULL;
    struct body *languages = values ? body_object(values, "languages") : NULL;
    json_key(out, "allowed"), json_open(out, '{');
    if (values) {
        put_object(values, "resources", "resources", out);
        put_object(values, "network", "network", out);
        put_object(values, "filesystem", "filesystem", out);
        put_object(values, "execution", "execution", out);
        put_object(languages, language, "language", out);
    }
    json_close(out, '}');
    (void)body_free(profile);
    buf_done(&ignored.body);
}

bool mcp_ask_explain(struct mcp_call *c, struct http_answer *a)
{
    static const char *const members[] = { "reason",      "error", "violations", "findings", "reasons",
                                           "kill_switch", "trust", "risk_level", "language" };
    struct inner_asked with = { .parts = { text_argument(c, "execution_id") } };
    if (!with.parts[0] && !(with.parts[0] = last_trouble(c, a)))
        return a->status || mcp_refuse(c, "execution_id",
                                       "is missing, and nothing of this key was refused or cut off of late", NULL);
    struct body *record = ask_first(c, "/executions/{execution_id}", &with, a);
    struct body *result = record ? body_object(record, "result") : NULL;
    const char *level = record && body_kind(record, "risk_level") == BODY_TEXT ? body_text(record, "risk_level", 16)
                                                                               : NULL;
    const char *language = record && body_kind(record, "language") == BODY_TEXT ? body_text(record, "language", 64)
                                                                                : "";
    if (record) {
        struct buf *b = answer_json(a, 200, INNER_ANSWER_MAX);
        json_open(b, '{');
        json_key(b, "execution_id"), json_put_string(b, with.parts[0]);
        for (size_t i = 0; result && i < ARRAY_LEN(members); i++)
            put_object(result, members[i], members[i], b);
        if (level)
            put_allowed(c, level, language, b);
        json_close(b, '}');
    }
    (void)body_free(record);
    return true;
}

/* --- runs ----------------------------------------------------------------------------------------------------- */

bool mcp_ask_code(struct mcp_call *c, struct http_answer *a)
{
    return ask_run(c, NULL, a);
}

bool mcp_ask_command(struct mcp_call *c, struct http_answer *a)
{
    return ask_run(c, "command", a);
}
