/* resolver.h - the resolver process: names for one sandbox. How this works; for resolver*.c only (broker.h has what
 * others call).
 *
 *   resolver.c         starting it; the broker's side of the socket between them
 *   resolver_loop.c    the process: one poll(2) loop, its clients, what is answered and when
 *   resolver_rules.c   what a question and an answer may be: pure
 *   resolver_server.c  one question to the real servers, by UDP and TCP
 *   resolver_conf.c    which servers
 *   resolver_cache.c   answers for a while
 *
 * A question goes: read (net/dns.h) → allowed? (net_decide_name) → cache, or servers → filtered (net_may_answer) → told
 * to the broker → the broker has recorded it and says so → answered. In this order: a program connects as soon as it
 * has its answer, and must not be refused because the broker has not heard of the address yet. Each question is told,
 * those from the cache and refused ones too: they are what the detectors see.
 *
 * What programs see, chosen by what C libraries and runtimes do with it:
 *  - a refused name: NXDOMAIN. musl takes REFUSED for no answer and waits for its timeout; glibc, c-ares and Go ask
 * again and report a temporary failure, for which many a client tries again. NXDOMAIN is final for all four, at once.
 * With EDNS the rule is told in words (RFC 8914).
 *  - a name whose addresses may all not be told (DNS rebinding): no error and no records, since musl takes NXDOMAIN for
 * one family as the answer for both.
 *  - types whose rdata we do not read (HTTPS, SVCB, NULL, ANY …): likewise, at once and without asking a server.
 * Clients fall back to A and AAAA.
 *  - servers that do not answer, or refuse: SERVFAIL. It is temporary, and clients that try again are right.
 *
 * localhost and *.localhost are 127.0.0.1 and ::1 (RFC 6761), the sandbox's own. The host's /etc/hosts is not used: its
 * names are mostly private addresses that would be refused, and the rest is of no use inside. For the same
 * reason addresses that could not be connected to are not looked up in reverse.
 *
 * Who cannot see our questions and wants to be believed has to guess a port (15 bits), an id (16) and the case of each
 * letter, at most 16 times a socket before we ask by TCP, within the rate below: also when a program inside works for
 * him, by asking the same name again and again.
 *
 * A CNAME is no permission: addresses are recorded for the name that was asked for, and filtered as its. But where a
 * rule denies a name on the way the answer is refused.
 *
 * The process parses what any host on the internet sends, so it may do nothing: no files, no capability, no memory
 * sized by a peer. Calls it makes once it is confined (confine.c, CONFINE_RESOLVER): poll (or ppoll), recvfrom,
 * recvmsg, sendto, sendmsg, read, write, close, accept4, socket (AF_INET, AF_INET6; SOCK_DGRAM, SOCK_STREAM with
 * SOCK_CLOEXEC | SOCK_NONBLOCK), connect, getsockopt (SO_ERROR), getrandom, clock_gettime (where there is no vDSO),
 * exit_group, rt_sigreturn, restart_syscall. Nothing is allocated after it.
 */
#pragma once
#include "base/netrule.h"
#include "broker/broker.h"
#include "net/dns.h"

#include <poll.h>
#include <sys/socket.h>

#define RESOLVER_ASKS       64  /* questions at a time */
#define RESOLVER_PROGRAMS   16  /* TCP connections of programs at a time */
#define RESOLVER_PER_SECOND 200 /* the rest waits in the socket's queue, and is lost where that is full */
#define RESOLVER_CACHE      128
#define RESOLVER_NEGATIVE_S 30 /* longest that «there is nothing» is believed */
#define RESOLVER_CACHE_S    3600
#define RESOLVER_TCP_MAX    16384 /* a message by TCP */
#define RESOLVER_UDP_MAX    4096
#define RESOLVER_QUERY_MAX  1232  /* a program's question */
#define RESOLVER_TEXT_MAX   256   /* of a TXT record, for the detectors */
#define RESOLVER_IDLE_MS    10000 /* a program's connection that says nothing, or does not take its answer */
#define RESOLVER_LONGEST_MS 10000 /* a question, whatever was tried */

/* --- resolver -> broker: one message a question; broker -> resolver: its sequence, as a uint64_t, when all is recorded
 * --- */

struct resolver_message {
    uint64_t sequence;
    uint16_t type;   /* that was asked for */
    uint8_t verdict; /* enum watch_verdict */
    uint8_t count;   /* addresses */
    uint32_t error;  /* ETIMEDOUT: no server answered; EAGAIN: too many a second; EBADMSG: only damaged answers; 0 */
    char name[NET_NAME_MAX];
    char rule[128];
    char text[RESOLVER_TEXT_MAX]; /* of the first TXT record, without NUL bytes, cut; "": there is none */
    struct {
        struct net_address address;
        uint32_t ttl_s;
    } addresses[DNS_RECORDS_MAX];
};

/* --- resolver_conf.c --- */

#define SERVERS_MAX     NET_MAX_RESOLVERS
#define SERVERS_OF_HOST 3 /* resolv.conf(5): MAXNS */
struct servers {
    struct server {
        struct sockaddr_storage address;
        socklen_t size;
    } list[SERVERS_MAX];
    uint32_t count, timeout_ms, attempts; /* attempts: rounds over all servers */
};
/* «address», «address:port», «[address]:port», «fe80::1%eth0». -EINVAL. */
int server_parse(const char *text, struct server *ret);
/* From the text of a resolv.conf; lines that say nothing to us are skipped, as everywhere. Without a server: 127.0.0.1.
 */
void servers_parse(const char *text, struct servers *ret);
/* The rules' resolvers, or the host's /etc/resolv.conf. */
int servers_read(const struct net_rules *r, struct servers *ret, struct error *err);

/* --- resolver_rules.c --- */

struct judgement {
    uint8_t verdict;  /* WATCH_ALLOWED: ask, or answer what is in answer */
    bool is_answered; /* no server has to be asked */
    char name[NET_NAME_MAX];
    char rule[128];
};
/* What is to be done about this question. Fills *answer where is_answered. */
void judge_question(const struct net_rules *r, const struct dns_question *q, struct judgement *ret,
                    struct dns_answer *answer);
/* Takes out of an answer what must not be told; may turn it into a refusal. */
void judge_answer(const struct net_rules *r, struct judgement *j, struct dns_answer *answer);

/* --- resolver_server.c --- */

enum exchange_state { EXCHANGE_IDLE, EXCHANGE_UDP, EXCHANGE_CONNECTING, EXCHANGE_WRITING, EXCHANGE_READING };
struct exchange { /* one question to the servers */
    enum exchange_state state;
    int fd;
    uint32_t tries;     /* so far; server number tries % count */
    uint32_t strangers; /* answers to something else, at this try */
    bool no_edns;
    int error;                     /* what the last try failed with */
    uint64_t deadline_ms, last_ms; /* of this try, of all */
    struct dns_question question;  /* in lower case */
    struct dns_ask sent;
    uint8_t out[2 + DNS_ASK_MAX];
    size_t out_size, out_done;
    uint8_t in[2 + RESOLVER_TCP_MAX];
    size_t in_size;
};
/* True: it has ended; *ret holds the answer (SERVFAIL, and x->error set, when there is none). */
bool exchange_start(struct exchange *x, const struct servers *s, const struct dns_question *q, uint64_t now_ms,
                    struct dns_answer *ret);
bool exchange_on_event(struct exchange *x, const struct servers *s, uint64_t now_ms, struct dns_answer *ret);
bool exchange_on_time(struct exchange *x, const struct servers *s, uint64_t now_ms,
                      struct dns_answer *ret); /* when deadline_ms has come */
short exchange_wants(const struct exchange *x);
void exchange_end(struct exchange *x);

/* --- resolver_cache.c --- */

struct cache {
    struct cached {
        uint64_t from_ms, until_ms;   /* until 0: free */
        struct dns_question question; /* name in lower case */
        struct dns_answer answer;
    } list[RESOLVER_CACHE];
};
void cache_put(struct cache *c, const struct dns_question *q, const struct dns_answer *a, uint64_t now_ms);
bool cache_get(const struct cache *c, const struct dns_question *q, uint64_t now_ms, struct dns_answer *ret);

/* --- resolver_loop.c --- */

/* A prepared resolver: rules and servers are known, nothing is open but these. Returns when the broker is gone (or
 * -errno). */
struct resolver;
struct resolver *resolver_new(const struct net_rules *r, const struct servers *s, int broker, int udp,
                              int tcp); /* NULL: no memory */
int resolver_run(struct resolver *r);
