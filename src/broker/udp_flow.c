/* udp_flow.c - datagrams of a relay, both ways (udp.h). What cannot be sent now is dropped, as a network would. */
#include "broker/udp.h"

#include "broker/icmp.h"

#include <sys/epoll.h>
#include <sys/syscall.h>

/* The kernel takes as much of it as rmem_max says. It is memory of the host: 256 flows have 64 MiB at most, whatever
 * that is. */
#define BUFFER_BYTES (128 << 10)

int udp_host_socket(const struct net_address *a, uint16_t port)
{
    union inet_name name;
    socklen_t size = inet_name_of(a, port, &name);
    cleanup(closep) int fd = socket(a->family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, &name.any, size) < 0)
        return -errno;
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){ BUFFER_BYTES }, sizeof(int)); /* less is smaller bursts */
    return TAKE_FD(fd);
}

/* Of the sandbox's namespace: a process that asks 8.8.8.8 is answered by what answers 127.0.0.53, so only what the
 * rules allow. */
static int names_socket(struct broker *b)
{
    static const struct net_address any = { .family = AF_INET }, resolver = { AF_INET, { 127, 0, 0, 53 } };
    union inet_name name;
    socklen_t size = inet_name_of(&resolver, 53, &name);
    int fd = inside_udp(b, &any, 0);
    if (fd >= 0 && connect(fd, &name.any, size) < 0) {
        int e = errno;
        (void)close(fd);
        return -e;
    }
    return fd;
}

static void tell_error(struct broker *b, const struct udp_relay *r, const union inet_name *client, int error)
{
    icmp_tell(r->address.family == AF_INET ? b->inside_icmp : b->inside_icmp6, &r->address, r->port, client, error);
}

/* --- the batch --------------------------------------------------------------------------------- */

/* Count received; 0: nothing there, or an error that was told. */
static size_t receive_batch(struct udp *u, int fd, int *ret_error)
{
    *ret_error = 0;
    for (size_t i = 0; i < UDP_BATCH; i++) {
        u->parts[i] = (struct iovec){ u->bytes[i], sizeof u->bytes[i] };
        u->messages[i] = (struct mmsghdr){ .msg_hdr = { .msg_iov = &u->parts[i],
                                                        .msg_iovlen = 1,
                                                        .msg_name = &u->names[i],
                                                        .msg_namelen = sizeof u->names[i] } };
    }
    int n = recvmmsg(fd, u->messages, UDP_BATCH, MSG_DONTWAIT, NULL);
    if (n < 0 && errno != EAGAIN && errno != EINTR)
        *ret_error = errno;
    for (int i = 0; i < n; i++)
        u->parts[i].iov_len = u->messages[i].msg_len;
    return n < 0 ? 0 : (size_t)n;
}

/* musl's sendmmsg() is a loop of sendmsg(), for its struct msghdr has an int and a gap where the kernel has a size_t.
 * Ours are initialised whole, gaps included, on machines with the low half first: the kernel reads what we mean. */
static int send_many(int fd, struct mmsghdr *m, size_t n)
{
    return (int)syscall(SYS_sendmmsg, fd, m, (unsigned)n, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Sends messages[first .. end[ and adds what went to ret_bytes; the last errno that matters, 0 if none. */
static int send_batch(struct udp *u, int fd, size_t first, size_t end, uint64_t *ret_bytes)
{
    int told = 0;
    bool again = true;
    while (first < end) {
        int n = send_many(fd, &u->messages[first], end - first);
        for (int i = 0; i < n; i++)
            *ret_bytes += u->parts[first + (size_t)i].iov_len;
        if (n > 0) {
            first += (size_t)n;
            again = true;
            continue;
        }
        if (errno == EAGAIN || errno == ENOBUFS)
            return told; /* no room: the rest is dropped */
        told = errno;
        /* an error of a datagram before is told instead of sending this one: once more */
        if (!again)
            first++;
        again = !again;
    }
    return told;
}

/* --- inside -> world ---------------------------------------------------------------------------- */

static struct udp_flow *find_flow(const struct udp_relay *r, const union inet_name *client, socklen_t size)
{
    for (struct udp_flow *f = r->flows; f; f = f->next)
        if (f->client_size == size && memcmp(&f->client, client, size) == 0)
            return f;
    return NULL;
}

/* The events of a flow: answers. */
static void flow_event(struct broker *b, struct source *s, uint32_t events)
{
    (void)events; /* an error shows when reading */
    struct udp_flow *f = (struct udp_flow *)s;
    struct udp_relay *r = f->relay;
    if (s->fd < 0)
        return; /* closed in this very round */
    struct udp *u = b->relays;
    int error;
    size_t n = receive_batch(u, s->fd, &error);
    if (error)
        tell_error(b, r, &f->client, error);
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        u->messages[i].msg_hdr.msg_name = &f->client;
        u->messages[i].msg_hdr.msg_namelen = f->client_size;
    }
    uint64_t bytes = 0;
    (void)send_batch(u, r->source.fd, 0, n, &bytes); /* ECONNREFUSED: the program has closed its socket */
    f->used_ms = r->used_ms = clock_ms();
    if (!r->is_names) {
        r->bytes_in += bytes;
        b->total_bytes += bytes;
    }
}

static struct udp_flow *flow_slot(struct broker *b)
{
    struct udp_flow *oldest = &b->relays->flows[0];
    for (struct udp_flow *f = b->relays->flows; f < b->relays->flows + UDP_FLOWS; f++) {
        if (f->source.fd < 0)
            return f;
        if (f->used_ms < oldest->used_ms)
            oldest = f;
    }
    udp_flow_close(b, oldest);
    return oldest;
}

/* 0 or an errno for the client */
static int open_flow(struct broker *b, struct udp_relay *r, const union inet_name *client, socklen_t size,
                     struct udp_flow **ret)
{
    int e = udp_relay_wake(b, r);
    if (e)
        return e;
    cleanup(closep) int fd = r->is_names ? names_socket(b) : udp_host_socket(&r->address, r->port);
    if (fd < 0)
        return -fd;
    struct udp_flow *f = flow_slot(b);
    *f = (struct udp_flow){
        .source = { flow_event, fd }, .relay = r, .next = r->flows, .client = *client, .client_size = size
    };
    e = broker_watch(b, &f->source, EPOLLIN);
    if (e < 0) {
        f->source.fd = -1;
        return -e;
    }
    (void)TAKE_FD(fd);
    r->flows = f;
    *ret = f;
    return 0;
}

void udp_flow_close(struct broker *b, struct udp_flow *f)
{
    struct udp_flow **at = &f->relay->flows;
    while (*at != f)
        at = &(*at)->next;
    *at = f->next;
    broker_unwatch(b, &f->source);
    f->source.fd = -1;
}

/* What TCP has carried is looked at up to ten times a second (traffic.c), what we carry at once. */
static bool is_over_limit(const struct broker *b)
{
    return b->is_over_limit || (b->rules.max_bytes && b->total_bytes >= b->rules.max_bytes);
}

/* Messages first .. end[ come from one client. */
static void relay_run(struct broker *b, struct udp_relay *r, size_t first, size_t end, uint64_t now_ms)
{
    struct udp *u = b->relays;
    const union inet_name client = u->names[first];
    socklen_t size = u->messages[first].msg_hdr.msg_namelen;
    struct udp_flow *f = find_flow(r, &client, size);
    int error = f ? 0 : open_flow(b, r, &client, size, &f);
    if (!error && !r->is_names && is_over_limit(b))
        error = EACCES;
    uint64_t bytes = 0;
    if (!error) {
        for (size_t i = first; i < end; i++) {
            u->messages[i].msg_hdr.msg_name = NULL; /* connected */
            u->messages[i].msg_hdr.msg_namelen = 0;
        }
        error = send_batch(u, f->source.fd, first, end, &bytes);
        f->used_ms = now_ms;
    }
    if (error)
        tell_error(b, r, &client, error);
    if (!r->is_names) {
        r->bytes_out += bytes;
        b->total_bytes += bytes;
    }
}

void udp_relay_event(struct broker *b, struct source *s, uint32_t events)
{
    (void)events;
    struct udp_relay *r = (struct udp_relay *)s;
    if (s->fd < 0)
        return; /* closed in this very round */
    struct udp *u = b->relays;
    int error; /* of answers that met a closed socket: not counted */
    size_t n = receive_batch(u, s->fd, &error);
    if (n == 0)
        return;
    r->used_ms = clock_ms();
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n; end++)
            if (u->messages[end].msg_hdr.msg_namelen != u->messages[first].msg_hdr.msg_namelen ||
                memcmp(&u->names[end], &u->names[first], u->messages[first].msg_hdr.msg_namelen) != 0)
                break;
        relay_run(b, r, first, end, r->used_ms);
    }
}
