/* e2b_code.c - the interpreter: a cell of a context where the language has them, else a job of the session. */
#include "base/clock.h"
#include "base/json.h"
#include "config/language.h"
#include "daemon/contexts.h"
#include "daemon/sessions.h"
#include "front/contexts.h"
#include "front/e2b_internal.h"
#include "front/files.h"

#define WAIT_MS      20u
#define RESULTS_MOST 10000u
#define CONTEXT      "Context" /* as E2B words it */

/* --- contexts ------------------------------------------------------------------------------------------------- */

/* The language's that clients mean who name none: made with the first cell. */
static bool default_context(struct front_call *c, enum language language, struct front_context *ret)
{
    struct front_contexts *t = e2b_contexts(c->call->service->e2b);
    enum front_default found;
    while ((found = front_default_find(t, c->session_id, language, ret)) == FRONT_IS_BEING_MADE)
        if (!inner_client_waits(c->call, WAIT_MS)) {
            front_fail(c, ANSWER_UNAVAILABLE, "the client left");
            return false;
        }
    if (found == FRONT_IS_THERE)
        return true;
    const bool is_made = front_context_make(c, t, NULL, language, ret);
    front_default_made(t, c->session_id, language, is_made ? ret->id : NULL);
    ret->is_default = true;
    return is_made;
}

/* Of those that have contexts. */
static bool read_language(const char *word, enum language *ret)
{
    *ret = LANG_PYTHON;
    return !word || !*word || (language_by_name(word, ret) && context_is_for(*ret));
}

static const char *language_word(enum language language)
{
    return language == LANG_NODE ? "javascript" : language_names[language];
}

static void put_context(void *context, const struct front_context *x)
{
    struct buf *b = context;
    json_open(b, '{');
    json_key(b, "id"), json_put_string(b, x->id);
    json_key(b, "language"), json_put_string(b, language_word(x->language));
    json_key(b, "cwd"), json_put_string(b, E2B_HOME);
    json_close(b, '}');
}

void e2b_context_create(struct front_call *c)
{
    const char *language = e2b_text(c->body, "language"), *cwd = e2b_text(c->body, "cwd");
    const char *below = cwd && *cwd ? front_path(cwd) : "";
    struct front_context x = { 0 };
    if (!front_is_read(c))
        return;
    if (!read_language(language, &x.language)) {
        front_fail(c, ANSWER_UNPROCESSABLE,
                   "language: contexts are for python, javascript and bash; runCode without one takes %.32s", language);
        return;
    }
    if (!below || *below) {
        front_fail(c, ANSWER_UNPROCESSABLE, "cwd: contexts begin in " E2B_HOME "; change the directory in a cell");
        return;
    }
    if (front_context_create(c, e2b_contexts(c->call->service->e2b), CONTEXT, NULL, x.language, &x))
        put_context(answer_json(c->out, 200, KIB), &x);
}

void e2b_context_list(struct front_call *c)
{
    struct buf *b = answer_json(c->out, 200, MIB);
    json_open(b, '[');
    front_contexts_each(e2b_contexts(c->call->service->e2b), c->session_id, put_context, b);
    json_close(b, ']');
}

static bool named_context(struct front_call *c, const char *id, struct front_context *ret)
{
    return front_context_find(c, e2b_contexts(c->call->service->e2b), CONTEXT, id, ret);
}

void e2b_context_delete(struct front_call *c)
{
    struct front_context x;
    if (named_context(c, c->call->parts[0], &x) && front_context_end(c, e2b_contexts(c->call->service->e2b), &x))
        front_done(c, 204);
}

void e2b_context_restart(struct front_call *c)
{
    const struct inner_asked with = { .parts = { c->call->parts[0] } };
    struct front_context x;
    if (named_context(c, c->call->parts[0], &x) &&
        front_ask_done(c, "POST", "/sessions/{session_id}/contexts/{context_id}/restart", with))
        front_done(c, 204);
}

/* --- what a cell says ----------------------------------------------------------------------------------------- */

static void put_line(struct buf *b, const char *type)
{
    (void)buf_adds(b, "{\"type\":");
    json_put_string(b, type);
}

static void end_line(struct buf *b)
{
    json_close(b, '}');
    (void)buf_addc(b, '\n');
}

static void put_output(struct buf *b, struct body *event, const char *type)
{
    size_t size = 0;
    const char *text = body_bytes(event, "data", SIZE_MAX, &size);
    put_line(b, type);
    json_key(b, "text"), json_bytes(b, text ? text : "", size);
    answer_time(b, "timestamp", wall_clock_ms());
    end_line(b);
}

/* {"kind": "value", "text/plain": …} */
static void put_result(struct buf *b, struct body *result)
{
    static const struct {
        const char *mime, *name;
    } forms[] = { { "text/plain", "text" },        { "text/html", "html" },
                  { "text/markdown", "markdown" }, { "image/svg+xml", "svg" },
                  { "image/png", "png" },          { "image/jpeg", "jpeg" },
                  { "application/pdf", "pdf" },    { "text/latex", "latex" },
                  { "application/json", "json" },  { "application/javascript", "javascript" } };
    const char *kind = e2b_text(result, "kind");
    put_line(b, "result");
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        if (body_has(result, forms[i].mime))
            json_key(b, forms[i].name), body_json(result, forms[i].mime, b);
    json_key(b, "is_main_result"), json_bool(b, kind && str_eq(kind, "value"));
    end_line(b);
}

static void put_error(struct buf *b, const char *name, const char *value, const char *traceback)
{
    put_line(b, "error");
    json_key(b, "name"), json_put_string(b, name);
    json_key(b, "value"), json_put_string(b, value);
    json_key(b, "traceback"), json_put_string(b, traceback);
    end_line(b);
}

static const char *put_together(struct body *exception, struct arena *a)
{
    struct strlist lines = { 0 };
    struct buf text;
    buf_init(&text, 2 * STRLIST_MAX_BYTES);
    if (body_kind(exception, "traceback") == BODY_LIST)
        body_texts(exception, "traceback", &lines, STRLIST_MAX_BYTES, 10000);
    STRLIST_FOREACH(line, &lines)
    {
        if (text.size && text.data[text.size - 1] != '\n')
            (void)buf_addc(&text, '\n');
        (void)buf_adds(&text, line);
    }
    const char *ret = arena_copy_bytes(a, text.data ? text.data : "", text.size);
    buf_done(&text);
    strlist_done(&lines);
    return ret;
}

/* An exception of the code; or why it was ended, or could not be run. */
static void put_failure(struct buf *b, struct body *result, struct arena *arena)
{
    struct body *exception = body_object_if(result, "exception"), *error = body_object_if(result, "error");
    const char *reason = body_text_if(result, "reason"), *message = body_text_if(error, "message");
    const char *name = body_text_if(exception, "name"), *value = body_text_if(exception, "value");
    if (exception)
        put_error(b, name ? name : "Error", value ? value : "", put_together(exception, arena));
    else if (reason && !str_eq(reason, "completed"))
        put_error(b, str_eq(reason, "timeout") ? "TimeoutError" : "SandboxError", message ? message : reason, reason);
}

static void end_cell(struct e2b_stream *t)
{
    put_line(&t->events.out, "end_of_execution");
    end_line(&t->events.out);
    t->events.is_over = true;
}

static void put_end(struct e2b_stream *t, struct body *result)
{
    const uint32_t n = result && body_kind(result, "results") == BODY_LIST
                           ? body_objects(result, "results", RESULTS_MOST)
                           : 0;
    for (uint32_t i = 0; i < n; i++) {
        struct body *one = body_object_at(result, "results", i);
        if (one)
            put_result(&t->events.out, one);
    }
    if (result)
        put_failure(&t->events.out, result, t->arena);
    else
        put_error(&t->events.out, "SandboxError", "the code could not be run", "");
    end_cell(t);
}

static void take_event(struct e2b_stream *t, struct body *event)
{
    const char *type = event ? e2b_text(event, "type") : NULL;
    struct body *result = body_object_if(event, "result");
    if (!event)
        put_line(&t->events.out, "keepalive"), end_line(&t->events.out);
    else if (type && (str_eq(type, "stdout") || str_eq(type, "stderr")))
        put_output(&t->events.out, event, type);
    else if (result || (type && str_eq(type, "error")))
        put_end(t, result);
}

static struct e2b_stream *answer_lines(struct front_call *c, const struct http_answer *events, uint64_t count)
{
    struct e2b_stream *t = e2b_stream_begin(c, "application/x-ndjson", events, take_event);
    put_line(&t->events.out, "number_of_executions");
    json_key(&t->events.out, "execution_count"), json_uint(&t->events.out, count);
    end_line(&t->events.out);
    return t;
}

/* What policy refuses is an error of the code, which a model can read; everything else is an answer without a cell. */
static void tell(struct front_call *c, struct http_answer *inner, uint64_t count)
{
    struct error ignored = { 0 };
    struct body *b = NULL;
    if (inner->status == 200) {
        (void)answer_lines(c, inner, count);
        return;
    }
    if (inner->status != 403 || inner->stream ||
        body_parse(inner->body.data, inner->body.size, false, &b, &ignored) < 0) {
        *c->out = *inner;
        return;
    }
    const char *message = body_text_if(body_object_if(b, "error"), "message");
    struct e2b_stream *t = answer_lines(c, NULL, count);
    put_error(&t->events.out, "PolicyDenied", message ? message : "refused", "");
    end_cell(t);
    (void)body_free(b);
    if (inner->done)
        inner->done(inner->context);
    buf_done(&inner->body);
}

/* --- running it ----------------------------------------------------------------------------------------------- */

static void put_code(struct front_call *c, struct buf *b)
{
    json_key(b, "code"), body_json(c->body, "code", b);
    json_key(b, "stream"), json_bool(b, true);
}

/* The interpreter of E2B has a line of cells where ours says that it is busy. To ask would be an execution each time.
 */
static bool is_free(struct front_call *c, const struct front_context *x)
{
    struct session_entry *s = sessions_find(c->call->service->sessions, c->session_id);
    struct context_entry *e = s ? contexts_find(s->contexts, x->id) : NULL;
    const bool is_busy = e && context_is_busy(e->live);
    (void)context_entry_unref(e);
    (void)session_entry_unref(s);
    return !is_busy;
}

static void ask_cell(struct front_call *c, const struct front_context *x, const struct buf *body,
                     struct http_answer *ret)
{
    const struct inner_asked with = { .parts = { c->session_id, x->id }, .body = body->data, .body_size = body->size };
    do {
        while (!is_free(c, x) && inner_client_waits(c->call, WAIT_MS))
            ;
        buf_done(&ret->body);
        *ret = (struct http_answer){ 0 };
        inner_ask(c->call, "POST", "/sessions/{session_id}/contexts/{context_id}/execute", &with, ret);
        /* another one was faster */
    } while (ret->status == 409 && !is_free(c, x) && inner_client_waits(c->call, WAIT_MS));
}

/* The one that clients mean who name none is made anew where its kernel has ended, or another client deleted it. */
static void run_cell(struct front_call *c, struct front_context *x)
{
    struct http_answer inner = { 0 };
    struct buf b;
    buf_init(&b, 80 * MIB);
    json_open(&b, '{');
    put_code(c, &b);
    json_close(&b, '}');
    ask_cell(c, x, &b, &inner);
    if (x->is_default && (inner.status == 404 || inner.status == 409)) {
        const enum language language = x->language;
        front_context_remove(e2b_contexts(c->call->service->e2b), c->session_id, x->id);
        if (default_context(c, language, x))
            ask_cell(c, x, &b, &inner);
        else
            inner = (struct http_answer){ 0 };
    }
    if (inner.status)
        tell(c, &inner, front_context_count(e2b_contexts(c->call->service->e2b), c->session_id, x->id));
    buf_done(&b);
}

/* Without a context: a language that has none, or variables of the environment that its context has not. */
static void run_job(struct front_call *c, const char *language, const struct strlist *env)
{
    struct http_answer inner = { 0 };
    struct buf b;
    buf_init(&b, 80 * MIB);
    json_open(&b, '{');
    json_key(&b, "language"), json_put_string(&b, language);
    put_code(c, &b);
    json_key(&b, "env"), json_open(&b, '{'), json_pairs(&b, env, NULL), json_close(&b, '}');
    json_close(&b, '}');
    const struct inner_asked with = { .parts = { c->session_id }, .body = b.data, .body_size = b.size };
    inner_ask(c->call, "POST", "/sessions/{session_id}/execute", &with, &inner);
    tell(c, &inner, 1);
    buf_done(&b);
}

static void execute(struct front_call *c, const char *word, const char *id, const struct strlist *env)
{
    enum language language;
    struct front_context x;
    const bool has_context = read_language(word, &language);
    if (!front_is_read(c)) /* variables that are not accepted, above all: without them it would be another run */
        return;
    if (!has_context || (env->count && language != LANG_PYTHON && !(id && *id)))
        run_job(c, word, env);
    else if (env->count)
        front_fail(c, ANSWER_UNPROCESSABLE, "env_vars: of contexts are the sandbox's; give envs to create()");
    else if (id && *id ? named_context(c, id, &x) : default_context(c, language, &x))
        run_cell(c, &x);
}

void e2b_execute(struct front_call *c)
{
    struct strlist env = { 0 };
    if (body_kind(c->body, "code") != BODY_TEXT) {
        front_fail(c, ANSWER_INVALID_REQUEST, "code: expected is a text");
        return;
    }
    body_pairs(c->body, "env_vars", &env, 32768, 256);
    execute(c, body_text_if(c->body, "language"), body_text_if(c->body, "context_id"), &env);
    strlist_done(&env);
}
