/* class: kernel
 * what: asks for forbidden socket families with garbage in the upper half of the register, which the kernel ignores
 */
#include "attack.h"

static unsigned long family;
static int packet_type;
static int go(void)
{
    return call(SYS_socket, (long)family, packet_type, 0, 0, 0, 0) < 0 ? errno : 0;
}
static int pair(void)
{
    int sv[2];
    return call(SYS_socketpair, (long)family, packet_type, 0, (long)sv, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    static const unsigned long bits[] = { 0xdeadbeef00000000ul, 0x100000000ul, 0xffffffff00000000ul };
    static const int families[] = { 16 /* NETLINK */,
                                    17 /* PACKET */,
                                    38 /* ALG */,
                                    40 /* VSOCK, never connected */,
                                    31 /* BLUETOOTH */,
                                    15 /* KEY */,
                                    44 /* XDP */ };
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (int b = 0; b < 3; b++)
            for (int t = 1; t < 6; t++) {
                family = bits[b] | (unsigned long)families[f];
                packet_type = t;
                attempt("socket", go);
                if (t == 1)
                    attempt("socketpair", pair);
            }
    verdict();
}
