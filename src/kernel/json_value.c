#include "kernel/frame.h"

#include "base/utf8.h"

struct scan {
    const char *p, *end;
    uint64_t objects; /* a bit a level: it is an object */
    unsigned depth;
};
static_assert(KERNEL_MAX_DEPTH < 64, "a bit a level");

static void skip_space(struct scan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
        s->p++;
}

static bool take(struct scan *s, char c)
{
    skip_space(s);
    if (s->p == s->end || *s->p != c)
        return false;
    s->p++;
    return true;
}

static bool is_hex(const char *p)
{
    for (unsigned i = 0; i < 4; i++)
        if (!((p[i] >= '0' && p[i] <= '9') || ((p[i] | 32) >= 'a' && (p[i] | 32) <= 'f')))
            return false;
    return true;
}

static bool escape(struct scan *s)
{
    if (s->end - s->p < 2)
        return false;
    const char c = s->p[1];
    s->p += 2;
    if (c != 'u')
        return c && strchr("\"\\/bfnrt", c);
    if (s->end - s->p < 4 || !is_hex(s->p))
        return false;
    s->p += 4;
    return true;
}

static bool text(struct scan *s)
{
    if (!take(s, '"'))
        return false;
    while (s->p < s->end && *s->p != '"') {
        size_t n = utf8_size(s->p, (size_t)(s->end - s->p));
        if (!n || (unsigned char)*s->p < 0x20)
            return false;
        if (*s->p != '\\')
            s->p += n;
        else if (!escape(s))
            return false;
    }
    return take(s, '"');
}

static size_t digits(struct scan *s)
{
    const char *from = s->p;
    while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
        s->p++;
    return (size_t)(s->p - from);
}

static bool number(struct scan *s)
{
    if (*s->p == '-')
        s->p++;
    const char *first = s->p;
    size_t n = digits(s);
    if (!n || (*first == '0' && n > 1))
        return false;
    if (s->p < s->end && *s->p == '.' && (s->p++, !digits(s)))
        return false;
    if (s->p < s->end && (*s->p | 32) == 'e') {
        s->p++;
        if (s->p < s->end && (*s->p == '+' || *s->p == '-'))
            s->p++;
        return digits(s) > 0;
    }
    return true;
}

static bool word(struct scan *s, const char *w)
{
    size_t n = strlen(w);
    if ((size_t)(s->end - s->p) < n || memcmp(s->p, w, n) != 0)
        return false;
    s->p += n;
    return true;
}

static bool scalar(struct scan *s)
{
    if (*s->p == '"')
        return text(s);
    if (*s->p == '-' || (*s->p >= '0' && *s->p <= '9'))
        return number(s);
    return word(s, "true") || word(s, "false") || word(s, "null");
}

static bool key(struct scan *s)
{
    return text(s) && take(s, ':');
}

/* A bracket opens. *ret_is_empty: and closes. */
static bool open_bracket(struct scan *s, bool *ret_is_empty)
{
    const bool is_object = *s->p++ == '{';
    if (s->depth == KERNEL_MAX_DEPTH)
        return false;
    *ret_is_empty = take(s, is_object ? '}' : ']');
    if (*ret_is_empty)
        return true;
    s->depth++;
    s->objects = s->objects << 1 | is_object;
    return !is_object || key(s);
}

/* A value is over: closes brackets until another value follows. False: none does, or what follows is wrong. */
static bool next_value(struct scan *s)
{
    while (s->depth) {
        const bool is_object = s->objects & 1;
        if (take(s, ','))
            return !is_object || key(s);
        if (!take(s, is_object ? '}' : ']'))
            return false;
        s->depth--;
        s->objects >>= 1;
    }
    return false;
}

bool kernel_is_json(const char *p, size_t size)
{
    struct scan s = { .p = p, .end = p + size };
    do {
        bool is_over = true;
        skip_space(&s);
        if (s.p == s.end)
            return false;
        if (*s.p == '{' || *s.p == '[') {
            if (!open_bracket(&s, &is_over))
                return false;
        } else if (!scalar(&s)) {
            return false;
        }
        if (!is_over)
            continue;
        if (!next_value(&s))
            break;
    } while (true);
    skip_space(&s);
    return !s.depth && s.p == s.end;
}
