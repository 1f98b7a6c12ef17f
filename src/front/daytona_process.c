/* daytona_process.c - commands and code as jobs of the session; a client's «session» is a shell that stays, which is a
 * context of bash, and its commands are cells. One that is not waited for is a process of its own.
 */
#include <stdio.h>

#include "base/json.h"
#include "daemon/routes.h"
#include "front/daytona_internal.h"

#define SHELL_PATTERN "/sessions/{session_id}/contexts/{context_id}"

/* --- what came of it ------------------------------------------------------------------------------------------ */

/* As a shell has it: its own, 128 and the signal, or 137 of what was ended by us. A cell's is its exception. */
static const char *exit_code_of(const struct daytona_call *c, struct body *result)
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

static bool is_timeout(struct body *result)
{
    const char *reason = body_text_if(result, "reason");
    return reason && str_eq(reason, "timeout");
}

static void fail_late(struct daytona_call *c)
{
    c->code = "PROCESS_EXECUTION_TIMEOUT";
    daytona_fail(c, ANSWER_TIMEOUT, "the command's time is over, and it was ended");
}

static void put_output(struct buf *b, const char *name, const struct inner_ran *ran)
{
    json_key(b, name), json_bytes(b, ran->output.size ? ran->output.data : "", ran->output.size);
}

/* {exitCode, result} */
static void answer_run(void *context, const struct inner_ran *ran, struct body *result)
{
    struct daytona_call *c = context;
    if (is_timeout(result)) {
        fail_late(c);
        return;
    }
    struct buf *b = answer_json(c->out, 200, INNER_ANSWER_MAX);
    json_open(b, '{');
    json_key(b, "exitCode"), (void)buf_adds(b, exit_code_of(c, result));
    put_output(b, "result", ran);
    json_key(b, "artifacts"), (void)buf_adds(b, "{\"charts\":[]}");
    json_close(b, '}');
}

/* {cmdId, exitCode, output, stdout, stderr} */
static void answer_command(void *context, const struct inner_ran *ran, struct body *result)
{
    struct daytona_call *c = context;
    if (is_timeout(result)) {
        fail_late(c);
        return;
    }
    struct buf *b = answer_json(c->out, 200, INNER_ANSWER_MAX);
    json_open(b, '{');
    json_key(b, "cmdId"), json_put_string(b, body_text_if(result, "execution_id"));
    json_key(b, "exitCode"), (void)buf_adds(b, exit_code_of(c, result));
    put_output(b, "output", ran);
    json_key(b, "stdout"), body_json(result, "stdout", b);
    json_key(b, "stderr"), body_json(result, "stderr", b);
    json_close(b, '}');
}

static void run(struct daytona_call *c, const char *pattern, const char *context_id, const struct buf *body,
                void (*end)(void *context, const struct inner_ran *ran, struct body *result))
{
    const struct inner_asked with = { .parts = { c->id, context_id },
                                      .body = body->data,
                                      .body_size = body->failed ? 0 : body->size };
    inner_run(c->call, pattern, &with, c->out, end, c);
}

/* --- one command, or program ---------------------------------------------------------------------------------- */

static void put_env(struct daytona_call *c, struct buf *b)
{
    struct strlist env = { 0 };
    body_pairs(c->body, "envs", &env, 32768, 256);
    json_key(b, "env"), json_open(b, '{'), json_pairs(b, &env, NULL), json_close(b, '}');
    strlist_done(&env);
}

static void put_timeout(struct daytona_call *c, struct buf *b)
{
    const uint64_t seconds = body_uint(c->body, "timeout", 1000000, 0);
    if (seconds)
        json_key(b, "timeout"), json_uint(b, seconds);
}

static bool put_text(struct daytona_call *c, const char *name, struct buf *b)
{
    if (body_kind(c->body, name) == BODY_TEXT) {
        json_key(b, name), body_json(c->body, name, b);
        return true;
    }
    daytona_fail(c, ANSWER_INVALID_REQUEST, "%s: expected is a text", name);
    return false;
}

/* A directory is the workspace's, unless it begins elsewhere. */
static void put_cwd(struct daytona_call *c, struct buf *b)
{
    const char *cwd = body_text(c->body, "cwd", 512);
    if (cwd && *cwd)
        json_key(b, "cwd"),
            json_put_string(b, cwd[0] == '/' ? cwd : arena_printf(c->call->arena, DAYTONA_HOME "/%s", cwd));
}

/* A job of what b, an open object, says so far. is_put: nothing was refused yet. */
static void run_job(struct daytona_call *c, bool is_put, struct buf *b)
{
    put_env(c, b);
    put_timeout(c, b);
    json_key(b, "stream"), json_bool(b, true);
    json_close(b, '}');
    if (is_put && daytona_is_read(c))
        run(c, "/sessions/{session_id}/execute", NULL, b, answer_run);
    buf_done(b);
}

void daytona_execute(struct daytona_call *c)
{
    struct buf b;
    buf_init(&b, 64 * MIB);
    json_open(&b, '{');
    const bool is_put = put_text(c, "command", &b);
    put_cwd(c, &b);
    run_job(c, is_put, &b);
}

static void put_argv(struct daytona_call *c, struct buf *b)
{
    struct strlist argv = { 0 };
    body_texts(c->body, "argv", &argv, STRLIST_MAX_BYTES, 256);
    json_key(b, "args"), json_texts(b, &argv);
    strlist_done(&argv);
}

void daytona_code_run(struct daytona_call *c)
{
    struct buf b;
    buf_init(&b, 64 * MIB);
    json_open(&b, '{');
    const bool is_put = put_text(c, "code", &b) && put_text(c, "language", &b);
    put_argv(c, &b);
    run_job(c, is_put, &b);
}

/* --- shells --------------------------------------------------------------------------------------------------- */

/* False: an answer was given. The context of a sandbox that is another key's is not found by our own interface. */
static bool find_shell(struct daytona_call *c, struct daytona_shell *ret)
{
    if (daytona_shell_find(c->call->service->daytona, c->id, c->parts[0], ret))
        return true;
    daytona_fail(c, ANSWER_NOT_FOUND, "session %.100s not found", c->parts[0]);
    return false;
}

/* Whether our own interface shows this sandbox to this key; else that is the answer. */
static bool session_is_seen(struct daytona_call *c)
{
    const struct inner_asked with = { 0 };
    struct body *session = daytona_ask(c, "GET", "/sessions/{session_id}", with);
    (void)body_free(session);
    return session != NULL;
}

void daytona_shell_create(struct daytona_call *c)
{
    static const char asked[] = "{\"language\":\"bash\"}";
    struct inner_asked with = { .body = asked, .body_size = sizeof asked - 1 };
    struct daytona *d = c->call->service->daytona;
    const char *name = body_text(c->body, "sessionId", DAYTONA_NAME_MAX);
    struct daytona_shell s = { 0 };
    if (!daytona_is_read(c))
        return;
    if (!name || !*name) {
        daytona_fail(c, ANSWER_INVALID_REQUEST, "sessionId: expected is a text");
        return;
    }
    daytona_shells_prune(d, c->call->service);
    struct body *made = daytona_ask(c, "POST", "/sessions/{session_id}/contexts", with);
    if (!made)
        return;
    (void)snprintf(s.session_id, sizeof s.session_id, "%s", c->id);
    (void)snprintf(s.context_id, sizeof s.context_id, "%s", body_text_if(made, "context_id"));
    (void)snprintf(s.name, sizeof s.name, "%s", name);
    (void)body_free(made);
    if (daytona_shell_add(d, &s)) {
        daytona_done(c, 201);
        return;
    }
    with = (struct inner_asked){ .parts = { arena_copy(c->call->arena, s.context_id) } };
    if (daytona_ask_done(c, "DELETE", SHELL_PATTERN, with))
        daytona_fail(c, ANSWER_CONFLICT, "session %.100s is there already", name);
}

static void put_shell(void *context, const char *name)
{
    struct buf *b = context;
    json_open(b, '{');
    json_key(b, "sessionId"), json_put_string(b, name);
    json_key(b, "commands"), (void)buf_adds(b, "[]");
    json_close(b, '}');
}

void daytona_shell_list(struct daytona_call *c)
{
    if (!session_is_seen(c))
        return;
    struct buf *b = answer_json(c->out, 200, MIB);
    json_open(b, '[');
    daytona_shells_each(c->call->service->daytona, c->id, put_shell, b);
    json_close(b, ']');
}

void daytona_shell_show(struct daytona_call *c)
{
    struct daytona_shell s;
    if (session_is_seen(c) && find_shell(c, &s))
        put_shell(answer_json(c->out, 200, KIB), s.name);
}

void daytona_shell_delete(struct daytona_call *c)
{
    struct daytona_shell s;
    if (!session_is_seen(c) || !find_shell(c, &s))
        return;
    const struct inner_asked with = { .parts = { s.context_id } };
    if (!daytona_ask_done(c, "DELETE", SHELL_PATTERN, with) && c->out->status != 404)
        return;
    buf_done(&c->out->body);
    daytona_shell_remove(c->call->service->daytona, c->id, s.name);
    daytona_done(c, 204);
}

/* Not waited for: a process with open input, which has the shell's neither directory nor variables. */
static void begin(struct daytona_call *c, struct buf *b)
{
    json_key(b, "stdin"), json_bool(b, true);
    json_close(b, '}');
    const struct inner_asked with = { .body = b->data, .body_size = b->failed ? 0 : b->size };
    struct body *made = daytona_ask(c, "POST", "/sessions/{session_id}/processes", with);
    if (made) {
        struct buf *out = answer_json(c->out, 202, KIB);
        json_open(out, '{');
        json_key(out, "cmdId"), json_put_string(out, body_text_if(made, "process_id"));
        json_close(out, '}');
    }
    (void)body_free(made);
}

void daytona_shell_execute(struct daytona_call *c)
{
    const bool is_async = body_bool(c->body, "runAsync", false) | body_bool(c->body, "async", false);
    const bool has_command = body_kind(c->body, "command") == BODY_TEXT;
    struct daytona_shell s;
    struct buf b;
    if (!daytona_is_read(c) || !session_is_seen(c) || !find_shell(c, &s))
        return;
    if (!has_command) {
        daytona_fail(c, ANSWER_INVALID_REQUEST, "command: expected is a text");
        return;
    }
    buf_init(&b, 64 * MIB);
    json_open(&b, '{');
    json_key(&b, is_async ? "command" : "code"), body_json(c->body, "command", &b);
    if (is_async) {
        begin(c, &b);
    } else {
        json_key(&b, "stream"), json_bool(&b, true);
        json_close(&b, '}');
        run(c, SHELL_PATTERN "/execute", arena_copy(c->call->arena, s.context_id), &b, answer_command);
    }
    buf_done(&b);
}

/* --- commands of a shell -------------------------------------------------------------------------------------- */

/* Its record, which must be one of this sandbox: one that runs does not say so itself, and is looked for among the
 * sandbox's processes. NULL: an answer was given. *ret: its result, or NULL: it runs. */
static struct body *find_command(struct daytona_call *c, struct body **ret)
{
    const struct inner_asked with = { .parts = { c->parts[1] } };
    struct daytona_shell s;
    if (!session_is_seen(c) || !find_shell(c, &s))
        return NULL;
    struct body *one = inner_ask_first(c->call, "GET", "/executions/{execution_id}", &with, c->out);
    *ret = body_object_if(one, "result");
    const char *session = body_text_if(*ret, "session_id");
    const bool is_here = *ret
                             ? session && str_eq(session, c->id)
                             : one && daytona_ask_done(c, "GET", "/sessions/{session_id}/processes/{process_id}", with);
    if (is_here)
        return one;
    if (one && !c->out->status)
        daytona_fail(c, ANSWER_NOT_FOUND, "command %.100s not found", c->parts[1]);
    return body_free(one);
}

void daytona_command_show(struct daytona_call *c)
{
    struct body *result, *one = find_command(c, &result);
    if (!one)
        return;
    struct buf *b = answer_json(c->out, 200, 4 * KIB);
    json_open(b, '{');
    json_key(b, "id"), json_put_string(b, c->parts[1]);
    json_key(b, "command"), json_put_string(b, "");
    if (result)
        json_key(b, "exitCode"), (void)buf_adds(b, exit_code_of(c, result));
    json_close(b, '}');
    (void)body_free(one);
}

struct logs {
    struct buf all, of[2];
    bool is_over;
};

static bool take_log(void *context, struct body *event)
{
    struct logs *l = context;
    const char *type = body_text_if(event, "type");
    const int which = !type ? -1 : str_eq(type, "stdout") ? 0 : str_eq(type, "stderr") ? 1 : -1;
    if (which >= 0) {
        inner_event_bytes(event, &l->all);
        inner_event_bytes(event, &l->of[which]);
    }
    l->is_over |= !event || body_kind(event, "result") != BODY_ABSENT;
    return !l->is_over;
}

static void put_logs(struct daytona_call *c, const struct logs *l)
{
    static const char *const names[] = { "stdout", "stderr" };
    struct buf *b = answer_json(c->out, 200, INNER_ANSWER_MAX);
    json_open(b, '{');
    json_key(b, "output"), json_bytes(b, l->all.size ? l->all.data : "", l->all.size);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        json_key(b, names[i]), json_bytes(b, l->of[i].size ? l->of[i].data : "", l->of[i].size);
    json_close(b, '}');
}

/* So far: of one that runs what its stream of events says at once. */
void daytona_command_logs(struct daytona_call *c)
{
    const struct inner_asked with = { .parts = { c->parts[1] }, .query = { { "from", "1" } } };
    struct http_answer answer = { 0 };
    struct inner_events events;
    struct body *result, *one = find_command(c, &result);
    struct logs l = { 0 };
    if (!one)
        return;
    (void)body_free(one);
    inner_ask(c->call, "GET", "/executions/{execution_id}/events", &with, &answer);
    if (answer.status != 200) {
        *c->out = answer;
        return;
    }
    buf_init(&l.all, INNER_ANSWER_MAX);
    for (size_t i = 0; i < ARRAY_LEN(l.of); i++)
        buf_init(&l.of[i], INNER_ANSWER_MAX);
    inner_events_init(&events, &answer);
    while (!l.is_over && inner_events_read(&events, take_log, &l) > 0)
        ;
    inner_events_done(&events);
    put_logs(c, &l);
    buf_done(&l.all);
    for (size_t i = 0; i < ARRAY_LEN(l.of); i++)
        buf_done(&l.of[i]);
}

void daytona_command_input(struct daytona_call *c)
{
    struct body *result, *one;
    size_t size = 0;
    const char *data = body_bytes(c->body, "data", SIZE_MAX, &size);
    if (!daytona_is_read(c) || !(one = find_command(c, &result)))
        return;
    const struct inner_asked with = { .parts = { c->parts[1] }, .body = data, .body_size = data ? size : 0 };
    if (result) {
        c->code = "COMMAND_ALREADY_COMPLETED";
        daytona_fail(c, ANSWER_CONFLICT, "command %.100s has ended already", c->parts[1]);
    } else if (daytona_ask_done(c, "POST", "/sessions/{session_id}/processes/{process_id}/stdin", with)) {
        daytona_done(c, 204);
    }
    (void)body_free(one);
}
