#include "audit/digest.h"

#include "audit/chain.h"

void sha256_hex(const uint8_t hash[static DIGEST_SIZE], char ret[static DIGEST_HEX_SIZE])
{
    hex_write(hash, DIGEST_SIZE, ret);
}
