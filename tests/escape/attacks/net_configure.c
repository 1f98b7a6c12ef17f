/* class: network
 * what: configures the network by ioctl (to what it is): interface flags, addresses, routes, bridges, ARP, TUNSETIFF
 */
#include "attack.h"
#include <net/if.h>
#include <sys/socket.h>

int main(void)
{
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0) /* any socket answers these */
        s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0)
        contained("no socket: %s", errname(errno));
    struct ifreq r = { 0 };
    strcpy(r.ifr_name, "lo");
    bool have = ioctl(s, 0x8913 /* SIOCGIFFLAGS */, &r) == 0;
    r.ifr_flags |= 1;
    if (have)
        worked("SIOCSIFFLAGS", ioctl(s, 0x8914, &r));
    strcpy(r.ifr_name, "lo");
    if (ioctl(s, 0x8921 /* SIOCGIFMTU */, &r) == 0)
        worked("SIOCSIFMTU", ioctl(s, 0x8922, &r));
    strcpy(r.ifr_name, "lo");
    r.ifr_addr.sa_family = AF_INET;
    if (ioctl(s, 0x8915 /* SIOCGIFADDR */, &r) == 0)
        worked("SIOCSIFADDR", ioctl(s, 0x8916, &r));
    char none[64] = OURS "none";
    static const struct {
        const char *name;
        unsigned long request;
    } gates[] = { { "SIOCBRDELBR", 0x89a1 },
                  { "SIOCDARP", 0x8953 },
                  { "SIOCDELRT", 0x890c },
                  { "SIOCSIFNAME", 0x8923 },
                  { "SIOCETHTOOL", 0x8946 } };
    for (size_t i = 0; i < sizeof gates / sizeof gates[0]; i++) {
        int ret = ioctl(s, gates[i].request, none);
        if (ret >= 0)
            escaped("%s worked", gates[i].name);
        refused(gates[i].name, errno);
    }
    static const char *const tuns[] = { "/dev/net/tun", "/dev/tun" };
    for (int i = 0; i < 2; i++) {
        int tun = open(tuns[i], O_RDWR | O_CLOEXEC);
        struct ifreq t = { .ifr_flags = 1 | 0x1000 };
        if (tun >= 0)
            escaped("opened %s%s", tuns[i],
                    ioctl(tun, 0x400454ca /* TUNSETIFF */, &t) == 0 ? " and made an interface" : "");
        refused(tuns[i], errno);
    }
    verdict();
}
