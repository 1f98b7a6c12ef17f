/* udp.h - what udp.c (relays: who may, how many, for how long) and udp_flow.c (their datagrams) share.
 *
 *     program in the sandbox            relay                    flow
 *     its own socket      <------>  socket inside, bound  <-> socket of the host, connected to     <-----> the world
 *     192.0.2.1:41234               to 1.2.3.4:443            1.2.3.4:443
 *
 * A relay for each destination; a flow for each socket of the sandbox that talks to it, so that answers find their way.
 * A datagram to port 53 of any host goes to our own resolver: the flow's socket is then one of the sandbox's namespace,
 * connected to 127.0.0.53:53.
 *
 * All of it lies in one allocation that lives as long as the broker, with a slot free where fd is negative: an event of
 * a descriptor that was closed a moment ago meets a slot, never freed memory.
 */
#pragma once
#include "broker/broker.h"
#include "broker/sockaddr.h"

#define UDP_RELAYS       64u
#define UDP_FLOWS        256u
#define UDP_IDLE_MS      60000u /* RFC 4787 asks NATs for two minutes, most give one or less, and clients know it */
#define UDP_BATCH        16u    /* datagrams per wake-up: a process that floods waits for the others after each */
#define UDP_DATAGRAM_MAX 65536u

struct udp_flow {
    struct source source; /* first */
    struct udp_relay *relay;
    struct udp_flow *next; /* of the same relay */
    union inet_name client;
    socklen_t client_size;
    uint64_t used_ms;
};

struct udp_relay {
    struct source source; /* first */
    struct udp_flow *flows;
    struct net_address address;
    uint16_t port;
    bool is_names;       /* port 53 */
    uint32_t pid;        /* who asked last */
    uint64_t connection; /* its number; 0: at rest, its next (or first) datagram begins one */
    uint64_t used_ms;
    uint64_t bytes_out, bytes_in, told_out, told_in;
    uint32_t process; /* of pid, and what it had written when the connection began (feeds.h) */
    uint64_t before;
};

struct udp {
    struct udp_relay relays[UDP_RELAYS];
    struct udp_flow flows[UDP_FLOWS];
    struct mmsghdr messages[UDP_BATCH];
    struct iovec parts[UDP_BATCH];
    union inet_name names[UDP_BATCH];
    uint8_t bytes[UDP_BATCH][UDP_DATAGRAM_MAX]; /* pages are taken when a datagram needs them */
};

/* udp.c: the relay is about to carry a datagram: 0, or the errno that refuses it (limits). */
int udp_relay_wake(struct broker *b, struct udp_relay *r);
/* udp_flow.c */
void udp_relay_event(struct broker *b, struct source *s, uint32_t events);
void udp_flow_close(struct broker *b, struct udp_flow *f);
/* A connected socket of the host, or -errno. */
int udp_host_socket(const struct net_address *a, uint16_t port);
