/* hmac.h - secrets: message authentication, access tokens, and comparing without telling how far it got. libsodium
 * behind it.
 *
 * No function keeps state, and none needs sodium_init(): random bytes come from getrandom(2) itself.
 */
#pragma once
#include "base/buf.h"

#define HMAC_SIZE 32u
/* Keys of any length (RFC 2104). */
void hmac_sha256(const void *key, size_t key_size, const void *data, size_t size, uint8_t ret[static HMAC_SIZE]);
void hmac_sha256_hex(const void *key, size_t key_size, const void *data, size_t size,
                     char ret[static 2 * HMAC_SIZE + 1]);
/* SHA-256 as bytes; as text it is audit_hash() (audit/audit.h). */
void sha256(const void *data, size_t size, uint8_t ret[static 32]);
/* Takes as long for equal ones as for others. */
bool secret_equal(const void *a, const void *b, size_t size);
void secret_wipe(void *p, size_t size);
/* All of them, or -errno. */
int random_bytes(void *out, size_t size);

/* base64url without padding (RFC 4648, 5), strict: no other characters, no bits left over. 0, -EINVAL, or -EMSGSIZE
 * beyond max. */
int base64url_read(const char *text, size_t size, void *out, size_t max, size_t *ret_size);
/* max: at least 4 * size / 3 + 3 bytes of text. */
void base64url_write(const void *data, size_t size, char *text, size_t max);

/* With «+/» and padding (RFC 4648, 4), as strict; out: as many bytes as the text has. */
int base64_read(const char *text, size_t size, void *out, size_t *ret_size);
void base64_write(struct buf *b, const void *data, size_t size);

/* A key for the service's API: who has the token is let in; the store gets its hash alone. */
#define ACCESS_TOKEN_PREFIX "sa_"
#define ACCESS_TOKEN_LENGTH 46u /* the prefix and 32 random bytes in base64url */
struct access_key {
    char id[17]; /* «key-» and 12 hex digits */
    char token[ACCESS_TOKEN_LENGTH + 1];
    char hash[65]; /* SHA-256 of the token, hex */
};
/* Wipe it with secret_wipe(). */
int access_key_make(struct access_key *ret);
/* Whether it has the form of one. */
bool access_token_is_valid(const char *text);
