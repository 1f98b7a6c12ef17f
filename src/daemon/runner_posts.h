/* runner_posts.h - what the webhooks (docs/webhooks.md) and the OpenTelemetry collector are told of an execution. */
#pragma once
#include "daemon/runner.h"
#include "run/result.h"

void posts_started(struct runner *r, enum risk_level level);
/* Its spans. Before the result is answered, which costs a copy. */
void posts_trace(struct runner *r, const struct result *res, const struct execution_end *end);
/* A client that hears of it may ask for the result at once: the execution has it. */
void posts_end(struct runner *r, const struct result *res, const struct execution_end *end);
