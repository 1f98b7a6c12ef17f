/* digest.h - SHA-256 of what comes piece by piece; of one piece: audit/hmac.h.
 *
 * The first three are sha256_nettle.c's or sha256_sodium.c's, one of which a program is linked with (modules.mk): what
 * is hashed of a run, 40 KB, takes nettle's 20 us and libsodium's 110.
 */
#pragma once
#include "base/base.h"

#define DIGEST_SIZE     32u
#define DIGEST_HEX_SIZE 65u /* 64 digits and a NUL */

struct digest {
    _Alignas(8) uint8_t state[112];
};
void sha256_begin(struct digest *d);
void sha256_add(struct digest *d, const void *data, size_t size);
void sha256_end(struct digest *d, uint8_t ret[static DIGEST_SIZE]);
void sha256_hex(const uint8_t hash[static DIGEST_SIZE], char ret[static DIGEST_HEX_SIZE]);
