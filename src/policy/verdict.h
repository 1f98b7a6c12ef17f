/* verdict.h - may this request run with this policy. Pure: no I/O, no clock.
 *
 * What depends on the agent stands beside it: level.h (at which level), standing.h, limits.h, names.h.
 */
#pragma once
#include "base/error.h"
#include "config/config.h"
#include "plan/request.h"

/* 0, or a refusal: BLAME_POLICY with the rule and the remedy. */
int verdict_decide(const struct config *c, const struct profile *p, const struct run_request *r, struct error *err);
