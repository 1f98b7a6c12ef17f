/* http.h - one HTTP exchange with an engine, as calls, archives and pulls share it. Only for this module. */
#pragma once
#include "engine/api.h"

struct exchange {
    const char *method, *path; /* behind the version */
    const void *body;          /* NULL: none; borrowed */
    size_t size;
    const char *type;    /* of the body */
    uint64_t max_ms;     /* for all of it */
    uint64_t silence_ms; /* without a byte of the answer; 0: as long as max_ms */
    int (*take)(void *context, const char *data,
                size_t size);    /* an answer 200 as it comes, and 0 or -errno; NULL: it is kept in `answer` */
    void (*tick)(void *context); /* once a second, at least, while the answer comes; or NULL */
    void *context;
    struct buf answer;                /* what was not taken; exchange_done() frees it */
    char server[48], api_version[16]; /* what the engine calls itself in its head, and what it speaks; or "" */
};

/* 0: a whole answer came, with e->status; or why not. */
int exchange_run(struct engine *e, struct exchange *x, struct error *err);
void exchange_done(struct exchange *x);

/* «engine: POST /containers/create: » and so on, BLAME_HOST; a path's query is left out. */
int exchange_fail(const struct exchange *x, int code, struct error *err, const char *fmt, ...) PRINTF_LIKE(4, 5);
/* -ECANCELED: the caller's time was over before the answer was there. */
int exchange_cut(const struct exchange *x, struct error *err);
/* For a status that was not expected: -EREMOTEIO with the engine's own words. */
int exchange_refused(const struct engine *e, const struct exchange *x, struct error *err);
