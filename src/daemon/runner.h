/* runner.h - one execution, from a request that was let in to its result: the service's way around struct exec.
 *
 * runner_begin   a place in the line, the execution and its row in the store. What it refuses has not been accepted: no
 * row, no audit runner_run     waits for the turn, then request -> judgement -> plan -> outcome -> result; blocks as
 * long as the program runs runner_answer  the result for a client who waited for it: its status, and what it says when
 * the sandbox did not run runner_end     when the answer is out: artifacts, and everything is given back
 */
#pragma once
#include "daemon/auth.h"
#include "daemon/executions.h"
#include "daemon/queue.h"
#include "daemon/request.h"
#include "run/exec.h"
#include "session/context.h"
#include "store/service.h"

struct session_entry;
struct context_entry;

struct runner {
    struct service *service;
    struct arena arena; /* as long as the runner */
    struct execute_request request;
    struct session_asked asked;    /* of a session's sandbox */
    struct session_entry *session; /* whose sandbox or job this is, referenced; NULL: neither */
    struct context_entry *context; /* whose kernel or cell this is, referenced; NULL: neither */
    bool is_kernel;
    struct context_cell cell;
    struct caller caller; /* strings in the arena */
    const char *via_node; /* that passed the request on; NULL: none */
    bool is_key_asked;    /* of an old one, when nothing was booked … */
    struct error no_key;  /* … which is gone: code 0, it is not */
    const char *id;       /* the execution's */
    struct execution *execution;
    const char
        *tenant; /* whose it is, for turns and for prepared sandboxes: the agent, or the key of an anonymous run */
    struct queue_place place;
    struct policy_set *policies;
    enum config_backend backend;
    struct exec exec;
    struct live live; /* what it uses while it runs */
    bool has_exec;
    bool has_keeper;           /* of the session's: to be joined */
    bool has_early;            /* it was given a sandbox of the stock: stock_done() */
    bool is_nameless;          /* the request named no agent: the key stands for it */
    struct launcher *launcher; /* whose connection the run has; NULL: none yet */
    bool is_streaming;         /* the output goes to the client as it comes */
    bool was_begun;            /* there is something to end */
    bool is_recorded;          /* its row is there */
    struct execution_row row;  /* for its booking: row_prepare() */
    bool is_shared;            /* its request lies in the store, for any node (claims.h) … */
    bool is_taken;             /* … and this one has it */
    bool has_moved;            /* another one has it: nothing of it is this node's any more */
    const char *shared;        /* the request, while it is accepted; borrowed */
    size_t shared_size;
    bool was_decided;                           /* a level was found for it, and its audit has begun */
    const char *idempotency_key, *request_hash; /* or NULL */
    uint64_t received_us;
    char parent_span[17]; /* of the client's traceparent; "": none */
    bool is_traced;       /* by monitoring.otlp; not where the client's traceparent says that it is not sampled */
};

/* Reads q's body and all headers that matter. 0: *ret is there (runner_end() in any case from now on). 1: an answer was
 * given instead (a refusal, or the first answer of the same Idempotency-Key), nothing is to be done. */
int runner_begin(struct service *v, const struct http_request *q, const struct caller *c, bool is_asynchronous,
                 struct runner **ret, struct http_answer *a);
/* The same for POST /sessions: the runner is of the session's sandbox, and its thread's; r->session is there. */
int runner_begin_session(struct service *v, const struct http_request *q, const struct caller *c, struct runner **ret,
                         struct http_answer *a);
/* The same for a job in session: its reference is taken in any case. *ret_is_background: the client does not wait. */
int runner_begin_job(struct service *v, const struct http_request *q, const struct caller *c,
                     struct session_entry *session, struct runner **ret, bool *ret_is_background,
                     struct http_answer *a);
/* The same for a process of session; its client does not wait. */
int runner_begin_process(struct service *v, const struct http_request *q, const struct caller *c,
                         struct session_entry *session, struct runner **ret, struct http_answer *a);
/* The same for the kernel of a context that is to have this id; r->context is there. */
int runner_begin_kernel(struct service *v, const struct http_request *q, const struct caller *c,
                        struct session_entry *session, const char *context_id, enum language language,
                        struct runner **ret, struct http_answer *a);
/* The same for a cell; the context's reference is taken in any case, too. */
int runner_begin_cell(struct service *v, const struct http_request *q, const struct caller *c,
                      struct session_entry *session, struct context_entry *context, struct runner **ret,
                      struct http_answer *a);
/* The same for an asynchronous one that some node accepted, and this one has taken; q: its body, and its
 * Idempotency-Key. */
int runner_begin_claimed(struct service *v, const struct http_request *q, const struct caller *c,
                         const struct request_claim *claim, struct runner **ret, struct http_answer *a);
void runner_run(struct runner *r, int peer);
/* The answer to the client that waited: from the execution, which has finished. */
void runner_answer(struct execution *e, struct http_answer *a, struct arena *arena);
void runner_end(struct runner *r);
/* The same, by the janitor: a client that waits for the answer gets it now. */
void runner_end_later(struct runner *r);
/* 202, and where to ask. */
void runner_answer_accepted(struct service *v, const char *id, struct http_answer *a, struct arena *arena);
/* The rest in a thread of its own, runner_end() included. 0 or negative: nothing was begun. */
int runner_start_thread(struct runner *r);
