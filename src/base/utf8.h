/* utf8.h - is it well-formed (RFC 3629: no surrogates, nothing overlong, at most U+10FFFF), and may it be shown. */
#pragma once
#include "base/base.h"

/* Bytes of the sequence at s, or 0: not well-formed. */
static inline size_t utf8_size(const char *s, size_t left)
{
    const unsigned char *p = (const unsigned char *)s;
    if (!left)
        return 0;
    size_t n = p[0] < 0x80                   ? 1
               : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
               : (p[0] & 0xf0) == 0xe0       ? 3
               : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                             : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf0 && p[1] < 0x90) ||
        (p[0] == 0xf4 && p[1] >= 0x90))
        return 0;
    return n;
}

/* All of it is. */
static inline bool utf8_is(const char *s, size_t size)
{
    size_t n = 1;
    for (size_t at = 0; at < size && n; at += n)
        n = utf8_size(s + at, size - at);
    return n != 0;
}

/* No control characters (C0, DEL, C1), and none of those that turn or hide text: U+200B..200F, U+2028..202E,
 * U+2060..2069, U+FEFF. The sequence is well-formed. */
static inline bool is_printable(const char *s, size_t size)
{
    const unsigned char *p = (const unsigned char *)s;
    if (size == 1)
        return p[0] >= 0x20 && p[0] != 0x7f;
    if (size == 2)
        return !(p[0] == 0xc2 && p[1] < 0xa0);
    if (size == 3 && p[0] == 0xe2 && p[1] == 0x80)
        return !((p[2] >= 0x8b && p[2] <= 0x8f) || (p[2] >= 0xa8 && p[2] <= 0xae));
    if (size == 3 && p[0] == 0xe2 && p[1] == 0x81)
        return !(p[2] >= 0xa0 && p[2] <= 0xa9);
    return !(size == 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf);
}
