/* sockopts.c - which socket options a payload may set: a list, at every level; all others are EPERM.
 *
 * A socket option reaches further than the socket. Found by attack, in this order: MCAST_JOIN_GROUP on a socket that
 * the broker handed over makes the host send IGMP and MLD with groups of the attacker's choice into its private
 * network; SO_ATTACH_FILTER takes from the one net.core.bpf_jit_limit of the machine; IPV6_FLOWLABEL_MGR takes from a
 * host-wide table of 4096; the timestamp options and UDP_ENCAP switch code paths of the whole host; MSG_ZEROCOPY pins
 * pages beside the memory limit. Options that the kernel adds tomorrow are refused until they are listed here.
 *
 * Level and option are plain arguments, so the filter decides by itself. What is listed is what languages, libraries
 * and servers set, and beside it what the kernel only lets be read, where that makes two runs one (each run costs the
 * filter two instructions).
 */
#include "filter/internal.h"

#define LEVEL_SOCKET 1
#define LEVEL_IP     0
#define LEVEL_TCP    6
#define LEVEL_UDP    17
#define LEVEL_IPV6   41

/* Ordered by level, then by option. */
static const struct options {
    uint8_t level, first, last;
} permitted[] = {
    { LEVEL_IP, 0, 3 },       /* IP_TOS, IP_TTL, IP_HDRINCL, which only a raw socket has */
    { LEVEL_IP, 5, 15 },      /* IP_PKTINFO, IP_MTU_DISCOVER, IP_RECVERR, IP_RECVTTL, IP_RECVTOS, IP_FREEBIND. Not 4,
                                 IP_OPTIONS: source routes */
    { LEVEL_IP, 24, 24 },     /* IP_BIND_ADDRESS_NO_PORT */
    { LEVEL_IP, 33, 34 },     /* IP_MULTICAST_TTL, IP_MULTICAST_LOOP. Not 32 and 35 to 48: groups, interfaces */
    { LEVEL_SOCKET, 0, 24 },  /* SO_REUSEADDR to SO_PEERCRED, buffers, timeouts. SO_DEBUG asks for a capability */
    { LEVEL_SOCKET, 30, 31 }, /* SO_ACCEPTCONN, SO_PEERSEC, which can only be read. Not 25, SO_BINDTODEVICE, 26 and 27,
                                 filters, 29, 35, 37, timestamps, 32 and 33, forced buffers, 36, SO_MARK */
    { LEVEL_SOCKET, 38, 42 }, /* SO_RXQ_OVFL, SO_PEEK_OFF. Not 43 to 65: BPF, busy polling, SO_ZEROCOPY, SO_TXTIME */
    { LEVEL_SOCKET, 66, 67 }, /* SO_RCVTIMEO_NEW, SO_SNDTIMEO_NEW. Not 72, SO_BUF_LOCK, 73, SO_RESERVE_MEM */
    { LEVEL_TCP, 0, 13 },     /* TCP_NODELAY to TCP_CONGESTION. Not 14, TCP_MD5SIG */
    { LEVEL_TCP, 16, 18 },    /* TCP_THIN_*, TCP_USER_TIMEOUT. Not 19 to 24: TCP_REPAIR*, TCP_FASTOPEN, TCP_TIMESTAMP */
    { LEVEL_TCP, 25, 26 },   /* TCP_NOTSENT_LOWAT. Not 30, TCP_FASTOPEN_CONNECT, which would connect at the first write,
                                31, TCP_ULP: kernel TLS (CVE-2023-0461, CVE-2023-28466), 37, TCP_TX_DELAY */
    { LEVEL_UDP, 0, 1 },     /* UDP_CORK. Not 100, UDP_ENCAP */
    { LEVEL_UDP, 103, 104 }, /* UDP_SEGMENT, UDP_GRO: QUIC */
    { LEVEL_IPV6, 16, 19 },  /* IPV6_UNICAST_HOPS, IPV6_MULTICAST_HOPS, IPV6_MULTICAST_LOOP. Not below: RFC 2292's,
                                IPV6_ADDRFORM; not 20 to 22: groups */
    { LEVEL_IPV6, 23, 26 },  /* IPV6_MTU_DISCOVER, IPV6_MTU, IPV6_RECVERR, IPV6_V6ONLY. Not 27 to 48: anycast, flow
                                labels (32, 33), groups (42 to 48) */
    { LEVEL_IPV6, 49, 49 },  /* IPV6_RECVPKTINFO. Not 50, IPV6_PKTINFO: an interface */
    { LEVEL_IPV6, 51, 52 },  /* IPV6_RECVHOPLIMIT, IPV6_HOPLIMIT. Not 57, IPV6_RTHDR: source routes */
    { LEVEL_IPV6, 62, 67 },  /* IPV6_DONTFRAG, IPV6_RECVTCLASS, IPV6_TCLASS */
};
static const uint8_t levels[] = { LEVEL_IP, LEVEL_SOCKET, LEVEL_TCP, LEVEL_UDP, LEVEL_IPV6 };
_Static_assert(ARRAY_LEN(levels) <= FILTER_RULE_CONDS, "other_levels() is one rule");

bool sockopt_is_permitted(uint32_t level, uint32_t option)
{
    for (size_t i = 0; i < ARRAY_LEN(permitted); i++)
        if (permitted[i].level == level && option >= permitted[i].first && option <= permitted[i].last)
            return true;
    return false;
}

static int refuse(struct filter_spec *spec, const struct filter_cond *conds, size_t count)
{
    return filter_rule_prepend(spec, NR_setsockopt, conds, count, FILTER_ERRNO(EPERM));
}

static int refuse_between(struct filter_spec *spec, uint8_t level, uint32_t first, uint32_t last)
{
    struct filter_cond conds[3] = { ARG_IS(1, level) };
    size_t n = 1;
    if (first == last)
        conds[n++] = (struct filter_cond)ARG_IS(2, first);
    if (first != last && first > 0)
        conds[n++] = (struct filter_cond)ARG_ABOVE(2, first - 1);
    if (first != last && last < UINT32_MAX)
        conds[n++] = (struct filter_cond){ .arg = 2, .op = FILTER_LE, .low32 = true, .value = last };
    return refuse(spec, conds, n);
}

static int refuse_other_levels(struct filter_spec *spec)
{
    struct filter_cond conds[ARRAY_LEN(levels)];
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        conds[i] = (struct filter_cond)ARG_IS_NOT(1, levels[i]);
    return refuse(spec, conds, ARRAY_LEN(levels));
}

int sockopts_refuse(struct filter_spec *spec)
{
    if (!spec_permits(spec, NR_setsockopt))
        return 0;
    int r = refuse_other_levels(spec);
    for (size_t l = 0; l < ARRAY_LEN(levels); l++) {
        uint32_t next = 0; /* the first option that nothing was said of yet */
        for (size_t i = 0; r == 0 && i < ARRAY_LEN(permitted); i++) {
            if (permitted[i].level != levels[l])
                continue;
            if (permitted[i].first > next)
                r = refuse_between(spec, levels[l], next, permitted[i].first - 1u);
            next = permitted[i].last + 1u;
        }
        if (r == 0)
            r = refuse_between(spec, levels[l], next, UINT32_MAX);
    }
    return r;
}
