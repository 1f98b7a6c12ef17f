/* e2b_wire.h - what E2B's clients send beside JSON, read once: keys, signatures, envelopes of the Connect protocol. No
 * state, no service: everything here may be called with any bytes.
 */
#pragma once
#include "audit/hmac.h"
#include "base/arena.h"
#include "base/buf.h"

/* «e2b_» and 64 hex digits are the 32 bytes of a key of ours (sa_…), for clients that want this form. Any other text is
 * left as it is. NULL stays NULL. */
const char *e2b_key(const char *text, struct arena *a);

#define E2B_SIGNATURE_SIZE 48u /* «v1_» and 43 characters of base64 without padding */
struct e2b_signed {
    const char *path, *operation, *user, *expires; /* operation: read or write; expires NULL: never */
};
/* False: no memory, and nothing is equal to it. */
bool e2b_sign(const struct e2b_signed *what, const char *token, char ret[static E2B_SIGNATURE_SIZE]);

/* One byte of flags, four of length (big endian), and a message. */
#define E2B_ENVELOPE_HEAD 5u
#define E2B_ENVELOPE_MAX  (8 * MIB)
enum e2b_envelope_flag { E2B_ENVELOPE_COMPRESSED = 1, E2B_ENVELOPE_END = 2 };
/* A request's only one: 0; -EBADMSG: it is not whole, ends early, or has more behind it; -ENOTSUP: compressed;
 * -EMSGSIZE: longer than E2B_ENVELOPE_MAX. *ret is borrowed from data. */
int e2b_envelope_read(const char *data, size_t size, const char **ret, size_t *ret_size);
/* Before its message is written, and behind it: begin gives the place that end wants. */
size_t e2b_envelope_begin(struct buf *out, uint8_t flags);
void e2b_envelope_end(struct buf *out, size_t begin);

/* A process's number, of its name: clients know numbers only. 1 to 2^31 - 1. */
uint32_t e2b_pid(const char *process_id);
