/* class: network
 * what: netlink of every protocol (route, audit, netfilter, xfrm, kobject events, generic ...), the largest door of the kernel's network code
 */
#include "attack.h"

static int protocol, kind;
static int go(void)
{
    return syscall(SYS_socket, 16, kind, protocol) < 0 ? errno : 0;
}

int main(void)
{
    for (protocol = 0; protocol < 23; protocol++)
        for (kind = 2; kind <= 3; kind++) {
            int err = go();
            if (err == 0)
                escaped("netlink protocol %d opens", protocol);
            if (kind == 3 && protocol % 6 == 0)
                refused("netlink", err);
        }
    verdict();
}
