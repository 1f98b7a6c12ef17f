/* request.h - the body of POST /execute and POST /executions, typed: options as the command line makes them, too, and
 * what belongs to them. */
#pragma once
#include "daemon/processes.h"
#include "daemon/service.h"
#include "run/options.h"

struct execute_request {
    struct options options; /* texts borrow from body and arena */
    struct request_file files[REQUEST_MAX_FILES];
    bool is_stream, retries;      /* retries: once more, when its node was lost */
    struct process_asked process; /* of a process of a session */
    struct body *body;
};

/* 0, or BLAME_CALLER: -EBADMSG when it is no JSON (400), otherwise a value that is not accepted (422). */
int execute_request_read(const struct http_request *q, const struct config *c, struct arena *a,
                         struct execute_request *ret, struct error *err);
/* The body of POST /sessions. env and metadata: owned by the request; the options are of the session's sandbox. */
#define SESSION_FILES_MAX 256u
struct session_asked {
    uint32_t ttl; /* seconds */
    struct strlist metadata, env;
    struct session_file { /* of the HTTP request's arena */
        const char *path, *data;
        size_t size;
    } * files;
    uint32_t file_count;
    const char *from; /* a snapshot's id, of that arena; or NULL */
};
int session_request_read(const struct http_request *q, const struct config *c, struct execute_request *ret,
                         struct session_asked *ret_asked, struct error *err);
/* The body of POST /sessions/{id}/execute; env: the session's, which the job's own comes after. */
int session_job_read(const struct http_request *q, const struct strlist *env, struct arena *a,
                     struct execute_request *ret, bool *ret_is_background, struct error *err);
/* The body of POST /sessions/{id}/processes. */
int session_process_read(const struct http_request *q, const struct strlist *env, struct execute_request *ret,
                         struct error *err);
/* {rows, cols} of b. */
void terminal_size_read(struct body *b, struct process_asked *ret);
/* The body of POST /sessions/{id}/contexts/{c}/execute. What the cell is judged by is the caller's to set. */
int context_cell_read(const struct http_request *q, enum language language, const struct strlist *env,
                      struct execute_request *ret, struct error *err);
/* A context's kernel: its text and what stands for it are the caller's to set. No body is read. */
int context_kernel_make(enum language language, const struct strlist *env, struct execute_request *ret,
                        struct error *err);
void session_asked_done(struct session_asked *s);
void execute_request_done(struct execute_request *r);
