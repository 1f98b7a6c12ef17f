/* netrule.h - what people write about a network: addresses, ports, and rules that name what may be reached.
 *
 * One reader for all who look at such texts: the profile's check, the configuration's, and the rules that the broker
 * decides by (net/rules.h). So what a profile accepts is what is enforced. Strict: the whole text, one meaning, and no
 * form that two libraries read differently (010.0.0.1, 0x7f.1, 127.1 are neither addresses nor names here). Pure, libc
 * only, allocates nothing.
 */
#pragma once
#include "base/base.h"

#define NET_NAME_MAX      254u /* with its NUL; RFC 1035: 253 characters */
#define NET_RULE_TEXT_MAX 300u /* longest rule: a name, «*.» and ports */
#define NET_MAX_RULES     256u /* of one list: allow, deny or ports */
#define NET_MAX_RESOLVERS 8u

struct net_address {   /* as it is after unmapping: ::ffff:a.b.c.d is IPv4 */
    uint8_t family;    /* AF_INET or AF_INET6 */
    uint8_t bytes[16]; /* network order; of IPv4 the first four, zeros behind */
};
/* From AF_INET (4 bytes) or AF_INET6 (16 bytes), unmapped. */
struct net_address net_address_from(uint8_t family, const void *bytes);
struct net_address net_address_unmapped(const struct net_address *a);
bool net_address_equal(const struct net_address *a, const struct net_address *b);
/* The address lies in network/prefix: same family, and the first prefix bits alike. */
bool net_address_in(const struct net_address *a, const struct net_address *network, unsigned prefix);
/* Dotted quad or IPv6, no zone. 0 or -EINVAL. */
int net_address_parse(const char *s, struct net_address *ret);
#define NET_ADDRESS_MAX 48
void net_address_format(const struct net_address *a, char out[static NET_ADDRESS_MAX]);

struct net_ports {
    uint16_t first, last; /* inclusive; never 0 */
};
static inline bool net_ports_have(struct net_ports p, uint16_t port)
{
    return port >= p.first && port <= p.last;
}
/* «443», «8000-8010», «all». 0 or -EINVAL. */
int net_ports_parse(const char *s, struct net_ports *ret);

/* A host name in the one form that is compared: lower case, no trailing dot. -EINVAL: letters, digits, - and _ in
 * labels of at most 63, and not a number in disguise (the last label is neither decimal nor hexadecimal). */
int net_name_normal(const char *s, char ret[static NET_NAME_MAX]);

enum net_rule_kind {
    NET_RULE_NAME /* example.com */,
    NET_RULE_BELOW /* *.example.com: its subdomains; *: any name */,
    NET_RULE_CIDR
};
struct net_rule {
    uint8_t kind;      /* enum net_rule_kind */
    uint8_t prefix;    /* CIDR */
    uint8_t name_size; /* NAME, BELOW: bytes of the name */
    struct net_ports ports;
    struct net_address network;
    const char *text; /* the rule; borrowed */
    const char *name; /* NAME, BELOW: the name within text (BELOW: behind «*.»), as it was written, without the last
                         dot; not ended by a NUL */
};
/* Reads «example.com», «*.example.com», «*», «10.0.0.0/8», «10.1.2.3», «2001:db8::1», «2001:db8::/32», each but the
 * last two with an optional «:443» or «:8000-8010»; IPv6 with a port stands in brackets: «[2001:db8::/32]:443». 0; or
 * -EINVAL and in *ret_why (if not NULL) what is wrong, as half a sentence. */
int net_rule_parse(const char *text, struct net_rule *ret, const char **ret_why);
/* name: as net_name_normal() makes it */
bool net_rule_has_name(const struct net_rule *r, const char *name, size_t name_size);
bool net_rule_has_address(const struct net_rule *r, const struct net_address *a);

/* A server: «192.0.2.1», «192.0.2.1:5353», «2001:db8::1», «[2001:db8::1]:5353». 0 or -EINVAL. */
int net_server_parse(const char *s, uint16_t default_port, struct net_address *ret_address, uint16_t *ret_port);
