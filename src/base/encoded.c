#include "base/encoded.h"

#include <ctype.h>
#include <stdatomic.h>
#include <sys/random.h>

#define RUN_LEAST  32u   /* characters of a code; shorter ones carry no line */
#define RUN_MOST   8192u /* more of one is not looked at: pictures */
#define LINE_LEAST 12u
#define KEY_LEAST  48u

struct found {
    void (*fn)(void *context, uint64_t hash);
    void *context;
};

/* Of this process: a hash that is written into a recording says nothing of the secret, not even to one who guesses it.
 */
static uint64_t key(void)
{
    static _Atomic uint64_t made; /* several runs of a service may come first at once: one of them wins */
    uint64_t mine, none = 0;
    if (!made && getrandom(&mine, sizeof mine, GRND_NONBLOCK) == (ssize_t)sizeof mine)
        (void)atomic_compare_exchange_strong(&made, &none, mine);
    return made;
}

uint64_t encoded_hash(const char *line, size_t size)
{
    uint64_t h = key(); /* FNV-1a from there on */
    if (!h)
        return 0;
    for (size_t i = 0; i < size; i++)
        h = (h ^ (unsigned char)line[i]) * UINT64_C(0x100000001b3);
    return h;
}

bool encoded_is_worthwhile(const char *line, size_t size)
{
    size_t name = 0;
    while (name < size && (isalnum((unsigned char)line[name]) || line[name] == '_' || line[name] == '.'))
        name++;
    if (size >= LINE_LEAST && name && name < size && line[name] == '=')
        return true;
    return size >= KEY_LEAST && !memchr(line, ' ', size) && !memchr(line, '"', size);
}

/* The lines of what was decoded. The last one counts without an end: a file may have none. */
static void tell_lines(const char *text, size_t size, const struct found *f)
{
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t whole = end ? (size_t)(end - text) - at : size - at, n = whole;
        const size_t bare = n && text[at + n - 1] == '\r' ? n - 1 : n;
        if (encoded_is_worthwhile(text + at, bare))
            f->fn(f->context, encoded_hash(text + at, bare));
        at += whole + 1;
    }
}

static bool is_text(unsigned char c)
{
    return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\r' || c == '\t';
}

static int base64_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' || c == '-' ? 62
           : c == '/' || c == '_' ? 63
                                  : -1;
}

static int hex_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* What is no text ends a line: what stands before the code in the same run («pixel/»), and noise. base64(1) breaks its
 * lines. */
static size_t decode_base64(const char *p, size_t size, char *out)
{
    uint32_t bits = 0;
    unsigned have = 0;
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        if (p[i] == '\n' || p[i] == '\r')
            continue;
        bits = bits << 6 | (uint32_t)base64_of(p[i]);
        have += 6;
        if (have < 8)
            continue;
        have -= 8;
        const unsigned char c = (unsigned char)(bits >> have);
        out[n++] = is_text(c) ? (char)c : '\n';
    }
    return n;
}

static size_t decode_hex(const char *p, size_t size, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i + 1 < size; i += 2) {
        const int high = hex_of(p[i]), low = hex_of(p[i + 1]);
        const int c = high < 0 || low < 0 ? '\n' : high * 16 + low;
        out[n++] = is_text((unsigned char)c) ? (char)c : '\n';
    }
    return n;
}

/* What stands before the code shifts it. */
static void look_at_run(const char *p, size_t size, const struct found *f)
{
    char out[RUN_MOST];
    size = MIN_OF(size, (size_t)RUN_MOST);
    for (size_t shift = 0; shift < 4 && shift < size; shift++) {
        tell_lines(out, decode_base64(p + shift, size - shift, out), f);
        if (shift < 2)
            tell_lines(out, decode_hex(p + shift, size - shift, out), f);
    }
}

/* A run goes on behind the end of one of its lines. */
static size_t run_end(const char *data, size_t size, size_t from)
{
    size_t i = from, line = from;
    for (; i < size; i++) {
        if (base64_of(data[i]) >= 0)
            continue;
        if (data[i] != '\n' || i - line < 60 || i + 1 >= size || base64_of(data[i + 1]) < 0)
            break;
        line = i + 1;
    }
    return i;
}

static void find_runs(const char *data, size_t size, const struct found *f)
{
    for (size_t at = RUN_LEAST - 1; at < size; at += RUN_LEAST) { /* a long run has one of these */
        size_t from = at;
        while (from > 0 && base64_of(data[from - 1]) >= 0 && base64_of(data[at]) >= 0)
            from--;
        if (base64_of(data[at]) < 0)
            continue;
        const size_t end = run_end(data, size, from);
        if (end - from >= RUN_LEAST)
            look_at_run(data + from, end - from, f);
        at = MAX_OF(end, at);
    }
}

static bool is_of_address(char c)
{
    return isalnum((unsigned char)c) || c == '%' || c == '-' || c == '_' || c == '.' || c == '~' || c == '+' ||
           c == '/' || c == '*';
}

/* NAME%3DVALUE%0A: an address or a form. */
static void find_percents(const char *data, size_t size, const struct found *f)
{
    const char *p = data, *end = data + size;
    while ((p = memmem(p, (size_t)(end - p), "%3D", 3))) {
        char out[RUN_MOST];
        const char *from = p, *to = p;
        size_t n = 0;
        while (from > data && is_of_address(from[-1]) && p - from < 256)
            from--;
        while (to < end && is_of_address(*to) && (size_t)(to - from) < RUN_MOST)
            to++;
        for (const char *q = from; q < to; q++) {
            if (*q == '%' && to - q > 2 && hex_of(q[1]) >= 0 && hex_of(q[2]) >= 0) {
                out[n++] = (char)(hex_of(q[1]) << 4 | hex_of(q[2]));
                q += 2;
            } else {
                out[n++] = *q;
            }
        }
        tell_lines(out, n, f);
        p = MAX_OF(to, p + 3);
    }
}

void encoded_find(const char *data, size_t size, void (*fn)(void *context, uint64_t hash), void *context)
{
    const struct found f = { fn, context };
    find_runs(data, size, &f);
    find_percents(data, size, &f);
}
