/* e2b_processes.c - process.Process of envd: a command is a process of the session, and its number stands for its name.
 */
#include <stdio.h>

#include "base/json.h"
#include "base/parse.h"
#include "front/e2b_internal.h"
#include "front/files.h"

#define PROCESSES_MAX 256u

/* --- a stream of events ----------------------------------------------------------------------------------------- */

static size_t begin_event(struct buf *out, const char *name)
{
    const size_t at = e2b_envelope_begin(out, 0);
    (void)buf_addf(out, "{\"event\":{\"%s\":{", name);
    return at;
}

static void end_event(struct buf *out, size_t at)
{
    (void)buf_adds(out, "}}}");
    e2b_envelope_end(out, at);
}

static void put_start(struct e2b_stream *w)
{
    const size_t at = begin_event(&w->events.out, "start");
    (void)buf_addf(&w->events.out, "\"pid\":%u", w->pid);
    end_event(&w->events.out, at);
}

static void put_output(struct e2b_stream *w, struct body *event, const char *name)
{
    size_t size = 0;
    const char *text = body_has(event, "data_base64") ? NULL : body_bytes(event, "data", SIZE_MAX, &size);
    const size_t at = begin_event(&w->events.out, "data");
    (void)buf_addf(&w->events.out, "\"%s\":\"", w->is_terminal ? "pty" : name);
    if (text)
        base64_write(&w->events.out, text, size);
    else
        (void)buf_adds(&w->events.out, e2b_text(event, "data_base64"));
    (void)buf_addc(&w->events.out, '"');
    end_event(&w->events.out, at);
}

/* Why it ended that did not end by itself, for a person or a model. */
static void say_why(struct body *result, const char *reason, char *to, size_t size)
{
    struct body *error = body_object_if(result, "error");
    const char *message = body_text_if(error, "message");
    const char *kill_switch = body_text_if(result, "kill_switch");
    const char *why = message ? message : kill_switch;
    (void)snprintf(to, size, "%s%s%s", reason, why ? ": " : "", why ? why : "");
}

static void put_end(struct e2b_stream *w, struct body *result)
{
    const char *reason = body_kind(result, "reason") == BODY_TEXT ? e2b_text(result, "reason") : "sandbox_error";
    const bool has_code = body_kind(result, "exit_code") == BODY_INTEGER;
    const char *code = has_code ? body_scalar(result, "exit_code", 16) : "-1";
    const bool is_own = str_eq(reason, "completed") || str_eq(reason, "error");
    char why[512], status[640];
    if (str_eq(reason, "timeout")) {
        e2b_stream_end(w, "deadline_exceeded", "the command's time is over, and it was ended");
        return;
    }
    if (is_own && has_code) {
        (void)snprintf(status, sizeof status, "exit status %s", code);
    } else {
        const char *number = body_kind(result, "signal") == BODY_INTEGER ? body_scalar(result, "signal", 8) : NULL;
        const bool is_signal = str_eq(reason, "signal") || str_eq(reason, "cancelled");
        say_why(result, reason, why, sizeof why);
        (void)snprintf(status, sizeof status, "%s%s", is_signal && number ? "signal: " : "",
                       is_signal && number ? (str_eq(number, "9")    ? "killed"
                                              : str_eq(number, "15") ? "terminated"
                                                                     : number)
                                           : why);
    }
    const size_t at = begin_event(&w->events.out, "end");
    (void)buf_addf(&w->events.out, "\"exitCode\":%s", is_own ? code : "-1");
    json_key(&w->events.out, "exited"), json_bool(&w->events.out, is_own);
    json_key(&w->events.out, "status"), json_put_string(&w->events.out, status);
    if (!is_own || !str_eq(code, "0"))
        json_key(&w->events.out, "error"), json_put_string(&w->events.out, status);
    end_event(&w->events.out, at);
    e2b_stream_end(w, NULL, NULL);
}

static void take_event(struct e2b_stream *w, struct body *event)
{
    const char *type = event ? e2b_text(event, "type") : "";
    struct body *result = body_object_if(event, "result");
    if (!event)
        end_event(&w->events.out, begin_event(&w->events.out, "keepalive"));
    else if (type && (str_eq(type, "stdout") || str_eq(type, "stderr")))
        put_output(w, event, type);
    else if (result)
        put_end(w, result);
    else if (type && str_eq(type, "error"))
        e2b_stream_end(w, "internal", "the process could not be run");
}

/* What the process writes, from its beginning on. */
static void watch(struct front_call *c, const char *id, bool is_terminal)
{
    const struct inner_asked with = { .parts = { c->session_id, id }, .query = { { "from", "1" } } };
    struct http_answer events = { 0 };
    inner_ask(c->call, "GET", "/sessions/{session_id}/processes/{process_id}/events", &with, &events);
    if (events.status != 200) {
        *c->out = events;
        return;
    }
    struct e2b_stream *w = e2b_stream_begin(c, "application/connect+json", &events, take_event);
    w->pid = e2b_pid(id);
    w->is_terminal = is_terminal;
    put_start(w);
}

/* --- which process ---------------------------------------------------------------------------------------------- */

struct found {
    const char *id; /* in the arena */
    bool is_terminal;
};

/* The one that runs comes before one that has ended, should two names have one number. */
static void look(struct front_call *c, struct body *list, uint64_t pid, struct found *ret)
{
    bool runs = false;
    const uint32_t n = body_objects(list, "processes", PROCESSES_MAX);
    for (uint32_t i = 0; i < n && !runs; i++) {
        struct body *one = body_object_at(list, "processes", i);
        const char *id = one ? e2b_text(one, "process_id") : NULL, *state = one ? e2b_text(one, "state") : NULL;
        if (!id || !state || e2b_pid(id) != pid)
            continue;
        runs = str_eq(state, "running");
        *ret = (struct found){ arena_copy(c->call->arena, id), body_bool(one, "pty", false) };
    }
}

static struct body *processes(struct front_call *c)
{
    return front_ask(c, "GET", "/sessions/{session_id}/processes", (struct inner_asked){ 0 });
}

/* {"process":{"pid":7}}. False: an answer was given. */
static bool find(struct front_call *c, struct found *ret)
{
    struct body *selector = body_object(c->body, "process");
    const uint64_t pid = selector ? body_uint(selector, "pid", UINT32_MAX, 0) : 0;
    *ret = (struct found){ 0 };
    if (!front_is_read(c))
        return false;
    struct body *list = processes(c);
    if (!list)
        return false;
    look(c, list, pid, ret);
    (void)body_free(list);
    if (!ret->id)
        front_fail(c, ANSWER_NOT_FOUND, "process with pid %llu not found", (unsigned long long)pid);
    return ret->id != NULL;
}

/* --- the methods ------------------------------------------------------------------------------------------------ */

static void put_argv(struct body *process, struct buf *b)
{
    struct strlist args = { 0 };
    json_key(b, "argv"), json_open(b, '[');
    json_put_string(b, e2b_text(process, "cmd"));
    body_texts(process, "args", &args, STRLIST_MAX_BYTES, 256);
    STRLIST_FOREACH(word, &args)
    json_put_string(b, word);
    json_close(b, ']');
    strlist_done(&args);
}

static void put_size(struct body *pty, struct buf *b)
{
    struct body *size = body_object(pty, "size");
    json_key(b, "rows"), json_uint(b, size ? body_uint(size, "rows", UINT32_MAX, 24) : 24);
    json_key(b, "cols"), json_uint(b, size ? body_uint(size, "cols", UINT32_MAX, 80) : 80);
}

/* Connect-Timeout-Ms is the process's time, as envd has it. */
static void put_timeout(struct front_call *c, struct buf *b)
{
    const char *text = http_header(c->call->request, "Connect-Timeout-Ms");
    uint64_t ms = 0;
    if (text && parse_u64(text, &ms) == 0 && ms)
        json_key(b, "timeout"), json_put_string(b, arena_printf(c->call->arena, "%llums", (unsigned long long)ms));
}

static bool put_request(struct front_call *c, bool *ret_is_terminal, struct buf *b)
{
    struct body *process = body_object(c->body, "process");
    struct body *pty = body_object_if(c->body, "pty");
    *ret_is_terminal = pty != NULL;
    if (!process || !e2b_text(process, "cmd")) {
        if (front_is_read(c))
            front_fail(c, ANSWER_INVALID_REQUEST, "process.cmd: is missing");
        return false;
    }
    json_open(b, '{');
    put_argv(process, b);
    front_put_cwd(c, e2b_text(process, "cwd"), b);
    front_put_env(process, "envs", b);
    put_timeout(c, b);
    if (pty)
        json_key(b, "pty"), json_open(b, '{'), put_size(pty, b), json_close(b, '}');
    else /* clients that do not say want one */
        json_key(b, "stdin"), json_bool(b, body_bool(c->body, "stdin", true));
    json_close(b, '}');
    return front_is_read(c);
}

static void start(struct front_call *c)
{
    bool is_terminal;
    struct buf b;
    buf_init(&b, MIB);
    if (put_request(c, &is_terminal, &b)) {
        struct body *made = front_ask(c, "POST", "/sessions/{session_id}/processes", front_body(&b));
        const char *id = made ? arena_copy(c->call->arena, e2b_text(made, "process_id")) : NULL;
        (void)body_free(made);
        if (id)
            watch(c, id, is_terminal);
    }
    buf_done(&b);
}

static void join(struct front_call *c)
{
    struct found p;
    if (find(c, &p))
        watch(c, p.id, p.is_terminal);
}

static void put_config(struct body *process, struct buf *b)
{
    struct strlist argv = { 0 };
    if (body_kind(process, "argv") == BODY_LIST)
        body_texts(process, "argv", &argv, STRLIST_MAX_BYTES, 512);
    const char *cmd = strlist_first(&argv);
    json_key(b, "config"), json_open(b, '{');
    json_key(b, "cmd"), json_put_string(b, cmd ? cmd : "");
    json_key(b, "args"), json_open(b, '[');
    for (const char *word = cmd ? strlist_next(&argv, cmd) : NULL; word; word = strlist_next(&argv, word))
        json_put_string(b, word);
    json_close(b, ']');
    json_key(b, "envs"), (void)buf_adds(b, "{}");
    json_close(b, '}');
    strlist_done(&argv);
}

static void list(struct front_call *c)
{
    struct body *all = processes(c);
    const uint32_t n = all ? body_objects(all, "processes", PROCESSES_MAX) : 0;
    if (!all)
        return;
    struct buf *b = answer_json(c->out, 200, 32 * MIB);
    json_open(b, '{');
    json_key(b, "processes"), json_open(b, '[');
    for (uint32_t i = 0; i < n; i++) {
        struct body *one = body_object_at(all, "processes", i);
        const char *id = one ? e2b_text(one, "process_id") : NULL, *state = one ? e2b_text(one, "state") : NULL;
        if (!id || !state || str_eq(state, "finished"))
            continue;
        json_open(b, '{');
        put_config(one, b);
        json_key(b, "pid"), json_uint(b, e2b_pid(id));
        json_close(b, '}');
    }
    json_close(b, ']');
    json_close(b, '}');
    (void)body_free(all);
}

/* «{}» where our own answer was a success. */
static void tell(struct front_call *c, const struct found *p, const char *what, struct inner_asked with)
{
    with.parts[0] = p->id;
    const char *pattern = arena_printf(c->call->arena, "/sessions/{session_id}/processes/{process_id}/%s", what);
    if (front_ask_done(c, "POST", pattern, with))
        front_done(c, 200);
}

static void send_input(struct front_call *c)
{
    struct body *input = body_object(c->body, "input");
    const char *coded = input ? e2b_text(input, body_has(input, "pty") ? "pty" : "stdin") : NULL;
    struct inner_asked with = { 0 };
    const size_t size = coded ? strlen(coded) : 0;
    char *bytes = arena_zero(c->call->arena, size + 1);
    struct found p;
    if (!front_is_read(c))
        return;
    if (!bytes || (coded && base64_read(coded, size, bytes, &with.body_size) < 0)) {
        front_fail(c, ANSWER_INVALID_REQUEST, "input: is no base64");
        return;
    }
    with.body = bytes;
    if (find(c, &p))
        tell(c, &p, "stdin", with);
}

static void close_input(struct front_call *c)
{
    const struct inner_asked with = { .query = { { "eof", "1" } } };
    struct found p;
    if (find(c, &p))
        tell(c, &p, "stdin", with);
}

/* «SIGNAL_SIGKILL». One that has ended is not found, which the SDK takes for «false». */
static void send_signal(struct front_call *c)
{
    static const char prefix[] = "SIGNAL_";
    const char *name = body_text_if(c->body, "signal");
    struct found p;
    if (!name || !str_starts(name, prefix)) {
        front_fail(c, ANSWER_INVALID_REQUEST, "signal: expected is SIGNAL_SIGTERM or SIGNAL_SIGKILL");
        return;
    }
    const char *text = arena_printf(c->call->arena, "{\"signal\":\"%.16s\"}", name + sizeof prefix - 1);
    const struct inner_asked with = { .body = text, .body_size = strlen(text) };
    if (!find(c, &p))
        return;
    tell(c, &p, "signal", with);
    if (c->out->status == 409)
        c->out->status = 404;
}

static void update(struct front_call *c)
{
    struct body *pty = body_object(c->body, "pty");
    struct buf b;
    struct found p;
    buf_init(&b, KIB);
    json_open(&b, '{');
    if (pty)
        put_size(pty, &b);
    json_close(&b, '}');
    if (find(c, &p))
        tell(c, &p, "resize", front_body(&b));
    buf_done(&b);
}

static const struct method {
    const char *name;
    bool is_stream;
    front_handler handle;
} methods[] = { { "Start", true, start },
                { "Connect", true, join },
                { "List", false, list },
                { "SendInput", false, send_input },
                { "SendSignal", false, send_signal },
                { "CloseStdin", false, close_input },
                { "Update", false, update } };

static const struct method *method_of(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(methods); i++)
        if (str_eq(methods[i].name, name))
            return &methods[i];
    return NULL;
}

bool e2b_process_streams(const char *name)
{
    const struct method *m = method_of(name);
    return m && m->is_stream;
}

void e2b_process(struct front_call *c)
{
    const struct method *m = method_of(c->call->parts[0]);
    if (m)
        m->handle(c);
    else
        front_fail(c, ANSWER_METHOD_NOT_ALLOWED, "process.Process has no method %.64s here", c->call->parts[0]);
}
