/* signature.h - code signed by its agent (security.verify_signatures): Ed25519 over
 *
 *   sandbox-agent-code-v1 \n AGENT_ID \n NONCE \n UNIX_SECONDS \n SHA256_HEX(code) \n
 *
 * and passed as «v1:NONCE:SECONDS:SIGNATURE_HEX» (--signature). Good for 24 hours, and 5 minutes into the future for
 * clocks that disagree; within them the store refuses a nonce that it has seen, so a signature is good for one run.
 */
#pragma once
#include "base/error.h"

#define SIGNATURE_SECONDS       (24u * 3600u)
#define SIGNATURE_AHEAD_SECONDS 300u
#define SIGNATURE_NONCE_MAX     64u
#define SIGNATURE_TEXT_MAX      256u

struct signature {
    char nonce[SIGNATURE_NONCE_MAX + 1]; /* letters, digits, - and _; at least 16 of them */
    uint64_t at_s;
};

/* 0 and *ret, whose nonce has to be booked before anything runs. Otherwise: BLAME_CALLER, not of this form (or an agent
 * id with control characters); BLAME_POLICY with -EKEYREJECTED (wrong), -EKEYEXPIRED (too old, or not yet). */
int signature_check(const char *text, const char *agent_id, const char *public_key_hex, const void *code, size_t size,
                    uint64_t now_ms, struct signature *ret, struct error *err);
/* For `sandbox-agent sign`; the key is a file of `sign --generate`. */
int signature_make(const char *key_file, const char *agent_id, const void *code, size_t size, uint64_t now_ms,
                   char ret[static SIGNATURE_TEXT_MAX], struct error *err);
int signature_generate(const char *key_file, char ret_public_hex[static 65], struct error *err);
/* 64 hex digits that are a point of the curve: for `agents key --public`. */
bool signature_key_is_valid(const char *hex);
