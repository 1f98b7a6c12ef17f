/* route.h - the host's routes: does an address lead back to the host itself?
 *
 * An address that routes locally is the host's loopback, however public it looks: what listens on 0.0.0.0 answers
 * there, firewalls on the interface do not see it, and services trust it. The kernel is asked at each connection, so
 * that an address that the host was given a moment ago counts.
 */
#pragma once
#include "net/rules.h"

/* A netlink socket of the namespace that we are in, or -errno. Needs no privilege. */
int route_open(void);
/* Is it an address of the host's own (or one that it answers for: broadcast, anycast, multicast), as it stands or with
 * an IPv4 address within? True as well when the kernel does not say. interface: of a link-local address, else 0.
 * routes -1: false, in tests without a host. */
bool route_is_local(int routes, const struct net_address *a, uint32_t interface);
