/* seal.h - an envelope (audit/dsse.h) that is signed when it is first asked for.
 *
 *   {"payloadType":"TYPE","payload":"BASE64","sealed":{"keyid":"HEX","hmac":"HEX"}}
 *
 * A signature costs 25 to 45 us, and most receipts are never read. The seal is an HMAC under a key that only the holder
 * of the signing key can derive, so that what lies in the artifacts is as hard to change as what is signed; and one
 * that was changed is not signed. What it cannot do is outlive the key: signatures can.
 */
#pragma once
#include "audit/key.h"

/* With a newline at its end. */
void seal_write(const struct audit_key *key, const char *type, const void *body, size_t size, struct buf *out);
bool seal_is_one(const char *text, size_t size);
/* Signs what is sealed into *out, as dsse_sign() would have. -EKEYREJECTED: another key sealed it; -EBADMSG: it was
 * changed since, or is no sealed envelope. */
int seal_sign(const struct audit_key *key, const char *text, size_t size, struct buf *out);
