#include "base/base64.h"

#include "base/buf.h"

static int value_of(char c, bool is_url)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == (is_url ? '-' : '+'))
        return 62;
    return c == (is_url ? '_' : '/') ? 63 : -1;
}

int base64_read(const char *text, size_t size, bool is_url, void *to, size_t *ret_size)
{
    unsigned char *out = to;
    uint32_t bits = 0;
    unsigned held = 0;
    size_t n = 0;
    if (!is_url && size % 4)
        return -EINVAL;
    for (int pad = 0; !is_url && size && text[size - 1] == '=' && pad < 2; pad++)
        size--;
    if (size % 4 == 1)
        return -EINVAL;
    for (size_t i = 0; i < size; i++) {
        int v = value_of(text[i], is_url);
        if (v < 0)
            return -EINVAL;
        bits = bits << 6 | (unsigned)v;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out[n++] = (unsigned char)(bits >> held);
        }
    }
    if (bits & ((1u << held) - 1))
        return -EINVAL; /* two texts for the same bytes */
    *ret_size = n;
    return 0;
}

void base64_write(struct buf *b, const void *data, size_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = data;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)p[i] << 16 | (i + 1 < size ? (uint32_t)p[i + 1] << 8 : 0) | (i + 2 < size ? p[i + 2] : 0u);
        const char out[4] = { letters[bits >> 18], letters[bits >> 12 & 63], i + 1 < size ? letters[bits >> 6 & 63] : '=',
                              i + 2 < size ? letters[bits & 63] : '=' };
        (void)buf_add(b, out, sizeof out);
    }
}
