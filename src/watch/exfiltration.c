/* exfiltration.c - data_exfiltration: too many bytes out, to one address or to many, and a secret that was read before
 * bytes went out. Data in names: labels.c. Which program sends which secret: carriers.c.
 *
 * Programs open files of credentials («settings») all the time, and then talk to the servers that these are for: what
 * counts is a peer that neither a name nor a rule leads to, or that takes and never answers.
 *
 * Bytes are those that the broker counted, as the code sees them (below TLS: its records). The sandbox's own loopback
 * does not count.
 */
#include "watch/detect.h"

#include <sys/socket.h>

/* ---- bytes ---- */

/* Where there are more connections than places, those that sent least are forgotten: what is counted twice when one of
 * them speaks again is little. */
static struct flow *flow_of(struct exfiltration *s, uint64_t connection)
{
    struct flow *least = &s->flow[0];
    for (uint32_t i = 0; i < s->flow_count; i++) {
        if (s->flow[i].id == connection)
            return &s->flow[i];
        if (s->flow[i].bytes < least->bytes)
            least = &s->flow[i];
    }
    struct flow *f = s->flow_count < EXFIL_CONNECTIONS ? &s->flow[s->flow_count++] : least;
    *f = (struct flow){ .id = connection };
    return f;
}

/* How many bytes more this event tells of. */
static uint64_t more_bytes(struct flow *f, const struct watch_event *e, uint64_t *ret_in)
{
    uint64_t more = e->bytes_out > f->bytes ? e->bytes_out - f->bytes : 0;
    f->bytes += more;
    *ret_in = e->bytes_in > f->bytes_in ? e->bytes_in - f->bytes_in : 0;
    f->bytes_in += *ret_in;
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

/* Ports where a peer that says nothing is no wonder: a dead server of the web, NTP, syslog, statsd, graphite, GELF,
 * fluentd, collectd, OpenTelemetry, Jaeger, NetFlow, the trap of SNMP. */
static bool is_often_one_way(uint16_t port)
{
    static const uint16_t ports[] = { 80,   443,  8080, 8443, 123,  162,  514,  601,   2003,  2004, 2055,
                                      4317, 4318, 4739, 5000, 5004, 5005, 5044, 5140,  6343,  6514, 6831,
                                      6832, 8089, 8094, 8125, 8126, 9995, 9996, 12201, 24224, 25826 };
    for (size_t i = 0; i < ARRAY_LEN(ports); i++)
        if (ports[i] == port)
            return true;
    return false;
}

/* A file of credentials in pieces, or packed, to a peer that takes all and never says a word, as no server does that
 * these files are for. Counted at the connections' ends: an answer may be late. A connection that has carried more
 * before than since reports progress, or a log. */
#define ONE_WAY_LEAST 32u
#define ONE_WAY_MOST  256u
static bool look_at_credentials_taken(struct exfiltration *s, const struct watch_event *e, const struct flow *f,
                                      struct evidence *ret)
{
    if (!s->settings.text[0] || !f->is_settings || f->bytes - f->before <= f->before)
        return false;
    s->one_way += f->bytes - f->before;
    if (s->one_way < MAX_OF(MIN_OF(s->settings_size, (uint64_t)ONE_WAY_MOST), (uint64_t)ONE_WAY_LEAST))
        return false;
    return decided(ret,
                   "%s (credentials) was opened at %s, then %s went out to peers that no rule names and that said "
                   "nothing, the last to %s, until %s",
                   s->settings.text, shown_time(s->settings_us).text, shown_bytes(s->one_way).text, shown_peer(e).text,
                   shown_time(e->at_us).text);
}

/* The same, whatever was read: a table, packed or not, to a peer that no rule names. Servers answer, and the few that
 * do not have ports of their own, or a rule. */
#define TAKEN_MOST (128u * KIB)
static bool look_at_silence(struct exfiltration *s, const struct watch_event *e, const struct flow *f,
                            struct evidence *ret)
{
    if (e->kind != WATCH_CLOSED || !f->is_stranger || f->bytes_in > SAID_NOTHING_MOST || is_often_one_way(e->port) ||
        !f->bytes)
        return false;
    if (look_at_credentials_taken(s, e, f, ret))
        return true;
    s->taken += f->bytes;
    return s->taken >= TAKEN_MOST &&
           decided(ret, "%s went out to peers that no rule names and that said nothing, the last to %s, until %s",
                   shown_bytes(s->taken).text, shown_peer(e).text, shown_time(e->at_us).text);
}

static bool look_at_flow(struct exfiltration *s, const struct watch_event *e, struct flow *f, const struct profile *p,
                         struct evidence *ret)
{
    uint64_t more_in;
    const uint64_t more = more_bytes(f, e, &more_in);
    if (look_at_silence(s, e, f, ret))
        return true;
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
    if (f->is_unnamed)
        return decided(ret, "%s (credentials) was opened at %s, then %s went out to %s, to which no name led, at %s",
                       s->settings.text, shown_time(s->settings_us).text, shown_bytes(more).text, shown_peer(e).text,
                       shown_time(e->at_us).text);
    const uint32_t peers = silent_peers(s);
    if (peers >= PEERS)
        return decided(ret, "%u addresses without a name got more than they gave, %s in all until %s, the last was %s",
                       peers, shown_bytes(s->total).text, shown_time(e->at_us).text, shown_peer(e).text);
    return false;
}

static bool look_at_bytes(struct exfiltration *s, const struct watch_event *e, const struct profile *p,
                          struct evidence *ret)
{
    if (!is_outward(e) || !e->connection)
        return false;
    struct flow *f = flow_of(s, e->connection);
    const bool has_decided = look_at_flow(s, e, f, p, ret);
    if (e->kind == WATCH_CLOSED)
        *f = s->flow[--s->flow_count];
    return has_decided;
}

/* A rule that is about this address alone was written for it: its peer is known. */
static void look_at_connection(struct exfiltration *s, const struct watch_event *e)
{
    char address[WATCH_ADDRESS_MAX];
    if (!e->connection || !is_outward(e))
        return;
    struct flow *f = flow_of(s, e->connection);
    f->is_stranger = !rule_names_peer(e->text);
    f->is_settings = s->settings.text[0];
    if (!f->is_settings || (e->name && *e->name))
        return;
    watch_event_address(e, address);
    address[strcspn(address, "]:")] = '\0';
    f->is_unnamed = e->family != AF_INET || !e->text || !strstr(e->text, address);
}

static void secret_is(struct exfiltration *s, struct shown what, uint64_t at_us)
{
    if (s->secret.text[0])
        return;
    s->secret = what;
    s->secret_us = at_us;
}

/* Connections that live already may carry the file as well as later ones. */
static void settings_are(struct exfiltration *s, const struct watch_event *e)
{
    s->settings = shown(e->text);
    s->settings_us = e->at_us;
    for (uint32_t i = 0; i < s->flow_count; i++) {
        s->flow[i].is_settings = true;
        s->flow[i].before = s->flow[i].bytes;
    }
}

static void look_at_file(struct exfiltration *s, const struct watch_event *e)
{
    const bool is_canary = e->flags & WATCH_CANARY;
    if (e->flags & WATCH_SETTINGS && !e->error) {
        if (!s->settings.text[0])
            settings_are(s, e);
        s->settings_size = s->settings_count ? MIN_OF(s->settings_size, e->args[1]) : e->args[1];
        s->settings_line[s->settings_count % ARRAY_LEN(s->settings_line)] = e->args[2];
        s->settings_id[s->settings_count++ % ARRAY_LEN(s->settings_id)] = e->args[0];
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
