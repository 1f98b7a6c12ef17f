#include "engine/api.h"

/* RFC 3986's unreserved characters stand for themselves. */
static bool is_unreserved(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c && strchr("-._~", c));
}

const char *engine_escape(struct arena *a, const char *text)
{
    static const char digits[] = "0123456789ABCDEF";
    char *out = arena_zero(a, 3 * strlen(text) + 1), *at = out;
    if (!out)
        return "";
    for (; *text; text++)
        if (is_unreserved(*text)) {
            *at++ = *text;
        } else {
            *at++ = '%';
            *at++ = digits[(unsigned char)*text >> 4];
            *at++ = digits[(unsigned char)*text & 15];
        }
    return out;
}
