/* resolver_place.h - a resolver that really runs, between a program and a server that are this test.
 *
 * The server is a process on 127.0.0.1, UDP and TCP, that answers by the name it is asked for and writes its messages
 * by hand. The broker's side is the test's own process: place_pump() does what the broker's loop would.
 */
#pragma once
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "broker/resolver.h"
#include "test.h"

#define PATIENCE_MS 60000 /* of a loaded machine: only for what does not come */

/* --- the server --- */

struct reply { /* what it writes, growing */
    uint8_t data[8192];
    size_t size, question_end;
};

static void put(struct reply *r, const void *p, size_t n)
{
    assert(n <= sizeof r->data - r->size);
    memcpy(r->data + r->size, p, n);
    r->size += n;
}

static void put16(struct reply *r, unsigned v)
{
    uint8_t p[2] = { (uint8_t)(v >> 8), (uint8_t)v };
    put(r, p, 2);
}

/* Owned by the name in the question. */
static void put_rr(struct reply *r, unsigned type, unsigned ttl, const void *rdata, size_t n)
{
    put16(r, 0xc00c);
    put16(r, type);
    put16(r, 1);
    put16(r, 0);
    put16(r, ttl);
    put16(r, (unsigned)n);
    put(r, rdata, n);
    r->data[7]++; /* answers */
}

static void put_a(struct reply *r, const char *four)
{
    put_rr(r, DNS_A, 300, four, 4);
}

/* The first label, in lower case: it says how to answer. */
static const char *wish_of(const uint8_t *query, char out[64])
{
    size_t n = MIN_OF(query[12], 63);
    for (size_t i = 0; i < n; i++)
        out[i] = (char)(query[13 + i] | 32);
    out[n] = '\0';
    return out;
}

/* Header and question of a question, without what follows them (EDNS); how many bytes. */
static size_t question_size(const uint8_t *query)
{
    size_t at = 12;
    while (query[at])
        at += 1u + query[at];
    return at + 5;
}

static void begin_reply(struct reply *r, const uint8_t *query)
{
    r->size = 0;
    put(r, query, question_size(query));
    r->data[2] = 0x81;
    r->data[3] = 0x80;
    memset(r->data + 6, 0, 6);
}

/* What was heard and how often, shared with the test. */
struct heard {
    uint32_t udp, tcp, good, edns_less;
    uint16_t ports[64], ids[64]; /* of the first questions by UDP */
    uint64_t cases[64];          /* which letters of the name were capitals */
};

typedef void (*send_reply)(void *to, const struct reply *r);

static void answer_wish(const uint8_t *query, size_t size, bool is_tcp, send_reply reply, void *to)
{
    struct reply r;
    char wish[64];
    unsigned type = query[question_size(query) - 3];
    wish_of(query, wish);
    begin_reply(&r, query);
    if (str_eq(wish, "dead"))
        return;
    if (str_eq(wish, "nothing")) {
        r.data[3] = 0x83; /* and the SOA that says for how long */
        put(&r,
            "\0\0\x06\0\1\0\0\0\x3c\0\x16\0\0"
            "\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\x3c",
            33);
        r.data[9] = 1;
    } else if (str_eq(wish, "broken")) {
        r.data[3] = 0x82;
    } else if (str_eq(wish, "old") && query[11]) {
        r.data[3] = 0x81;
    } else if (str_eq(wish, "garbage")) {
        r.data[7] = 3;
        put(&r, "\xc0\x0c\xff", 3);
    } else if (str_eq(wish, "loop")) {
        put_rr(&r, DNS_CNAME, 60, "\xc0\x0c", 2);
    } else if (str_eq(wish, "chain") || str_eq(wish, "cloak")) {
        const char *target = str_eq(wish, "chain") ? "\1x\4good" : "\1x\4evil";
        put_rr(&r, DNS_CNAME, 60, target, 8);
        put(&r, target, 8); /* owned by it */
        put(&r, "\0\1\0\1\0\0\0\x3c\0\4\x5d\xb8\xd8\x22", 14);
        r.data[7]++;
    } else if (str_eq(wish, "big") && !is_tcp) {
        r.data[2] |= 2;
    } else if (str_eq(wish, "big")) {
        for (int i = 0; i < 60; i++)
            put_a(&r, (char[]){ 93, 1, 1, (char)(i + 1) });
    } else if (str_eq(wish, "rebind") || str_eq(wish, "mixed")) {
        put_a(&r, "\x0a\0\0\5");
        put_a(&r, "\x7f\0\0\1");
        if (str_eq(wish, "mixed"))
            put_a(&r, "\x5d\xb8\xd8\x22");
    } else if (type == DNS_AAAA) {
        put_rr(&r, DNS_AAAA, 300, "\x26\x06\x28\0\0\0\0\0\0\0\0\0\0\0\0\1", 16);
    } else if (type == DNS_TXT) {
        put_rr(&r, DNS_TXT, 300, "\6uname \0\4-a\0x", 13);
    } else if (type == DNS_MX) {
        put_rr(&r, DNS_MX, 300, "\0\5\4mail\xc0\x0c", 9);
    } else if (str_eq(wish, "short")) {
        put_rr(&r, DNS_A, 0, "\x5d\xb8\xd8\x22", 4);
    } else {
        if (str_eq(wish, "spoofed") && !is_tcp) { /* one who cannot see our question guesses */
            struct reply lie;
            begin_reply(&lie, query);
            put_a(&lie, "\6\6\6\6");
            lie.data[0] ^= 1; /* the id */
            reply(to, &lie);
            lie.data[0] ^= 1;
            lie.data[14] ^= 1; /* the name */
            reply(to, &lie);
        }
        if (str_eq(wish, "flood") && !is_tcp) {
            struct reply lie;
            begin_reply(&lie, query);
            put_a(&lie, "\6\6\6\6");
            for (int i = 1; i < 40; i++) {
                lie.data[0] = query[0] ^ (uint8_t)i;
                reply(to, &lie);
            }
            return;
        }
        if (str_eq(wish, "lower") && !is_tcp) {
            struct reply lie;
            begin_reply(&lie, query);
            put_a(&lie, "\6\6\6\6");
            for (size_t i = 13; i < 13 + 10; i++)
                lie.data[i] = lie.data[i] >= 'A' && lie.data[i] <= 'Z' ? lie.data[i] | 32 : lie.data[i];
            if (memcmp(lie.data + 12, query + 12, 11) != 0) {
                reply(to, &lie);
                return;
            }
        }
        if (str_eq(wish, "slow"))
            usleep(150 * 1000);
        put_a(&r, "\x5d\xb8\xd8\x22");
    }
    if (query[11] && size != question_size(query) + 11)
        return; /* what we send ends with an empty OPT */
    reply(to, &r);
}

struct udp_peer {
    int fd;
    struct sockaddr_in address;
};

static void reply_udp(void *to, const struct reply *r)
{
    struct udp_peer *p = to;
    (void)sendto(p->fd, r->data, r->size, 0, (struct sockaddr *)&p->address, sizeof p->address);
}

static void reply_tcp(void *to, const struct reply *r)
{
    uint8_t size[2] = { (uint8_t)(r->size >> 8), (uint8_t)r->size };
    (void)send(*(int *)to, size, 2, MSG_NOSIGNAL); /* in pieces, as a network does it */
    usleep(1000);
    (void)send(*(int *)to, r->data, r->size / 2, MSG_NOSIGNAL);
    usleep(1000);
    (void)send(*(int *)to, r->data + r->size / 2, r->size - r->size / 2, MSG_NOSIGNAL);
}

static void note(struct heard *h, const uint8_t *query, in_port_t port)
{
    size_t i = h->udp++ % ARRAY_LEN(h->ports);
    h->ports[i] = port;
    memcpy(&h->ids[i], query, 2);
    h->cases[i] = 0;
    for (size_t at = 12; at < 12 + 60 && query[at]; at++)
        h->cases[i] |= (uint64_t)(query[at] >= 'A' && query[at] <= 'Z') << (at - 12);
}

static _Noreturn void be_the_server(int udp, int tcp, struct heard *heard)
{
    uint8_t query[2048];
    for (;;) {
        struct pollfd p[2] = { { udp, POLLIN, 0 }, { tcp, POLLIN, 0 } };
        (void)poll(p, 2, -1);
        struct udp_peer peer = { .fd = udp };
        socklen_t n_address = sizeof peer.address;
        char wish[64];
        ssize_t n = p[0].revents
                        ? recvfrom(udp, query, sizeof query, MSG_DONTWAIT, (struct sockaddr *)&peer.address, &n_address)
                        : -1;
        if (n > 12) {
            note(heard, query, peer.address.sin_port);
            heard->good += str_eq(wish_of(query, wish), "good");
            heard->edns_less += query[11] == 0;
            answer_wish(query, (size_t)n, false, reply_udp, &peer);
        }
        int c = p[1].revents ? accept(tcp, NULL, NULL) : -1;
        if (c >= 0 && recv(c, query, 2, MSG_WAITALL) == 2 &&
            (n = recv(c, query, (size_t)query[0] << 8 | query[1], MSG_WAITALL)) > 12) {
            heard->tcp++;
            answer_wish(query, (size_t)n, true, reply_tcp, &c);
        }
        if (c >= 0)
            (void)close(c);
    }
}

/* --- the place --- */

struct place {
    struct broker broker;
    struct servers servers;
    struct heard *heard;
    pid_t server, resolver;
    int events, launcher; /* our ends */
    int udp, tcp;         /* the resolver's sockets, ours too so that their addresses are known */
    struct sockaddr_in udp_at, tcp_at;
    int program;              /* a program's socket */
    struct watch_event event; /* the last that was told */
    char event_data[WATCH_MESSAGE_MAX];
    uint32_t events_told, limits_told; /* the latter with EAGAIN */
    uint8_t answer[8192];
    size_t answer_size;
};

static int loopback_socket(int type, struct sockaddr_in *ret)
{
    socklen_t n = sizeof *ret;
    int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    *ret = (struct sockaddr_in){ .sin_family = AF_INET,
                                 .sin_port = ret->sin_port,
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    CHECK(fd >= 0);
    if (bind(fd, (struct sockaddr *)ret, sizeof *ret) < 0 || (type != SOCK_DGRAM && listen(fd, 16) < 0)) {
        (void)close(fd);
        return -1;
    }
    CHECK(getsockname(fd, (struct sockaddr *)ret, &n) == 0);
    return fd;
}
