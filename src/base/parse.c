#include "base/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

/* Reads digits at *s, advances; -EINVAL when there is none. */
static int take_u64(const char **s, uint64_t *ret)
{
    uint64_t v = 0;
    const char *p = *s;
    if (!isdigit((unsigned char)*p))
        return -EINVAL;
    for (; isdigit((unsigned char)*p); p++) {
        uint64_t d = (uint64_t)(*p - '0');
        if (v > (UINT64_MAX - d) / 10)
            return -ERANGE;
        v = v * 10 + d;
    }
    *s = p;
    *ret = v;
    return 0;
}

/* Reads "12" or "12.345" as thousandths; more than three decimals are refused, not rounded. */
static int take_milli(const char **s, uint64_t *ret)
{
    uint64_t whole, frac = 0;
    int r = take_u64(s, &whole);
    if (r < 0)
        return r;
    if (whole > UINT64_MAX / 1000 - 1)
        return -ERANGE;
    if (**s == '.') {
        const char *start = ++*s;
        if ((r = take_u64(s, &frac)) < 0)
            return r;
        size_t digits = (size_t)(*s - start);
        if (digits > 3)
            return -EINVAL;
        for (; digits < 3; digits++)
            frac *= 10;
    }
    *ret = whole * 1000 + frac;
    return 0;
}

int parse_u64(const char *s, uint64_t *ret)
{
    uint64_t v;
    int r = take_u64(&s, &v);
    if (r < 0)
        return r;
    if (*s)
        return -EINVAL;
    *ret = v;
    return 0;
}

int parse_size(const char *s, uint64_t *ret_bytes)
{
    static const struct {
        const char *name;
        uint64_t unit;
    } units[] = { { "", 1 },      { "b", 1 },         { "k", KIB },        { "kb", KIB }, { "kib", KIB },
                  { "m", MIB },   { "mb", MIB },      { "mib", MIB },      { "g", GIB },  { "gb", GIB },
                  { "gib", GIB }, { "t", GIB << 10 }, { "tib", GIB << 10 } };
    uint64_t milli;
    const char *start = s;
    int r = take_milli(&s, &milli);
    if (r < 0)
        return r;
    bool has_point = memchr(start, '.', (size_t)(s - start)) != NULL;
    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        if (strcasecmp(s, units[i].name) != 0)
            continue;
        if (has_point && units[i].unit == 1)
            return -EINVAL;
        if (milli / 1000 > (UINT64_MAX / 2) / units[i].unit)
            return -ERANGE;
        *ret_bytes = milli / 1000 * units[i].unit + milli % 1000 * units[i].unit / 1000;
        return 0;
    }
    return -EINVAL;
}

int parse_cpu(const char *s, uint32_t *ret_milli)
{
    uint64_t v;
    int r = take_milli(&s, &v);
    if (r < 0)
        return r;
    if (*s)
        return -EINVAL;
    if (v > 1024 * 1000)
        return -ERANGE;
    *ret_milli = (uint32_t)v;
    return 0;
}

int parse_ratio(const char *s, uint32_t *ret_milli)
{
    uint32_t v;
    int r = parse_cpu(s, &v);
    if (r < 0)
        return r;
    if (v > 1000)
        return -ERANGE;
    *ret_milli = v;
    return 0;
}

int parse_duration(const char *s, uint64_t *ret_ms)
{
    static const struct {
        const char *name;
        uint64_t milli_per_unit; /* milliseconds in one unit */
    } units[] = { { "", 1000 }, { "s", 1000 }, { "ms", 1 }, { "m", 60000 }, { "h", 3600000 }, { "d", 86400000 } };
    uint64_t v;
    int r = take_milli(&s, &v);
    if (r < 0)
        return r;
    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        if (!str_eq(s, units[i].name))
            continue;
        if (v / 1000 > UINT64_C(365) * 24 * 3600 * 1000 / units[i].milli_per_unit)
            return -ERANGE;
        *ret_ms = v * units[i].milli_per_unit / 1000;
        return 0;
    }
    return -EINVAL;
}

/* "07:30", and what follows it. */
static const char *read_minute(const char *s, uint32_t *ret)
{
    for (int i = 0; i < 5; i++)
        if (i == 2 ? s[i] != ':' : s[i] < '0' || s[i] > '9')
            return NULL;
    const uint32_t hour = (uint32_t)(s[0] - '0') * 10 + (uint32_t)(s[1] - '0');
    const uint32_t minute = (uint32_t)(s[3] - '0') * 10 + (uint32_t)(s[4] - '0');
    *ret = hour * 60 + minute;
    return hour < 24 && minute < 60 ? s + 5 : NULL;
}

int parse_day_span(const char *s, uint32_t *ret_from, uint32_t *ret_to)
{
    uint32_t from, to;
    const char *rest = read_minute(s, &from);
    rest = rest && *rest == '-' ? read_minute(rest + 1, &to) : NULL;
    if (!rest || *rest || from == to)
        return -EINVAL;
    *ret_from = from;
    *ret_to = to;
    return 0;
}

int parse_bool(const char *s, bool *ret)
{
    static const struct {
        const char *word;
        bool value;
    } words[] = { { "true", true },   { "yes", true }, { "on", true },
                  { "false", false }, { "no", false }, { "off", false } };
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strcasecmp(s, words[i].word) == 0) {
            *ret = words[i].value;
            return 0;
        }
    return -EINVAL;
}

int parse_user(const char *s, uint32_t *ret_uid, uint32_t *ret_gid)
{
    uint64_t uid, gid;
    int r = take_u64(&s, &uid);
    if (r < 0)
        return r;
    gid = uid;
    if (*s == ':') {
        s++;
        if ((r = take_u64(&s, &gid)) < 0)
            return r;
    }
    if (*s)
        return -EINVAL;
    /* 2^32-1 means «no change» to the kernel */
    if (uid >= UINT32_MAX || gid >= UINT32_MAX)
        return -ERANGE;
    *ret_uid = (uint32_t)uid;
    *ret_gid = (uint32_t)gid;
    return 0;
}

const char *format_size(uint64_t bytes, char out[static 32])
{
    static const struct {
        uint64_t unit;
        char letter;
    } units[] = { { GIB, 'g' }, { MIB, 'm' }, { KIB, 'k' } };
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (bytes >= units[i].unit && bytes % units[i].unit == 0) {
            (void)snprintf(out, 32, "%llu%c", (unsigned long long)(bytes / units[i].unit), units[i].letter);
            return out;
        }
    (void)snprintf(out, 32, "%llu", (unsigned long long)bytes);
    return out;
}

const char *format_milli(uint32_t milli, char out[static 32])
{
    int n = snprintf(out, 32, "%u.%03u", milli / 1000, milli % 1000);
    while (n > 0 && out[n - 1] == '0')
        out[--n] = '\0';
    if (n > 0 && out[n - 1] == '.')
        out[--n] = '\0';
    return out;
}

/* Levenshtein distance of short words; anything long counts as far. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b), row[64];
    if (la >= ARRAY_LEN(row) || lb >= ARRAY_LEN(row))
        return SIZE_MAX;
    for (size_t j = 0; j <= lb; j++)
        row[j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t up = row[j];
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            best = MIN_OF(best, up + 1);
            best = MIN_OF(best, row[j - 1] + 1);
            row[j] = best;
            diagonal = up;
        }
    }
    return row[lb];
}

const char *nearest_word(const char *word, const char *const *known, size_t count)
{
    const char *best = NULL;
    size_t best_distance = MAX_OF(strlen(word) / 3, (size_t)2) + 1;
    for (size_t i = 0; i < count; i++) {
        size_t d = edit_distance(word, known[i]);
        if (d < best_distance) {
            best_distance = d;
            best = known[i];
        }
    }
    return best;
}
