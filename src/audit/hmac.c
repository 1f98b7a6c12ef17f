#include "audit/hmac.h"

#include <sodium.h>
#include <sys/random.h>
#include "audit/chain.h"
#include "audit/digest.h"

void hmac_sha256(const void *key, size_t key_size, const void *data, size_t size, uint8_t ret[static HMAC_SIZE])
{
    _Static_assert(HMAC_SIZE == crypto_auth_hmacsha256_BYTES, "libsodium's and ours are the same");
    crypto_auth_hmacsha256_state s;
    (void)crypto_auth_hmacsha256_init(&s, key_size ? key : "", key_size); /* these three always return 0 */
    (void)crypto_auth_hmacsha256_update(&s, size ? data : "", size);
    (void)crypto_auth_hmacsha256_final(&s, ret);
    sodium_memzero(&s, sizeof s);
}

void hmac_sha256_hex(const void *key, size_t key_size, const void *data, size_t size,
                     char ret[static 2 * HMAC_SIZE + 1])
{
    uint8_t mac[HMAC_SIZE];
    hmac_sha256(key, key_size, data, size, mac);
    hex_write(mac, sizeof mac, ret);
}

void sha256(const void *data, size_t size, uint8_t ret[static 32])
{
    struct digest d;
    sha256_begin(&d);
    sha256_add(&d, data, size);
    sha256_end(&d, ret);
}

bool secret_equal(const void *a, const void *b, size_t size)
{
    return sodium_memcmp(a, b, size) == 0;
}

void secret_wipe(void *p, size_t size)
{
    sodium_memzero(p, size);
}

int random_bytes(void *out, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = getrandom((char *)out + done, size - done, 0);
        if (n < 0 && errno != EINTR)
            return -errno;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static int read_variant(const char *text, size_t size, int variant, void *out, size_t max, size_t *ret_size)
{
    const char *end = NULL;
    for (size_t i = 0; i < size; i++) /* libsodium takes some bytes beyond ASCII for letters */
        if ((unsigned char)text[i] >= 0x80)
            return -EINVAL;
    if (sodium_base642bin(out, max, text, size, NULL, ret_size, &end, variant) != 0 || end != text + size)
        return -EINVAL;
    return 0;
}

int base64url_read(const char *text, size_t size, void *out, size_t max, size_t *ret_size)
{
    if (size / 4 * 3 + (size % 4 ? size % 4 - 1 : 0) > max)
        return -EMSGSIZE;
    return read_variant(text, size, sodium_base64_VARIANT_URLSAFE_NO_PADDING, out, max, ret_size);
}

int base64_read(const char *text, size_t size, void *out, size_t *ret_size)
{
    return read_variant(text, size, sodium_base64_VARIANT_ORIGINAL, out, size, ret_size);
}

/* What is written is no secret: by a table, five times as fast as libsodium's, which takes as long for any bytes. */
static void encode_groups(const uint8_t *p, size_t groups, char *out)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (; groups; groups--, p += 3) {
        const uint32_t bits = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        for (unsigned shift = 24; shift;)
            *out++ = letters[bits >> (shift -= 6) & 63];
    }
}

void base64_write(struct buf *b, const void *data, size_t size)
{
    char text[4 * 256];
    const uint8_t *p = data;
    for (size_t n; size >= 3; size -= 3 * n, p += 3 * n) {
        n = MIN_OF(size / 3, (size_t)256);
        encode_groups(p, n, text);
        (void)buf_add(b, text, 4 * n);
    }
    if (size) {
        const uint8_t last[3] = { p[0], size > 1 ? p[1] : 0, 0 };
        encode_groups(last, 1, text);
        memcpy(text + 1 + size, "==", 3 - size);
        (void)buf_add(b, text, 4);
    }
}

void base64url_write(const void *data, size_t size, char *text, size_t max)
{
    (void)sodium_bin2base64(text, max, data, size,
                            sodium_base64_VARIANT_URLSAFE_NO_PADDING); /* aborts where max is too small */
}

int access_key_make(struct access_key *ret)
{
    uint8_t random[6 + 32];
    int e = random_bytes(random, sizeof random);
    if (e < 0)
        return e;
    memcpy(ret->id, "key-", 4);
    hex_write(random, 6, ret->id + 4);
    memcpy(ret->token, ACCESS_TOKEN_PREFIX, 3);
    base64url_write(random + 6, 32, ret->token + 3, sizeof ret->token - 3);
    audit_hash(ret->token, ACCESS_TOKEN_LENGTH, ret->hash);
    sodium_memzero(random, sizeof random);
    return 0;
}

bool access_token_is_valid(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return str_starts(text, ACCESS_TOKEN_PREFIX) && strlen(text) == ACCESS_TOKEN_LENGTH &&
           strspn(text + 3, letters) == ACCESS_TOKEN_LENGTH - 3;
}
