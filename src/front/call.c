#include "front/call.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/json.h"
#include "daemon/routes.h"

#define ENV_EACH_MAX 32768u
#define ENV_MAX      256u

const struct front_row *front_find(struct front_call *c, const struct front_row *rows, size_t count, const char *path,
                                   unsigned flags, unsigned wanted)
{
    for (const struct front_row *r = rows; r < rows + count; r++) {
        const struct route route = { r->method, r->pattern, 0, 0, NULL };
        if ((r->flags & flags) == wanted && str_eq(r->method, c->call->request->method) &&
            route_match(&route, path, false, c->call->parts, c->call->arena))
            return r;
    }
    return NULL;
}

bool front_let_in(struct front_call *c, int (*who)(struct front_call *c, struct caller *ret, struct error *err))
{
    struct error err = { 0 };
    struct caller *caller = arena_zero(c->call->arena, sizeof *caller); /* a stream outlives the handler */
    const int e = caller ? who(c, caller, &err) : err_set(&err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    c->call->caller = caller;
    if (e < 0)
        call_refuse_key(c->call, c->out, e, &err);
    return e == 0;
}

void front_not_offered(struct front_call *c, const char *page)
{
    front_fail(c, ANSWER_NOT_FOUND, "not offered here: %s %.100s (%s)", c->call->request->method,
               c->call->request->path, page);
}

void front_fail(struct front_call *c, enum answer_code code, const char *fmt, ...)
{
    char text[256];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    answer_fail(c->out, c->call->arena, code, text);
}

void front_done(struct front_call *c, unsigned status)
{
    buf_done(&c->out->body);
    struct buf *b = answer_json(c->out, status, 16);
    if (status != 204)
        (void)buf_adds(b, "{}");
}

const char *front_own_url(const struct front_call *c)
{
    const struct http_request *q = c->call->request;
    const char *host = http_header(q, "Host"), *proto = http_header(q, "X-Forwarded-Proto");
    const bool is_tls = q->is_tls || (proto && str_eq(proto, "https")); /* a proxy's: the client is told its own */
    return arena_printf(c->call->arena, "http%s://%.255s", is_tls ? "s" : "", host ? host : "localhost");
}

bool front_read(struct front_call *c, const char *data, size_t size, bool may_be_empty)
{
    struct error err = { 0 };
    if (body_parse(data, size, may_be_empty, &c->body, &err) == 0)
        return true;
    call_refuse(c->call, c->out, &err);
    return false;
}

bool front_is_read(struct front_call *c)
{
    struct error err = { 0 };
    if (body_end_open(c->body, &err) == 0)
        return true;
    call_refuse(c->call, c->out, &err);
    return false;
}

bool front_offers(struct front_call *c, const char *const *names, const char *page)
{
    for (; *names; names++) {
        if (!body_has(c->body, *names))
            continue;
        front_fail(c, ANSWER_INVALID_REQUEST, "%s: not offered here (%s)", *names, page);
        return false;
    }
    return true;
}

bool front_put_text(struct front_call *c, const char *name, const char *to, struct buf *b)
{
    if (body_kind(c->body, name) == BODY_TEXT) {
        json_key(b, to), body_json(c->body, name, b);
        return true;
    }
    front_fail(c, ANSWER_INVALID_REQUEST, "%s: expected is a text", name);
    return false;
}

void front_put_env(struct body *from_of, const char *from, struct buf *b)
{
    struct strlist env = { 0 };
    body_pairs(from_of, from, &env, ENV_EACH_MAX, ENV_MAX);
    json_key(b, "env"), json_open(b, '{'), json_pairs(b, &env, NULL), json_close(b, '}');
    strlist_done(&env);
}

struct body *front_ask(struct front_call *c, const char *method, const char *pattern, struct inner_asked with)
{
    with.parts[1] = with.parts[0];
    with.parts[0] = c->session_id;
    return inner_ask_first(c->call, method, pattern, &with, c->out);
}

bool front_ask_done(struct front_call *c, const char *method, const char *pattern, struct inner_asked with)
{
    struct body *b = front_ask(c, method, pattern, with);
    (void)body_free(b);
    return b != NULL;
}

struct inner_asked front_body(const struct buf *b)
{
    return (struct inner_asked){ .body = b->data, .body_size = b->failed ? 0 : b->size };
}
