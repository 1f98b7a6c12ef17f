/* exfiltration.c - data_exfiltration: too many bytes out, a secret that was read before bytes went out, data in names.
 *
 * Bytes are those that the broker counted, as the code sees them (below TLS: its records). The sandbox's own loopback
 * does not count.
 */
#include "watch/detect.h"

#include <ctype.h>
#include <stdio.h>

/* ---- bytes ---- */

/* How many bytes more this event tells of. Where there are more connections than places, those that sent least are
 * forgotten: what is counted twice when one of them speaks again is little. */
static uint64_t more_bytes(struct exfiltration *s, const struct watch_event *e)
{
    struct flow *f = NULL, *least = &s->flow[0];
    for (uint32_t i = 0; i < s->flow_count && !f; i++) {
        if (s->flow[i].id == e->connection)
            f = &s->flow[i];
        if (s->flow[i].bytes < least->bytes)
            least = &s->flow[i];
    }
    if (!f) {
        f = s->flow_count < EXFIL_CONNECTIONS ? &s->flow[s->flow_count++] : least;
        *f = (struct flow){ e->connection, 0 };
    }
    uint64_t more = e->bytes_out > f->bytes ? e->bytes_out - f->bytes : 0;
    f->bytes += more;
    if (e->kind == WATCH_CLOSED)
        *f = s->flow[--s->flow_count];
    return more;
}

static uint64_t bytes_to(struct exfiltration *s, const struct watch_event *e, uint64_t more)
{
    const uint64_t host = watch_hash_host(e);
    struct destination *d = NULL, *least = &s->destination[0];
    for (uint32_t i = 0; i < s->destination_count && !d; i++) {
        if (s->destination[i].host == host)
            d = &s->destination[i];
        if (s->destination[i].bytes < least->bytes)
            least = &s->destination[i];
    }
    if (!d) {
        d = s->destination_count < EXFIL_DESTINATIONS ? &s->destination[s->destination_count++] : least;
        *d = (struct destination){ host, 0 };
    }
    d->bytes += MIN_OF(more, UINT64_MAX - d->bytes);
    return d->bytes;
}

static bool look_at_bytes(struct exfiltration *s, const struct watch_event *e, const struct profile *p,
                          struct evidence *ret)
{
    if (!is_outward(e) || !e->connection)
        return false;
    const uint64_t more = more_bytes(s, e);
    if (!more)
        return false;
    s->total += MIN_OF(more, UINT64_MAX - s->total);
    const uint64_t there = bytes_to(s, e, more);
    if (s->secret.text[0])
        return decided(ret, "%s (%s) was opened at %s, then %s went out to %s, at %s", s->secret.text,
                       s->is_canary ? "planted: no honest code knows it" : "sensitive", shown_time(s->secret_us).text,
                       shown_bytes(more).text, shown_peer(e).text, shown_time(e->at_us).text);
    if (there >= p->detectors.data_exfiltration.destination_bytes)
        return decided(ret, "%s went out to %s until %s; %s to one address are tolerated", shown_bytes(there).text,
                       shown_peer(e).text, shown_time(e->at_us).text,
                       shown_bytes(p->detectors.data_exfiltration.destination_bytes).text);
    if (s->total >= p->detectors.data_exfiltration.bytes)
        return decided(ret, "%s went out to all addresses until %s, the last to %s; %s are tolerated",
                       shown_bytes(s->total).text, shown_time(e->at_us).text, shown_peer(e).text,
                       shown_bytes(p->detectors.data_exfiltration.bytes).text);
    return false;
}

static void look_at_file(struct exfiltration *s, const struct watch_event *e)
{
    const bool is_canary = e->flags & WATCH_CANARY;
    if (e->error || !(e->flags & (WATCH_SENSITIVE | WATCH_CANARY)) ||
        (s->secret.text[0] && (s->is_canary || !is_canary)))
        return; /* a file that was not opened told nothing */
    s->secret = shown(e->text);
    s->secret_us = e->at_us;
    s->is_canary = is_canary;
}

/* ---- names ---- */

/* Where the domain begins that somebody owns: the last two labels, three where the last two are a country's («co.uk»).
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

static struct domain *domain_find(struct exfiltration *s, uint64_t hash, uint64_t now_us)
{
    struct domain *oldest = &s->domain[0];
    for (uint32_t i = 0; i < s->domain_count; i++) {
        if (s->domain[i].hash == hash)
            return &s->domain[i];
        if (s->domain[i].last_us < oldest->last_us)
            oldest = &s->domain[i];
    }
    struct domain *d = s->domain_count < EXFIL_DOMAINS ? &s->domain[s->domain_count++] : oldest;
    d->hash = hash;
    d->last_us = now_us;
    d->count = 0;
    return d;
}

static void name_remember(struct domain *d, uint32_t hash, bool coded, uint32_t now_ms, uint64_t window_ms)
{
    uint32_t oldest = 0;
    for (uint32_t i = 0; i < d->count;) {
        if (d->name[i].hash == hash) {
            d->name[i].at_ms = now_ms;
            return;
        }
        if (now_ms > d->name[i].at_ms && now_ms - d->name[i].at_ms > window_ms) {
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
    d->name[i].is_coded = coded;
}

static bool any_is_coded(const char *labels, size_t size)
{
    for (size_t at = 0; at < size;) {
        const char *dot = memchr(labels + at, '.', size - at);
        size_t n = dot ? (size_t)(dot - labels) - at : size - at;
        if (is_coded(labels + at, n))
            return true;
        at += n + 1;
    }
    return false;
}

static bool look_at_name(struct exfiltration *s, const struct watch_event *e, const struct profile *p,
                         struct evidence *ret)
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
    name_remember(d, (uint32_t)watch_hash(name, size), any_is_coded(name, parent - 1), now_ms,
                  p->detectors.data_exfiltration.window);
    for (uint32_t i = 0; i < d->count; i++)
        n += d->name[i].is_coded;
    /* data in short pieces is four times as many names */
    if (n < limit && d->count < 4 * limit)
        return false;
    return decided(ret, "%u different names%s below %s were asked for within %s, the last at %s: %s",
                   n < limit ? d->count : n, n < limit ? "" : " that look like encoded data",
                   shown(e->name + parent).text, shown_time(p->detectors.data_exfiltration.window * 1000).text,
                   shown_time(e->at_us).text, shown(e->name).text);
}

bool detect_exfiltration(struct exfiltration *s, const struct watch_event *e, const struct profile *p,
                         struct evidence *ret)
{
    switch (e->kind) {
    case WATCH_FILE:
        look_at_file(s, e);
        return false;
    case WATCH_NAME:
        return look_at_name(s, e, p, ret);
    case WATCH_TRAFFIC:
    case WATCH_CLOSED:
        return look_at_bytes(s, e, p, ret);
    default:
        return false;
    }
}
