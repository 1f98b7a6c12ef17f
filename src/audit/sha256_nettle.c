#include <nettle/sha2.h>

#include "audit/digest.h"

_Static_assert(sizeof(struct sha256_ctx) <= sizeof((struct digest){ 0 }.state), "nettle's state fits");
_Static_assert(DIGEST_SIZE == SHA256_DIGEST_SIZE, "nettle's and ours are the same");

static struct sha256_ctx *state_of(struct digest *d)
{
    return (struct sha256_ctx *)(void *)d->state;
}

void sha256_begin(struct digest *d)
{
    sha256_init(state_of(d));
}

void sha256_add(struct digest *d, const void *data, size_t size)
{
    if (size) /* data may be NULL where there is none */
        sha256_update(state_of(d), size, data);
}

void sha256_end(struct digest *d, uint8_t ret[static DIGEST_SIZE])
{
    sha256_digest(state_of(d), DIGEST_SIZE, ret);
}
