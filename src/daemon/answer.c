#include "daemon/answer.h"

#include "audit/line.h"

#include <stdio.h>

#define ERROR_BODY_MAX (256 * KIB) /* findings of a refused run are the most of it */

static const struct {
    unsigned status;
    const char *name;
} codes[ANSWER_CODES] = {
    [ANSWER_INVALID_REQUEST] = { 400, "invalid_request" },
    [ANSWER_UNAUTHENTICATED] = { 401, "unauthenticated" },
    [ANSWER_FORBIDDEN] = { 403, "forbidden" },
    [ANSWER_POLICY_DENIED] = { 403, "policy_denied" },
    [ANSWER_NOT_FOUND] = { 404, "not_found" },
    [ANSWER_METHOD_NOT_ALLOWED] = { 405, "method_not_allowed" },
    [ANSWER_TIMEOUT] = { 408, "request_timeout" },
    [ANSWER_CONFLICT] = { 409, "conflict" },
    [ANSWER_TOO_LARGE] = { 413, "body_too_large" },
    [ANSWER_MISDIRECTED] = { 421, "wrong_host" },
    [ANSWER_UNPROCESSABLE] = { 422, "invalid_value" },
    [ANSWER_RATE_LIMITED] = { 429, "rate_limited" },
    [ANSWER_QUEUE_FULL] = { 429, "queue_full" },
    [ANSWER_HEADERS_TOO_LARGE] = { 431, "headers_too_large" },
    [ANSWER_INTERNAL] = { 500, "internal_error" },
    [ANSWER_SANDBOX_ERROR] = { 500, "sandbox_error" },
    [ANSWER_BAD_GATEWAY] = { 502, "bad_gateway" },
    [ANSWER_GATEWAY_TIMEOUT] = { 504, "gateway_timeout" },
    [ANSWER_UNAVAILABLE] = { 503, "unavailable" },
};

unsigned answer_status(enum answer_code c)
{
    return (unsigned)c < ANSWER_CODES ? codes[c].status : 500;
}

const char *answer_code_name(enum answer_code c)
{
    return (unsigned)c < ANSWER_CODES ? codes[c].name : codes[ANSWER_INTERNAL].name;
}

/* Rounded up: who comes back sooner would be refused again. */
static uint64_t whole_seconds(uint64_t ms)
{
    return ms / 1000 + (ms % 1000 != 0);
}

const char *answer_seconds(struct arena *arena, uint64_t ms)
{
    return arena_printf(arena, "%llu", (unsigned long long)whole_seconds(ms));
}

static void add_text(struct buf *out, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    json_key(out, key);
    json_put_string(out, value);
}

static void add_details(const struct error *err, const struct answer_details *d, struct buf *out)
{
    json_open(out, '{');
    add_text(out, "step", err ? err->step : NULL);
    add_text(out, "field", err ? err->field : NULL);
    add_text(out, "remedy", err ? err->remedy : NULL);
    if (err && err->blame == BLAME_GUEST && str_eq(err->step, "EXEC"))
        add_text(out, "cause", err_public_code(err));
    if (err && err->code == -ENOLINK)
        add_text(out, "cause", "node_lost");
    if (d) {
        add_text(out, "rule", d->rule);
        add_text(out, "execution_id", d->execution_id);
        if (d->retry_after_ms) {
            json_key(out, "retry_after_seconds");
            json_uint(out, whole_seconds(d->retry_after_ms));
        }
        if (d->more && *d->more) {
            if (out->size && out->data[out->size - 1] != '{')
                (void)buf_addc(out, ',');
            (void)buf_adds(out, d->more);
        }
    }
    json_close(out, '}');
}

void answer_error_body(enum answer_code c, const char *message, const struct error *err, const struct answer_details *d,
                       struct buf *out)
{
    json_open(out, '{');
    json_key(out, "error");
    json_open(out, '{');
    json_key(out, "code");
    json_put_string(out, answer_code_name(c));
    json_key(out, "message");
    json_put_string(out, message ? message : err ? err->text : answer_code_name(c));
    json_key(out, "details");
    add_details(err, d, out);
    json_close(out, '}');
    json_close(out, '}');
    (void)buf_addc(out, '\n');
}

static void answer(struct http_answer *a, struct arena *arena, enum answer_code c, const char *message,
                   const struct error *err, const struct answer_details *d)
{
    buf_done(&a->body); /* of an answer that was begun and could not be finished */
    struct buf *out = answer_json(a, answer_status(c), ERROR_BODY_MAX);
    answer_error_body(c, message, err, d, out);
    if (out->failed) { /* details that are too many: better the error without them than none */
        buf_done(out);
        buf_init(out, ERROR_BODY_MAX);
        answer_error_body(c, message, err, NULL, out);
    }
    if (d && d->retry_after_ms)
        http_answer_header(a, "Retry-After", answer_seconds(arena, d->retry_after_ms));
}

void answer_fail(struct http_answer *a, struct arena *arena, enum answer_code c, const char *message)
{
    answer(a, arena, c, message, NULL, NULL);
}

void answer_error(struct http_answer *a, struct arena *arena, enum answer_code c, const struct error *err,
                  const struct answer_details *d)
{
    answer(a, arena, c, NULL, err, d);
}

struct buf *answer_json(struct http_answer *a, unsigned status, size_t max)
{
    a->status = status;
    a->content_type = "application/json";
    buf_init(&a->body, max);
    return &a->body;
}

void answer_time(struct buf *b, const char *name, uint64_t ms)
{
    char text[AUDIT_TIME_SIZE];
    audit_time_write(ms, text);
    json_key(b, name), json_put_string(b, ms ? text : NULL);
}
