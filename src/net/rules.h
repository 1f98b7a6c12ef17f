/* rules.h - which names and addresses a sandbox may reach. Pure: no I/O, no clock.
 *
 * Made from a profile's network.* by the command line (net_rules_make), travels as opaque bytes through the launcher, is read by the
 * broker and its resolver (src/broker). What it decides:
 *
 *  - deny wins over allow; ports must be in `ports`;
 *  - allow is empty: every public address may be reached, under any name;
 *  - allow is not empty: only what it names. A rule with a name permits addresses that the sandbox's resolver gave for such a name and
 *    whose time has not run out; a rule with a CIDR permits addresses, however they were come by;
 *  - addresses that are not public (loopback, private, link-local, multicast, metadata services, and their forms within IPv6) are
 *    refused unless a CIDR rule covers them: a name is not enough, since whoever owns the name chooses the address (DNS rebinding);
 *  - 127.0.0.0/8 and ::1 without such a rule are the sandbox's own loopback, never the host's.
 */
#pragma once
#include "base/error.h"
#include "base/pack.h"

#define NET_MAX_RULES 256
#define NET_NAME_MAX 254 /* with its NUL; RFC 1035: 253 characters */

struct net_address { /* as it is after unmapping: ::ffff:a.b.c.d is IPv4 */
    uint8_t family;  /* AF_INET or AF_INET6 */
    uint8_t bytes[16];
};

enum net_scope { NET_PUBLIC, NET_LOOPBACK, NET_PRIVATE, NET_LINK_LOCAL, NET_MULTICAST, NET_METADATA, NET_RESERVED };
/* Looks through IPv4-mapped, 6to4, Teredo, NAT64 and other forms that end at an IPv4 address. */
enum net_scope net_scope_of(const struct net_address *a);
const char *net_scope_name(enum net_scope s);
struct net_address net_address_unmapped(const struct net_address *a);
/* From AF_INET (4 bytes) or AF_INET6 (16 bytes). */
struct net_address net_address_from(uint8_t family, const void *bytes);

struct net_rules {
    struct strlist allow, deny, ports; /* as in the profile; copies, or borrowed after unpacking */
    bool has_names;            /* dns: auto */
    uint32_t max_connections;  /* at once; 0: unlimited */
    uint32_t max_connections_per_second;
    uint64_t max_bytes;        /* out and in, of all connections together; 0: unlimited */
    struct strlist resolvers;  /* «address» or «address:port» of the servers that are asked; empty: the host's resolv.conf */
    bool is_learning;          /* --network-learn: public addresses are allowed whatever `allow` says */
};
void net_rules_pack(struct buf *b, const struct net_rules *r);
/* Borrows from data. 0 or -EBADMSG. Rules that cannot be read are -EBADMSG too: they were checked before (profile.c). */
int net_rules_unpack(const void *data, size_t size, struct net_rules *ret);

/* What is known of an address by name: filled from the resolver's answers (names.h). */
struct net_names;

enum net_place { NET_REFUSE, NET_HOST, NET_SANDBOX /* its own loopback */ };
struct net_decision {
    enum net_place place;
    char rule[128];          /* «allow *.pypi.org», «deny 10.0.0.0/8», «private address 10.1.2.3», «no rule allows it» */
    char name[NET_NAME_MAX]; /* under which the address is known; "" if none */
};
/* May this address be connected to, at now_ms (any clock, the one that net_names was filled with)? names may be NULL. */
void net_decide_address(const struct net_rules *r, const struct net_names *names, const struct net_address *a, uint16_t port,
                        uint64_t now_ms, struct net_decision *ret);
/* May this name be asked for? place: NET_HOST or NET_REFUSE. A name whose only rule asks for a port is allowed. */
void net_decide_name(const struct net_rules *r, const char *name, struct net_decision *ret);
/* May this address be told as an answer for name? False for addresses that could not be connected to at any port. */
bool net_may_answer(const struct net_rules *r, const char *name, const struct net_address *a);
