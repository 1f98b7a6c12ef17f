/* dsse.h - signed envelopes (DSSE v1) with Ed25519: a payload, its type, and who signs both.
 *
 *   {"payloadType":"TYPE","payload":"BASE64","signatures":[{"keyid":"HEX","sig":"BASE64"}]}
 *   the signature covers the pre-authentication encoding: DSSEv1 SP len(TYPE) SP TYPE SP len(BODY) SP BODY
 *
 * keyid is the public key itself, 64 hex digits: a hint, never trusted. We read the form that we write, and signatures
 * of others beside ours.
 */
#pragma once
#include "audit/key.h"

#define DSSE_MAX_BYTES (4u * MIB)

/* The encoding that is signed. */
void dsse_encode(const char *type, const void *body, size_t size, struct buf *out);
/* The envelope, with a newline at its end. */
void dsse_sign(const struct audit_key *key, const char *type, const void *body, size_t size, struct buf *out);

enum dsse_verdict { DSSE_GOOD, DSSE_NO_ENVELOPE, DSSE_OTHER_TYPE, DSSE_OTHER_KEY, DSSE_BAD_SIGNATURE };
/* Whether one of these keys signed it; ret_key: which. *ret_body is there unless it is no envelope of this type, and to
 * be believed only with DSSE_GOOD; buf_done(ret_body) in any case. */
enum dsse_verdict dsse_verify(const char *text, size_t size, const char *type, const uint8_t (*keys)[32],
                              size_t key_count, struct buf *ret_body, size_t *ret_key);
