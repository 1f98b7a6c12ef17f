#include "scan/fold.h"
#include "scan/digits.h"

void fold_init(struct fold_mem *m, size_t max_bytes)
{
    *m = (struct fold_mem){ .max = max_bytes };
}

void fold_done(struct fold_mem *m)
{
    arena_done(&m->arena);
}

void *fold_take(struct fold_mem *m, size_t size)
{
    void *p = size > m->max - m->used ? NULL : arena_zero(&m->arena, size);
    m->failed |= !p;
    m->used += p ? size : 0;
    return p;
}

bool fold_copy(struct fold_mem *m, const char *p, size_t size, struct fold_text *ret)
{
    char *to = size > FOLD_MAX_TEXT ? NULL : fold_take(m, size + 1);
    if (!to)
        return false;
    if (size)
        memcpy(to, p, size);
    *ret = (struct fold_text){ to, (uint32_t)size };
    return true;
}

/* --- growing --------------------------------------------------------------------------------------------------------
 */

/* A text on the stack has no memory to grow in: what fits of it stays. */
static void grow(struct fold_out *o, size_t more)
{
    size_t cap = MAX_OF(MAX_OF((size_t)o->cap * 2, (size_t)64), o->size + more + 1);
    char *to = o->mem && more <= FOLD_MAX_TEXT - o->size ? fold_take(o->mem, cap) : NULL;
    o->failed = !to;
    if (!to)
        return;
    if (o->size)
        memcpy(to, o->data, o->size);
    o->data = to;
    o->cap = (uint32_t)cap;
}

void fold_add(struct fold_out *o, const char *p, size_t size)
{
    if (o->failed)
        return;
    if (o->size + size + (o->mem != NULL) > o->cap || size > FOLD_MAX_TEXT - o->size)
        grow(o, size);
    if (o->failed)
        size = o->mem ? 0 : o->cap - o->size;
    if (size)
        memcpy(o->data + o->size, p, size);
    o->size += (uint32_t)size;
}

void fold_addc(struct fold_out *o, char c)
{
    fold_add(o, &c, 1);
}

void fold_add_utf8(struct fold_out *o, uint32_t code)
{
    char s[4];
    if (code > 0x10ffff)
        return;
    if (code >= 0xd800 && code < 0xe000)
        code = 0xfffd;
    if (code < 0x80) {
        fold_addc(o, (char)code);
    } else if (code < 0x800) {
        s[0] = (char)(0xc0 | code >> 6);
        s[1] = (char)(0x80 | (code & 63));
        fold_add(o, s, 2);
    } else if (code < 0x10000) {
        s[0] = (char)(0xe0 | code >> 12);
        s[1] = (char)(0x80 | (code >> 6 & 63));
        s[2] = (char)(0x80 | (code & 63));
        fold_add(o, s, 3);
    } else {
        s[0] = (char)(0xf0 | code >> 18);
        s[1] = (char)(0x80 | (code >> 12 & 63));
        s[2] = (char)(0x80 | (code >> 6 & 63));
        s[3] = (char)(0x80 | (code & 63));
        fold_add(o, s, 4);
    }
}

void fold_add_int(struct fold_out *o, int64_t v)
{
    char digits[24];
    unsigned n = sizeof digits;
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do
        digits[--n] = (char)('0' + u % 10);
    while (u /= 10);
    if (v < 0)
        digits[--n] = '-';
    fold_add(o, digits + n, sizeof digits - n);
}

bool fold_end(struct fold_out *o, struct fold_text *ret)
{
    fold_add(o, "", 0); /* an empty one needs its NUL, too; the rest has it since memory comes zeroed */
    if (o->failed)
        return false;
    *ret = (struct fold_text){ o->data, o->size };
    return true;
}

/* --- text -----------------------------------------------------------------------------------------------------------
 */

struct fold_text fold_of(const char *s)
{
    return (struct fold_text){ s, (uint32_t)strlen(s) };
}

bool fold_is(struct fold_text t, const char *s)
{
    return strlen(s) == t.size && memcmp(s, t.data, t.size) == 0;
}

bool fold_concat(struct fold_mem *m, struct fold_text a, struct fold_text b, struct fold_text *ret)
{
    struct fold_out o = { .mem = m };
    fold_add(&o, a.data, a.size);
    fold_add(&o, b.data, b.size);
    return fold_end(&o, ret);
}

bool fold_repeat(struct fold_mem *m, struct fold_text t, int64_t times, struct fold_text *ret)
{
    struct fold_out o = { .mem = m };
    if (times > 0 && t.size && (uint64_t)times > FOLD_MAX_TEXT / t.size)
        return false;
    for (int64_t i = 0; t.size && i < times; i++)
        fold_add(&o, t.data, t.size);
    return fold_end(&o, ret);
}

bool fold_reverse(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    struct fold_out o = { .mem = m };
    uint32_t end = t.size;
    while (end) {
        uint32_t start = end - 1;
        while (start && end - start < 4 && ((unsigned char)t.data[start] & 0xc0) == 0x80)
            start--;
        fold_add(&o, t.data + start, end - start);
        end = start;
    }
    return fold_end(&o, ret);
}

/* Python's rule: negative counts from the end, then everything is clamped. */
static int64_t slice_bound(const int64_t *v, int64_t size, int64_t absent, int64_t low, int64_t high)
{
    if (!v)
        return absent;
    int64_t at = *v < 0 ? (*v < -size ? -1 : *v + size) : *v;
    return at < low ? low : at > high ? high : at;
}

bool fold_slice(struct fold_mem *m, struct fold_text t, const int64_t *start, const int64_t *stop, int64_t step,
                struct fold_text *ret)
{
    struct fold_out o = { .mem = m };
    int64_t size = t.size;
    if (step == 0)
        return false;
    if (step == -1 && !start && !stop)
        return fold_reverse(m, t, ret);
    if (step > size)
        step = size + 1;
    if (step < -size)
        step = -size - 1;
    if (step > 0) {
        int64_t end = slice_bound(stop, size, size, 0, size);
        for (int64_t i = slice_bound(start, size, 0, 0, size); i < end; i += step)
            fold_addc(&o, t.data[i]);
    } else {
        int64_t end = slice_bound(stop, size, -1, -1, size - 1);
        for (int64_t i = slice_bound(start, size, size - 1, -1, size - 1); i > end; i += step)
            fold_addc(&o, t.data[i]);
    }
    return fold_end(&o, ret);
}

bool fold_replace(struct fold_mem *m, struct fold_text t, struct fold_text from, struct fold_text to,
                  struct fold_text *ret)
{
    struct fold_out o = { .mem = m };
    if (!from.size)
        return false;
    for (uint32_t i = 0; i < t.size;) {
        if (from.size <= t.size - i && memcmp(t.data + i, from.data, from.size) == 0) {
            fold_add(&o, to.data, to.size);
            i += from.size;
        } else {
            fold_addc(&o, t.data[i++]);
        }
    }
    return fold_end(&o, ret);
}

char fold_lower_of(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

char fold_upper_of(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
}

static char ascii_rot13(char c)
{
    char base = c >= 'a' && c <= 'z' ? 'a' : c >= 'A' && c <= 'Z' ? 'A' : 0;
    return base ? (char)(base + (c - base + 13) % 26) : c;
}

void fold_add_each(struct fold_out *o, struct fold_text t, char (*change)(char c))
{
    for (uint32_t i = 0; i < t.size; i++)
        fold_addc(o, change(t.data[i]));
}

bool fold_rot13(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    struct fold_out o = { .mem = m };
    fold_add_each(&o, t, ascii_rot13);
    return fold_end(&o, ret);
}

struct fold_text fold_strip(struct fold_text t, struct fold_text set, bool left, bool right)
{
    while (left && t.size && memchr(set.data, t.data[0], set.size)) {
        t.data++;
        t.size--;
    }
    while (right && t.size && memchr(set.data, t.data[t.size - 1], set.size))
        t.size--;
    return t;
}

/* --- decoders -------------------------------------------------------------------------------------------------------
 */

/* In any base. */
static int digit_of(char c)
{
    int letter = c | 0x20;
    return c >= '0' && c <= '9' ? c - '0' : letter >= 'a' && letter <= 'z' ? letter - 'a' + 10 : -1;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int base32_digit(char c)
{
    c = fold_upper_of(c);
    return c >= 'A' && c <= 'Z' ? c - 'A' : c >= '2' && c <= '7' ? c - '2' + 26 : -1;
}

bool fold_add_decoded(struct fold_out *o, struct fold_text t, int (*digit)(char c), unsigned bits)
{
    uint32_t held = 0;
    unsigned have = 0;
    bool is_plain = true, is_padding = false;
    for (uint32_t i = 0; i < t.size; i++) {
        int d = digit(t.data[i]);
        bool is_other = d < 0 && !is_space(t.data[i]);
        is_padding |= is_other && t.data[i] == '=' && bits > 4;
        is_plain &= is_padding ? d < 0 && (!is_other || t.data[i] == '=') : !is_other;
        if (d < 0)
            continue;
        held = held << bits | (uint32_t)d;
        have += bits;
        if (have >= 8) {
            have -= 8;
            fold_addc(o, (char)(held >> have));
        }
    }
    return is_plain && (bits > 4 || !have);
}

static bool by_bits(struct fold_mem *m, struct fold_text t, int (*digit)(char), unsigned bits, struct fold_text *ret)
{
    struct fold_out o = { .mem = m };
    return fold_add_decoded(&o, t, digit, bits) && fold_end(&o, ret);
}

bool fold_base64(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    return by_bits(m, t, base64_digit, 6, ret);
}

bool fold_base32(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    return by_bits(m, t, base32_digit, 5, ret);
}

bool fold_hex(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    return by_bits(m, t, hex_digit, 4, ret);
}

void fold_add_unquoted(struct fold_out *o, struct fold_text t)
{
    for (uint32_t i = 0; i < t.size; i++) {
        bool is_code = t.data[i] == '%' && i + 2 < t.size && hex_digit(t.data[i + 1]) >= 0 &&
                       hex_digit(t.data[i + 2]) >= 0;
        fold_addc(o, is_code ? (char)(hex_digit(t.data[i + 1]) << 4 | hex_digit(t.data[i + 2])) : t.data[i]);
        i += is_code ? 2 : 0;
    }
}

char fold_to_percent(struct fold_out *o, struct fold_text t, uint32_t *i)
{
    for (; *i < t.size; ++*i) {
        const char *end = t.data + t.size, *at = t.data + *i + 1;
        if (t.data[*i] != '%' || at == end) {
            fold_addc(o, t.data[*i]);
            continue;
        }
        if (*at == '(') /* %(name)s */
            at = memchr(at, ')', (size_t)(end - at));
        while (at && at < end && memchr("+-# 0123456789.[])", *at, 18))
            at++;
        *i = (uint32_t)((at ? at : end) - t.data);
        if (*i == t.size)
            return 's';
        if (*at != '%') {
            ++*i;
            return *at ? *at : 's';
        }
        fold_addc(o, '%');
    }
    return '\0';
}

bool fold_to_brace(struct fold_out *o, struct fold_text t, uint32_t *i, struct fold_text *ret)
{
    for (; *i < t.size; ++*i) {
        const char c = t.data[*i], *from = t.data + *i + 1, *end;
        bool is_double = (c == '{' || c == '}') && *i + 1 < t.size && *from == c;
        if (c == '{' && !is_double) {
            end = memchr(from, '}', t.size - *i - 1);
            *ret = (struct fold_text){ from, (uint32_t)((end ? end : t.data + t.size) - from) };
            *i += ret->size + 2;
            return true;
        }
        fold_addc(o, c);
        *i += is_double;
    }
    return false;
}

/* The digits of a code, s[0] being the letter or the first digit; returns the bytes read, 0 if there are none. */
static size_t read_code(const char *s, size_t n, const struct fold_escapes *how, uint32_t *ret)
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

void fold_add_unescaped(struct fold_out *o, struct fold_text t, const struct fold_escapes *how)
{
    for (uint32_t i = 0; i < t.size; i++) {
        if (t.data[i] != '\\' || i + 1 >= t.size) {
            fold_addc(o, t.data[i]);
            continue;
        }
        char e = t.data[++i];
        uint32_t code = 0;
        bool is_octal = e >= '0' && e <= '7', is_code = is_octal || e == 'x' || e == 'u' || (e == 'U' && how->has_long);
        size_t used = is_code ? read_code(t.data + i, t.size - i, how, &code) : 0;
        const char *simple = how->simple;
        while (*simple && *simple != e)
            simple += 2;
        if (used) {
            if (how->is_in_bytes || (how->has_bytes && (is_octal || e == 'x')))
                fold_addc(o, (char)code);
            else
                fold_add_utf8(o, code);
            i += used - 1;
        } else if (*simple) {
            fold_addc(o, simple[1]);
        } else if (e == '\n' && how->joins_lines) {
            while (how->drops_indent && i + 1 < t.size && (t.data[i + 1] == ' ' || t.data[i + 1] == '\t'))
                i++;
        } else {
            if (how->keeps_others)
                fold_addc(o, '\\');
            fold_addc(o, e);
        }
    }
}

bool fold_unhex_escapes(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    static const struct fold_escapes how = { .simple = "a\ab\bf\fn\nr\rt\tv\v\\\\''\"\"",
                                             .has_bytes = true,
                                             .has_long = true,
                                             .joins_lines = true,
                                             .keeps_others = true };
    struct fold_out o = { .mem = m };
    fold_add_unescaped(&o, t, &how);
    return fold_end(&o, ret);
}

bool fold_int(struct fold_text t, unsigned base, int64_t *ret)
{
    static const struct fold_text space = { " \t\r\n\v\f", 6 };
    t = fold_strip(t, space, true, true);
    bool is_negative = t.size && t.data[0] == '-';
    uint32_t i = t.size && (t.data[0] == '-' || t.data[0] == '+');
    if (t.size - i > 2 && t.data[i] == '0') {
        char p = fold_lower_of(t.data[i + 1]);
        unsigned of = p == 'x' ? 16 : p == 'o' ? 8 : p == 'b' ? 2 : 0;
        if (of && (base == 0 || base == of)) {
            base = of;
            i += 2;
        }
    }
    base = base ? base : 10;
    if (i == t.size)
        return false;
    int64_t v = 0;
    for (; i < t.size; i++) {
        if (t.data[i] == '_')
            continue;
        int d = digit_of(t.data[i]);
        if (d < 0 || (unsigned)d >= base || v > (INT64_MAX - d) / (int64_t)base)
            return false;
        v = v * (int64_t)base + d;
    }
    *ret = is_negative ? -v : v;
    return true;
}
