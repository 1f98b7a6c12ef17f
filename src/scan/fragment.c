#include "scan/fragment.h"
#include "scan/digits.h"

void fragment_add_decoded(struct fragment *p, const char *s, size_t n, int (*digit)(char c), unsigned bits)
{
    uint32_t held = 0;
    unsigned have = 0;
    for (size_t i = 0; i < n; i++) {
        int d = digit(s[i]);
        if (d < 0)
            continue;
        held = held << bits | (uint32_t)d;
        have += bits;
        if (have >= 8) {
            have -= 8;
            char c = (char)(held >> have);
            fragment_add(p, &c, 1);
        }
    }
}

void fragment_add_utf8(struct fragment *p, uint32_t code)
{
    static const uint8_t first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    unsigned n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    char out[4];
    if (code > 0x10ffff)
        return;
    for (unsigned i = n; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 63));
    out[0] = (char)(first[n] | code);
    fragment_add(p, out, n);
}

/* The digits of a code, s[0] being the letter or the first digit; returns the bytes read, 0 if there are none. */
static size_t read_code(const char *s, size_t n, const struct fragment_escapes *how, uint32_t *ret)
{
    bool is_octal = s[0] >= '0' && s[0] <= '7', has_braces = s[0] == 'u' && n > 1 && s[1] == '{';
    size_t from = is_octal ? 0 : has_braces ? 2 : 1, at = from;
    size_t most = is_octal      ? how->is_in_bytes && s[0] == '0' ? 4 : 3
                  : has_braces  ? 8
                  : s[0] == 'x' ? 2
                  : s[0] == 'u' ? 4
                                : 8;
    int base = is_octal ? 8 : 16;
    for (; at < n && at - from < most && hex_digit(s[at]) >= 0 && hex_digit(s[at]) < base; at++)
        *ret = *ret * (uint32_t)base + (uint32_t)hex_digit(s[at]);
    if (at == from)
        return 0;
    return at + (has_braces && at < n && s[at] == '}');
}

void fragment_add_unescaped(struct fragment *p, const char *s, size_t n, const struct fragment_escapes *how)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i] != '\\' || i + 1 >= n) {
            fragment_add(p, s + i, 1);
            continue;
        }
        char e = s[++i];
        uint32_t code = 0;
        bool is_code = (e >= '0' && e <= '7') || e == 'x' || e == 'u' || (e == 'U' && how->has_long);
        size_t used = is_code ? read_code(s + i, n - i, how, &code) : 0;
        const char *simple = how->simple;
        while (*simple && *simple != e)
            simple += 2;
        if (used) {
            char byte = (char)code;
            if (how->is_in_bytes)
                fragment_add(p, &byte, 1);
            else
                fragment_add_utf8(p, code);
            i += used - 1;
        } else if (*simple) {
            fragment_add(p, simple + 1, 1);
        } else if (e == '\n' && how->joins_lines) {
            while (how->drops_indent && i + 1 < n && (s[i + 1] == ' ' || s[i + 1] == '\t'))
                i++;
        } else {
            fragment_add(p, s + i, 1);
        }
    }
}

const char *fragment_keep(struct arena *a, uint32_t *budget, const char *s, size_t n, uint32_t *ret_len)
{
    char copy[FRAGMENT_MAX + 1];
    size_t used = 0;
    if (n > FRAGMENT_MAX || n + 1 > *budget)
        return NULL;
    *budget -= (uint32_t)n + 1;
    for (size_t i = 0; i < n; i++) /* arena_copy() ends at NUL */
        if (s[i])
            copy[used++] = s[i];
    copy[used] = '\0';
    const char *kept = arena_copy(a, copy);
    *ret_len = (uint32_t)strlen(kept); /* out of memory: "" */
    return kept;
}
