/* traffic.c - the connections that were handed over: how many live, what they have carried, and when it is enough.
 *
 * Nothing is held of their sockets; the kernel's book (diag.h) is read up to ten times a second while something flows,
 * twice while nothing does. The numbers are TCP's: what was sent, retransmissions left out, and what came in, where a
 * closing peer may count as one byte.
 *
 * What a connection has in its buffers is memory of the host. The first few may have as much as the kernel gives
 * (WIDE_BYTES together), the others a fixed size. One that was closed with bytes that its peer has not taken is still a
 * connection: it counts until the kernel has done with it, and when the run is over it is aborted.
 */
#include "broker/diag.h"
#include "broker/options.h"
#include "broker/sockaddr.h"
#include "broker/target.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/epoll.h>

#define LIVE_MAX       4096u /* where the profile names no bound */
#define LOOKS_MAX      256u  /* connections asked for in one tick */
#define BUCKETS        256u
#define TICK_MS        100u
#define AT_ONCE_MS     5u /* where the number of connections is about to refuse one */
#define IDLE_TICK_MS   500u
#define IDLE_AFTER_MS  2000u
#define FINISH_LOOK_MS 20u
#define FINISH_MS      200u /* a busy machine's workqueue; else it is one */
#define DELIVER_MS \
    1000u /* for what was closed at the end and is on its way: a program may leave its last words to us */
#define WIDE_BYTES   (64u * 1024 * 1024)
#define NARROW_BYTES (32u * 1024 * 1024) /* of buffers one way, of all that the rules allow at once */
#define NARROW_MIN   (16 * 1024)
#define WIDE_MAX     8u

struct connection {
    struct connection *next; /* in its bucket */
    struct diag_id id;
    struct diag_numbers numbers;
    uint64_t told; /* sum of the numbers that were told last */
    uint8_t misses;
    struct watch_event event; /* its CONNECT; texts: name below, or none */
    bool is_gone;             /* the kernel does not know it any more, or has nothing left to send */
    bool is_wide;             /* its buffers are as the kernel likes */
    uint64_t socket, before;  /* as in struct talk */
    uint32_t process;
    char name[NET_NAME_MAX];
};
struct traffic {
    struct source ends; /* first; watched while something lives */
    struct diag diag;
    struct connection *buckets[BUCKETS];
    uint64_t looked_ms, moved_ms;
    uint32_t next_bucket;
    uint32_t live;
    uint64_t live_bytes;
    uint32_t wide, wide_max; /* how many are, and may be */
};

static void take_ends(struct broker *b);
static void on_ends(struct broker *b, struct source *s, uint32_t events)
{
    (void)s;
    (void)events;
    take_ends(b);
}

/* The kernel tells of every TCP socket of the host that ends: heard only while one of ours may be among them. */
static void listen_for_ends(struct broker *b, bool on)
{
    struct epoll_event e = { .events = EPOLLIN, .data.ptr = &b->traffic->ends };
    struct diag_numbers n;
    if (b->traffic->diag.ends < 0)
        return;
    while (on && diag_next_end(&b->traffic->diag, &n)) {
    } /* others, from the time before */
    (void)epoll_ctl(b->epoll, on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, b->traffic->diag.ends, &e);
}

/* The third number of tcp_rmem or tcp_wmem: the largest that the kernel makes a buffer by itself. 0: it does not say.
 */
static uint64_t largest_buffer(const char *path)
{
    char text[128];
    uint64_t numbers[3] = { 0 };
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    size_t at = 0;
    for (ssize_t i = 0; i < n && at < ARRAY_LEN(numbers); i++)
        if (text[i] >= '0' && text[i] <= '9')
            numbers[at] = MIN_OF(numbers[at] * 10 + (uint64_t)(text[i] - '0'), UINT64_C(1) << 40);
        else
            at++;
    return numbers[2];
}

static uint32_t wide_max(void)
{
    uint64_t out = largest_buffer("/proc/sys/net/ipv4/tcp_wmem"), in = largest_buffer("/proc/sys/net/ipv4/tcp_rmem");
    return out && in ? (uint32_t)MIN_OF(WIDE_BYTES / (out + in), (uint64_t)WIDE_MAX) : 0;
}

int traffic_start(struct broker *b, struct error *err)
{
    struct traffic *t = calloc(1, sizeof *t);
    if (!t)
        return err_set(err, -ENOMEM, BLAME_HOST, "BROKER", "no memory for the table of connections");
    int e = diag_open(&t->diag);
    if (e < 0) {
        free(t);
        (void)err_set(err, e, BLAME_HOST, "BROKER",
                      "the kernel has no sock_diag for TCP: bytes of connections cannot be counted");
        return err_remedy(err, "load the kernel module tcp_diag (CONFIG_INET_TCP_DIAG), or use network mode none");
    }
    t->ends = (struct source){ on_ends, t->diag.ends };
    t->wide_max = wide_max();
    b->traffic = t;
    return 0;
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

static uint64_t bytes_in_all(const struct broker *b)
{
    return b->total_bytes + b->traffic->live_bytes;
}

static void check_limit(struct broker *b)
{
    if (!b->rules.max_bytes || b->is_over_limit || bytes_in_all(b) <= b->rules.max_bytes)
        return;
    b->is_over_limit = true;
    broker_say(b, BROKER_LIMIT, NULL, "network.max_bytes");
}

static void look_at_once(struct broker *b, uint64_t now_ms);

static uint32_t live_max_of(const struct broker *b)
{
    return b->rules.max_connections ? MIN_OF(b->rules.max_connections, LIVE_MAX) : LIVE_MAX;
}

int traffic_buffer(const struct broker *b)
{
    int each = (int)(NARROW_BYTES / live_max_of(b));
    return MAX_OF(MIN_OF(each, OPTIONS_BUFFER_MAX), NARROW_MIN);
}

int traffic_buffer_of_next(const struct broker *b)
{
    return b->traffic && b->traffic->wide < b->traffic->wide_max ? 0 : traffic_buffer(b);
}

int traffic_permit(struct broker *b, uint64_t now_ms, const char **ret_rule)
{
    uint32_t live_max = live_max_of(b);
    if (now_ms - b->second_ms >= 1000) {
        b->second_ms = now_ms;
        b->connections_in_second = 0;
    }
    if (b->is_over_limit) {
        *ret_rule = "network.max_bytes";
        return EACCES;
    }
    if (b->live_connections >= live_max) /* some may have ended, and the kernel's workqueue not have said so yet */
        look_at_once(b, now_ms);
    if (b->live_connections >= live_max) {
        *ret_rule = "network.max_connections";
        return ENOBUFS;
    }
    if (b->rules.max_connections_per_second && b->connections_in_second >= b->rules.max_connections_per_second) {
        *ret_rule = "network.max_connections_per_second";
        return ENOBUFS;
    }
    b->connections_in_second++;
    return 0;
}

/* --- the table ------------------------------------------------------------------------------------------------------
 */

static struct connection **find(struct traffic *t, uint64_t cookie)
{
    struct connection **at = &t->buckets[cookie % BUCKETS];
    while (*at && (*at)->id.cookie != cookie)
        at = &(*at)->next;
    return at;
}

static bool identify(int sock, const struct watch_event *connect, struct diag_id *ret)
{
    union inet_name local = { 0 };
    socklen_t size = sizeof local;
    *ret = (struct diag_id){ .cookie = target_cookie(sock), .remote_port = htons(connect->port) };
    if (!ret->cookie || getsockname(sock, &local.any, &size) < 0)
        return false;
    ret->family = (uint8_t)local.any.sa_family;
    if (ret->family == AF_INET) {
        ret->local_port = local.v4.sin_port;
        memcpy(ret->local, &local.v4.sin_addr, 4);
        memcpy(ret->remote, connect->address, 4);
        return true;
    }
    ret->local_port = local.v6.sin6_port;
    memcpy(ret->local, &local.v6.sin6_addr, 16);
    if (connect->family == AF_INET) { /* ::ffff:a.b.c.d */
        memset(ret->remote + 10, 0xff, 2);
        memcpy(ret->remote + 12, connect->address, 4);
    } else {
        memcpy(ret->remote, connect->address, 16);
    }
    return true;
}

void traffic_add(struct broker *b, int sock, int buffer, const struct watch_event *connect)
{
    struct traffic *t = b->traffic;
    struct connection *c = calloc(1, sizeof *c);
    if (!t || !c || !identify(sock, connect, &c->id)) {
        free(c);
        return;
    }
    c->is_wide = buffer == 0;
    t->wide += c->is_wide;
    c->event = *connect;
    c->event.text = c->event.argv = NULL;
    (void)snprintf(c->name, sizeof c->name, "%s", connect->name ? connect->name : "");
    c->event.name = c->name[0] ? c->name : NULL;
    if (b->notify.watch & NOTIFY_STDIO) {
        (void)descriptor_kind(sock, &c->socket);
        c->process = b->feeds.process;
        c->before = b->feeds.before;
    }
    struct connection **at = find(t, c->id.cookie);
    c->next = *at; /* NULL: a cookie is given once */
    *at = c;
    b->live_connections++; /* with those of udp.c */
    if (t->live++ == 0)
        listen_for_ends(b, true);
    t->moved_ms = clock_ms();
}

static void tell(struct broker *b, struct connection *c, enum watch_kind kind)
{
    struct seccomp_notif nobody = { .pid = c->event.pid };
    struct watch_event e = c->event;
    e.at_us = notify_event(&b->notify, &nobody, kind).at_us;
    e.kind = (uint8_t)kind;
    e.bytes_out = c->numbers.bytes_out;
    e.bytes_in = c->numbers.bytes_in;
    notify_tell(&b->notify, &e);
    c->told = e.bytes_out + e.bytes_in;
}

static void count(struct broker *b, struct connection *c, const struct diag_numbers *n)
{
    struct traffic *t = b->traffic;
    uint64_t before = c->numbers.bytes_out + c->numbers.bytes_in;
    c->numbers.bytes_out = MAX_OF(c->numbers.bytes_out, n->bytes_out);
    c->numbers.bytes_in = MAX_OF(c->numbers.bytes_in, n->bytes_in);
    uint64_t more = c->numbers.bytes_out + c->numbers.bytes_in - before;
    t->live_bytes += more;
    if (more)
        t->moved_ms = clock_ms();
}

/* It counts no longer as one at once; its last numbers may come later. */
static void leave(struct broker *b, struct connection *c)
{
    b->live_connections -= !c->is_gone;
    b->traffic->wide -= c->is_wide;
    c->is_gone = true;
    c->is_wide = false;
}

static void end(struct broker *b, struct connection **at)
{
    struct connection *c = *at;
    uint64_t bytes = c->numbers.bytes_out + c->numbers.bytes_in;
    b->traffic->live_bytes -= bytes;
    b->total_bytes += bytes;
    leave(b, c);
    if (--b->traffic->live == 0)
        listen_for_ends(b, false);
    tell(b, c, WATCH_CLOSED);
    *at = c->next;
    free(c);
}

static void take_ends(struct broker *b)
{
    struct diag_numbers n;
    while (b->traffic->live && diag_next_end(&b->traffic->diag, &n)) {
        struct connection **at = find(b->traffic, n.cookie);
        if (*at) {
            count(b, *at, &n);
            end(b, at);
        }
    }
    check_limit(b);
}

/* --- looking
 * ---------------------------------------------------------------------------------------------------------- */

/* Closed by its program, with bytes that the peer has not taken. One is its FIN, which costs nothing. */
static bool is_stuck(const struct connection *c)
{
    return c->numbers.is_orphan && c->numbers.queued > 1;
}

/* A connection that the book does not know has ended; its last numbers may be on their way still. */
static bool look_at(struct broker *b, struct connection **at)
{
    struct diag_numbers n;
    struct connection *c = *at;
    int e = diag_ask(&b->traffic->diag, &c->id, &n);
    if (e == 0) {
        count(b, c, &n);
        c->misses = 0;
        c->numbers.is_orphan = n.is_orphan;
        c->numbers.queued = n.queued;
        if (n.is_orphan && !is_stuck(c))
            leave(b, c);
        if (c->told != c->numbers.bytes_out + c->numbers.bytes_in)
            tell(b, c, WATCH_TRAFFIC);
    } else if (e == -ENOENT || e == -ESTALE) {
        leave(b, c);
        if (++c->misses > 3) {
            end(b, at);
            return false;
        }
    }
    return true;
}

static void look_around(struct broker *b)
{
    struct traffic *t = b->traffic;
    uint32_t looks = 0;
    for (uint32_t i = 0; i < BUCKETS && looks < LOOKS_MAX; i++) {
        struct connection **at = &t->buckets[t->next_bucket++ % BUCKETS];
        for (; *at; looks++)
            if (look_at(b, at))
                at = &(*at)->next;
    }
}

static void look_at_once(struct broker *b, uint64_t now_ms)
{
    struct traffic *t = b->traffic;
    if (!t || now_ms - t->looked_ms < AT_ONCE_MS)
        return;
    take_ends(b);
    t->looked_ms = now_ms;
    look_around(b);
}

#define FEW 8u /* a question to the kernel each */

void traffic_tell(struct broker *b)
{
    struct traffic *t = b->traffic;
    if (!t || t->live > FEW)
        return;
    for (uint32_t i = 0; i < BUCKETS && t->live; i++)
        for (struct connection **at = &t->buckets[i]; *at;)
            if (look_at(b, at))
                at = &(*at)->next;
}

size_t traffic_talks(struct broker *b, struct talk *ret, size_t max)
{
    struct traffic *t = b->traffic;
    size_t n = 0;
    for (uint32_t i = 0; t && i < BUCKETS && t->live; i++)
        for (struct connection *c = t->buckets[i]; c && n < max; c = c->next) {
            struct diag_numbers numbers;
            if (c->is_gone || diag_ask(&t->diag, &c->id, &numbers) != 0)
                continue;
            count(b, c, &numbers);
            ret[n] = (struct talk){ c->event, c->socket, c->process, c->before };
            ret[n].event.bytes_out = c->numbers.bytes_out;
            ret[n++].event.bytes_in = c->numbers.bytes_in;
        }
    return n;
}

uint64_t traffic_received(const struct broker *b)
{
    uint64_t bytes = udp_received(b);
    for (uint32_t i = 0; b->traffic && i < BUCKETS && b->traffic->live; i++)
        for (const struct connection *c = b->traffic->buckets[i]; c; c = c->next)
            bytes += c->is_gone ? 0 : c->numbers.bytes_in;
    return bytes;
}

bool traffic_wants_ticks(const struct broker *b)
{
    return b->traffic && b->traffic->live > 0;
}

void traffic_tick(struct broker *b, uint64_t now_ms)
{
    struct traffic *t = b->traffic;
    if (!t)
        return;
    take_ends(b);
    if (t->live && now_ms - t->looked_ms >= (now_ms - t->moved_ms > IDLE_AFTER_MS ? IDLE_TICK_MS : TICK_MS)) {
        t->looked_ms = now_ms;
        look_around(b);
    }
    check_limit(b);
}

static size_t list_stuck(const struct traffic *t, const struct connection **ret, size_t max)
{
    size_t n = 0;
    for (size_t i = 0; i < BUCKETS; i++)
        for (const struct connection *c = t->buckets[i]; c && n < max; c = c->next)
            if (is_stuck(c))
                ret[n++] = c;
    return n;
}

/* The memory is the host's, and no process inside is left whose it was. The launcher does it, where it may. */
static void abort_stuck(struct broker *b)
{
    static const struct connection *stuck[LIVE_MAX];
    size_t n = list_stuck(b->traffic, stuck, LIVE_MAX);
    for (size_t i = 0; i < n; i++) {
        const struct broker_message m = { .type = BROKER_ABORT, .socket = stuck[i]->id };
        (void)send(b->launcher, &m, sizeof m, MSG_NOSIGNAL);
    }
}

void traffic_finish(struct broker *b)
{
    struct traffic *t = b->traffic;
    if (!t)
        return;
    bool is_busy = false;
    look_around(b);
    for (uint64_t begin = clock_ms(), now = begin;; now = clock_ms()) {
        const struct connection *one;
        take_ends(b); /* the kernel's workqueue tells of those that were closed just now */
        if (now - t->looked_ms >= FINISH_LOOK_MS) {
            t->looked_ms = now;
            look_around(b);
        }
        bool is_stuck_one = list_stuck(t, &one, 1) > 0;
        if (is_stuck_one && !is_busy)
            broker_say(b, BROKER_BUSY, NULL, "");
        is_busy |= is_stuck_one;
        if (!t->live || t->diag.ends < 0 || now - begin >= (is_stuck_one ? DELIVER_MS : FINISH_MS))
            break;
        (void)usleep(1000);
    }
    abort_stuck(b);
    for (uint32_t i = 0; i < BUCKETS; i++)
        while (t->buckets[i])
            end(b, &t->buckets[i]);
    diag_close(&t->diag);
    broker_forget(b, &t->ends);
    free(t);
    b->traffic = NULL;
}
