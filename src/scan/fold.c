#include "scan/fold.h"
#include "scan/digits.h"

struct fold_chunk {
    struct fold_chunk *next;
    size_t used, size;
    max_align_t data[];
};

#define CHUNK_BYTES (16u << 10)

void fold_init(struct fold_mem *m, size_t max_bytes)
{
    *m = (struct fold_mem){ .max = max_bytes };
}

void fold_done(struct fold_mem *m)
{
    while (m->first) {
        struct fold_chunk *next = m->first->next;
        free(m->first);
        m->first = next;
    }
}

void *fold_take(struct fold_mem *m, size_t size)
{
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (size > m->max || m->used > m->max - size) {
        m->failed = true;
        return NULL;
    }
    struct fold_chunk *c = m->first;
    if (!c || size > c->size - c->used) {
        size_t room = MAX_OF(size, (size_t)CHUNK_BYTES);
        c = calloc(1, sizeof *c + room);
        if (!c) {
            m->failed = true;
            return NULL;
        }
        c->next = m->first;
        c->size = room;
        m->first = c;
    }
    void *p = (char *)c->data + c->used;
    c->used += size;
    m->used += size;
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

void fold_add(struct fold_out *o, const char *p, size_t size)
{
    if (o->failed || size > FOLD_MAX_TEXT - o->size) {
        o->failed = true;
        return;
    }
    if (o->size + size + 1 > o->cap) {
        size_t cap = MAX_OF((size_t)o->cap * 2, (size_t)64);
        cap = MAX_OF(cap, o->size + size + 1);
        char *to = fold_take(o->mem, cap);
        if (!to) {
            o->failed = true;
            return;
        }
        if (o->size)
            memcpy(to, o->data, o->size);
        o->data = to;
        o->cap = (uint32_t)cap;
    }
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
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
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

bool fold_join(struct fold_mem *m, struct fold_text between, const struct fold_text *parts, size_t n,
               struct fold_text *ret)
{
    struct fold_out o = { .mem = m };
    for (size_t i = 0; i < n && !o.failed; i++) {
        if (i)
            fold_add(&o, between.data, between.size);
        fold_add(&o, parts[i].data, parts[i].size);
    }
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

static char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static char ascii_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
}

static char ascii_rot13(char c)
{
    char base = c >= 'a' && c <= 'z' ? 'a' : c >= 'A' && c <= 'Z' ? 'A' : 0;
    return base ? (char)(base + (c - base + 13) % 26) : c;
}

static bool each_byte(struct fold_mem *m, struct fold_text t, char (*change)(char), struct fold_text *ret)
{
    char *to = fold_take(m, (size_t)t.size + 1);
    if (!to)
        return false;
    for (uint32_t i = 0; i < t.size; i++)
        to[i] = change(t.data[i]);
    *ret = (struct fold_text){ to, t.size };
    return true;
}

bool fold_lower(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    return each_byte(m, t, ascii_lower, ret);
}

bool fold_upper(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    return each_byte(m, t, ascii_upper, ret);
}

bool fold_rot13(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    return each_byte(m, t, ascii_rot13, ret);
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

bool fold_xor(struct fold_mem *m, struct fold_text t, struct fold_text key, struct fold_text *ret)
{
    char *to = key.size ? fold_take(m, (size_t)t.size + 1) : NULL;
    if (!to)
        return false;
    for (uint32_t i = 0; i < t.size; i++)
        to[i] = (char)(t.data[i] ^ key.data[i % key.size]);
    *ret = (struct fold_text){ to, t.size };
    return true;
}

/* --- decoders -------------------------------------------------------------------------------------------------------
 */

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'z' ? c - 'a' + 10
           : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                  : -1;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int base32_value(char c)
{
    c = ascii_upper(c);
    return c >= 'A' && c <= 'Z' ? c - 'A' : c >= '2' && c <= '7' ? c - '2' + 26 : -1;
}

static bool by_bits(struct fold_mem *m, struct fold_text t, int (*value)(char), unsigned bits, struct fold_text *ret)
{
    struct fold_out o = { .mem = m };
    uint32_t held = 0;
    unsigned have = 0;
    bool is_padding = false;
    for (uint32_t i = 0; i < t.size; i++) {
        char c = t.data[i];
        if (is_space(c))
            continue;
        if (c == '=') {
            is_padding = true;
            continue;
        }
        int v = value(c);
        if (v < 0 || is_padding)
            return false;
        held = (held << bits | (uint32_t)v) & 0xffff;
        have += bits;
        if (have >= 8) {
            have -= 8;
            fold_addc(&o, (char)(held >> have & 0xff));
        }
    }
    return fold_end(&o, ret);
}

bool fold_base64(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    return by_bits(m, t, base64_digit, 6, ret);
}

bool fold_base32(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    return by_bits(m, t, base32_value, 5, ret);
}

bool fold_hex(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    struct fold_out o = { .mem = m };
    for (uint32_t i = 0; i < t.size;) {
        if (is_space(t.data[i])) {
            i++;
            continue;
        }
        int high = digit_of(t.data[i]), low = i + 1 < t.size ? digit_of(t.data[i + 1]) : -1;
        if (high < 0 || high > 15 || low < 0 || low > 15)
            return false;
        fold_addc(&o, (char)(high << 4 | low));
        i += 2;
    }
    return fold_end(&o, ret);
}

/* Up to `most` digits of `base` from *i on; -1 when there is none. */
static int64_t take_digits(struct fold_text t, uint32_t *i, unsigned most, int base)
{
    int64_t v = -1;
    for (unsigned n = 0; n < most && *i < t.size; n++, (*i)++) {
        int d = digit_of(t.data[*i]);
        if (d < 0 || d >= base)
            break;
        v = (v < 0 ? 0 : v) * base + d;
    }
    return v;
}

/* One escape, *i behind its backslash. False: it is not one, and stays as it is. */
static bool unescape(struct fold_out *o, struct fold_text t, uint32_t *i)
{
    static const char from[] = "abfnrtv\\'\"0", to[] = "\a\b\f\n\r\t\v\\'\"";
    char c = t.data[*i];
    const char *simple = c == '0' ? NULL : memchr(from, c, sizeof from - 2);
    int64_t v = -1;
    if (simple) {
        fold_addc(o, to[simple - from]);
        (*i)++;
        return true;
    }
    if (c >= '0' && c <= '7') {
        v = take_digits(t, i, 3, 8);
        fold_addc(o, (char)(v & 0xff));
        return true;
    }
    if (c != 'x' && c != 'u' && c != 'U')
        return false;
    uint32_t at = *i + 1;
    bool is_braced = c == 'u' && at < t.size && t.data[at] == '{'; /* JavaScript and Rust */
    at += is_braced;
    v = take_digits(t, &at, c == 'x' ? 2 : c == 'u' && !is_braced ? 4 : 8, 16);
    if (v < 0)
        return false;
    at += is_braced && at < t.size && t.data[at] == '}';
    *i = at;
    if (c == 'x')
        fold_addc(o, (char)v);
    else
        fold_add_utf8(o, (uint32_t)v);
    return true;
}

bool fold_unhex_escapes(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    struct fold_out o = { .mem = m };
    for (uint32_t i = 0; i < t.size;) {
        char c = t.data[i++];
        if (c != '\\' || i == t.size) {
            fold_addc(&o, c);
        } else if (t.data[i] == '\n') {
            i++; /* a continued line */
        } else if (!unescape(&o, t, &i)) {
            fold_addc(&o, c);
        }
    }
    return fold_end(&o, ret);
}

bool fold_int(struct fold_text t, unsigned base, int64_t *ret)
{
    static const struct fold_text space = { " \t\r\n\v\f", 6 };
    t = fold_strip(t, space, true, true);
    bool is_negative = t.size && t.data[0] == '-';
    uint32_t i = t.size && (t.data[0] == '-' || t.data[0] == '+');
    if (t.size - i > 2 && t.data[i] == '0') {
        char p = ascii_lower(t.data[i + 1]);
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
