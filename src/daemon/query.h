/* query.h - the parameters behind the question mark, read strictly: unknown ones and those that are there twice are
 * refused. */
#pragma once
#include "base/error.h"
#include "http/http.h"

/* names: NULL-terminated, at most 32. Errors here are BLAME_CALLER; -EBADMSG: a name (400), -EINVAL: a value (422). */
int query_known(const struct http_request *q, const char *const *names, struct error *err);
/* A whole number; *ret is untouched when it is not there. */
int query_uint(const struct http_request *q, const char *name, uint64_t min, uint64_t max, uint64_t *ret,
               struct error *err);
/* RFC 3339, a date, seconds since 1970, or how long ago («90s», «7d»); in ms. */
int query_time(const struct http_request *q, const char *name, uint64_t now_ms, uint64_t *ret_ms, struct error *err);
/* One of the choices (NULL-terminated): its index; untouched when it is not there. */
int query_choice(const struct http_request *q, const char *name, const char *const *choices, int *ret,
                 struct error *err);
