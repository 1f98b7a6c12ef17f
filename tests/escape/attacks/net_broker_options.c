/* class: network
 * what: looks through a socket of the host for the host: interfaces and addresses by ioctl, its network namespace, and options that turn or hijack it
 * levels: low
 * outside: host_listener_untouched slow_door
 */
#include "peers.h"
#include <linux/sockios.h>
#include <net/if.h>

#ifndef SIOCGSKNS
#define SIOCGSKNS 0x894c
#endif

static void look(int s)
{
    struct ifreq some[32] = { 0 };
    struct ifconf all = { .ifc_len = sizeof some, .ifc_req = some };
    if (ioctl(s, SIOCGIFCONF, &all) == 0)
        for (int i = 0; i < all.ifc_len / (int)sizeof some[0]; i++)
            if (strcmp(some[i].ifr_name, "lo"))
                escaped("SIOCGIFCONF tells of the host's interface %s", some[i].ifr_name);
    for (int i = 1; i < 300; i++) {
        struct ifreq r = { .ifr_ifindex = i };
        if (ioctl(s, SIOCGIFNAME, &r) == 0 && strcmp(r.ifr_name, "lo"))
            escaped("SIOCGIFNAME tells of the host's interface %s", r.ifr_name);
    }
    static const char *const usual[] = { "eth0", "ens3", "ens5",   "enp0s3", "wlan0", "docker0",
                                         "br0",  "tun0", "dummy0", "sit0",   "tunl0" };
    static const struct {
        const char *name;
        unsigned long request;
    } asks[] = { { "SIOCGIFADDR", SIOCGIFADDR },       { "SIOCGIFFLAGS", SIOCGIFFLAGS },
                 { "SIOCGIFHWADDR", SIOCGIFHWADDR },   { "SIOCGIFINDEX", SIOCGIFINDEX },
                 { "SIOCGIFMTU", SIOCGIFMTU },         { "SIOCGIFNETMASK", SIOCGIFNETMASK },
                 { "SIOCGIFBRDADDR", SIOCGIFBRDADDR }, { "SIOCGIFTXQLEN", SIOCGIFTXQLEN },
                 { "SIOCGIFMAP", SIOCGIFMAP } };
    for (size_t n = 0; n < sizeof usual / sizeof usual[0]; n++)
        for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
            struct ifreq r = { 0 };
            strcpy(r.ifr_name, usual[n]);
            if (ioctl(s, asks[i].request, &r) == 0)
                escaped("%s tells of the host's interface %s", asks[i].name, usual[n]);
            if (n == 0)
                refused(asks[i].name, errno);
        }
    int ns = ioctl(s, SIOCGSKNS);
    if (ns >= 0)
        escaped("SIOCGSKNS opened the host's network namespace");
    refused("SIOCGSKNS", errno);
}

static void turn(int s)
{
    static const struct {
        const char *name;
        int level, option;
        const char *value;
        int size;
    } gates[] = { { "SO_BINDTODEVICE", SOL_SOCKET, SO_BINDTODEVICE, "eth0", 5 },
                  { "SO_BINDTODEVICE lo", SOL_SOCKET, SO_BINDTODEVICE, "lo", 3 },
                  { "SO_MARK", SOL_SOCKET, 36, "\1\0\0\0", 4 },
                  { "SO_BINDTOIFINDEX", SOL_SOCKET, 62, "\1\0\0\0", 4 },
                  { "TCP_REPAIR", IPPROTO_TCP, 19, "\1\0\0\0", 4 },
                  { "IP_TRANSPARENT", IPPROTO_IP, 19, "\1\0\0\0", 4 },
                  { "TCP_ULP", IPPROTO_TCP, 31, "tls", 3 },
                  { "SO_ATTACH_BPF", SOL_SOCKET, 50, "\1\0\0\0", 4 },
                  { "SO_RCVBUFFORCE", SOL_SOCKET, 33, "\0\0\1\0", 4 },
                  { "SO_DEBUG", SOL_SOCKET, SO_DEBUG, "\1\0\0\0", 4 },
                  { "IP_OPTIONS source route", IPPROTO_IP, 4, "\x83\x07\x04\x7f\0\0\1\0", 8 },
                  { "TCP_CONGESTION", IPPROTO_TCP, 13, "bbr2", 4 } };
    for (size_t i = 0; i < sizeof gates / sizeof gates[0]; i++) {
        int r = setsockopt(s, gates[i].level, gates[i].option, gates[i].value, (socklen_t)gates[i].size), err = errno;
        if (r == 0)
            escaped("%s was set on a socket of the host", gates[i].name);
        refused(gates[i].name, err);
    }
}

int main(void)
{
    int s = expect_allowed("before");
    look(s);
    turn(s);
    union peer slow = slow_peer();
    int way = new_tcp(SOCK_NONBLOCK);
    (void)connect_to(way, &slow);
    look(way);
    turn(way);
    if (write(s, "hello", 5) != 5)
        note("afterwards", errname(errno));
    verdict();
}
