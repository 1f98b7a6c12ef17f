/* Time stamps of the audit: RFC 3339 in UTC with milliseconds; and times as people say them. */
#include <stdio.h>
#include <time.h>
#include "audit/line.h"
#include "base/parse.h"

static char *put_digits(char *out, unsigned n, unsigned v, char behind)
{
    for (unsigned i = n; i; v /= 10)
        out[--i] = (char)('0' + v % 10);
    out[n] = behind;
    return out + n + 1;
}

/* The day of the proleptic Gregorian calendar of days since 1970, and the reverse (Hinnant, "chrono-compatible
 * low-level date algorithms"). Not gmtime_r() and snprintf(): 5 us, five times in each run. */
void audit_time_write(uint64_t ms, char out[static AUDIT_TIME_SIZE])
{
    const uint64_t seconds = MIN_OF(ms / 1000, UINT64_C(253402300799)); /* the year 9999 */
    const unsigned of_day = (unsigned)(seconds % 86400);
    const uint64_t z = seconds / 86400 + 719468, era = z / 146097;
    const unsigned doe = (unsigned)(z - era * 146097), yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    const unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    const unsigned month = mp < 10 ? mp + 3 : mp - 9, year = (unsigned)(yoe + era * 400) + (month <= 2);
    char *p = put_digits(out, 4, year, '-');
    p = put_digits(p, 2, month, '-');
    p = put_digits(p, 2, doy - (153 * mp + 2) / 5 + 1, 'T');
    p = put_digits(p, 2, of_day / 3600, ':');
    p = put_digits(p, 2, of_day / 60 % 60, ':');
    p = put_digits(p, 2, of_day % 60, '.');
    p = put_digits(p, 3, (unsigned)(ms % 1000), 'Z');
    *p = '\0';
}

static int64_t days_of(int64_t y, unsigned m, unsigned d)
{
    y -= m <= 2;
    int64_t era = y / 400;
    unsigned yoe = (unsigned)(y - era * 400), doy = (153 * (m + (m > 2 ? -3u : 9u)) + 2) / 5 + d - 1;
    unsigned doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    return era * 146097 + (int64_t)doe - 719468;
}

struct cursor {
    const char *p, *end;
};

static bool digits(struct cursor *c, unsigned n, unsigned max, unsigned *ret)
{
    unsigned v = 0;
    for (; n; n--, c->p++) {
        if (c->p == c->end || *c->p < '0' || *c->p > '9')
            return false;
        v = v * 10 + (unsigned)(*c->p - '0');
    }
    *ret = v;
    return v <= max;
}

static bool one_of(struct cursor *c, const char *set)
{
    if (c->p == c->end || !*c->p || !strchr(set, *c->p))
        return false;
    c->p++;
    return true;
}

static unsigned days_in(unsigned year, unsigned month)
{
    static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && is_leap);
}

static bool fraction(struct cursor *c, unsigned *ret_ms)
{
    unsigned scale = 100;
    const char *start = c->p;
    for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++, scale /= 10)
        *ret_ms += scale * (unsigned)(*c->p - '0'); /* beyond milliseconds: scale is 0 */
    return c->p > start;
}

static bool offset(struct cursor *c, int64_t *ret_minutes)
{
    unsigned h, m;
    if (c->p == c->end || one_of(c, "Zz"))
        return true;
    bool is_west = *c->p == '-';
    if (!one_of(c, "+-") || !digits(c, 2, 23, &h) || !one_of(c, ":") || !digits(c, 2, 59, &m))
        return false;
    *ret_minutes = (int64_t)(h * 60 + m) * (is_west ? -1 : 1);
    return true;
}

int audit_time_read(const char *s, size_t size, uint64_t *ret_ms)
{
    struct cursor c = { s, s + size };
    unsigned year, month, day, h = 0, m = 0, sec = 0, ms = 0;
    int64_t minutes = 0;
    if (!digits(&c, 4, 9999, &year) || !one_of(&c, "-") || !digits(&c, 2, 12, &month) || !one_of(&c, "-") ||
        !digits(&c, 2, 31, &day) || year < 1970 || !month || !day || day > days_in(year, month))
        return -EINVAL;
    if (c.p < c.end) {
        if (!one_of(&c, "Tt ") || !digits(&c, 2, 23, &h) || !one_of(&c, ":") || !digits(&c, 2, 59, &m))
            return -EINVAL;
        if (one_of(&c, ":") && !digits(&c, 2, 60, &sec))
            return -EINVAL;
        if (one_of(&c, ".") && !fraction(&c, &ms))
            return -EINVAL;
        if (!offset(&c, &minutes) || c.p != c.end)
            return -EINVAL;
    }
    int64_t seconds = days_of(year, month, day) * 86400 + (int64_t)(h * 3600 + m * 60 + sec) - minutes * 60;
    if (seconds < 0)
        return -EINVAL;
    *ret_ms = (uint64_t)seconds * 1000 + ms;
    return 0;
}

/* --- what people say ---------------------------------------------------------------------------------- */

static bool ago(const char *text, uint64_t *ret_ms)
{
    static const struct {
        char letter;
        uint64_t ms;
    } units[] = { { 's', 1000 }, { 'm', 60000 }, { 'h', 3600000 }, { 'd', 86400000 }, { 'w', 604800000 } };
    char number[16];
    uint64_t n;
    size_t size = strlen(text);
    if (size < 2 || size > sizeof number)
        return false;
    memcpy(number, text, size - 1);
    number[size - 1] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (units[i].letter == text[size - 1] && parse_u64(number, &n) == 0 && n < UINT64_MAX / 2 / units[i].ms) {
            *ret_ms = n * units[i].ms;
            return true;
        }
    return false;
}

int audit_time_ask(const char *text, uint64_t now_ms, uint64_t *ret_ms)
{
    uint64_t v;
    if (parse_u64(text, &v) == 0 && v < UINT64_C(253402300800)) {
        *ret_ms = v * 1000;
        return 0;
    }
    if (ago(text, &v)) {
        *ret_ms = now_ms > v ? now_ms - v : 0;
        return 0;
    }
    return audit_time_read(text, strlen(text), ret_ms);
}
