/* class: network
 * what: reaches for dangerous socket options: TCP_ULP (kTLS), netfilter tables, SO_MARK, SO_BINDTODEVICE, forced buffers, transparent proxying, attached BPF
 */
#include "attack.h"
#include <netinet/in.h>
#include <sys/socket.h>

int main(void)
{
    static const struct {
        const char *name;
        int family, level, option, value;
    } gates[] = { { "IPT_SO_SET_REPLACE", 2, 0, 64, 0 },
                  { "IP6T_SO_SET_REPLACE", 10, 41, 64, 0 },
                  { "ARPT", 2, 0, 96, 0 },
                  { "EBT", 2, 0, 128, 0 },
                  { "SO_MARK", 2, 1, 36, 1 },
                  { "SO_RCVBUFFORCE", 2, 1, 33, 1 << 20 },
                  { "SO_SNDBUFFORCE", 2, 1, 32, 1 << 20 },
                  { "SO_DEBUG", 2, 1, 1, 1 },
                  { "SO_PRIORITY", 2, 1, 12, 7 },
                  { "IP_TRANSPARENT", 2, 0, 19, 1 },
                  { "IPV6_TRANSPARENT", 10, 41, 75, 1 },
                  { "SO_ATTACH_BPF", 2, 1, 50, -1 },
                  { "IP_HDRINCL", 2, 0, 3, 1 },
                  { "MCAST_JOIN", 2, 0, 42, 0 } };
    for (size_t i = 0; i < sizeof gates / sizeof gates[0]; i++) {
        int s = socket(gates[i].family, SOCK_STREAM | SOCK_CLOEXEC, 0), v = gates[i].value;
        if (s < 0) {
            refused("socket", errno);
            continue;
        }
        worked(gates[i].name, setsockopt(s, gates[i].level, gates[i].option, &v, sizeof v));
        close(s);
    }
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    static const char *const ulps[] = { "tls", "espintcp", "smc", "mptcp" };
    for (int i = 0; i < 4 && s >= 0; i++) {
        int ret = setsockopt(s, 6 /* TCP */, 31 /* TCP_ULP */, ulps[i], strlen(ulps[i])), err = errno;
        /* ENOTCONN and ENOENT come from inside of the kernel's machinery (and of its module loader) */
        if (ret == 0 || err == ENOTCONN || err == ENOENT)
            escaped("TCP_ULP %s reached the kernel (%s)", ulps[i], ret ? errname(err) : "done");
        refused(ulps[i], err);
    }
    verdict();
}
