/* daytona_process.c - commands and code as jobs of the session; a client's «session» is a shell that stays, which is a
 * context of bash, and its commands are cells. One that is not waited for is a process of its own.
 */
#include "base/json.h"
#include "daemon/service.h"
#include "front/contexts.h"
#include "front/daytona_internal.h"
#include "front/files.h"

#define SHELL_PATTERN "/sessions/{session_id}/contexts/{context_id}"
#define BODY_MAX      (64 * MIB)

/* --- what came of it ------------------------------------------------------------------------------------------ */

/* As a shell has it: its own, 128 and the signal, or 137 of what was ended by us. A cell's is its exception. */
static const char *exit_code_of(const struct front_call *c, struct body *result)
{
    const char *code = inner_number(result, "exit_code"), *signal = inner_number(result, "signal");
    const char *reason = body_text_if(result, "reason");
    struct body *exception = body_object_if(result, "exception");
    const char *status = body_text_if(exception, "value");
    if (exception)
        return status && strspn(status, "0123456789") == strlen(status) && *status ? status : "1";
    if (code)
        return code;
    if (signal)
        return arena_printf(c->call->arena, "%u", 128u + (unsigned)body_uint(result, "signal", 64, 9));
    return reason && str_eq(reason, "completed") ? "0" : "137";
}

static void put_bytes(struct buf *b, const char *name, const struct buf *bytes)
{
    json_key(b, name), json_bytes(b, bytes->size ? bytes->data : "", bytes->size);
}

/* An open object with its exit code; NULL: its time was over, and that is the answer. */
static struct buf *begin_answer(struct front_call *c, struct body *result)
{
    const char *reason = body_text_if(result, "reason");
    if (reason && str_eq(reason, "timeout")) {
        c->code = "PROCESS_EXECUTION_TIMEOUT";
        front_fail(c, ANSWER_TIMEOUT, "the command's time is over, and it was ended");
        return NULL;
    }
    struct buf *b = answer_json(c->out, 200, INNER_ANSWER_MAX);
    json_open(b, '{');
    json_key(b, "exitCode"), (void)buf_adds(b, exit_code_of(c, result));
    return b;
}

/* {exitCode, result} */
static void answer_run(void *context, const struct inner_ran *ran, struct body *result)
{
    struct buf *b = begin_answer(context, result);
    if (!b)
        return;
    put_bytes(b, "result", &ran->output);
    json_key(b, "artifacts"), (void)buf_adds(b, "{\"charts\":[]}");
    json_close(b, '}');
}

/* {exitCode, cmdId, output, stdout, stderr} */
static void answer_command(void *context, const struct inner_ran *ran, struct body *result)
{
    struct buf *b = begin_answer(context, result);
    if (!b)
        return;
    json_key(b, "cmdId"), json_put_string(b, body_text_if(result, "execution_id"));
    put_bytes(b, "output", &ran->output);
    json_key(b, "stdout"), body_json(result, "stdout", b);
    json_key(b, "stderr"), body_json(result, "stderr", b);
    json_close(b, '}');
}

/* What the object b says, of which the end is written here. */
static void run(struct front_call *c, const char *pattern, const char *context_id, struct buf *b,
                void (*end)(void *context, const struct inner_ran *ran, struct body *result))
{
    json_key(b, "stream"), json_bool(b, true);
    json_close(b, '}');
    struct inner_asked with = front_body(b);
    with.parts[0] = c->session_id, with.parts[1] = context_id;
    inner_run(c->call, pattern, &with, c->out, end, c);
}

/* --- one command, or program ---------------------------------------------------------------------------------- */

/* A job of what b, an open object, says so far. is_put: nothing was refused yet. */
static void run_job(struct front_call *c, bool is_put, struct buf *b)
{
    const uint64_t seconds = body_uint(c->body, "timeout", 1000000, 0);
    front_put_env(c->body, "envs", b);
    if (seconds)
        json_key(b, "timeout"), json_uint(b, seconds);
    if (is_put && front_is_read(c))
        run(c, "/sessions/{session_id}/execute", NULL, b, answer_run);
    buf_done(b);
}

void daytona_execute(struct front_call *c)
{
    const char *cwd = body_text(c->body, "cwd", 512);
    struct buf b;
    buf_init(&b, BODY_MAX);
    json_open(&b, '{');
    const bool is_put = front_put_text(c, "command", "command", &b);
    front_put_cwd(c, cwd, &b);
    run_job(c, is_put, &b);
}

void daytona_code_run(struct front_call *c)
{
    struct strlist argv = { 0 };
    struct buf b;
    buf_init(&b, BODY_MAX);
    json_open(&b, '{');
    const bool is_put = front_put_text(c, "code", "code", &b) && front_put_text(c, "language", "language", &b);
    body_texts(c->body, "argv", &argv, STRLIST_MAX_BYTES, 256);
    json_key(&b, "args"), json_texts(&b, &argv);
    strlist_done(&argv);
    run_job(c, is_put, &b);
}

/* --- shells --------------------------------------------------------------------------------------------------- */

/* Whether our own interface shows this sandbox to this key; else that is the answer. */
static bool session_is_seen(struct front_call *c)
{
    return front_ask_done(c, "GET", "/sessions/{session_id}", (struct inner_asked){ 0 });
}

static bool find_shell(struct front_call *c, struct front_context *ret)
{
    return front_context_find(c, c->call->service->daytona, "session", c->call->parts[0], ret);
}

void daytona_shell_create(struct front_call *c)
{
    const char *name = body_text(c->body, "sessionId", FRONT_NAME_MAX);
    struct front_context x;
    if (!front_is_read(c))
        return;
    if (!name || !*name)
        front_fail(c, ANSWER_INVALID_REQUEST, "sessionId: expected is a text");
    else if (front_context_create(c, c->call->service->daytona, "session", name, LANG_BASH, &x))
        front_done(c, 201);
}

static void put_shell(void *context, const struct front_context *x)
{
    struct buf *b = context;
    json_open(b, '{');
    json_key(b, "sessionId"), json_put_string(b, x->name);
    json_key(b, "commands"), (void)buf_adds(b, "[]");
    json_close(b, '}');
}

void daytona_shell_list(struct front_call *c)
{
    if (!session_is_seen(c))
        return;
    struct buf *b = answer_json(c->out, 200, MIB);
    json_open(b, '[');
    front_contexts_each(c->call->service->daytona, c->session_id, put_shell, b);
    json_close(b, ']');
}

void daytona_shell_show(struct front_call *c)
{
    struct front_context x;
    if (session_is_seen(c) && find_shell(c, &x))
        put_shell(answer_json(c->out, 200, KIB), &x);
}

void daytona_shell_delete(struct front_call *c)
{
    struct front_context x;
    /* first whether this key sees the sandbox: an end that is «not found» would forget another key's */
    if (session_is_seen(c) && find_shell(c, &x) && front_context_end(c, c->call->service->daytona, &x))
        front_done(c, 204);
}

/* Not waited for: a process with open input, which has the shell's neither directory nor variables. */
static void begin(struct front_call *c, struct buf *b)
{
    json_key(b, "stdin"), json_bool(b, true);
    json_close(b, '}');
    struct body *made = front_ask(c, "POST", "/sessions/{session_id}/processes", front_body(b));
    if (made) {
        struct buf *out = answer_json(c->out, 202, KIB);
        json_open(out, '{');
        json_key(out, "cmdId"), json_put_string(out, body_text_if(made, "process_id"));
        json_close(out, '}');
    }
    (void)body_free(made);
}

void daytona_shell_execute(struct front_call *c)
{
    const bool is_async = body_bool(c->body, "runAsync", false) | body_bool(c->body, "async", false);
    struct front_context x;
    struct buf b;
    buf_init(&b, BODY_MAX);
    json_open(&b, '{');
    if (front_put_text(c, "command", is_async ? "command" : "code", &b) && front_is_read(c) && find_shell(c, &x)) {
        if (is_async)
            begin(c, &b);
        else
            run(c, SHELL_PATTERN "/execute", arena_copy(c->call->arena, x.id), &b, answer_command);
    }
    buf_done(&b);
}

/* --- commands of a shell -------------------------------------------------------------------------------------- */

/* Its record, which must be one of this sandbox: one that runs does not say so itself, and is looked for among the
 * sandbox's processes. NULL: that is the answer. *ret: its result, or NULL: it runs. */
static struct body *find_command(struct front_call *c, struct body **ret)
{
    const struct inner_asked with = { .parts = { c->call->parts[1] } };
    struct front_context x;
    struct body *one = find_shell(c, &x) ? inner_ask_first(c->call, "GET", "/executions/{execution_id}", &with, c->out)
                                         : NULL;
    if (!one)
        return NULL;
    *ret = body_object_if(one, "result");
    const char *session = body_text_if(*ret, "session_id");
    if (*ret ? session && str_eq(session, c->session_id)
             : front_ask_done(c, "GET", "/sessions/{session_id}/processes/{process_id}", with))
        return one;
    if (!c->out->status)
        front_fail(c, ANSWER_NOT_FOUND, "command %.100s not found", c->call->parts[1]);
    return body_free(one);
}

void daytona_command_show(struct front_call *c)
{
    struct body *result, *one = find_command(c, &result);
    if (!one)
        return;
    struct buf *b = answer_json(c->out, 200, 4 * KIB);
    json_open(b, '{');
    json_key(b, "id"), json_put_string(b, c->call->parts[1]);
    json_key(b, "command"), json_put_string(b, "");
    if (result)
        json_key(b, "exitCode"), (void)buf_adds(b, exit_code_of(c, result));
    json_close(b, '}');
    (void)body_free(one);
}

/* So far: of one that runs what its stream of events says at once. */
void daytona_command_logs(struct front_call *c)
{
    const struct inner_asked with = { .parts = { c->call->parts[1] }, .query = { { "from", "1" } } };
    struct body *result, *one = find_command(c, &result);
    struct inner_said said;
    if (one && inner_output(c->call, "/executions/{execution_id}/events", &with, &said, c->out)) {
        struct buf *b = answer_json(c->out, 200, INNER_ANSWER_MAX);
        json_open(b, '{');
        put_bytes(b, "output", &said.both);
        put_bytes(b, "stdout", &said.out);
        put_bytes(b, "stderr", &said.err);
        json_close(b, '}');
        inner_said_done(&said);
    }
    (void)body_free(one);
}

void daytona_command_input(struct front_call *c)
{
    struct body *result, *one;
    size_t size = 0;
    const char *data = body_bytes(c->body, "data", SIZE_MAX, &size);
    if (!front_is_read(c) || !(one = find_command(c, &result)))
        return;
    const struct inner_asked with = { .parts = { c->call->parts[1] }, .body = data, .body_size = data ? size : 0 };
    if (result) {
        c->code = "COMMAND_ALREADY_COMPLETED";
        front_fail(c, ANSWER_CONFLICT, "command %.100s has ended already", c->call->parts[1]);
    } else if (front_ask_done(c, "POST", "/sessions/{session_id}/processes/{process_id}/stdin", with)) {
        front_done(c, 204);
    }
    (void)body_free(one);
}
