/* class: network
 * what: lists interfaces and addresses by ioctl, and counts anything but loopback as an escape
 */
#include "attack.h"
#include <net/if.h>
#include <sys/socket.h>

int main(void)
{
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0)
        s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0)
        contained("no socket: %s", errname(errno));
    for (int i = 1; i < 256; i++) {
        struct ifreq r = { .ifr_ifindex = i };
        if (ioctl(s, 0x8910 /* SIOCGIFNAME */, &r) < 0)
            continue;
        char name[IFNAMSIZ + 1] = "";
        memcpy(name, r.ifr_name, IFNAMSIZ);
        (void)ioctl(s, 0x8913 /* SIOCGIFFLAGS */, &r);
        if (strcmp(name, "lo"))
            escaped("sees interface %s", name);
        note(name, r.ifr_flags & 1 ? "up" : "down");
        if ((r.ifr_flags & 1) && !strcmp(param("disable_loopback", "no"), "yes"))
            escaped("loopback is up although the profile disables it");
    }
    verdict();
}
