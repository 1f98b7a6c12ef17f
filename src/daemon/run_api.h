/* run_api.h - what runs code: executions, by the one who waits for them and by those who come back. Each is a handler
 * of the table in routes.c. */
#pragma once
#include "daemon/service.h"

struct runner;

/* Runs what was begun in this thread, or streams it, and answers. */
void run_answer(struct call *c, struct runner *r, struct http_answer *a);
/* One that was accepted, in a thread of its own. */
void run_begun(struct runner *r);
/* 202: likewise. */
void run_accept(struct call *c, struct runner *r, struct http_answer *a);
struct execution;
/* A run that another key's holder ends, or with a reason: the audit says who and why, before it is done. 0 also where
 * that is not so. */
int run_audit_stop(struct call *c, const struct execution *e, const char *reason, struct error *err);

void run_execute(struct call *c, struct http_answer *a);   /* POST /execute */
void run_submit(struct call *c, struct http_answer *a);    /* POST /executions */
void run_list(struct call *c, struct http_answer *a);      /* GET /executions */
void run_get(struct call *c, struct http_answer *a);       /* GET /executions/{id} */
void run_events(struct call *c, struct http_answer *a);    /* GET /executions/{id}/events */
void run_cancel(struct call *c, struct http_answer *a);    /* DELETE /executions/{id} */
void run_artifacts(struct call *c, struct http_answer *a); /* GET /executions/{id}/artifacts */
/* The list as it leaves this node: its receipt is signed. */
void run_artifacts_sign(struct service *v, struct buf *manifest);
/* Whether the content store has those of the execution in c->parts[0]. */
bool run_artifacts_are_shared(struct call *c);
void run_receipt(struct call *c, struct http_answer *a);  /* GET /executions/{id}/receipt */
void run_artifact(struct call *c, struct http_answer *a); /* GET /executions/{id}/artifacts/{name} */
