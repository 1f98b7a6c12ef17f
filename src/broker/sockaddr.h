/* sockaddr.h - an address of the rules as the kernel takes it. */
#pragma once
#include "net/rules.h"

#include <netinet/in.h>
#include <sys/socket.h>

union inet_name {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* Its length. a->family is AF_INET or AF_INET6. */
static inline socklen_t inet_name_of(const struct net_address *a, uint16_t port, union inet_name *ret)
{
    memset(ret, 0, sizeof *ret);
    if (a->family == AF_INET) {
        ret->v4.sin_family = AF_INET;
        ret->v4.sin_port = htons(port);
        memcpy(&ret->v4.sin_addr, a->bytes, 4);
        return sizeof ret->v4;
    }
    assert(a->family == AF_INET6); /* nothing else gets through net_address_from() */
    ret->v6.sin6_family = AF_INET6;
    ret->v6.sin6_port = htons(port);
    memcpy(&ret->v6.sin6_addr, a->bytes, 16);
    return sizeof ret->v6;
}
