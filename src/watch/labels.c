/* labels.c - data_exfiltration: data in the labels of names that are asked for.
 *
 * A name that is asked for reaches the server of its domain, whatever the network's rules say of connections. Names of
 * encoded data are counted for the whole run: who asks for one every ten seconds has sent as much in the end. Names of
 * any kind are counted within the window. After a secret was read few are enough.
 */
#include "watch/detect.h"

#include <ctype.h>
#include <stdio.h>

/* Where the domain begins that a process owns: the last two labels, three where the last two are a country's («co.uk»).
 */
static size_t domain_of(const char *name, size_t size)
{
    size_t dots = 0, last = size;
    for (size_t i = size; i-- > 0;) {
        if (name[i] != '.')
            continue;
        if (++dots == 1)
            last = i;
        else if (dots == 2 && !(size - last == 3 && last - i <= 4))
            return i + 1;
        else if (dots == 3)
            return i + 1;
    }
    return 0;
}

/* A label as encoders make them, and people do not: long, of letters mixed with digits; or longer than any that people
 * type. */
static bool is_coded(const char *label, size_t n)
{
    size_t digits = 0, letters = 0;
    for (size_t i = 0; i < n; i++) {
        digits += isdigit((unsigned char)label[i]) != 0;
        letters += isalpha((unsigned char)label[i]) != 0;
        if (label[i] == '-' && n < 30)
            return false; /* «my-bucket-2024-backup» */
    }
    return n >= 30 || (n >= 16 && letters && digits > n / 8);
}

/* Hexadecimal or base32, and no long name that people gave: «data-lake-of-the-whole-company-raw» is a bucket. */
static bool is_dense(const char *label, size_t n)
{
    size_t digits = 0;
    for (size_t i = 0; i < n; i++)
        digits += isdigit((unsigned char)label[i]) != 0;
    return is_coded(label, n) && !memchr(label, '-', n) && digits > n / 8;
}

/* What may be a short piece of a secret: hexadecimal, or letters and digits mixed. Ordinary hosts have such labels, too
 * («d111111abcdef8»): one of them says nothing. */
static bool is_piece(const char *label, size_t n)
{
    size_t digits = 0, hex = 0;
    for (size_t i = 0; i < n; i++) {
        digits += isdigit((unsigned char)label[i]) != 0;
        hex += isxdigit((unsigned char)label[i]) != 0;
        if (label[i] == '-')
            return is_coded(label, n);
    }
    return is_coded(label, n) || (n >= 8 && digits && (hex == n || digits > n / 8));
}

/* What speaks for a domain's being forgotten last: the names of a crawler are thousands, and harmless. */
static bool is_worth_more(const struct domain *d)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->name[i].kind == NAME_CODED || (d->name[i].kind == NAME_PIECE && d->name[i].is_after_secret))
            return true;
    return false;
}

static bool is_older(const struct domain *a, const struct domain *b)
{
    const bool more_a = is_worth_more(a), more_b = is_worth_more(b);
    return more_a != more_b ? more_b : a->last_us < b->last_us;
}

static struct domain *domain_find(struct exfiltration *s, uint64_t hash, uint64_t now_us)
{
    struct domain *oldest = &s->domain[0];
    for (uint32_t i = 0; i < s->domain_count; i++) {
        if (s->domain[i].hash == hash)
            return &s->domain[i];
        if (is_older(&s->domain[i], oldest))
            oldest = &s->domain[i];
    }
    struct domain *d = s->domain_count < EXFIL_DOMAINS ? &s->domain[s->domain_count++] : oldest;
    d->hash = hash;
    d->last_us = now_us;
    d->count = 0;
    return d;
}

static void name_remember(struct domain *d, uint32_t hash, uint8_t kind, uint8_t size, bool is_after, uint32_t now_ms,
                          uint64_t window_ms)
{
    uint32_t oldest = 0;
    for (uint32_t i = 0; i < d->count;) {
        if (d->name[i].hash == hash) {
            d->name[i].at_ms = now_ms;
            return;
        }
        if (d->name[i].kind != NAME_CODED && !d->name[i].is_after_secret && now_ms > d->name[i].at_ms &&
            now_ms - d->name[i].at_ms > window_ms) {
            d->name[i] = d->name[--d->count];
            continue;
        }
        if (d->name[i].at_ms < d->name[oldest].at_ms)
            oldest = i;
        i++;
    }
    const uint32_t i = d->count < EXFIL_NAMES ? d->count++ : oldest;
    d->name[i].hash = hash;
    d->name[i].at_ms = now_ms;
    d->name[i].kind = kind;
    d->name[i].size = size;
    d->name[i].is_after_secret = is_after;
}

/* How long the labels are, together, that are such. */
static size_t size_of_those(bool (*is)(const char *label, size_t n), const char *labels, size_t size)
{
    size_t sum = 0;
    for (size_t at = 0; at < size;) {
        const char *dot = memchr(labels + at, '.', size - at);
        size_t n = dot ? (size_t)(dot - labels) - at : size - at;
        sum += is(labels + at, n) ? n : 0;
        at += n + 1;
    }
    return sum;
}

/* After a secret was read: pieces of it, or names enough to carry one in words. */
#define PIECES_TOLERATED 1u
static bool carries_secret(const struct domain *d, uint32_t limit)
{
    uint32_t pieces = 0, coded = 0, after = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        if (!d->name[i].is_after_secret)
            continue; /* asked for before: it could not know */
        after++;
        pieces += d->name[i].kind >= NAME_PIECE;
        coded += d->name[i].kind == NAME_CODED;
    }
    return coded || pieces > PIECES_TOLERATED || after >= limit;
}

/* After a file of credentials was read, as programs do: as many encoded characters below one domain as the file could
 * be, and more such names than a content network's. */
#define CODED_NAMES 4u
#define CODED_BYTES 128u
static bool carries_settings(const struct exfiltration *s, const struct domain *d)
{
    uint32_t names = 0, bytes = 0;
    for (uint32_t i = 0; s->settings.text[0] && i < d->count; i++) {
        if (!d->name[i].size || d->name[i].at_ms < s->settings_us / 1000)
            continue;
        names++;
        bytes += d->name[i].size;
    }
    return names >= CODED_NAMES && bytes >= CODED_BYTES;
}

bool labels_feed(struct exfiltration *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    const uint32_t limit = p->detectors.data_exfiltration.names,
                   now_ms = (uint32_t)MIN_OF(e->at_us / 1000, (uint64_t)UINT32_MAX);
    char name[256];
    uint32_t n = 0;
    size_t size = e->name ? strnlen(e->name, sizeof name) : 0;
    if (size && e->name[size - 1] == '.')
        size--;
    if (!size || size == sizeof name)
        return false;
    for (size_t i = 0; i < size; i++)
        name[i] = (char)tolower((unsigned char)e->name[i]);
    const size_t parent = domain_of(name, size);
    /* short ones are www, api, cdn2; reverse lookups are of numbers */
    if (parent < 7 || (size > 5 && memcmp(name + size - 5, ".arpa", 5) == 0))
        return false;
    struct domain *d = domain_find(s, watch_hash(name + parent, size - parent), e->at_us);
    d->last_us = MAX_OF(d->last_us, e->at_us);
    const size_t coded = size_of_those(is_coded, name, parent - 1), dense = size_of_those(is_dense, name, parent - 1);
    name_remember(d, (uint32_t)watch_hash(name, size),
                  coded                                       ? NAME_CODED
                  : size_of_those(is_piece, name, parent - 1) ? NAME_PIECE
                                                              : NAME_PLAIN,
                  (uint8_t)MIN_OF(dense, (size_t)UINT8_MAX), s->secret.text[0] && e->at_us >= s->secret_us, now_ms,
                  p->detectors.data_exfiltration.window);
    if (carries_settings(s, d))
        return decided(ret,
                       "%s (credentials) was opened at %s, then names below %s whose labels look like encoded data"
                       " were asked for, the last at %s: %s",
                       s->settings.text, shown_time(s->settings_us).text, shown(e->name + parent).text,
                       shown_time(e->at_us).text, shown(e->name).text);
    if (carries_secret(d, limit))
        return decided(ret, "%s (%s) was opened at %s, then names below %s were asked for, the last at %s: %s",
                       s->secret.text, s->is_canary ? "planted: no honest code knows it" : "sensitive",
                       shown_time(s->secret_us).text, shown(e->name + parent).text, shown_time(e->at_us).text,
                       shown(e->name).text);
    for (uint32_t i = 0; i < d->count; i++)
        n += d->name[i].kind == NAME_CODED;
    if (n >= limit)
        return decided(ret,
                       "%u different names that look like encoded data below %s were asked for, the last at %s: %s", n,
                       shown(e->name + parent).text, shown_time(e->at_us).text, shown(e->name).text);
    /* data in short pieces is four times as many names */
    if (d->count < 4 * limit)
        return false;
    return decided(ret, "%u different names below %s were asked for within %s, the last at %s: %s", d->count,
                   shown(e->name + parent).text, shown_time(p->detectors.data_exfiltration.window * 1000).text,
                   shown_time(e->at_us).text, shown(e->name).text);
}
