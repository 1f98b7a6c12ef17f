/* chain.h - how lines hang together, to the byte.
 *
 *   line = BODY ,"hash":"HASH"}} \n        HASH = hex(SHA-256(PREVIOUS_HASH_HEX BODY)), 64 lower-case digits
 *
 * The hash is the last member of the last object, so that the hashed bytes are simply those before it. The first line
 * of all has 64 zeros for its previous hash; the first line of a later file carries the last hash of the file before
 * it.
 */
#pragma once
#include "audit/audit.h"

#define CHAIN_TAIL_BEGIN ",\"hash\":\""
#define CHAIN_TAIL_END   "\"}}"
#define CHAIN_TAIL_SIZE  (sizeof CHAIN_TAIL_BEGIN - 1 + 64 + sizeof CHAIN_TAIL_END - 1)

extern const char chain_zero[AUDIT_HASH_SIZE];

void chain_hash(const char *previous, const void *body, size_t size, char out[static AUDIT_HASH_SIZE]);
/* Puts the tail and the newline behind the body. */
void chain_seal(struct buf *line, const char *previous, char out[static AUDIT_HASH_SIZE]);
/* Whether these bytes (without the newline) have the form of a line; *ret_hash points to its 64 digits. */
bool chain_split(const char *line, size_t size, size_t *ret_body, const char **ret_hash);
bool is_hex(const char *s, size_t digits); /* lower case */
void hex_write(const uint8_t *data, size_t size, char *out /* 2 * size + 1 */);
/* -EINVAL unless s begins with 2 * size digits (either case). */
int hex_read(const char *s, uint8_t *out, size_t size);
