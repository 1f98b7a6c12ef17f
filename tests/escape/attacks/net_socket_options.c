/* class: network
 * what: uses up what the whole host shares by socket options: groups that make the host send IGMP and MLD, filters out of the one bpf_jit_limit, flow labels out of a table of 4096, pinned pages, timestamps
 * outside: host_listener_untouched
 */
#include "attack.h"
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

struct label { /* struct in6_flowlabel_req */
    struct in6_addr dst;
    uint32_t label;
    uint8_t action, share;
    uint16_t flags, expires, linger;
    uint32_t pad;
};

static void try_on(int s, const char *what)
{
    struct sock_filter accept[] = { { 0x06, 0, 0, 0xffff } };
    struct sock_fprog program = { 1, accept };
    struct ip_mreqn four = { .imr_multiaddr.s_addr = htonl(0xe9010203) };
    struct group_req group = { 0 };
    struct ipv6_mreq six = { .ipv6mr_multiaddr.s6_addr = { 0xff, 0x0e, [15] = 7 } };
    struct label label = { .dst.s6_addr = { [15] = 1 }, .share = 1, .flags = 1 };
    struct {
        const char *name;
        int level, option;
        const void *value;
        size_t size;
    } gates[] = { { "SO_ATTACH_FILTER", SOL_SOCKET, 26, &program, sizeof program },
                  { "SO_ATTACH_BPF", SOL_SOCKET, 50, &(int){ 0 }, 4 },
                  { "SO_ATTACH_REUSEPORT_CBPF", SOL_SOCKET, 51, &program, sizeof program },
                  { "SO_ATTACH_REUSEPORT_EBPF", SOL_SOCKET, 52, &(int){ 0 }, 4 },
                  { "SO_ZEROCOPY", SOL_SOCKET, 60, &(int){ 1 }, 4 },
                  { "SO_TIMESTAMPING", SOL_SOCKET, 37, &(int){ 0x3f }, 4 },
                  { "SO_BUF_LOCK", SOL_SOCKET, 72, &(int){ 0 }, 4 },
                  { "IP_ADD_MEMBERSHIP", IPPROTO_IP, 35, &four, sizeof four },
                  { "MCAST_JOIN_GROUP", IPPROTO_IP, 42, &group, sizeof group },
                  { "IPV6_JOIN_GROUP", IPPROTO_IPV6, 20, &six, sizeof six },
                  { "IPV6_JOIN_ANYCAST", IPPROTO_IPV6, 27, &six, sizeof six },
                  { "IPV6 MCAST_JOIN_GROUP", IPPROTO_IPV6, 42, &group, sizeof group },
                  { "IPV6_FLOWLABEL_MGR", IPPROTO_IPV6, 32, &label, sizeof label },
                  { "IPV6_FLOWINFO_SEND", IPPROTO_IPV6, 33, &(int){ 1 }, 4 },
                  { "UDP_ENCAP", IPPROTO_UDP, 100, &(int){ 2 }, 4 },
                  { "TCP_MD5SIG", IPPROTO_TCP, 14, &(char[512]){ 0 }, 512 },
                  { "TCP_TX_DELAY", IPPROTO_TCP, 37, &(int){ 1000 }, 4 } };
    struct sockaddr_in *to = (struct sockaddr_in *)&group.gr_group;
    group.gr_interface = 1;
    *to = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(0xe9010203) };
    for (size_t i = 0; i < sizeof gates / sizeof gates[0]; i++) {
        errno = 0;
        int r = setsockopt(s, gates[i].level, gates[i].option, gates[i].value, (socklen_t)gates[i].size), err = errno;
        if (r == 0 || err != EPERM) /* another answer is the kernel's: it was asked */
            escaped("%s on %s: %s", gates[i].name, what, r ? errname(err) : "done");
        refused(gates[i].name, err);
    }
}

int main(void)
{
    static const struct {
        const char *name;
        int family, type;
    } kinds[] = { { "AF_UNIX", AF_UNIX, SOCK_STREAM },
                  { "TCP", AF_INET, SOCK_STREAM },
                  { "UDP", AF_INET, SOCK_DGRAM },
                  { "TCP over IPv6", AF_INET6, SOCK_STREAM },
                  { "UDP over IPv6", AF_INET6, SOCK_DGRAM } };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        int s = socket(kinds[i].family, kinds[i].type | SOCK_CLOEXEC, 0);
        if (s < 0) {
            refused(kinds[i].name, errno);
            continue;
        }
        try_on(s, kinds[i].name);
        close(s);
    }
    verdict();
}
