/* idempotency.h - a request that is sent again with the same Idempotency-Key runs once: the later ones get the first
 * one's answer.
 *
 * Keys count for 24 hours and for one API key. A request that was refused releases its key.
 */
#pragma once
#include "daemon/service.h"

/* 0: *ret_key NULL when there is none, else also the hash of what was asked. -EBADMSG: a key that is none. */
int idempotency_read(const struct http_request *q, struct arena *a, const char **ret_key, const char **ret_hash,
                     struct error *err);
/* The answer of execution `first`, waited for if it still runs, or all of its events from the first on. Always 1, as a
 * handler's «answered». */
int idempotency_replay(struct service *v, const struct http_request *q, const char *first, bool is_asynchronous,
                       bool is_streaming, struct http_answer *a);
