/* policy.h - the policy for this run, from the cache or made now, with the options laid over it. */
#pragma once
#include "cli/options.h"
#include "cli/paths.h"
#include "config/compiled.h"

/* 0 and *ret (compiled_done), or what `sandbox-policy compile` or an option's value complained of. */
int policy_load(const struct options *o, const struct paths *p, struct compiled *ret, struct error *err);
