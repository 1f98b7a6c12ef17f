/* cosigner.h - a node's part in the witnessing of a fleet's audits (docs/fleet.md), in a thread of its own.
 *
 * Every fleet.witness_interval it puts a checkpoint of this node's audit into the shared database, with the proofs that
 * the others want, and looks at the newest checkpoints of those nodes that it witnesses. What continues what it signed
 * last it signs, after that is on its own disk (audit/cosign.h). Another history is an alert, once, and is not signed
 * any more. Each audit has fleet.witnesses witnesses: which ones follows from the names, the same on every node.
 */
#pragma once
#include "base/error.h"

struct service;
struct cosigner;

/* *ret NULL: there is no shared database, or fleet.witnesses is 0. */
int cosigner_start(struct service *v, struct cosigner **ret, struct error *err);
struct cosigner *cosigner_stop(struct cosigner *c); /* accepts NULL, returns NULL */

struct cosigner_state {
    uint64_t witnessed_ms; /* when another node last signed this node's audit; 0: none has */
    uint64_t cosigned_ms;  /* of those that this node witnesses, the one that it signed longest ago; 0: it has none */
    uint64_t refused;      /* audits that it does not sign any more */
};
bool cosigner_state(struct cosigner *c, struct cosigner_state *ret); /* false: there is none (NULL) */

/* Whether node `self` is among the k witnesses of `log`, where `names` are all that could be (self among them, the
 * log's own node not). The same on every node. */
bool cosigner_is_witness(const uint8_t log[static 32], const char *const *names, uint32_t count, const char *self,
                         uint32_t k);
