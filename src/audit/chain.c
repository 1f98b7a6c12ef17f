#include "audit/chain.h"

#include "audit/digest.h"
#include "audit/hmac.h"

const char chain_zero[AUDIT_HASH_SIZE] = "0000000000000000000000000000000000000000000000000000000000000000";

void hex_write(const uint8_t *data, size_t size, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        out[2 * i] = digits[data[i] >> 4];
        out[2 * i + 1] = digits[data[i] & 15];
    }
    out[2 * size] = '\0';
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int hex_read(const char *s, uint8_t *out, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        int high = hex_digit(s[2 * i]);
        int low = high < 0 ? -1 : hex_digit(s[2 * i + 1]); /* not beyond a NUL */
        if (low < 0)
            return -EINVAL;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return 0;
}

bool is_hex(const char *s, size_t digits)
{
    for (size_t i = 0; i < digits; i++)
        if (hex_digit(s[i]) < 0 || (s[i] >= 'A' && s[i] <= 'F'))
            return false;
    return true;
}

void audit_hash(const void *data, size_t size, char out[static AUDIT_HASH_SIZE])
{
    uint8_t h[DIGEST_SIZE];
    sha256(data, size, h);
    sha256_hex(h, out);
}

void chain_hash(const char *previous, const void *body, size_t size, char out[static AUDIT_HASH_SIZE])
{
    struct digest d;
    uint8_t h[DIGEST_SIZE];
    sha256_begin(&d);
    sha256_add(&d, previous, 64);
    sha256_add(&d, body, size);
    sha256_end(&d, h);
    sha256_hex(h, out);
}

void chain_seal(struct buf *line, const char *previous, char out[static AUDIT_HASH_SIZE])
{
    chain_hash(previous, line->data, line->size, out);
    (void)buf_addf(line, CHAIN_TAIL_BEGIN "%s" CHAIN_TAIL_END "\n", out);
}

bool chain_split(const char *line, size_t size, size_t *ret_body, const char **ret_hash)
{
    static const char begin[] = CHAIN_TAIL_BEGIN, end[] = CHAIN_TAIL_END;
    if (size < CHAIN_TAIL_SIZE + 2 || size >= AUDIT_LINE_MAX || line[0] != '{')
        return false;
    const char *tail = line + size - CHAIN_TAIL_SIZE, *hash = tail + sizeof begin - 1;
    if (memcmp(tail, begin, sizeof begin - 1) != 0 || memcmp(hash + 64, end, sizeof end - 1) != 0 || !is_hex(hash, 64))
        return false;
    *ret_body = size - CHAIN_TAIL_SIZE;
    *ret_hash = hash;
    return true;
}
