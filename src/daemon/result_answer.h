/* result_answer.h - an execution's result as (part of) an answer, written while it is sent: a slow reader costs
 * no second copy of it. */
#pragma once
#include "daemon/executions.h"
#include "http/http.h"

/* 200 with prefix, the result, suffix. Takes prefix; suffix: static. The execution has finished: its result does not
 * change any more. */
void result_answer(struct execution *e, struct buf *prefix, const char *suffix, struct http_answer *a);
