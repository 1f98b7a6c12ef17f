/* class: network
 * what: opens a socket of every family from 0 to 45 and every type (AF_VSOCK is only created, never connected); only UNIX, INET and INET6 are meant to open
 */
#include "attack.h"

static int family, kind;
static int go(void)
{
    return syscall(SYS_socket, family, kind, family == 16 ? 15 : 0) < 0 ? errno : 0;
}

int main(void)
{
    int refusals = 0;
    for (family = 0; family <= 45; family++) {
        if (family == 1 || family == 2 || family == 10)
            continue;
        for (kind = 1; kind <= 10; kind++) {
            if (syscall(SYS_socket, family, kind, 0) >= 0 ||
                (kind == 3 && syscall(SYS_socket, family, kind, 768 /* ETH_P_ALL */) >= 0))
                escaped("family %d opens with type %d", family, kind);
            refusals++;
        }
    }
    family = 16, kind = 3;
    attempt("netlink 15", go);
    contained("%d combinations refused, the last with %s", refusals, errname(errno));
}
