/* class: network
 * what: raw and packet sockets: ICMP, IPv6, ping sockets, SOCK_PACKET, AF_PACKET by i386
 */
#include "attack.h"

static int family, kind, protocol;
static int go(void)
{
    return syscall(SYS_socket, family, kind, protocol) < 0 ? errno : 0;
}
static int in32(void)
{
    return int80(359, family, kind, protocol, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    static const struct {
        const char *name;
        int family, kind, protocol;
    } tries[] = { { "raw icmp", 2, 3, 1 },       { "raw tcp", 2, 3, 6 },   { "raw any", 2, 3, 255 },
                  { "raw icmp6", 10, 3, 58 },    { "ping", 2, 2, 1 },      { "ping6", 10, 2, 58 },
                  { "SOCK_PACKET", 2, 10, 768 }, { "packet", 17, 3, 768 }, { "packet dgram", 17, 2, 768 },
                  { "sctp", 2, 1, 132 },         { "dccp", 2, 6, 33 },     { "smc", 43, 1, 0 } };
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        family = tries[i].family, kind = tries[i].kind, protocol = tries[i].protocol;
        attempt(tries[i].name, go);
        attempt("i386", in32);
    }
    verdict();
}
