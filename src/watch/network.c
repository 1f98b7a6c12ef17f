/* network.c - network_access_attempt: a socket beyond AF_UNIX where there is none to be had.
 *
 * AF_NETLINK alone is nothing: getaddrinfo() looks for addresses of the machine, and asks no process. Where there is a
 * network, the protocols that libraries try before TCP (Go's MPTCP, SCTP) are nothing; a raw socket or a packet socket
 * is something.
 */
#include "watch/detect.h"

#include <stdio.h>
#include <sys/socket.h>

static const char *family_name(uint64_t family)
{
    static const struct {
        uint8_t family;
        const char *name;
    } names[] = { { AF_INET, "AF_INET" }, { AF_INET6, "AF_INET6" }, { AF_PACKET, "AF_PACKET" },
                  { 40, "AF_VSOCK" },     { 38, "AF_ALG" },         { 44, "AF_XDP" },
                  { 31, "AF_BLUETOOTH" }, { 29, "AF_CAN" },         { 30, "AF_TIPC" } };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (names[i].family == family)
            return names[i].name;
    return "another family";
}

bool detect_network(struct nothing *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    const uint32_t family = (uint32_t)e->args[0], type = (uint32_t)e->args[1] & 0xf;
    (void)s;
    if (e->kind != WATCH_SOCKET || family == AF_UNSPEC || family == AF_UNIX || family == AF_NETLINK)
        return false;
    if (p->network.mode == NETWORK_BRIDGE && (family == AF_INET || family == AF_INET6) && type != SOCK_RAW)
        return false;
    return decided(ret, "process %u asked for a socket of %s (family %u, type %u, protocol %u) at %s; %s", e->pid,
                   family_name(family), family, type, (uint32_t)e->args[2], shown_time(e->at_us).text,
                   p->network.mode == NETWORK_BRIDGE ? "the network of this level is TCP and UDP"
                                                     : "this level has no network");
}
