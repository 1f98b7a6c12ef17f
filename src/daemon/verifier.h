/* verifier.h - verifies the whole audit now and then (security.audit_verify_interval), in a thread of its own at the
 * lowest priority, so that a tampered line is seen without a person who asks. What is found is a line of the log and a
 * gauge; `sandbox-agent audit verify` names every problem. */
#pragma once
#include "base/error.h"
#include "base/base.h"

struct service;
struct verifier;

int verifier_start(struct service *v, struct verifier **ret, struct error *err);
struct verifier *verifier_stop(struct verifier *f); /* accepts NULL, returns NULL; does not wait for a verification */
/* False: none has ended yet. ret_at_ms: wall clock when it ended. */
bool verifier_last(struct verifier *f, uint64_t *ret_at_ms, uint64_t *ret_problems);
