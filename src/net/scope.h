/* scope.h - what kind of address it is: IANA's registries of special-purpose addresses, and IPv4 within IPv6. Pure.
 *
 * Public is what both registries call globally reachable, less what a cloud serves its machines' secrets at. Of IPv6
 * that is within 2000::/3 only: the rest is not given out yet.
 */
#pragma once
#include "base/netrule.h"

enum net_scope { NET_PUBLIC, NET_LOOPBACK, NET_PRIVATE, NET_LINK_LOCAL, NET_MULTICAST, NET_METADATA, NET_RESERVED };
/* Looks through IPv4-mapped, 6to4, Teredo, NAT64, ISATAP and other forms that end at an IPv4 address. */
enum net_scope net_scope_of(const struct net_address *a);
const char *net_scope_name(enum net_scope s);

/* The whole network lies in one range that is not public: who wrote it meant that range. 0.0.0.0/0 does not, 10.0.0.0/8
 * does. */
bool net_scope_is_named_by(const struct net_address *network, unsigned prefix);

/* The i-th IPv4 address (from 0) that a packet to this IPv6 address may end at. False: no more. */
#define NET_EMBEDDED_MAX 4u
bool net_embedded(const struct net_address *a, size_t i, struct net_address *ret);

/* The caller's own loopback, as connect(2) sees it: 127.0.0.0/8, ::1, and 0.0.0.0 and ::, which Linux takes for them.
 */
bool net_is_own_loopback(const struct net_address *a);
