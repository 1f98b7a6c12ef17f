/* exfiltration.c - data_exfiltration: too many bytes out, to one address or to many, and a secret that was read before
 * bytes went out. Data in names: labels.c. Which program sends which secret: carriers.c.
 *
 * Bytes are those that the broker counted, as the code sees them (below TLS: its records). The sandbox's own loopback
 * does not count.
 */
#include "watch/detect.h"

#include <sys/socket.h>

/* ---- bytes ---- */

/* How many bytes more this event tells of. Where there are more connections than places, those that sent least are
 * forgotten: what is counted twice when one of them speaks again is little. */
static uint64_t more_bytes(struct exfiltration *s, const struct watch_event *e, uint64_t *ret_in)
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
        *f = (struct flow){ .id = e->connection };
    }
    uint64_t more = e->bytes_out > f->bytes ? e->bytes_out - f->bytes : 0;
    f->bytes += more;
    *ret_in = e->bytes_in > f->bytes_in ? e->bytes_in - f->bytes_in : 0;
    f->bytes_in += *ret_in;
    if (e->kind == WATCH_CLOSED)
        *f = s->flow[--s->flow_count];
    return more;
}

static uint64_t bytes_to(struct exfiltration *s, const struct watch_event *e, uint64_t more, uint64_t more_in)
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
        *d = (struct destination){ .host = host };
    }
    d->is_named |= e->name && *e->name;
    d->bytes_in += MIN_OF(more_in, UINT64_MAX - d->bytes_in);
    d->bytes += MIN_OF(more, UINT64_MAX - d->bytes);
    return d->bytes;
}

/* A file in pieces, each to another peer: many addresses without a name that got more than they gave. A crawler gets
 * more than it sends, a client of many services goes by their names. */
#define PEERS      16u
#define PEER_BYTES (4u * KIB)
static uint32_t silent_peers(const struct exfiltration *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->destination_count; i++) {
        const struct destination *d = &s->destination[i];
        n += !d->is_named && d->bytes >= PEER_BYTES && d->bytes / 4 > d->bytes_in;
    }
    return n;
}

static bool is_unnamed_since(const struct exfiltration *s, uint64_t connection)
{
    for (uint32_t i = 0; i < MIN_OF(s->unnamed_count, (uint32_t)ARRAY_LEN(s->unnamed)); i++)
        if (s->unnamed[i] == connection)
            return true;
    return false;
}

static bool look_at_bytes(struct exfiltration *s, const struct watch_event *e, const struct profile *p,
                          struct evidence *ret)
{
    if (!is_outward(e) || !e->connection)
        return false;
    uint64_t more_in;
    const uint64_t more = more_bytes(s, e, &more_in);
    if (!more && !more_in)
        return false;
    s->total += MIN_OF(more, UINT64_MAX - s->total);
    const uint64_t there = bytes_to(s, e, more, more_in);
    if (!more)
        return false;
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
    if (s->settings.text[0] && is_unnamed_since(s, e->connection))
        return decided(ret, "%s (credentials) was opened at %s, then %s went out to %s, to which no name led, at %s",
                       s->settings.text, shown_time(s->settings_us).text, shown_bytes(more).text, shown_peer(e).text,
                       shown_time(e->at_us).text);
    const uint32_t peers = silent_peers(s);
    if (peers >= PEERS)
        return decided(ret, "%u addresses without a name got more than they gave, %s in all until %s, the last was %s",
                       peers, shown_bytes(s->total).text, shown_time(e->at_us).text, shown_peer(e).text);
    return false;
}

/* A rule that is about this address alone was written for it: its peer is known. */
static void look_at_connection(struct exfiltration *s, const struct watch_event *e)
{
    char address[WATCH_ADDRESS_MAX];
    if (!s->settings.text[0] || !e->connection || !is_outward(e) || (e->name && *e->name))
        return;
    watch_event_address(e, address);
    address[strcspn(address, "]:")] = '\0';
    if (e->family == AF_INET && e->text && strstr(e->text, address))
        return;
    s->unnamed[s->unnamed_count++ % ARRAY_LEN(s->unnamed)] = e->connection;
}

static void secret_is(struct exfiltration *s, struct shown what, uint64_t at_us)
{
    if (s->secret.text[0])
        return;
    s->secret = what;
    s->secret_us = at_us;
}

static void look_at_file(struct exfiltration *s, const struct watch_event *e)
{
    const bool is_canary = e->flags & WATCH_CANARY;
    if (e->flags & WATCH_SETTINGS && !e->error && !s->settings.text[0]) {
        s->settings = shown(e->text);
        s->settings_us = e->at_us;
        s->settings_id = e->args[0];
    }
    if (e->error || !(e->flags & (WATCH_SENSITIVE | WATCH_CANARY)) ||
        (s->secret.text[0] && (s->is_canary || !is_canary)))
        return; /* a file that was not opened told nothing */
    s->secret = shown(e->text);
    s->secret_us = e->at_us;
    s->is_canary = is_canary;
}

bool detect_exfiltration(struct exfiltration *s, const struct watch_event *e, const struct profile *p,
                         struct evidence *ret)
{
    struct shown sent;
    switch (e->kind) {
    case WATCH_EXEC:
        if (carriers_feed(s, e, &sent))
            secret_is(s, sent, e->at_us);
        return false;
    case WATCH_CONNECT:
        look_at_connection(s, e);
        return false;
    case WATCH_FILE:
        look_at_file(s, e);
        return false;
    case WATCH_NAME:
        return labels_feed(s, e, p, ret);
    case WATCH_TRAFFIC:
    case WATCH_CLOSED:
        return look_at_bytes(s, e, p, ret);
    default:
        return false;
    }
}
