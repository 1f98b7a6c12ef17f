/* verdict.h - may this run, at which level, and why. Pure: no I/O, no clock.
 *
 * Trust, scan findings and rate limits join here as further arguments (the next change); the reasons already
 * are a list of sentences.
 */
#pragma once
#include "base/error.h"
#include "config/config.h"
#include "plan/request.h"

struct verdict {
    enum risk_level level;
    struct strlist reasons; /* owned: strlist_done() */
};

/* 0 and *ret, or a refusal: BLAME_POLICY with the rule and the remedy. was_asked: the level was named
 * by the caller and not taken from the configuration's default. */
int verdict_decide(const struct config *c, const struct profile *p, const struct run_request *r,
                   bool was_asked, struct verdict *ret, struct error *err);
