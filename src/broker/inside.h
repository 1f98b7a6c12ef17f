/* inside.h - between inside.c, which is the factory's client, and factory.c, which is its process. */
#pragma once
#include "base/message.h"
#include "broker/broker.h"

struct inside_request { /* broker -> factory */
    uint16_t port;
    struct net_address address;
};
/* factory -> broker, once: is everything ready? With the descriptors of enum inside_fd if it is. */
struct inside_ready {
    struct error error;
    uint64_t cookie;
    uint32_t count; /* of descriptors: without IPv6 one less */
};
enum inside_fd { INSIDE_FD_UDP, INSIDE_FD_TCP, INSIDE_FD_ICMP, INSIDE_FD_ICMP6, INSIDE_FD_COUNT };

/* The whole life of the factory. Takes sock and net_ns. wants_ipv6: the host has a way to the IPv6 world. */
_Noreturn void factory(int sock, int net_ns, pid_t parent, bool wants_ipv6);
/* factory_routes.c: in the network namespace that we are in. 0 or err's code; ret_ipv6: there is IPv6. */
int factory_routes(bool wants_ipv6, bool *ret_ipv6, struct error *err);
