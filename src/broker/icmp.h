/* icmp.h - what a network says when a datagram does not arrive. */
#pragma once
#include "broker/sockaddr.h"

/* Tells the socket of the sandbox that has the name client (and is connected to address:port, or asked for errors) that
 * its datagram failed with this errno: ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, EACCES; others are not told. raw: a raw
 * ICMP or ICMPv6 socket of the sandbox's namespace, of client's family; -1: nothing is told. */
void icmp_tell(int raw, const struct net_address *address, uint16_t port, const union inet_name *client, int error);
