/* How this works: with the CPU's own instructions for SHA-256 (x86: SHA extensions), which take a fifth of the time of
 * libsodium's portable C; elsewhere libsodium. What is known of the CPU is asked once: under a hypervisor CPUID costs
 * microseconds. A digest is one or the other from its begin to its end. */
#include "audit/digest.h"

#include <sodium.h>

#include "audit/chain.h"

_Static_assert(sizeof(crypto_hash_sha256_state) <= sizeof((struct digest){ 0 }.state), "libsodium's state fits");
_Static_assert(DIGEST_SIZE == crypto_hash_sha256_BYTES, "libsodium's and ours are the same");

#define BLOCK 64u

struct own {
    uint32_t h[8];
    uint64_t bytes;
    uint8_t rest[BLOCK];
};
_Static_assert(sizeof(struct own) <= sizeof((struct digest){ 0 }.state), "ours fits, too");

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

/* Each CPU that has them has SSE4.1. */
static bool has_instructions(void)
{
    static int known; /* 1: no, 2: yes; whichever thread asks finds the same */
    int is = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!is) {
        unsigned a, b = 0, c, d;
        is = __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA ? 2 : 1;
        __atomic_store_n(&known, is, __ATOMIC_RELAXED);
    }
    return is == 2;
}

static const uint32_t constants[BLOCK] = {
    /* FIPS 180-4, 4.2.2 */
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#define WITH_SHA __attribute__((target("sha,sse4.1")))

/* The instructions keep the eight words as ABEF and CDGH. `now` are the message's words of these four rounds; in their
 * place come those of sixteen rounds later, from these and the twelve behind them. */
WITH_SHA static inline void four_rounds(__m128i *abef, __m128i *cdgh, const uint32_t *k, __m128i *now, __m128i next,
                                        __m128i third, __m128i last)
{
    const __m128i sum = _mm_add_epi32(*now, _mm_loadu_si128((const __m128i *)(const void *)k));
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, sum);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(sum, 0x0E));
    *now = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(*now, next), _mm_alignr_epi8(last, third, 4)), last);
}

WITH_SHA static void take_blocks(uint32_t h[static 8], const uint8_t *p, size_t count)
{
    const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203); /* words are big-endian */
    __m128i w[4], front = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)h), 0xB1),
                  back = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)(h + 4)), 0x1B);
    __m128i abef = _mm_alignr_epi8(front, back, 8), cdgh = _mm_blend_epi16(back, front, 0xF0);
    for (; count; count--, p += BLOCK) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        for (size_t i = 0; i < 4; i++)
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i)), order);
        for (const uint32_t *k = constants; k < constants + BLOCK; k += 16) {
            four_rounds(&abef, &cdgh, k, &w[0], w[1], w[2], w[3]);
            four_rounds(&abef, &cdgh, k + 4, &w[1], w[2], w[3], w[0]);
            four_rounds(&abef, &cdgh, k + 8, &w[2], w[3], w[0], w[1]);
            four_rounds(&abef, &cdgh, k + 12, &w[3], w[0], w[1], w[2]);
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    front = _mm_shuffle_epi32(abef, 0x1B);
    back = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)(void *)h, _mm_blend_epi16(front, back, 0xF0));
    _mm_storeu_si128((__m128i *)(void *)(h + 4), _mm_alignr_epi8(back, front, 8));
}
#else
static bool has_instructions(void)
{
    return false;
}

static void take_blocks(uint32_t h[static 8], const uint8_t *p, size_t count)
{
    (void)h, (void)p, (void)count;
}
#endif

static struct own *own_of(struct digest *d)
{
    return (struct own *)(void *)d->state;
}

static crypto_hash_sha256_state *state_of(struct digest *d)
{
    return (crypto_hash_sha256_state *)(void *)d->state;
}

void sha256_begin(struct digest *d)
{
    struct own *o = own_of(d);
    if (has_instructions())
        *o = (struct own){ .h = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
                                  0x5be0cd19 } }; /* FIPS 180-4, 5.3.3 */
    else
        (void)crypto_hash_sha256_init(state_of(d)); /* these always return 0 */
}

void sha256_add(struct digest *d, const void *data, size_t size)
{
    struct own *o = own_of(d);
    const uint8_t *p = data;
    if (!size)
        return;
    if (!has_instructions()) {
        (void)crypto_hash_sha256_update(state_of(d), data, size);
        return;
    }
    const size_t have = o->bytes % BLOCK, fits = MIN_OF(size, BLOCK - have);
    o->bytes += size;
    if (have) {
        memcpy(o->rest + have, p, fits);
        p += fits, size -= fits;
        if (have + fits < BLOCK)
            return;
        take_blocks(o->h, o->rest, 1);
    }
    take_blocks(o->h, p, size / BLOCK);
    memcpy(o->rest, p + size / BLOCK * BLOCK, size % BLOCK);
}

void sha256_end(struct digest *d, uint8_t ret[static DIGEST_SIZE])
{
    struct own *o = own_of(d);
    if (!has_instructions()) {
        (void)crypto_hash_sha256_final(state_of(d), ret);
        return;
    }
    uint8_t last[2 * BLOCK] = { 0 };
    const size_t have = o->bytes % BLOCK, blocks = have + 9 > BLOCK ? 2 : 1;
    const uint64_t bits = __builtin_bswap64(o->bytes * 8);
    memcpy(last, o->rest, have);
    last[have] = 0x80;
    memcpy(last + blocks * BLOCK - sizeof bits, &bits, sizeof bits);
    take_blocks(o->h, last, blocks);
    for (size_t i = 0; i < 8; i++) {
        const uint32_t word = __builtin_bswap32(o->h[i]);
        memcpy(ret + 4 * i, &word, sizeof word);
    }
}

void sha256_hex(const uint8_t hash[static DIGEST_SIZE], char ret[static DIGEST_HEX_SIZE])
{
    hex_write(hash, DIGEST_SIZE, ret);
}
