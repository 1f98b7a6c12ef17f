#include "remote/run.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "audit/hmac.h"
#include "base/io.h"
#include "base/secret_file.h"
#include "daemon/service_client.h"
#include "remote/result.h"

#define REQUEST_MAX (64 * MIB) /* ours: code, files and input in base64 */
#define END_WAIT_MS 10000u     /* for the result of a run that we ended */

struct sending {
    struct remote_run *run;
    struct service_client client;
    char *request;
    struct buf line; /* of the stream, so far */
    char execution_id[64];
    uint64_t written[2];
    bool has_lost;  /* the stream has left something out: the result has it */
    json_t *result; /* owned; NULL: none yet */
    struct error error;
    struct arena arena;
};

/* --- what comes --------------------------------------------------------------------------------------------- */

static int fail(struct sending *s, int code, const char *text)
{
    if (s->error.code)
        return s->error.code;
    (void)err_set(&s->error, code, BLAME_HOST, "REMOTE", "%s: %s", s->run->remote.address, text);
    return err_remedy(&s->error, "see whether it is a sandboxd of this version, and its log");
}

static int write_output(struct sending *s, unsigned which, const char *data, size_t size)
{
    s->written[which] += size;
    if (s->written[which] > s->run->remote.max_output + 64 * KIB) /* it cuts there, by the same profile */
        return fail(s, -EFBIG, "it sends more output than the level allows");
    return write_all(s->run->fds[RUN_FD_STDOUT + which], data, size) < 0 ? -EPIPE : 0;
}

static int on_output(struct sending *s, unsigned which, const json_t *event)
{
    const json_t *plain = json_object_get(event, "data"), *coded = json_object_get(event, "data_base64");
    size_t size = json_string_length(plain);
    if (s->has_lost)
        return 0;
    if (!json_is_string(coded))
        return json_is_string(plain) ? write_output(s, which, json_string_value(plain), size)
                                     : fail(s, -EBADMSG, "output without data");
    cleanup(freep) char *bytes = malloc(json_string_length(coded) + 1);
    if (!bytes || base64_read(json_string_value(coded), json_string_length(coded), bytes, &size) < 0)
        return fail(s, -EBADMSG, "output that is no base64");
    return write_output(s, which, bytes, size);
}

/* What the stream left out stands in the result. */
static int write_rest(struct sending *s)
{
    static const char *const names[2] = { "stdout", "stderr" };
    for (unsigned i = 0; s->has_lost && i < 2; i++) {
        const json_t *all = json_object_get(s->result, names[i]);
        const size_t size = json_string_length(all);
        if (size > s->written[i] &&
            write_output(s, i, json_string_value(all) + s->written[i], size - (size_t)s->written[i]) < 0)
            return -EPIPE;
    }
    return 0;
}

/* A service that is busy, or wants another key, is no rule that the agent has broken. */
static int refused(struct sending *s, const json_t *error, long status)
{
    const char *code = json_string_value(json_object_get(error, "code"));
    (void)service_client_refusal(error, status, &s->error);
    if (!code || !str_eq(code, "policy_denied"))
        s->error.blame = BLAME_HOST;
    if (status == 401)
        (void)err_remedy(&s->error, "put a good key of it into sandbox.remote.key_file; nothing ran on this machine");
    return -EREMOTEIO;
}

static int on_end(struct sending *s, const json_t *event)
{
    json_t *result = json_object_get(event, "result");
    if (!json_is_object(result)) {
        const json_t *error = json_object_get(event, "error");
        return error ? refused(s, error, 0) : fail(s, -EBADMSG, "an end without a result");
    }
    if (!s->result)
        s->result = json_incref(result);
    return write_rest(s);
}

static int on_event(struct sending *s, const json_t *event)
{
    const char *type = json_string_value(json_object_get(event, "type"));
    if (!type)
        return fail(s, -EBADMSG, "an event without a type");
    if (str_eq(type, "started")) {
        const char *id = json_string_value(json_object_get(event, "execution_id"));
        (void)snprintf(s->execution_id, sizeof s->execution_id, "%s", id ? id : "");
    }
    if (str_eq(type, "lost"))
        s->has_lost = true;
    if (str_eq(type, "result") || str_eq(type, "error"))
        return on_end(s, event);
    return str_eq(type, "stdout")   ? on_output(s, 0, event)
           : str_eq(type, "stderr") ? on_output(s, 1, event)
                                    : 0; /* a later version's */
}

/* «data: {…}»; all other lines of Server-Sent Events say nothing to us. */
static int on_line(struct sending *s, const char *line, size_t size)
{
    if (size < 5 || memcmp(line, "data:", 5) != 0)
        return 0;
    json_t *event = json_loadb(line + 5, size - 5, JSON_ALLOW_NUL, NULL);
    int e = event ? on_event(s, event) : fail(s, -EBADMSG, "an event that is no JSON");
    json_decref(event);
    return e;
}

static bool take(void *context, const char *data, size_t size)
{
    struct sending *s = context;
    for (const char *end; (end = memchr(data, '\n', size)); size -= (size_t)(end + 1 - data), data = end + 1) {
        if (buf_add(&s->line, data, (size_t)(end - data)) < 0)
            return fail(s, -EFBIG, "a line that is too long") == 0;
        const int e = on_line(s, s->line.data, s->line.size);
        s->line.size = 0;
        if (e < 0)
            return false;
    }
    return buf_add(&s->line, data, size) == 0 || fail(s, -EFBIG, "a line that is too long") == 0;
}

/* --- what goes ---------------------------------------------------------------------------------------------- */

static int read_request(struct sending *s, struct error *err)
{
    struct stat st;
    const int fd = s->run->fds[RUN_FD_CODE];
    if (fstat(fd, &st) < 0 || st.st_size < 2 || (uint64_t)st.st_size > REQUEST_MAX)
        return err_set(err, -EBADMSG, BLAME_US, "REMOTE", "a request of a size that cannot be");
    s->request = calloc(1, (size_t)st.st_size + 1);
    if (!s->request || pread(fd, s->request, (size_t)st.st_size, 0) != st.st_size)
        return err_set(err, -EIO, BLAME_HOST, "REMOTE", "the request could not be read: %m");
    return 0;
}

static int open_client(struct sending *s, char *key, size_t size, struct error *err)
{
    const struct remote *r = &s->run->remote;
    int e = secret_file_read("sandbox.remote.key_file", r->key_file, key, size, err);
    char *at = key;
    if (e < 0)
        return e;
    s->client = (struct service_client){ .url = r->address,
                                         .ca = r->certificate,
                                         .connect_ms = (uint32_t)r->connect_ms };
    (void)service_client_settle(&s->client);
    s->client.key = secret_file_line(&at);
    return service_client_open(&s->client, err);
}

/* Ended by us: what it came to is asked for, since usage and violations count. */
static void fetch_end(struct sending *s)
{
    struct buf out;
    struct error ignored = { 0 };
    const char *path = arena_printf(&s->arena, "/executions/%s", s->execution_id);
    const struct service_request end = { .method = "DELETE", .path = path, .max_bytes = 64 * KIB, .timeout_ms = 2000 };
    const struct service_request look = { .method = "GET", .path = path, .max_bytes = s->line.max, .timeout_ms = 2000 };
    (void)service_client_expect(&s->client, &end, &out, &ignored);
    buf_done(&out);
    for (unsigned waited = 0; !s->result && waited < END_WAIT_MS; waited += 50) {
        const int e = service_client_expect(&s->client, &look, &out, &ignored);
        json_t *row = e == 0 && out.size ? json_loadb(out.data, out.size, JSON_ALLOW_NUL, NULL) : NULL;
        json_t *result = json_object_get(row, "result");
        if (!json_is_object(result) && json_is_string(json_object_get(row, "stdout")))
            result = row;
        if (json_is_object(result) && json_object_get(result, "isolation"))
            s->result = json_incref(result);
        json_decref(row);
        buf_done(&out);
        if (e < 0)
            return;
        (void)usleep(50 * 1000);
    }
}

static int send_it(struct sending *s, enum run_reason *ret_killed)
{
    static const int stop = CONTROL_FD;
    const struct remote_run *r = s->run;
    struct buf out;
    const char *const headers[] = { "Accept: text/event-stream", NULL };
    const struct service_request q = {
        .method = "POST",
        .path = "/execute",
        .headers = headers,
        .body = s->request,
        .take = take,
        .context = s,
        .stop = &stop,
        .max_bytes = MIB,
        .timeout_ms = (uint32_t)MIN_OF(r->job.timeout_ms + r->job.grace_ms + r->remote.patience_ms,
                                       (uint64_t)INT32_MAX),
    };
    struct error err = { 0 };
    long status = 0;
    int e = service_client_ask(&s->client, &q, &status, &out, &err);
    if (e == 0 && status / 100 != 2) {
        json_t *answer = out.size ? json_loadb(out.data, out.size, 0, NULL) : NULL;
        e = refused(s, json_object_get(answer, "error"), status);
        json_decref(answer);
    }
    buf_done(&out);
    if (e == -ECANCELED)
        *ret_killed = peer_killed(r->tag);
    if (e < 0 && !s->error.code && !s->result)
        s->error = err;
    return e;
}

/* Whose fault a refusal is over there is not whose it is here: only the rule stays one. */
static void translate(struct sending *s)
{
    struct error *e = &s->error;
    if (e->blame != BLAME_POLICY)
        e->blame = BLAME_HOST;
    if (!e->step[0])
        (void)snprintf(e->step, sizeof e->step, "REMOTE");
    (void)err_wrap(e, "remote");
    if (!e->remedy[0])
        (void)err_remedy(e, "see sandbox.remote: its address, certificate and key; nothing ran on this machine");
}

static void conclude(struct sending *s, enum run_reason killed, struct outcome *o)
{
    if (s->result) {
        result_outcome(s->result, s->run->remote.address, &s->arena, o);
        if (killed != REASON_COMPLETED)
            o->reason = (uint8_t)killed;
        return;
    }
    *o = (struct outcome){ .reason = (uint8_t)killed };
    if (killed != REASON_COMPLETED) {
        (void)strlist_addf(&o->missing, "remote: %s did not say how the run ended", s->run->remote.address);
        return;
    }
    if (!s->error.code)
        (void)fail(s, -EPIPE, "the connection ended before the result");
    translate(s);
    outcome_set_error(o, &s->error);
}

void remote_run(struct remote_run *r)
{
    char key[128] = "";
    struct outcome o;
    struct sending s = { .run = r };
    enum run_reason killed = REASON_COMPLETED;
    buf_init(&s.line, 6 * r->remote.max_output + 16 * MIB);
    int e = read_request(&s, &s.error);
    if (e == 0)
        e = open_client(&s, key, sizeof key, &s.error);
    if (e == 0)
        (void)send_it(&s, &killed);
    if (killed != REASON_COMPLETED && s.execution_id[0])
        fetch_end(&s);
    conclude(&s, killed, &o);
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&r->fds[i]); /* the client's pipes end before it has its answer */
    peer_answer(r->tag, &o);
    strlist_done(&o.missing);
    strlist_done(&o.violations);
    service_client_done(&s.client);
    secret_wipe(key, sizeof key);
    json_decref(s.result);
    free(s.request);
    buf_done(&s.line);
    arena_done(&s.arena);
}
