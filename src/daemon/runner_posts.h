/* runner_posts.h - what the webhooks are told of an execution (docs/webhooks.md). */
#pragma once
#include "daemon/runner.h"
#include "run/result.h"

void posts_started(struct runner *r, enum risk_level level);
/* A client that hears of it may ask for the result at once: the execution has it. */
void posts_end(struct runner *r, const struct result *res, const struct execution_end *end);
