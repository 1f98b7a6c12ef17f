/* inflate.c - RFC 1951, with the heads of zlib (1950) and gzip (1952): one pass, no tables beyond two of counts and
 * symbols, each step bounded by the input's bits and the output's limit. */
#include "scan/inflate.h"

#define MAX_BITS      15u
#define MAX_LITERALS  288u
#define MAX_DISTANCES 32u

struct stream {
    const unsigned char *in;
    size_t size, at;
    uint32_t held, have; /* bits */
    struct fold_out *out;
    bool is_bad;
};

static unsigned bits(struct stream *s, unsigned need)
{
    while (s->have < need) {
        if (s->at == s->size) {
            s->is_bad = true;
            return 0;
        }
        s->held |= (uint32_t)s->in[s->at++] << s->have;
        s->have += 8;
    }
    unsigned v = s->held & ((1u << need) - 1);
    s->held >>= need;
    s->have -= need;
    return v;
}

struct code {
    uint16_t count[MAX_BITS + 1], symbol[MAX_LITERALS];
};

/* False: more codes than so many bits can tell apart. */
static bool build(struct code *c, const uint8_t *lengths, unsigned n)
{
    uint16_t at[MAX_BITS + 1] = { 0 };
    int left = 1;
    memset(c, 0, sizeof *c);
    for (unsigned i = 0; i < n; i++)
        c->count[lengths[i]]++;
    c->count[0] = 0;
    for (unsigned i = 1; i <= MAX_BITS; i++) {
        left = left * 2 - c->count[i];
        if (left < 0)
            return false;
    }
    for (unsigned i = 1; i < MAX_BITS; i++)
        at[i + 1] = (uint16_t)(at[i] + c->count[i]);
    for (unsigned i = 0; i < n; i++)
        if (lengths[i])
            c->symbol[at[lengths[i]]++] = (uint16_t)i;
    return true;
}

static unsigned decode(struct stream *s, const struct code *c)
{
    int code = 0, first = 0, index = 0;
    for (unsigned length = 1; length <= MAX_BITS; length++) {
        code |= (int)bits(s, 1);
        if (s->is_bad)
            return 0;
        int count = c->count[length];
        if (code - count < first)
            return c->symbol[index + (code - first)];
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    s->is_bad = true;
    return 0;
}

static bool is_full(struct stream *s)
{
    s->is_bad |= s->out->failed || s->out->size >= FOLD_MAX_TEXT;
    return s->is_bad;
}

static void copy_back(struct stream *s, unsigned distance, unsigned length)
{
    if (distance > s->out->size) {
        s->is_bad = true;
        return;
    }
    while (length-- && !is_full(s))
        fold_addc(s->out, s->out->data[s->out->size - distance]);
}

static void block(struct stream *s, const struct code *literals, const struct code *distances)
{
    static const uint16_t length_base[] = { 3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                            31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258 };
    static const uint8_t length_extra[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                            2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 };
    static const uint16_t distance_base[] = { 1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                              33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                              1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577 };
    static const uint8_t distance_extra[] = { 0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                              6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13 };
    while (!is_full(s)) {
        unsigned symbol = decode(s, literals);
        if (s->is_bad || symbol == 256)
            return;
        if (symbol < 256) {
            fold_addc(s->out, (char)symbol);
            continue;
        }
        symbol -= 257;
        if (symbol >= ARRAY_LEN(length_base)) {
            s->is_bad = true;
            return;
        }
        unsigned length = length_base[symbol] + bits(s, length_extra[symbol]);
        symbol = decode(s, distances);
        if (s->is_bad || symbol >= ARRAY_LEN(distance_base)) {
            s->is_bad = true;
            return;
        }
        copy_back(s, distance_base[symbol] + bits(s, distance_extra[symbol]), length);
    }
}

static void stored(struct stream *s)
{
    s->held = s->have = 0;
    if (s->size - s->at < 4) {
        s->is_bad = true;
        return;
    }
    unsigned n = s->in[s->at] | (unsigned)s->in[s->at + 1] << 8;
    s->at += 4;
    if (n > s->size - s->at) {
        s->is_bad = true;
        return;
    }
    fold_add(s->out, (const char *)s->in + s->at, n);
    s->at += n;
    (void)is_full(s);
}

static void fixed(struct stream *s)
{
    struct code literals, distances;
    uint8_t lengths[MAX_LITERALS];
    for (unsigned i = 0; i < MAX_LITERALS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    (void)build(&literals, lengths, MAX_LITERALS);
    memset(lengths, 5, 30);
    (void)build(&distances, lengths, 30);
    block(s, &literals, &distances);
}

static void dynamic(struct stream *s)
{
    static const uint8_t order[] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
    struct code literals, distances;
    uint8_t lengths[MAX_LITERALS + MAX_DISTANCES] = { 0 };
    unsigned literal_count = bits(s, 5) + 257, distance_count = bits(s, 5) + 1, count = bits(s, 4) + 4;
    for (unsigned i = 0; i < count; i++)
        lengths[order[i]] = (uint8_t)bits(s, 3);
    if (s->is_bad || literal_count > MAX_LITERALS || !build(&literals, lengths, 19)) {
        s->is_bad = true;
        return;
    }
    memset(lengths, 0, sizeof lengths);
    for (unsigned i = 0; i < literal_count + distance_count && !s->is_bad;) {
        unsigned symbol = decode(s, &literals), times = 1;
        uint8_t value = (uint8_t)symbol;
        if (symbol == 16) {
            value = i ? lengths[i - 1] : 0;
            s->is_bad |= i == 0;
            times = 3 + bits(s, 2);
        } else if (symbol > 16) {
            value = 0;
            times = symbol == 17 ? 3 + bits(s, 3) : 11 + bits(s, 7);
        }
        if (times > literal_count + distance_count - i)
            s->is_bad = true;
        for (; times && !s->is_bad; times--)
            lengths[i++] = value;
    }
    s->is_bad |= !build(&literals, lengths, literal_count) ||
                 !build(&distances, lengths + literal_count, distance_count);
    if (!s->is_bad)
        block(s, &literals, &distances);
}

static bool skip_text(struct stream *s)
{
    while (s->at < s->size && s->in[s->at])
        s->at++;
    return s->at++ < s->size;
}

/* What stands before the data. */
static bool skip_head(struct stream *s)
{
    if (s->size >= 18 && s->in[0] == 0x1f && s->in[1] == 0x8b && s->in[2] == 8) {
        unsigned flags = s->in[3];
        s->at = 10;
        if (flags & 4)
            s->at += 2 + (s->in[10] | (size_t)s->in[11] << 8);
        return (!(flags & 8) || skip_text(s)) && (!(flags & 16) || skip_text(s)) &&
               (s->at += flags & 2 ? 2 : 0) <= s->size;
    }
    if (s->size >= 2 && (s->in[0] & 0x0f) == 8 && (s->in[0] << 8 | s->in[1]) % 31 == 0)
        s->at = 2;
    return true;
}

bool fold_inflate(struct fold_mem *m, struct fold_text t, struct fold_text *ret)
{
    struct fold_out out = { .mem = m };
    struct stream s = { .in = (const unsigned char *)t.data, .size = t.size, .out = &out };
    bool is_last = !skip_head(&s) || s.at >= s.size;
    s.is_bad = is_last;
    while (!is_last && !s.is_bad) {
        is_last = bits(&s, 1);
        unsigned kind = bits(&s, 2);
        if (s.is_bad)
            break;
        if (kind == 0)
            stored(&s);
        else if (kind == 1)
            fixed(&s);
        else if (kind == 2)
            dynamic(&s);
        else
            s.is_bad = true;
    }
    return fold_end(&out, ret) && !s.is_bad;
}
