/* udp.c - relays of datagrams: who may have one, how many there are, for how long, and what is told of them (udp.h,
 * udp_flow.c).
 *
 * A relay is opened when a program connects a datagram socket or sends to an address, and after the rules agreed. It is
 * no connection before its first datagram, is not counted and not told: getaddrinfo(3) connects a socket to every
 * answer it has, only to see its own address. After a minute of silence its sockets of the host are closed and its
 * connection is told to be over; the socket inside stays, since a program that connected an hour ago may send without
 * a question. Its next datagram begins a new connection, under the limits.
 */
#include "broker/udp.h"

#include "broker/route.h"

#include <netinet/in.h>
#include <sys/epoll.h>

static struct udp *udp_new(void)
{
    struct udp *u = calloc(1, sizeof *u);
    for (size_t i = 0; u && i < UDP_RELAYS; i++)
        u->relays[i].source.fd = -1;
    for (size_t i = 0; u && i < UDP_FLOWS; i++)
        u->flows[i].source.fd = -1;
    return u;
}

static bool is_same(const struct net_address *a, const struct net_address *b)
{
    return a->family == b->family && memcmp(a->bytes, b->bytes, a->family == AF_INET ? 4 : 16) == 0;
}

static struct udp_relay *find_relay(const struct broker *b, const struct net_address *a, uint16_t port)
{
    for (struct udp_relay *r = b->relays ? b->relays->relays : NULL; r && r < b->relays->relays + UDP_RELAYS; r++)
        if (r->source.fd >= 0 && r->port == port && is_same(&r->address, a))
            return r;
    return NULL;
}

/* --- telling ------------------------------------------------------------------------------------- */

static struct watch_event describe(struct broker *b, const struct udp_relay *r, enum watch_kind kind)
{
    struct seccomp_notif ask = { .pid = r->pid };
    struct watch_event e = notify_event(&b->notify, &ask, kind);
    e.verdict = WATCH_ALLOWED;
    e.family = r->address.family;
    e.protocol = IPPROTO_UDP;
    memcpy(e.address, r->address.bytes, r->address.family == AF_INET ? 4 : 16);
    e.port = r->port;
    e.connection = r->connection;
    e.bytes_out = r->bytes_out;
    e.bytes_in = r->bytes_in;
    e.name = b->names ? net_names_of(b->names, &r->address, clock_ms(), 0) : NULL;
    return e;
}

static void tell(struct broker *b, struct udp_relay *r, enum watch_kind kind)
{
    struct net_decision d;
    if (r->is_names)
        return; /* the resolver tells what was asked */
    struct watch_event e = describe(b, r, kind);
    r->told_out = r->bytes_out;
    r->told_in = r->bytes_in;
    if (kind ==
        WATCH_CONNECT) { /* why: asked again, since it may be an hour ago that a process was allowed to connect */
        net_decide_address(&b->rules, b->names, &r->address, r->port, clock_ms(), &d);
        e.name = d.name[0] ? d.name : NULL;
        e.text = d.place == NET_REFUSE ? "allowed when its socket was connected" : d.rule;
        if (b->notify.watch & NOTIFY_STDIO)
            feeds_note(&b->feeds, r->pid);
        r->process = b->feeds.process;
        r->before = b->feeds.before;
    }
    notify_tell(&b->notify, &e);
}

size_t udp_talks(struct broker *b, struct talk *ret, size_t max)
{
    size_t n = 0;
    for (struct udp_relay *r = b->relays ? b->relays->relays : NULL; r && r < b->relays->relays + UDP_RELAYS; r++)
        if (r->source.fd >= 0 && r->connection && n < max)
            ret[n++] = (struct talk){ describe(b, r, WATCH_FEED), 0, r->process, r->before };
    return n;
}

uint64_t udp_received(const struct broker *b)
{
    uint64_t bytes = 0;
    for (struct udp_relay *r = b->relays ? b->relays->relays : NULL; r && r < b->relays->relays + UDP_RELAYS; r++)
        bytes += r->source.fd >= 0 && r->connection ? r->bytes_in : 0;
    return bytes;
}

/* --- life ----------------------------------------------------------------------------------------- */

/* Its connection is over; the socket inside waits. */
static void rest(struct broker *b, struct udp_relay *r)
{
    while (r->flows)
        udp_flow_close(b, r->flows);
    if (r->connection) {
        b->live_connections--;
        tell(b, r, WATCH_CLOSED);
    }
    r->connection = r->bytes_out = r->bytes_in = r->told_out = r->told_in = 0;
}

static void close_relay(struct broker *b, struct udp_relay *r)
{
    rest(b, r);
    broker_unwatch(b, &r->source);
    r->source.fd = -1;
}

int udp_relay_wake(struct broker *b, struct udp_relay *r)
{
    const char *rule;
    if (r->connection || r->is_names)
        return 0;
    if (traffic_permit(b, clock_ms(), &rule) != 0)
        return EACCES; /* the only word for it that a network has */
    if (!net_names_exactly(&b->rules, &r->address, r->port) && route_is_local(b->routes, &r->address, 0))
        return EACCES; /* the host was given this address since it was allowed */
    r->connection = b->next_connection++;
    b->live_connections++;
    tell(b, r, WATCH_CONNECT);
    return 0;
}

static struct udp_relay *relay_slot(struct broker *b)
{
    struct udp_relay *oldest = &b->relays->relays[0];
    for (struct udp_relay *r = b->relays->relays; r < b->relays->relays + UDP_RELAYS; r++) {
        if (r->source.fd < 0)
            return r;
        if (r->used_ms < oldest->used_ms)
            oldest = r;
    }
    close_relay(b, oldest);
    return oldest;
}

/* Would the host send there at all? Its ENETUNREACH is the caller's: programs choose between IPv4 and IPv6 by it. */
static int try_host(const struct net_address *a, uint16_t port)
{
    cleanup(closep) int fd = udp_host_socket(a, port);
    return fd < 0 ? -fd : 0;
}

/* What the caller hears when the factory cannot: its own socket on that port everywhere is its own affair, the rest is
 * ours. */
static int refusal_of(int error)
{
    return error == EADDRINUSE || error == EAFNOSUPPORT || error == EADDRNOTAVAIL ? error : ENETDOWN;
}

static bool is_full(const struct broker *b)
{
    return b->is_over_limit || (b->rules.max_connections && b->live_connections >= b->rules.max_connections);
}

/* A new relay at rest: 0 or the errno for the caller. */
static int make_relay(struct broker *b, const struct net_address *a, uint16_t port, struct udp_relay **ret)
{
    bool is_names = port == 53;
    int e = !is_names ? try_host(a, port) : b->rules.has_names ? 0 : EACCES;
    if (e)
        return e;
    if (!b->relays && !(b->relays = udp_new()))
        return ENOBUFS;
    cleanup(closep) int fd = inside_udp(b, a, port);
    if (fd < 0)
        return refusal_of(-fd);
    struct udp_relay *r = relay_slot(b);
    *r = (struct udp_relay){ .source = { udp_relay_event, fd }, .address = *a, .port = port, .is_names = is_names };
    e = broker_watch(b, &r->source, EPOLLIN);
    if (e < 0) {
        r->source.fd = -1;
        return -e;
    }
    (void)TAKE_FD(fd);
    *ret = r;
    return 0;
}

int udp_open(struct broker *b, const struct net_address *a, uint16_t port, uint32_t pid)
{
    struct udp_relay *r = find_relay(b, a, port);
    if ((!r || r->connection == 0) && port != 53 && is_full(b))
        return ENOBUFS; /* better told now than by the fate of its datagrams */
    int e = r ? 0 : make_relay(b, a, port, &r);
    if (e)
        return e;
    assert(r); /* found or made */
    r->used_ms = clock_ms();
    r->pid = pid;
    return 0;
}

void udp_tick(struct broker *b, uint64_t now_ms)
{
    for (struct udp_relay *r = b->relays ? b->relays->relays : NULL; r && r < b->relays->relays + UDP_RELAYS; r++) {
        if (r->source.fd < 0 || !notify_has_room(&b->notify))
            continue;
        for (struct udp_flow *f = r->flows, *next; f; f = next) {
            next = f->next;
            if (now_ms >= f->used_ms + UDP_IDLE_MS)
                udp_flow_close(b, f);
        }
        if (now_ms >= r->used_ms + UDP_IDLE_MS)
            rest(b, r);
        else if (r->bytes_out != r->told_out || r->bytes_in != r->told_in)
            tell(b, r, WATCH_TRAFFIC);
    }
}

bool udp_wants_ticks(const struct broker *b)
{
    for (const struct udp_relay *r = b->relays ? b->relays->relays : NULL; r && r < b->relays->relays + UDP_RELAYS; r++)
        if (r->source.fd >= 0 && (r->connection || r->flows))
            return true;
    return false;
}

void udp_done(struct broker *b)
{
    for (struct udp_relay *r = b->relays ? b->relays->relays : NULL; r && r < b->relays->relays + UDP_RELAYS; r++)
        if (r->source.fd >= 0)
            close_relay(b, r);
    free(b->relays);
    b->relays = NULL;
}
