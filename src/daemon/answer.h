/* answer.h - what handlers answer: JSON, and errors in the one form of the contract.
 *
 *   {"error":{"code":"rate_limited","message":"…","details":{"step":…,"remedy":…,"cause":…,"rule":…,"retry_after_seconds":…,"execution_id":…}}}
 */
#pragma once
#include "base/json.h"
#include "http/http.h"

/* Stable snake_case codes and their status: the table in answer.c, and docs/openapi.yaml. */
enum answer_code {
    ANSWER_INVALID_REQUEST,    /* 400 invalid_request: no JSON, bad framing, unknown member */
    ANSWER_UNAUTHENTICATED,    /* 401 unauthenticated */
    ANSWER_FORBIDDEN,          /* 403 forbidden: the key's role, agents or levels do not permit it */
    ANSWER_POLICY_DENIED,      /* 403 policy_denied */
    ANSWER_NOT_FOUND,          /* 404 not_found */
    ANSWER_METHOD_NOT_ALLOWED, /* 405 method_not_allowed, with Allow */
    ANSWER_TIMEOUT,            /* 408 request_timeout */
    ANSWER_CONFLICT,           /* 409 conflict: Idempotency-Key with another body, state that does not fit */
    ANSWER_TOO_LARGE,          /* 413 body_too_large */
    ANSWER_MISDIRECTED,        /* 421 wrong_host */
    ANSWER_UNPROCESSABLE,      /* 422 invalid_value: JSON, but a value is not accepted */
    ANSWER_RATE_LIMITED,       /* 429 rate_limited, with Retry-After */
    ANSWER_QUEUE_FULL,         /* 429 queue_full, with Retry-After */
    ANSWER_HEADERS_TOO_LARGE,  /* 431 headers_too_large */
    ANSWER_INTERNAL,           /* 500 internal_error */
    ANSWER_SANDBOX_ERROR,      /* 500 sandbox_error: the sandbox could not be set up */
    ANSWER_BAD_GATEWAY,        /* 502 bad_gateway: the server at a session's port does not answer as one, or
                                * another node was lost that had the request */
    ANSWER_UNAVAILABLE,        /* 503 unavailable: starting, draining, no launcher, no store; with Retry-After */
    ANSWER_GATEWAY_TIMEOUT,    /* 504 gateway_timeout: it does not answer in time */
    ANSWER_CODES
};
unsigned answer_status(enum answer_code c);
const char *answer_code_name(enum answer_code c);

/* Details beyond the error's own step and remedy. */
struct answer_details {
    const char *rule, *execution_id;
    uint64_t retry_after_ms; /* 0: none; also makes the header, in whole seconds, at least 1 */
    const char *more;        /* further finished members, such as «"findings":[…]», or NULL */
};
/* err may be NULL: then message alone. details may be NULL. */
void answer_fail(struct http_answer *a, struct arena *arena, enum answer_code c, const char *message);
void answer_error(struct http_answer *a, struct arena *arena, enum answer_code c, const struct error *err,
                  const struct answer_details *d);
void answer_error_body(enum answer_code c, const char *message, const struct error *err, const struct answer_details *d,
                       struct buf *out);
/* For Retry-After: rounded up. */
const char *answer_seconds(struct arena *arena, uint64_t ms);
/* A member with this time of day (RFC 3339, UTC); 0: null. */
void answer_time(struct buf *b, const char *name, uint64_t ms);
/* Begins a JSON body: a->status and a->body initialised with max bytes. A body that `failed` is answered as 500. */
struct buf *answer_json(struct http_answer *a, unsigned status, size_t max);
