/* receipt.h - the signed statement of one run: an in-toto Statement v1 in a DSSE envelope, with the audit's key.
 *
 * Subjects are the code and what is kept of the run, by SHA-256. The predicate says what was decided and why, what was
 * in force and what was missing, what it did and used, and, so that silence is not taken for innocence, what of it was
 * observed and what was not. docs/audit.md has the members and a verifier. A service makes it when the answer is out,
 * sealed, and signs it when it is asked for (audit/seal.h).
 */
#pragma once
#include "run/exec.h"

#define RECEIPT_PAYLOAD_TYPE   "application/vnd.in-toto+json"
#define RECEIPT_STATEMENT_TYPE "https://in-toto.io/Statement/v1"
#define RECEIPT_PREDICATE_TYPE "urn:sandbox-agent:receipt:v1"
#define RECEIPT_MAX_BYTES      (2u * MIB)

/* SHA-256 over the profile in force, options laid over it, and its filter: equal for runs under equal rules. */
void receipt_policy_hash(const struct compiled *policy, char out[static 65]);
/* After what is kept of the run is known, and before keep_close(). Nothing was decided about a run that has no
 * judgement yet: -ENODATA. is_sealed: not signed yet. */
int receipt_make(struct exec *s, bool is_sealed, struct buf *out, struct error *err);
