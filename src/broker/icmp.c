/* icmp.c - errors of a relayed datagram, told the way a network tells them.
 *
 * The host's kernel says ECONNREFUSED to *our* socket. The one who has to hear it is a socket in the sandbox, perhaps
 * blocked in recv(2). An ICMP message that quotes the datagram's headers finds exactly this socket and no other, at
 * once. (Closing our socket inside would let the kernel refuse the *next* datagram of every program that talks to that
 * address, and a connected socket would stay refused when the server is back.)
 */
#include "broker/icmp.h"

#include <netinet/icmp6.h>
#include <netinet/ip_icmp.h>

#define UDP_HEADER 8u

/* RFC 792, RFC 1812 5.2.7.1, RFC 4443 3.1: codes of «destination unreachable». False: there is none for it. */
static bool code_for(int error, uint8_t *ret_v4, uint8_t *ret_v6)
{
    switch (error) {
    case ECONNREFUSED:
        *ret_v4 = ICMP_PORT_UNREACH, *ret_v6 = ICMP6_DST_UNREACH_NOPORT;
        return true;
    case ENETUNREACH:
        *ret_v4 = ICMP_NET_UNREACH, *ret_v6 = ICMP6_DST_UNREACH_NOROUTE;
        return true;
    case EHOSTUNREACH:
        *ret_v4 = ICMP_HOST_UNREACH, *ret_v6 = ICMP6_DST_UNREACH_ADDR;
        return true;
    case EACCES: /* a limit of ours: «communication administratively prohibited» */
        *ret_v4 = 13, *ret_v6 = ICMP6_DST_UNREACH_ADMIN;
        return true;
    default:
        return false;
    }
}

static void put_u16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}

static uint16_t checksum(const uint8_t *p, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i + 1 < n; i += 2)
        sum += (uint32_t)p[i] << 8 | p[i + 1];
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

static void put_ports(uint8_t *p, uint16_t from, uint16_t to)
{
    put_u16(p, from);
    put_u16(p + 2, to);
    put_u16(p + 4, UDP_HEADER); /* the length is not looked at */
}

static void tell_v4(int raw, const struct net_address *a, uint16_t port, const union inet_name *client, uint8_t code)
{
    uint8_t m[8 + 20 + UDP_HEADER] = { ICMP_DEST_UNREACH, code };
    uint8_t *ip = m + 8;
    ip[0] = 0x45;
    put_u16(ip + 2, 20 + UDP_HEADER);
    ip[8] = 64;
    ip[9] = IPPROTO_UDP;
    memcpy(ip + 12, &client->v4.sin_addr, 4);
    memcpy(ip + 16, a->bytes, 4);
    put_ports(ip + 20, ntohs(client->v4.sin_port), port);
    put_u16(m + 2, checksum(m, sizeof m));
    struct sockaddr_in to = client->v4;
    to.sin_port = 0;
    (void)sendto(raw, m, sizeof m, MSG_NOSIGNAL, (struct sockaddr *)&to,
                 sizeof to); /* errors of datagrams may be lost */
}

static void tell_v6(int raw, const struct net_address *a, uint16_t port, const union inet_name *client, uint8_t code)
{
    uint8_t m[8 + 40 + UDP_HEADER] = { ICMP6_DST_UNREACH, code }; /* the kernel fills in the checksum (RFC 3542 3.1) */
    uint8_t *ip = m + 8;
    ip[0] = 0x60;
    put_u16(ip + 4, UDP_HEADER);
    ip[6] = IPPROTO_UDP;
    ip[7] = 64;
    memcpy(ip + 8, &client->v6.sin6_addr, 16);
    memcpy(ip + 24, a->bytes, 16);
    put_ports(ip + 40, ntohs(client->v6.sin6_port), port);
    struct sockaddr_in6 to = client->v6;
    to.sin6_port = 0; /* raw sockets take a port for a protocol number */
    (void)sendto(raw, m, sizeof m, MSG_NOSIGNAL, (struct sockaddr *)&to, sizeof to);
}

void icmp_tell(int raw, const struct net_address *address, uint16_t port, const union inet_name *client, int error)
{
    uint8_t v4, v6;
    if (raw < 0 || !code_for(error, &v4, &v6))
        return;
    if (address->family == AF_INET)
        tell_v4(raw, address, port, client, v4);
    else
        tell_v6(raw, address, port, client, v6);
}
