/* broker.h - `sandbox-broker`: the network of one sandbox, by name. How this works.
 *
 * A sandbox in mode bridge has a network namespace with loopback and nothing else; that is the fence, and it holds
 * whatever happens here. Its filter sends connect(2), bind(2), listen(2), sendto(2) with an address, sendmsg(2),
 * sendmmsg(2) and three options of setsockopt(2) to a seccomp listener. The launcher answers what is no network call;
 * at the first network call it starts one broker for this run and hands the listener over. From then on the broker
 * answers all notifications of the run. Three processes, each with its own confinement:
 *
 *   broker    in the host's network namespace, in the sandbox's user namespace, as the sandbox's (unprivileged) host
 * uid. One loop, no threads. Decides by the rules (net/rules.h), makes connections (connect.c) and puts them in the
 * place of the caller's socket. Keeps CAP_SYS_PTRACE in the sandbox's user namespace, to take the caller's descriptors;
 * nothing else. No files. inside    in the sandbox's network namespace: a socket factory (inside.c). Routes every
 * address to loopback (so that datagrams to any address arrive at a socket of ours), opens the resolver's sockets on
 * 127.0.0.53:53, and on request a UDP socket with a given local address. resolver  in the host's network namespace, no
 * capability, no files, no other calls than its sockets need: reads questions from inside, asks the real servers,
 * parses their answers (resolver.c, net/dns.h), tells the broker which address belongs to which name.
 *
 * TCP: a new socket of the host, connected by us, replaces the caller's descriptor: native speed. Nothing that the
 * sandbox does with it can reach another peer: connect, bind and listen are performed by the broker on the very file
 * that was judged (pidfd_getfd), never continued; MSG_FASTOPEN, the only other way to connect, is refused by the
 * filter. UDP: the sandbox keeps its own socket, whose datagrams reach a socket of ours *inside* (udp.c) that relays
 * them to a connected one on the host: a host UDP socket in foreign hands could send anywhere.
 *
 * All die with the run: PDEATHSIG, and end of file on the launcher's socket.
 */
#pragma once
#include "base/clock.h"
#include "broker/feeds.h"
#include "broker/start.h"
#include "broker/words.h"
#include "net/names.h"
#include "notify/notify.h"

struct broker;
/* epoll tags: owner is a pointer to a struct that begins with this */
struct source {
    void (*on_event)(struct broker *b, struct source *s, uint32_t events);
    int fd;
};

#define BROKER_BATCH 16

/* What all files of the broker share: one per process. */
struct broker {
    struct notify notify;               /* listener, events, verdicts */
    int launcher;                       /* descriptor 3 */
    int inside;                         /* socket to the factory (inside.c), which sets the following; -1: none */
    int inside_dns_udp, inside_dns_tcp; /* the resolver's, until inside_resolver() takes them */
    int inside_icmp,
        inside_icmp6; /* raw sockets of the sandbox's namespace, for telling errors of datagrams (icmp.c); -1: none */
    uint64_t inside_cookie;         /* SO_NETNS_COOKIE of its sockets; 0: this kernel has none (before 5.14) */
    struct resolver_link *resolver; /* resolver.c; NULL: none */
    int epoll;
    struct net_rules rules;
    struct net_names *names;
    int routes;               /* netlink socket (route.h); -1: none, in tests */
    struct pending *pendings; /* connects under way (connect.c) */
    struct traffic *traffic;  /* connections that live (traffic.c) */
    struct udp *relays;       /* of datagrams (udp.c) */
    struct words words;       /* processes whose memory is looked at (words.c) */
    struct feeds feeds;       /* programs that get their input from a connection (feeds.c) */
    uint64_t next_connection; /* numbers them, from 1 */
    uint64_t second_ms;       /* the second that connections_in_second counts */
    uint32_t connections_in_second, live_connections;
    uint64_t total_bytes; /* of connections that have ended */
    uint64_t host_cookie; /* as inside_cookie, of ours */
    uint64_t deadline_ms; /* CLOCK_MONOTONIC */
    bool is_tcp_fenced;
    bool is_over_limit; /* max_bytes: nothing connects any more */
    bool is_held;       /* the events' socket is full: askers wait */
    bool is_ended;      /* the launcher or the last asker is gone */
    struct source from_listener, from_launcher, from_events;
    struct source *batch[BROKER_BATCH]; /* what epoll_wait() gave and is not looked at yet */
};

/* loop.c */
int broker_watch(struct broker *b, struct source *s, uint32_t events); /* 0 or -errno */
void broker_unwatch(struct broker *b, struct source *s);               /* closes fd */
void broker_forget(struct broker *b, const struct source *s); /* it may be freed now; broker_unwatch() does this, too */
/* Answers whatever asks until the launcher or the last asker is gone. 0 or -errno. */
int broker_loop(struct broker *b);
void broker_answer(struct broker *b, const struct seccomp_notif *ask);
void broker_say(struct broker *b, enum broker_says type, const struct seccomp_notif *ask, const char *text);
/* The namespace of a socket, 0: the kernel (before 5.14) does not say. */
uint64_t broker_namespace_of(int sock);

/* connect.c: answers connect(2), now or when the connection is there */
void connect_asked(struct broker *b, const struct seccomp_notif *ask);
void connect_tick(struct broker *b,
                  uint64_t now_ms); /* ends what waits for too long, or for a caller that is no more */
/* listen.c: on exactly the file that was judged */
void listen_asked(struct broker *b, const struct seccomp_notif *ask);
void bind_asked(struct broker *b, const struct seccomp_notif *ask);
/* datagrams.c: sendto(2) with an address, sendmsg(2), sendmmsg(2) */
void sendto_asked(struct broker *b, const struct seccomp_notif *ask);
void sendmsg_asked(struct broker *b, const struct seccomp_notif *ask, bool is_many);
/* options.c: setsockopt(2) of an option whose value has a bound */
void setsockopt_asked(struct broker *b, const struct seccomp_notif *ask);

/* traffic.c. Opens the kernel's book of sockets. -errno: it has none. */
int traffic_start(struct broker *b, struct error *err);
/* The last numbers of what still lives, when nothing of the sandbox does. */
void traffic_finish(struct broker *b);
/* Is there room for one more (max_connections, per second, bytes)? Else the errno to answer and the limit's key in
 * ret_rule. */
int traffic_permit(struct broker *b, uint64_t now_ms, const char **ret_rule);
/* How large the buffers of the next connection may be: 0, as the kernel likes, for the first few; then a size of which
 * as many as the rules allow are bearable. */
int traffic_buffer_of_next(const struct broker *b);
/* That size. */
int traffic_buffer(const struct broker *b);
/* sock: a connected TCP socket of the host that is about to be handed over, with such buffers; stays the caller's.
 * Reports its connection until it ends. */
void traffic_add(struct broker *b, int sock, int buffer, const struct watch_event *connect);
void traffic_tick(struct broker *b, uint64_t now_ms); /* at most 10 times a second */
bool traffic_wants_ticks(const struct broker *b);
/* Tells all numbers that are not told yet, where few connections live. */
void traffic_tell(struct broker *b);
/* The newest that live, with numbers of now. */
size_t traffic_talks(struct broker *b, struct talk *ret, size_t max);
/* What they and the relays have received, as far as is known. */
uint64_t traffic_received(const struct broker *b);

/* udp.c: makes sure that datagrams of the sandbox to this address are relayed; the rules have agreed. 0, or the errno
 * for the caller: ENOBUFS (limits), ENETUNREACH and the like (the host's own), EADDRINUSE (a program of the sandbox
 * holds that port on all addresses). Its CONNECT is told from here, at the first datagram. Port 53 of any address is
 * answered by our own resolver, so no process need ask the rules for it: EACCES without names. */
int udp_open(struct broker *b, const struct net_address *a, uint16_t port, uint32_t pid);
void udp_tick(struct broker *b,
              uint64_t now_ms); /* tells traffic, closes what has been silent for long; at most 10 times a second */
bool udp_wants_ticks(const struct broker *b);
size_t udp_talks(struct broker *b, struct talk *ret, size_t max);
uint64_t udp_received(const struct broker *b);
void udp_done(struct broker *b); /* closes all, tells their ends */

/* inside.c */
int inside_start(struct broker *b, int net_ns, struct error *err); /* forks; sets b->inside */
/* A UDP socket of the sandbox's namespace, bound to this address, non-blocking; or -errno. Waits for the factory
 * (microseconds). */
int inside_udp(struct broker *b, const struct net_address *a, uint16_t port);
/* The resolver's listening sockets: UDP and TCP on 127.0.0.53:53. */
int inside_resolver(struct broker *b, int *ret_udp, int *ret_tcp);

/* resolver.c: forks the resolver; sets b->resolver and watches it. Takes udp and tcp. */
int resolver_start(struct broker *b, int udp, int tcp, struct error *err);
void resolver_done(struct broker *b); /* the resolver ends by itself then */

/* confine.c: what this process may still do, after everything is opened */
enum confine_role { CONFINE_BROKER, CONFINE_INSIDE, CONFINE_RESOLVER };
int broker_confine(enum confine_role role, struct error *err);
