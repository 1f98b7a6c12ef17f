#include "base/json.h"

static void separate(struct buf *b)
{
    if (!b->size)
        return;
    char last = b->data[b->size - 1];
    if (last != '{' && last != '[' && last != ':' && last != ' ')
        (void)buf_addc(b, ',');
}

void json_open(struct buf *b, char bracket)
{
    separate(b);
    (void)buf_addc(b, bracket);
}

void json_close(struct buf *b, char bracket)
{
    (void)buf_addc(b, bracket);
}

void json_key_sized(struct buf *b, const char *key, size_t size)
{
    json_bytes(b, key, size);
    (void)buf_addc(b, ':');
}

size_t json_utf8_length(const unsigned char *s, size_t n)
{
    unsigned char c = s[0];
    if (c < 0x80)
        return 1;
    size_t len = c >= 0xC2 && c <= 0xDF ? 2 : (c & 0xF0) == 0xE0 ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
    if (len == 0 || len > n)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if ((c == 0xE0 && s[1] < 0xA0) || (c == 0xED && s[1] > 0x9F) || (c == 0xF0 && s[1] < 0x90) ||
        (c == 0xF4 && s[1] > 0x8F))
        return 0;
    return len;
}

bool json_is_text(const char *s, size_t n)
{
    for (size_t i = 0, length; i < n; i += length)
        if (!(length = json_utf8_length((const unsigned char *)s + i, n - i)))
            return false;
    return true;
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* How many of them stand as they are, from the first on: eight at a time, by the bit that a subtraction borrows. */
static size_t plain_run(const unsigned char *s, size_t n)
{
    size_t i = 0;
    for (; n - i >= 8; i += 8) {
        uint64_t v, q, b, d;
        memcpy(&v, s + i, sizeof v);
        q = v ^ EACH('"'), b = v ^ EACH('\\'), d = v ^ EACH(0x7F); /* 0 where it is that byte */
        const uint64_t odd = (v - EACH(0x20)) | (q - EACH(1)) | (b - EACH(1)) | (d - EACH(1)) | v;
        if (odd & EACH(0x80)) /* one of them, or a neighbour that was borrowed from: the next loop says which */
            break;
    }
    while (i < n && is_plain(s[i]))
        i++;
    return i;
}

static void add_escaped(struct buf *b, unsigned char c)
{
    static const char short_form[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (size_t i = 0; i + 1 < sizeof short_form; i += 2)
        if ((unsigned char)short_form[i] == c) {
            (void)buf_addc(b, '\\');
            (void)buf_addc(b, short_form[i + 1]);
            return;
        }
    static const char hex[] = "0123456789abcdef"; /* a program may print millions of them */
    (void)buf_add(b, (const char[]){ '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] }, 6);
}

size_t json_escaped_size(const char *s, size_t n)
{
    const unsigned char *p = (const unsigned char *)s, *end = p + n;
    size_t size = 0;
    while (p < end) {
        size_t len = is_plain(*p) ? 1 : json_utf8_length(p, (size_t)(end - p));
        if (len != 1 || is_plain(*p))
            size += len ? len : 3; /* U+FFFD for what is no UTF-8 */
        else
            size += strchr("\"\\\b\f\n\r\t", *p) && *p ? 2 : 6;
        p += len ? len : 1;
    }
    return size;
}

void json_escape(struct buf *b, const char *s, size_t n)
{
    const unsigned char *p = (const unsigned char *)s, *end = p + n;
    while (p < end) {
        const size_t run = plain_run(p, (size_t)(end - p));
        (void)buf_add(b, p, run);
        p += run;
        if (p == end)
            break;
        size_t len = json_utf8_length(p, (size_t)(end - p));
        if (len > 1)
            (void)buf_add(b, p, len);
        else if (len == 1)
            add_escaped(b, *p);
        else
            (void)buf_add(b, "\xEF\xBF\xBD", 3);
        p += len ? len : 1;
    }
}

void json_bytes(struct buf *b, const char *s, size_t n)
{
    separate(b);
    (void)buf_addc(b, '"');
    json_escape(b, s, n);
    (void)buf_addc(b, '"');
}

void json_put_string(struct buf *b, const char *s)
{
    if (s)
        json_bytes(b, s, strlen(s));
    else
        json_put_null(b);
}

/* Not printf: a run's result, lines and receipt have hundreds of numbers. */
static void add_decimal(struct buf *b, uint64_t v)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + v % 10);
    while (v /= 10);
    (void)buf_add(b, digits + at, sizeof digits - at);
}

void json_uint(struct buf *b, uint64_t v)
{
    separate(b);
    add_decimal(b, v);
}

void json_int(struct buf *b, int64_t v)
{
    separate(b);
    if (v < 0)
        (void)buf_addc(b, '-');
    add_decimal(b, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void json_bool(struct buf *b, bool v)
{
    separate(b);
    (void)buf_adds(b, v ? "true" : "false");
}

void json_put_null(struct buf *b)
{
    separate(b);
    (void)buf_adds(b, "null");
}

void json_milli(struct buf *b, uint64_t v)
{
    const char part[] = { '.', (char)('0' + v / 100 % 10), (char)('0' + v / 10 % 10), (char)('0' + v % 10) };
    separate(b);
    add_decimal(b, v / 1000);
    (void)buf_add(b, part, sizeof part);
}

void json_texts(struct buf *b, const struct strlist *l)
{
    json_open(b, '[');
    STRLIST_FOREACH(s, l)
    json_put_string(b, s);
    json_close(b, ']');
}

void json_pairs(struct buf *b, const struct strlist *pairs, const char *without)
{
    STRLIST_FOREACH(pair, pairs)
    {
        const size_t n = strcspn(pair, "=");
        if (without && strlen(without) == n && memcmp(pair, without, n) == 0)
            continue;
        json_bytes(b, pair, n), (void)buf_addc(b, ':');
        json_put_string(b, pair + n + (pair[n] == '='));
    }
}
