#include "front/e2b.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/parse.h"
#include "daemon/routes.h"
#include "daemon/sessions.h"
#include "front/e2b_internal.h"
#include "front/sandboxes.h"

#define SANDBOX_HEADER "E2b-Sandbox-Id"
#define KEY_HEADER     "X-API-KEY"
#define GONE           502u /* what E2B's proxy says of a sandbox that is not there any more */

enum dialect { PLAIN, UNARY, STREAM };

static const struct front_row rows[] = {
    { "POST", "/v2/sandboxes", FRONT_JSON, e2b_create },
    { "POST", "/sandboxes", FRONT_JSON, e2b_create },
    { "GET", "/v2/sandboxes", 0, e2b_list },
    { "GET", "/sandboxes", 0, e2b_list },
    { "GET", "/sandboxes/{id}", 0, e2b_show },
    { "DELETE", "/sandboxes/{id}", 0, e2b_kill },
    { "POST", "/sandboxes/{id}/timeout", FRONT_JSON, e2b_timeout },
    { "POST", "/sandboxes/{id}/pause", FRONT_JSON, e2b_pause },
    { "POST", "/sandboxes/{id}/connect", FRONT_JSON, e2b_connect },
    { "POST", "/v2/sandboxes/{id}/connect", FRONT_JSON, e2b_connect },
    { "POST", "/sandboxes/{id}/resume", FRONT_JSON, e2b_connect },
    { "GET", "/sandboxes/{id}/metrics", 0, e2b_metrics },
    { "POST", "/process.Process/{method}", FRONT_INSIDE | FRONT_CONNECT, e2b_process },
    { "POST", "/filesystem.Filesystem/{method}", FRONT_INSIDE | FRONT_CONNECT, e2b_filesystem },
    { "GET", "/files", FRONT_INSIDE, e2b_download },
    { "POST", "/files", FRONT_INSIDE, e2b_upload },
    { "GET", "/health", FRONT_INSIDE, NULL },
    { "POST", "/execute", FRONT_INSIDE | FRONT_JSON, e2b_execute },
    { "POST", "/contexts", FRONT_INSIDE | FRONT_JSON, e2b_context_create },
    { "GET", "/contexts", FRONT_INSIDE, e2b_context_list },
    { "DELETE", "/contexts/{id}", FRONT_INSIDE, e2b_context_delete },
    { "POST", "/contexts/{id}/restart", FRONT_INSIDE, e2b_context_restart },
};

const char *e2b_text(struct body *b, const char *name)
{
    return body_text(b, name, SIZE_MAX);
}

/* --- streams -------------------------------------------------------------------------------------------------- */

static bool take_event(void *context, struct body *event)
{
    struct e2b_stream *s = context;
    s->take(s, event);
    return !s->events.is_over;
}

static ssize_t stream(void *context, char *to, size_t max)
{
    struct e2b_stream *s = context;
    return inner_events_pass(&s->events, take_event, s, to, max);
}

static void done(void *context)
{
    struct e2b_stream *s = context;
    inner_events_done(&s->events); /* ends a cell that has not ended; processes go on */
    free(s);
}

struct e2b_stream *e2b_stream_begin(struct front_call *c, const char *content_type, const struct http_answer *events,
                                    void (*take)(struct e2b_stream *s, struct body *event))
{
    struct e2b_stream *s = calloc(1, sizeof *s);
    if (!s)
        abort(); /* some hundred bytes */
    s->arena = c->call->arena;
    s->take = take;
    inner_events_init(&s->events, events);
    *c->out = (struct http_answer){
        .status = 200, .content_type = content_type, .stream = stream, .done = done, .context = s
    };
    return s;
}

static void put_connect_error(struct buf *b, const char *code, const char *message)
{
    json_open(b, '{');
    json_key(b, "code"), json_put_string(b, code);
    json_key(b, "message"), json_put_string(b, message);
    json_close(b, '}');
}

/* json_open() would put a comma behind the head. */
static void put_end(struct buf *b, const char *code, const char *message)
{
    const size_t begin = e2b_envelope_begin(b, E2B_ENVELOPE_END);
    (void)buf_adds(b, code ? "{\"error\":" : "{");
    if (code)
        put_connect_error(b, code, message);
    (void)buf_addc(b, '}');
    e2b_envelope_end(b, begin);
}

void e2b_stream_end(struct e2b_stream *s, const char *code, const char *message)
{
    put_end(&s->events.out, code, message);
    s->events.is_over = true;
}

/* --- letting in ----------------------------------------------------------------------------------------------- */

static const char *shown_token(const struct http_request *q)
{
    const char *token = http_header(q, "X-Access-Token");
    return token ? token : http_header(q, "E2B-Traffic-Access-Token");
}

static bool add_id(void *context, const struct session_entry *e)
{
    if (e->end == SESSION_LIVES && !e->has_ended)
        (void)buf_add(context, e->id, sizeof e->id);
    return true;
}

/* A signed URL names no sandbox: it is the one with whose token it was signed. */
static const char *signed_session(struct service *v, const struct http_request *q)
{
    const char *shown = http_query(q, "signature"), *until = http_query(q, "signature_expiration"), *found = NULL;
    const struct e2b_signed what = { .path = http_query(q, "path") ? http_query(q, "path") : "",
                                     .operation = str_eq(q->method, "POST") ? "write" : "read",
                                     .user = http_query(q, "username"),
                                     .expires = until };
    uint64_t seconds;
    if (!shown || !str_eq(q->path, "/files") || strlen(shown) != E2B_SIGNATURE_SIZE - 2 ||
        strlen(what.path) >= PATH_MAX || (what.user && strlen(what.user) >= NAME_MAX) ||
        (until && (parse_u64(until, &seconds) < 0 || seconds <= wall_clock_ms() / 1000)))
        return NULL;
    struct buf ids;
    buf_init(&ids, 16 * MIB);
    sessions_each(v->sessions, add_id, &ids);
    for (size_t at = 0; at < ids.size && !found; at += EXECUTION_ID_SIZE) {
        char token[E2B_TOKEN_SIZE], good[E2B_SIGNATURE_SIZE];
        e2b_token(v->e2b, ids.data + at, token);
        if (e2b_sign(&what, token, good) && secret_equal(shown, good, E2B_SIGNATURE_SIZE - 2))
            found = arena_copy(q->arena, ids.data + at);
    }
    buf_done(&ids);
    return found;
}

static const char *session_of(struct service *v, const struct http_request *q)
{
    const char *token = shown_token(q), *named = http_header(q, SANDBOX_HEADER);
    const char *id = token ? e2b_token_read(v->e2b, token, q->arena) : signed_session(v, q);
    return id && (!named || str_eq(named, id)) ? id : NULL;
}

static int let_in_to(struct service *v, const struct http_request *q, const char *session_id, struct caller *ret,
                     struct error *err)
{
    struct session_entry *e = sessions_find(v->sessions, session_id);
    const int r = e ? auth_of_key(v, e->key_id, q->arena, ret, err) : 0;
    (void)session_entry_unref(e);
    return r;
}

static int who_controls(struct front_call *c, struct caller *ret, struct error *err)
{
    const struct http_request *q = c->call->request;
    return auth_check_token(c->call->service, q, e2b_key(http_header(q, KEY_HEADER), c->call->arena), ret, err);
}

static int who_is_inside(struct front_call *c, struct caller *ret, struct error *err)
{
    if (c->session_id)
        return let_in_to(c->call->service, c->call->request, c->session_id, ret, err);
    return err_set(err, -EACCES, BLAME_CALLER, NULL, "this is no token, or signature, of a sandbox here");
}

bool e2b_admits(struct service *v, struct http_request *q)
{
    struct caller caller;
    struct error err = { 0 };
    const char *key = http_header(q, KEY_HEADER);
    if (key)
        return auth_check_token(v, q, e2b_key(key, q->arena), &caller, &err) == 0;
    const char *id = shown_token(q) || http_query(q, "signature") ? session_of(v, q) : NULL;
    return id && let_in_to(v, q, id, &caller, &err) == 0;
}

/* --- one request ---------------------------------------------------------------------------------------------- */

static enum dialect dialect_of(const struct front_row *r, const struct call *c)
{
    return !r || !(r->flags & FRONT_CONNECT)                                ? PLAIN
           : r->handle == e2b_process && e2b_process_streams(c->parts[0])   ? STREAM
           : r->handle == e2b_filesystem && str_eq(c->parts[0], "WatchDir") ? STREAM
                                                                            : UNARY;
}

static bool check_type(struct front_call *c, enum dialect d)
{
    const char *type = http_header(c->call->request, "Content-Type");
    const char *wanted = d == STREAM ? "application/connect+json" : "application/json";
    if (type && str_starts(type, wanted))
        return true;
    front_fail(c, ANSWER_INVALID_REQUEST, "Content-Type: this method takes %s", wanted);
    return false;
}

static bool read_envelope(struct front_call *c, const char **ret, size_t *ret_size)
{
    const struct http_request *q = c->call->request;
    const int e = e2b_envelope_read(q->body, q->body_size, ret, ret_size);
    if (e == -ENOTSUP)
        front_fail(c, ANSWER_INVALID_REQUEST, "the message is compressed; Connect-Content-Encoding is not offered");
    else if (e == -EMSGSIZE)
        front_fail(c, ANSWER_TOO_LARGE, "the message is longer than %u MiB", (unsigned)(E2B_ENVELOPE_MAX / MIB));
    else if (e < 0)
        front_fail(c, ANSWER_INVALID_REQUEST, "the body is not one whole envelope: flags, length, message");
    return e == 0;
}

static bool read_body(struct front_call *c, const struct front_row *r, enum dialect d)
{
    const char *data = c->call->request->body;
    size_t size = c->call->request->body_size;
    if (!(r->flags & (FRONT_JSON | FRONT_CONNECT)))
        return true;
    if (r->flags & FRONT_CONNECT && !check_type(c, d))
        return false;
    if (d == STREAM && !read_envelope(c, &data, &size))
        return false;
    return front_read(c, data, size, true);
}

static bool lives(struct front_call *c)
{
    if (front_session_is_there(c->call->service, c->session_id))
        return true;
    (void)buf_adds(answer_json(c->out, GONE, KIB), "{}");
    return false;
}

static void respond(struct front_call *c, const struct front_row *r, enum dialect d)
{
    const bool is_inside = r && r->flags & FRONT_INSIDE;
    if (!front_is_on(c, e2b))
        return;
    if (!r) {
        front_not_offered(c, E2B_PAGE);
        return;
    }
    c->session_id = is_inside ? session_of(c->call->service, c->call->request) : c->call->parts[0];
    if (!front_let_in(c, is_inside ? who_is_inside : who_controls) || (is_inside && !lives(c)) || !read_body(c, r, d))
        return;
    if (r->handle)
        r->handle(c);
    else
        front_done(c, 204);
}

/* --- errors, reworded ----------------------------------------------------------------------------------------- */

static const char *connect_code(unsigned status)
{
    static const struct {
        unsigned status;
        const char *code;
    } codes[] = { { 400, "invalid_argument" },    { 401, "unauthenticated" },    { 403, "permission_denied" },
                  { 404, "not_found" },           { 405, "unimplemented" },      { 408, "deadline_exceeded" },
                  { 409, "failed_precondition" }, { 413, "resource_exhausted" }, { 422, "invalid_argument" },
                  { 429, "resource_exhausted" },  { GONE, "unavailable" },       { 503, "unavailable" } };
    for (size_t i = 0; i < ARRAY_LEN(codes); i++)
        if (codes[i].status == status)
            return codes[i].code;
    return "internal";
}

static void put_plain_error(struct buf *b, unsigned status, const char *message, const char *session_id)
{
    json_open(b, '{');
    json_key(b, "code"), json_uint(b, status);
    json_key(b, "message"), json_put_string(b, message);
    if (status == GONE)
        json_key(b, "sandboxId"), json_put_string(b, session_id);
    json_close(b, '}');
}

bool e2b_refuse(const struct http_request *q, unsigned status, const char *message, struct buf *body)
{
    const bool is_inside = http_header(q, SANDBOX_HEADER) || shown_token(q);
    if (!is_inside && !http_header(q, KEY_HEADER))
        return false;
    if (http_header(q, "Connect-Protocol-Version"))
        put_connect_error(body, connect_code(status), message);
    else
        put_plain_error(body, status, message, "");
    return true;
}

static void reword(struct front_call *c, enum dialect d)
{
    struct http_answer *a = c->out;
    const unsigned status = a->status == 422 ? 400 : a->status == 405 ? 404 : a->status;
    const unsigned was = a->status;
    const char *words = was == GONE ? "the sandbox was not found, or is over" : "the request failed";
    const char *message = inner_reword(a, c->call->arena, status, words);
    if (d == PLAIN) {
        put_plain_error(&a->body, status, message, c->session_id);
    } else if (d == UNARY || status == GONE) {
        put_connect_error(&a->body, c->code ? c->code : connect_code(was), message);
    } else {
        put_end(&a->body, c->code ? c->code : connect_code(was), message);
        a->status = 200;
        a->content_type = "application/connect+json";
    }
}

bool e2b_answer(struct call *call, bool has_route, struct http_answer *a)
{
    const bool is_named = http_header(call->request, SANDBOX_HEADER) != NULL;
    if (has_route && !is_named)
        return false;
    struct front_call c = { .call = call, .out = a };
    const struct front_row *r = front_find(&c, rows, ARRAY_LEN(rows), call->request->path, 0, 0);
    if (!r && !is_named && !http_header(call->request, KEY_HEADER))
        return false;
    const enum dialect d = dialect_of(r, call);
    respond(&c, r, d);
    (void)body_free(c.body);
    call_finish(call, a);
    if (a->status >= 400)
        reword(&c, d);
    return true;
}
