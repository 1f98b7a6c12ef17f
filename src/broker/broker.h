/* broker.h - `sandbox-broker`: the network of one sandbox, by name. How this works.
 *
 * A sandbox in mode bridge has a network namespace with loopback and nothing else; that is the fence, and it holds whatever happens
 * here. Its filter sends connect(2), sendto(2) with an address, bind(2) and listen(2) to a seccomp listener. The launcher answers what is no network call; at
 * the first network call it starts one broker for this run and hands the listener over. From then on the broker answers all
 * notifications of the run. Four processes, each with its own confinement:
 *
 *   broker    in the host's network namespace, in the sandbox's user namespace, as the sandbox's (unprivileged) host uid. One loop, no threads. Decides by
 *             the rules (net/rules.h), makes connections (connect.c) and puts them in the place of the caller's socket.
 *             Keeps CAP_SYS_PTRACE in the sandbox's user namespace, to take the caller's descriptors; nothing else. No files.
 *   inside    in the sandbox's network namespace: a socket factory (inside.c). Routes every address to loopback (so that datagrams to any address
 *             arrive at a socket of ours), opens the resolver's sockets on 127.0.0.53:53, and on request a UDP socket with a given local address.
 *   resolver  in the host's network namespace, no capability, no files, no other calls than its sockets need: reads questions from inside, asks
 *             the real servers, parses their answers (resolver.c, net/dns.h), tells the broker which address belongs to which name.
 *
 * TCP: a new socket of the host, connected by us, replaces the caller's descriptor: native speed. Nothing that the sandbox does with it can
 * reach another peer: connect and listen are performed by the broker on the very file that was judged (pidfd_getfd), never
 * continued; MSG_FASTOPEN, the only other way to connect, is refused by the filter.
 * UDP: the sandbox keeps its own socket, whose datagrams reach a socket of ours *inside* (udp.c) that relays them to a connected one on the
 * host: a host UDP socket in foreign hands could send anywhere.
 *
 * All die with the run: PDEATHSIG, and end of file on the launcher's socket.
 */
#pragma once
#include "broker/start.h"
#include "net/names.h"
#include "notify/notify.h"

/* What all files of the broker share: one per process. */
struct broker {
    struct notify notify;      /* listener, events, verdicts */
    int launcher;              /* descriptor 3 */
    int inside;                /* socket to the factory (inside.c) */
    int resolver;              /* socket from the resolver, or -1 */
    int epoll;
    struct net_rules rules;
    struct net_names *names;
    struct pending *pendings;  /* connects under way (connect.c) */
    struct traffic *traffic;   /* connections that live (traffic.c) */
    struct relay *relays;      /* UDP (udp.c) */
    uint64_t next_connection;  /* numbers them, from 1 */
    uint64_t second_ms;        /* the second that connections_in_second counts */
    uint32_t connections_in_second, live_connections;
    uint64_t total_bytes;      /* of connections that have ended */
};

/* epoll tags: owner is a pointer to a struct that begins with this */
struct source {
    void (*on_event)(struct broker *b, struct source *s, uint32_t events);
    int fd;
};
int broker_watch(struct broker *b, struct source *s, uint32_t events); /* 0 or -errno */
void broker_unwatch(struct broker *b, struct source *s);               /* closes fd */
uint64_t broker_now_ms(void); /* CLOCK_MONOTONIC */

/* connect.c: answers connect(2), now or when the connection is there */
void connect_asked(struct broker *b, const struct seccomp_notif *ask);
/* listen.c: listen(2) on exactly the file that was judged; bind(2), which is observed */
void listen_asked(struct broker *b, const struct seccomp_notif *ask);
void bind_asked(struct broker *b, const struct seccomp_notif *ask);
/* connect.c for TCP (EOPNOTSUPP-like answers), udp.c for datagrams: sendto(2) with an address */
void sendto_asked(struct broker *b, const struct seccomp_notif *ask);

/* Is there room for one more (max_connections, per second, bytes)? Else the errno to answer and the limit's key in ret_rule. */
int traffic_permit(struct broker *b, uint64_t now_ms, const char **ret_rule);
/* sock: a connected TCP socket of the host that is about to be handed over; stays the caller's. Reports its connection until it ends. */
void traffic_add(struct broker *b, int sock, const struct watch_event *connect);
void traffic_tick(struct broker *b, uint64_t now_ms); /* at most 10 times a second */
bool traffic_wants_ticks(const struct broker *b);

/* udp.c: makes sure that datagrams of the sandbox to this address are relayed. 0, or the errno for the caller (refused: EACCES). */
int udp_open(struct broker *b, const struct net_address *a, uint16_t port, uint32_t pid);
void udp_tick(struct broker *b, uint64_t now_ms); /* closes what has been silent for long */

/* inside.c */
int inside_start(struct broker *b, int net_ns, struct error *err); /* forks; sets b->inside */
/* A UDP socket of the sandbox's namespace, bound to this address, non-blocking; or -errno. Waits for the factory (microseconds). */
int inside_udp(struct broker *b, const struct net_address *a, uint16_t port);
/* The resolver's listening sockets: UDP and TCP on 127.0.0.53:53. */
int inside_resolver(struct broker *b, int *ret_udp, int *ret_tcp);

/* resolver.c: forks the resolver; sets b->resolver and watches it. Takes udp and tcp. */
int resolver_start(struct broker *b, int udp, int tcp, struct error *err);

/* confine.c: what this process may still do, after everything is opened */
enum confine_role { CONFINE_BROKER, CONFINE_INSIDE, CONFINE_RESOLVER };
int confine(enum confine_role role, struct error *err);
