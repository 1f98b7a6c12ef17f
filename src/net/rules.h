/* rules.h - which names and addresses a sandbox may reach. Pure: no I/O, no clock.
 *
 * Made from a profile's network.* by the command line (net_rules_make, make.h), travels as opaque bytes through the
 * launcher, is read by the broker and its resolver (src/broker). What it decides:
 *
 *  - deny wins over allow; ports must be in `ports`;
 *  - allow is empty: every public address may be reached, under any name;
 *  - allow is not empty: only what it names. A rule with a name permits addresses that the sandbox's resolver gave for
 * such a name and whose time has not run out; a rule with a CIDR permits addresses, however they were come by;
 *  - addresses that are not public (loopback, private, link-local, multicast, metadata services, and their forms within
 * IPv6) are refused unless a CIDR rule names them: a name is not enough, since the owner of the name chooses the
 * address (DNS rebinding). A CIDR names them when it lies within their range: 10.0.0.0/8 does, 0.0.0.0/0 means the
 * public ones. A metadata service wants a rule for exactly its address: who allows 169.254.0.0/16 seldom means the
 * machine's credentials;
 *  - 127.0.0.0/8 and ::1 (and 0.0.0.0 and ::) without such a rule are the sandbox's own loopback, never the host's;
 *  - what the host itself answers at, by its routes (broker/route.h), is refused unless a rule names exactly that
 * address;
 *  - an IPv4 address within an IPv6 one (NAT64, 6to4, Teredo, ISATAP ...) is denied by what denies the IPv4 address,
 * but not allowed by what allows it.
 */
#pragma once
#include "base/error.h"
#include "base/netrule.h"
#include "base/pack.h"
#include "net/scope.h"

/* The lists in the form that is decided by. Its texts borrow from the lists. */
struct net_compiled {
    bool is_ready, no_loopback;
    uint32_t allow_count, deny_count, ports_count;
    struct net_rule allow[NET_MAX_RULES], deny[NET_MAX_RULES];
    struct net_ports ports[NET_MAX_RULES];
};

struct net_rules {                     /* 27 KiB */
    struct strlist allow, deny, ports; /* as in the profile; copies, or borrowed after unpacking */
    bool has_names;                    /* dns: auto */
    uint32_t max_connections;          /* at once; 0: as many as the broker keeps */
    uint32_t max_connections_per_second;
    uint64_t max_bytes; /* out and in, of all connections together; 0: unlimited */
    struct strlist
        resolvers;    /* «address» or «address:port» of the servers that are asked; empty: the host's resolv.conf */
    bool no_loopback; /* disable_loopback: the sandbox's own is there for the resolver only */
    bool is_learning; /* --network-learn: public addresses are allowed whatever `allow` says */
    struct net_compiled compiled;
};
/* Reads the lists into r->compiled. Called by net_rules_make() and net_rules_unpack(); by others who fill the lists,
 * before anything is decided (asserted) and after each change. -EINVAL: a rule that cannot be read, or more than
 * NET_MAX_RULES of a kind. */
int net_rules_compile(struct net_rules *r, struct error *err);
void net_rules_pack(struct buf *b, const struct net_rules *r);
/* Borrows from data. 0 or -EBADMSG. Rules that cannot be read are -EBADMSG too: they were checked before (profile.c).
 */
int net_rules_unpack(const void *data, size_t size, struct net_rules *ret);
/* Frees lists that were filled here; on borrowed ones it frees nothing. */
void net_rules_done(struct net_rules *r);

/* What is known of an address by name: filled from the resolver's answers (names.h). */
struct net_names;

enum net_place { NET_REFUSE, NET_HOST, NET_SANDBOX /* its own loopback */ };
struct net_decision {
    enum net_place place;
    char rule[128]; /* «allow *.pypi.org», «deny 10.0.0.0/8», «private address 10.1.2.3», «no rule allows it» */
    char name[NET_NAME_MAX]; /* under which the address is known; "" if none */
};
/* May this address be connected to, at now_ms (any clock, the one that net_names was filled with)? names may be NULL.
 */
void net_decide_address(const struct net_rules *r, const struct net_names *names, const struct net_address *a,
                        uint16_t port, uint64_t now_ms, struct net_decision *ret);
/* A rule allows exactly this address, as an address: the only rule that opens one of the host's own, which the broker
 * finds by its routes. True for the host's loopback, which net_decide_address() gives out only by a rule that names it.
 */
bool net_names_exactly(const struct net_rules *r, const struct net_address *a, uint16_t port);
/* May this name be asked for? place: NET_HOST or NET_REFUSE. A name whose only rule asks for a port is allowed. */
void net_decide_name(const struct net_rules *r, const char *name, struct net_decision *ret);
/* May this address be told as an answer for name? False for addresses that could not be connected to on the host at any
 * port; so for loopback, too, which would be the sandbox's own: a name that says so is broken or lies. */
bool net_may_answer(const struct net_rules *r, const char *name, const struct net_address *a);
