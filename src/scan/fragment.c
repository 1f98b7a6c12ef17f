#include "scan/fragment.h"

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
