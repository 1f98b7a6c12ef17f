/* policy.h - the policy for this run, from the cache or made now, with the options laid over it. */
#pragma once
#include "run/options.h"
#include "run/paths.h"
#include "config/compiled.h"

/* The policies of all levels, compiled once and shared by many runs; never changed, only replaced by another set. */
struct policy_set {
    _Atomic unsigned refs;
    struct compiled level[RISK_COUNT];
    char hash[RISK_COUNT][65]; /* receipt_policy_hash() of each */
    enum risk_level default_level;
};
/* What a person should know of a policy that holds all the same, as a line without its end; nothing: empty. profile:
 * of --profile, or NULL. */
void policy_notices(const struct compiled *c, const char *profile, struct buf *out);
/* All levels of one configuration (config_path: --config, or NULL), or the first error, and nothing. *ret has one
 * reference. */
int policy_set_load(const struct paths *p, const char *config_path, struct policy_set **ret, struct error *err);
struct policy_set *policy_set_ref(struct policy_set *s);
struct policy_set *policy_set_unref(struct policy_set *s); /* accepts NULL, returns NULL */

/* The policy of `level` (NULL: the one that is asked for, or the default's): 0 and *ret (compiled_done), good for a run
 * of this language, or what `sandbox-policy compile` complained of. set: where it is taken from; NULL: from the cache,
 * or compiled now. A policy from a set borrows from it. The limits that are asked for are laid over it: the user of the
 * command line may exceed the level's; a caller of the service (set) is given the level's at most. */
int policy_load(const struct options *o, const struct paths *p, const struct policy_set *set, const char *level,
                enum language lang, struct compiled *ret, struct error *err);

/* Limits that were asked for and are lower in force. */
struct limits_clamped {
    uint32_t count;
    struct {
        enum limit_kind kind;
        uint64_t requested, granted; /* milliseconds, bytes, thousandths of a core */
    } list[LIMIT_KINDS];
};
void policy_clamped(const struct options *o, const struct profile *in_force, struct limits_clamped *ret);
