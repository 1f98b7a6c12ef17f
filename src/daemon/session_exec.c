/* session_exec.c - one job of a session: its stream of events becomes our output as it comes, its result our exit code.
 */
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "audit/hmac.h"
#include "base/io.h"
#include "base/json.h"
#include "run/signals.h"
#include "daemon/session_command.h"
#include "run/result.h"

#define STDIN_MAX (46 * MIB) /* endpoints.api.max_body is at most 64 MiB, and it is sent in base64 */
#define BODY_MAX  (64 * MIB)
#define EVENT_MAX (256 * MIB) /* an event's: the last one has all output, as JSON */

struct followed {
    struct buf line; /* of the stream, not yet whole */
    char id[64];     /* once it has begun */
    size_t shown[2]; /* of stdout and stderr: bytes as JSON has them */
    bool is_over;    /* the last event came */
    int code;        /* then: what we exit with; negative: see err */
    const char *verb;
    struct error *err;
};

/* --- what is asked for ---------------------------------------------------------------------------- */

void session_command_words(struct buf *b, const char *name, char **words)
{
    json_key(b, name), json_open(b, '[');
    for (; *words; words++)
        json_put_string(b, *words);
    json_close(b, ']');
}

static void put_text(struct buf *b, const char *name, const char *text)
{
    if (text)
        json_key(b, name), json_put_string(b, text);
}

static int put_input(struct buf *b, struct error *err)
{
    struct buf input;
    if (isatty(STDIN_FILENO))
        return 0;
    buf_init(&input, STDIN_MAX);
    int e = read_open_file(STDIN_FILENO, &input);
    if (e == 0 && input.size) {
        json_key(b, "stdin_base64");
        (void)buf_addc(b, '"');
        base64_write(b, input.data, input.size);
        (void)buf_addc(b, '"');
    }
    buf_done(&input);
    if (e == -EBADF) /* closed: there is none */
        return 0;
    if (e == -EFBIG) {
        (void)err_set(err, e, BLAME_CALLER, NULL, "standard input is longer than %u MiB", (unsigned)(STDIN_MAX / MIB));
        return err_remedy(err, "sandbox-agent session cp FILE ID:PATH, and let the job read it from /workspace");
    }
    return e < 0 ? err_set(err, e, BLAME_CALLER, NULL, "standard input: %s", strerror(-e)) : 0;
}

static int check(const struct session_command *s, struct error *err)
{
    if (s->code && !s->language)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "-c CODE: --language is missing: python, node or bash");
    if (s->language && !s->code)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--language %s: -c CODE is missing", s->language);
    if (s->code || (s->rest && *s->rest))
        return 0;
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "what is to run is missing");
    return err_remedy(err, "session exec ID -- COMMAND, or session exec ID -c CODE --language LANGUAGE");
}

static int write_body(const struct session_command *s, struct buf *b, struct error *err)
{
    json_open(b, '{');
    if (s->code) {
        put_text(b, "language", s->language);
        put_text(b, "code", s->code);
    }
    if (s->rest && *s->rest)
        session_command_words(b, s->code ? "args" : "argv", s->rest);
    put_text(b, "timeout", s->timeout);
    put_text(b, "cwd", s->cwd);
    session_command_pairs(b, "env", &s->env);
    json_key(b, "stream"), json_bool(b, true);
    int e = put_input(b, err);
    json_close(b, '}');
    return e == 0 && b->failed
               ? err_set(err, -E2BIG, BLAME_CALLER, NULL, "the job is longer than %u MiB", (unsigned)(BODY_MAX / MIB))
               : e;
}

/* --- what comes ----------------------------------------------------------------------------------- */

static bool show(struct followed *j, int which, const char *data, size_t size)
{
    const int e = write_all(which ? STDERR_FILENO : STDOUT_FILENO, data, size);
    return e == 0 ||
           (err_set(j->err, e, BLAME_HOST, NULL, "%s: %s", which ? "standard error" : "standard output", strerror(-e)),
            false);
}

static bool take_output(struct followed *j, int which, const json_t *event)
{
    const json_t *text = json_object_get(event, "data");
    const char *coded = json_string_value(json_object_get(event, "data_base64"));
    j->shown[which] += json_string_length(text);
    if (!coded)
        return show(j, which, json_string_value(text) ? json_string_value(text) : "", json_string_length(text));
    const size_t n = strlen(coded);
    cleanup(freep) char *bytes = malloc(n + 1);
    size_t size = 0;
    if (!bytes || base64_read(coded, n, bytes, &size) < 0)
        return err_set(j->err, -EBADMSG, BLAME_HOST, NULL, "the service's output is no base64"), false;
    return show(j, which, bytes, size);
}

/* More than the service keeps as events: the result has the rest. */
static bool show_rest(struct followed *j, const json_t *result)
{
    static const char *const names[] = { "stdout", "stderr" };
    for (int i = 0; i < 2; i++) {
        const json_t *text = json_object_get(result, names[i]);
        const size_t size = json_string_length(text);
        if (size > j->shown[i] && !show(j, i, json_string_value(text) + j->shown[i], size - j->shown[i]))
            return false;
    }
    return true;
}

static enum run_reason reason_of(const json_t *result)
{
    const char *text = json_string_value(json_object_get(result, "reason"));
    for (int r = 0; text && r < REASON_COUNT; r++)
        if (str_eq(text, reason_name((enum run_reason)r)))
            return (enum run_reason)r;
    return REASON_SANDBOX_ERROR;
}

/* The program has its own words for what it did; these are for what was done to it. */
static void say_reason(const char *verb, enum run_reason reason, const json_t *result)
{
    const char *by = json_string_value(json_object_get(result, "kill_switch"));
    if (reason == REASON_COMPLETED || reason == REASON_ERROR || reason == REASON_SIGNAL)
        return;
    struct error err = { 0 };
    const char *why = json_string_value(json_object_get(json_object_get(result, "error"), "message"));
    (void)err_set(&err, -ECANCELED, BLAME_GUEST, NULL, "the job was ended: %s%s%s%s%.200s", reason_name(reason),
                  by ? ", by the kill switch " : "", by ? by : "", why ? ": " : "", why ? why : "");
    service_client_say(verb, &err);
}

static bool take_result(struct followed *j, const json_t *result)
{
    const json_t *exit_code = json_object_get(result, "exit_code"), *signal = json_object_get(result, "signal");
    const struct outcome o = { .reason = (uint8_t)reason_of(result),
                               .has_exit = json_is_integer(exit_code),
                               .exit_code = (uint32_t)json_integer_value(exit_code),
                               .has_signal = json_is_integer(signal),
                               .signal = (uint32_t)json_integer_value(signal) };
    if (!show_rest(j, result))
        return false;
    say_reason(j->verb, (enum run_reason)o.reason, result);
    j->code = result_exit_code(&(struct result){ .outcome = &o });
    j->is_over = true;
    return true;
}

static bool take_event(struct followed *j, const json_t *event)
{
    const char *type = json_string_value(json_object_get(event, "type"));
    const char *id = json_string_value(json_object_get(event, "execution_id"));
    if (!type)
        return err_set(j->err, -EBADMSG, BLAME_HOST, NULL, "the service's stream has an event without a type"), false;
    if (str_eq(type, "started"))
        (void)snprintf(j->id, sizeof j->id, "%s", id ? id : "");
    if (str_eq(type, "stdout") || str_eq(type, "stderr"))
        return take_output(j, str_eq(type, "stderr"), event);
    if (str_eq(type, "result"))
        return take_result(j, json_object_get(event, "result"));
    if (str_eq(type, "error")) {
        j->code = service_client_refusal(json_object_get(event, "error"), 0, j->err);
        j->is_over = true;
    }
    return true;
}

/* Of the lines of an event only «data: » says something: its type is in there, too. */
static bool take_line(struct followed *j)
{
    if (!str_starts(j->line.data, "data: "))
        return true;
    json_t *event = json_loadb(j->line.data + 6, j->line.size - 6, JSON_ALLOW_NUL, NULL);
    const bool goes_on = event
                             ? take_event(j, event)
                             : (err_set(j->err, -EBADMSG, BLAME_HOST, NULL, "the service's stream is no JSON"), false);
    json_decref(event);
    return goes_on;
}

static bool take(void *context, const char *data, size_t size)
{
    struct followed *j = context;
    while (size) {
        const char *newline = memchr(data, '\n', size);
        const size_t n = newline ? (size_t)(newline - data) : size;
        if (buf_add(&j->line, data, n) < 0)
            return err_set(j->err, -EMSGSIZE, BLAME_HOST, NULL, "the service's stream has a line too long"), false;
        if (newline && j->line.size && !take_line(j))
            return false;
        if (newline)
            j->line.size = 0;
        data += n + (newline != NULL);
        size -= n + (newline != NULL);
    }
    return true;
}

/* --- ^C ------------------------------------------------------------------------------------------- */

/* The service ends a job whose client has left; this is so that it has ended when the prompt comes back. */
static int give_up(const struct session_command *s, const struct followed *j, int signals)
{
    struct signalfd_siginfo info = { .ssi_signo = SIGTERM };
    if (read(signals, &info, sizeof info) != (ssize_t)sizeof info)
        info.ssi_signo = SIGTERM; /* it was readable: a signal has come */
    if (j->id[0]) {
        struct error ignored = { 0 }; /* it may have ended by now */
        struct buf path, answer = { 0 };
        buf_init(&path, KIB);
        (void)buf_adds(&path, "/executions/");
        service_client_quote(&path, j->id, "");
        const struct service_request r = { "DELETE", path.data, .max_bytes = SESSION_ANSWER_MAX,
                                           .timeout_ms = SESSION_PATIENCE_MS };
        (void)service_client_expect(&s->service, &r, &answer, &ignored);
        buf_done(&answer);
        buf_done(&path);
    }
    signals_end(signals, (int)info.ssi_signo);
    return 128 + (int)info.ssi_signo;
}

/* --- all of it ------------------------------------------------------------------------------------ */

int session_command_follow(const struct session_command *s, const char *verb, struct service_request r, const char *id,
                           struct error *err)
{
    cleanup(closep) int signals = signals_catch();
    struct followed j = { .verb = verb, .err = err };
    struct buf answer;
    r.take = take;
    r.context = &j;
    r.stop = signals < 0 ? NULL : &signals;
    r.max_bytes = SESSION_ANSWER_MAX;
    struct error own = { 0 };
    (void)snprintf(j.id, sizeof j.id, "%s", id);
    buf_init(&j.line, EVENT_MAX);
    int e = service_client_expect(&s->service, &r, &answer, &own);
    buf_done(&answer);
    buf_done(&j.line);
    if (e == -ECANCELED)
        return give_up(s, &j, signals);
    if (err->code)
        return err->code;
    if (j.is_over)
        return j.code;
    if (e == 0)
        e = err_set(&own, -EIO, BLAME_HOST, NULL, "the service's stream ended before the job did");
    *err = own;
    return e;
}

int session_command_exec(struct session_command *s, struct error *err)
{
    struct buf path, body;
    int e = check(s, err);
    if (e < 0)
        return e;
    buf_init(&path, 256 * KIB);
    buf_init(&body, BODY_MAX);
    session_command_path(&path, strlist_first(&s->places));
    (void)buf_adds(&path, "/execute");
    e = write_body(s, &body, err);
    if (e == 0)
        e = session_command_follow(s, "session exec", (struct service_request){ "POST", path.data, .body = body.data },
                                   "", err);
    const char *what = s->code ? s->language : *s->rest;
    if (e < 0 && err->blame == BLAME_GUEST && !strstr(err->text, what))
        (void)err_wrap(err, "%.100s", what);
    buf_done(&body);
    buf_done(&path);
    return e;
}
