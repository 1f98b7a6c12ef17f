/* policy.h - the policy for this run, from the cache or made now, with the options laid over it. */
#pragma once
#include "cli/options.h"
#include "cli/paths.h"
#include "config/compiled.h"

/* The policy of `level` (NULL: the one that is asked for, or the default's): 0 and *ret (compiled_done), good for a run of
 * this language, or what `sandbox-policy compile` or an option's value complained of. */
int policy_load(const struct options *o, const struct paths *p, const char *level, enum language lang,
                struct compiled *ret, struct error *err);
