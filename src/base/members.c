#include "base/members.h"

#define MAX_DEPTH 16u
#define MAX_PATH  64u

struct scan {
    const char *p, *end;
    char path[MAX_PATH];
    size_t path_size;
    bool is_unwanted; /* in an array, or deeper or longer than anything in the table */
    bool is_strict;   /* anything beside the table is an error */
    uint32_t seen;    /* bit per member */
    const struct member *table;
    size_t count;
    void *ret;
};

static bool scan_value(struct scan *s, unsigned depth);

static bool take(struct scan *s, char c)
{
    if (s->p == s->end || *s->p != c)
        return false;
    s->p++;
    return true;
}

/* Behind the opening quote; leaves s->p behind the closing one. */
static bool scan_string(struct scan *s, struct slice *ret)
{
    if (!take(s, '"'))
        return false;
    const char *start = s->p;
    for (; s->p < s->end; s->p++) {
        unsigned char c = (unsigned char)*s->p;
        if (c < 0x20)
            return false;
        if (c == '"') {
            *ret = (struct slice){ start, (uint32_t)(s->p - start) };
            s->p++;
            return true;
        }
        if (c == '\\' && ++s->p == s->end)
            return false;
    }
    return false;
}

static bool scan_word(struct scan *s, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
        return false;
    s->p += n;
    return true;
}

static bool is_digit(const struct scan *s)
{
    return s->p < s->end && *s->p >= '0' && *s->p <= '9';
}

static bool scan_number(struct scan *s, struct slice *ret)
{
    const char *start = s->p;
    (void)take(s, '-');
    if (!is_digit(s))
        return false;
    while (is_digit(s))
        s->p++;
    if (take(s, '.'))
        while (is_digit(s))
            s->p++;
    *ret = (struct slice){ start, (uint32_t)(s->p - start) };
    return true;
}

static bool read_u64(struct slice v, uint64_t *ret)
{
    uint64_t n = 0;
    if (!v.size)
        return false;
    for (uint32_t i = 0; i < v.size; i++) {
        if (v.p[i] < '0' || v.p[i] > '9' || __builtin_mul_overflow(n, 10u, &n) ||
            __builtin_add_overflow(n, (uint64_t)(v.p[i] - '0'), &n))
            return false;
    }
    *ret = n;
    return true;
}

/* A scalar has been read: is it one that the caller wants? False: it is, and is wrong. */
static bool remember(struct scan *s, enum member_kind kind, struct slice v)
{
    for (size_t i = 0; i < s->count && !s->is_unwanted; i++) {
        const struct member *m = &s->table[i];
        if (m->size != s->path_size || memcmp(m->path, s->path, m->size) != 0)
            continue;
        if (m->kind != kind || s->seen & 1u << i)
            return false;
        s->seen |= 1u << i;
        void *to = (char *)s->ret + m->offset;
        if (kind == MEMBER_NUMBER)
            return read_u64(v, to);
        memcpy(to, &v, sizeof v);
        return true;
    }
    return !s->is_strict;
}

static bool scan_object(struct scan *s, unsigned depth)
{
    const size_t outer = s->path_size;
    const bool was_unwanted = s->is_unwanted;
    if (take(s, '}'))
        return true;
    do {
        struct slice key;
        if (!scan_string(s, &key) || !take(s, ':'))
            return false;
        if (outer + key.size + 1 > MAX_PATH) {
            s->is_unwanted = true;
        } else if (!s->is_unwanted) {
            if (outer)
                s->path[s->path_size++] = '.';
            memcpy(s->path + s->path_size, key.p, key.size);
            s->path_size += key.size;
        }
        if (!scan_value(s, depth + 1))
            return false;
        s->path_size = outer;
        s->is_unwanted = was_unwanted;
    } while (take(s, ','));
    return take(s, '}');
}

static bool scan_array(struct scan *s, unsigned depth)
{
    const bool was_unwanted = s->is_unwanted;
    if (take(s, ']'))
        return true;
    s->is_unwanted = true;
    do {
        if (!scan_value(s, depth + 1))
            return false;
    } while (take(s, ','));
    s->is_unwanted = was_unwanted;
    return take(s, ']');
}

static bool scan_value(struct scan *s, unsigned depth)
{
    struct slice v;
    if (s->p == s->end || depth > MAX_DEPTH)
        return false;
    switch (*s->p) {
    case '{':
        s->p++;
        return !s->is_strict && scan_object(s, depth);
    case '[':
        s->p++;
        return !s->is_strict && scan_array(s, depth);
    case '"':
        return scan_string(s, &v) && remember(s, MEMBER_TEXT, v);
    case 't':
        return !s->is_strict && scan_word(s, "true");
    case 'f':
        return !s->is_strict && scan_word(s, "false");
    case 'n':
        return !s->is_strict && scan_word(s, "null");
    default:
        return scan_number(s, &v) && remember(s, MEMBER_NUMBER, v);
    }
}

static int read_object(struct scan s, uint32_t *ret_seen)
{
    assert(s.count <= MEMBERS_MAX); /* a bit for each */
    if (!take(&s, '{') || !scan_object(&s, 0) || s.p != s.end)
        return -EBADMSG;
    *ret_seen = s.seen;
    return 0;
}

int members_read(const char *text, size_t size, const struct member *table, size_t count, void *ret, uint32_t *ret_seen)
{
    return read_object((struct scan){ .p = text, .end = text + size, .table = table, .count = count, .ret = ret },
                       ret_seen);
}

int members_read_all(const char *text, size_t size, const struct member *table, size_t count, void *ret,
                     uint32_t *ret_seen)
{
    return read_object(
        (struct scan){ .p = text, .end = text + size, .table = table, .count = count, .ret = ret, .is_strict = true },
        ret_seen);
}

bool slice_is(struct slice s, const char *text)
{
    return s.p && strlen(text) == s.size && memcmp(s.p, text, s.size) == 0;
}

static bool read_hex(const char *p, const char *end, unsigned *ret)
{
    unsigned v = 0;
    if (end - p < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        if (c >= '0' && c <= '9')
            v = v << 4 | (unsigned)(c - '0');
        else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
            v = v << 4 | (unsigned)((c | 0x20) - 'a' + 10);
        else
            return false;
    }
    *ret = v;
    return true;
}

static void print_escape(const char **p, const char *end, struct buf *out)
{
    static const char known[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    char one[2] = { 0 };
    unsigned code;
    for (size_t i = 0; i + 1 < sizeof known; i += 2)
        if (known[i] == **p)
            one[0] = known[i + 1];
    if (one[0]) {
        (void)buf_adds_clean(out, one);
    } else if (**p == 'u' && read_hex(*p + 1, end, &code)) {
        if (code && code < 0x80) { /* the writer escapes no others */
            one[0] = (char)code;
            (void)buf_adds_clean(out, one);
        } else {
            (void)buf_addf(out, "\\u%04x", code);
        }
        *p += 4;
    }
}

void slice_print(struct slice s, struct buf *out)
{
    const char *end = s.p + s.size;
    for (const char *p = s.p; p && p < end; p++) {
        char one[2] = { *p, '\0' };
        if (*p == '\\' && p + 1 < end) {
            p++;
            print_escape(&p, end, out);
        } else {
            (void)buf_adds_clean(out, one);
        }
    }
}
