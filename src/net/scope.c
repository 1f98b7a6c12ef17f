#include "net/scope.h"

#include <sys/socket.h>

/* https://www.iana.org/assignments/iana-ipv4-special-registry, iana-ipv6-special-registry (read in 2025), multicast and
 * class E from ipv4-address-space; metadata addresses from the clouds' manuals. The first line that fits decides, so
 * the narrow ones stand first. */
struct special {
    uint8_t bytes[16];
    uint8_t prefix;
    uint8_t scope;
};

static const struct special special4[] = {
    { { 169, 254, 169, 254 }, 32, NET_METADATA }, /* AWS, Google, Azure, OpenStack, Oracle, DigitalOcean ... */
    { { 169, 254, 169, 253 }, 32, NET_METADATA }, /* AWS: the VPC's resolver */
    { { 169, 254, 169, 123 }, 32, NET_METADATA }, /* AWS: time */
    { { 169, 254, 170, 2 }, 32, NET_METADATA },   /* AWS ECS: credentials of a task */
    { { 169, 254, 170, 23 }, 32, NET_METADATA },  /* AWS EKS: credentials of a pod */
    { { 169, 254, 42, 42 }, 32, NET_METADATA },   /* Scaleway */
    { { 169, 254, 0, 23 }, 32, NET_METADATA },    /* Tencent */
    { { 100, 100, 100, 200 }, 32, NET_METADATA }, /* Alibaba */
    { { 192, 0, 0, 192 }, 32, NET_METADATA },     /* Oracle, classic */
    { { 168, 63, 129, 16 }, 32, NET_METADATA },   /* Azure's wire server: within public space */
    { { 0, 0, 0, 0 }, 32, NET_LOOPBACK },         /* Linux connects it to itself */
    { { 127 }, 8, NET_LOOPBACK },
    { { 10 }, 8, NET_PRIVATE },
    { { 172, 16 }, 12, NET_PRIVATE },
    { { 192, 168 }, 16, NET_PRIVATE },
    { { 100, 64 }, 10, NET_PRIVATE }, /* shared by a provider's customers, RFC 6598 */
    { { 169, 254 }, 16, NET_LINK_LOCAL },
    { { 224 }, 4, NET_MULTICAST },
    { { 255, 255, 255, 255 }, 32, NET_MULTICAST }, /* to all on the link */
    { { 0 }, 8, NET_RESERVED },
    { { 192, 0, 0 }, 24, NET_RESERVED },    /* IETF protocols */
    { { 192, 0, 2 }, 24, NET_RESERVED },    /* documentation */
    { { 192, 88, 99 }, 24, NET_RESERVED },  /* relays of 6to4, RFC 7526 */
    { { 198, 18 }, 15, NET_RESERVED },      /* benchmarks */
    { { 198, 51, 100 }, 24, NET_RESERVED }, /* documentation */
    { { 203, 0, 113 }, 24, NET_RESERVED },  /* documentation */
    { { 240 }, 4, NET_RESERVED },
};

static const struct special special6[] = {
    { { 0xfd, 0, 0x0e, 0xc2, [14] = 0x02, 0x54 }, 128, NET_METADATA },    /* fd00:ec2::254: AWS */
    { { 0xfd, 0, 0x0e, 0xc2, [14] = 0x02, 0x53 }, 128, NET_METADATA },    /* fd00:ec2::253: its resolver */
    { { 0xfd, 0, 0x0e, 0xc2, [14] = 0x01, 0x23 }, 128, NET_METADATA },    /* fd00:ec2::123: its time */
    { { 0xfd, 0, 0x0e, 0xc2, [14] = 0, 0x23 }, 128, NET_METADATA },       /* fd00:ec2::23: EKS */
    { { 0xfd, 0x20, 0, 0xce, [14] = 0x02, 0x54 }, 128, NET_METADATA },    /* fd20:ce::254: Google */
    { { 0xfd, 0, 0, 0x42, [15] = 0x42 }, 128, NET_METADATA },             /* fd00:42::42: Scaleway */
    { { 0xfe, 0x80, [12] = 0xa9, 0xfe, 0xa9, 0xfe }, 128, NET_METADATA }, /* fe80::a9fe:a9fe: OpenStack */
    { { [15] = 0 }, 128, NET_LOOPBACK },                                  /* ::, which Linux takes for ::1 */
    { { [15] = 1 }, 128, NET_LOOPBACK },
    { { 0xfc }, 7, NET_PRIVATE },
    { { 0xfe, 0xc0 }, 10, NET_PRIVATE },                /* site-local, RFC 3879 */
    { { 0, 0x64, 0xff, 0x9b, 0, 1 }, 48, NET_PRIVATE }, /* NAT64 of one's own, RFC 8215 */
    { { 0xfe, 0x80 }, 10, NET_LINK_LOCAL },
    { { 0xff }, 8, NET_MULTICAST },
    { { 0 }, 8, NET_RESERVED },                       /* ::a.b.c.d, ::ffff:0:a.b.c.d and the like */
    { { 1, [7] = 0 }, 64, NET_RESERVED },             /* 100::/64: discarded */
    { { 1, [7] = 1 }, 64, NET_RESERVED },             /* 100:0:0:1::/64: stands for no host */
    { { 0x20, 0x01 }, 23, NET_RESERVED },             /* IETF protocols */
    { { 0x20, 0x01, 0x0d, 0xb8 }, 32, NET_RESERVED }, /* documentation */
    { { 0x3f, 0xff }, 20, NET_RESERVED },             /* documentation */
    { { 0x5f, 0 }, 16, NET_RESERVED },                /* segments of routes */
};

/* IPv4 within IPv6: where its four bytes stand. */
static const struct form {
    uint8_t bytes[16];
    uint8_t prefix, at;
    bool is_inverted;
    bool is_network; /* the prefix as such is no special range: what it means is the address within */
} forms[] = {
    { { 0 }, 96, 12, false, false },                         /* ::a.b.c.d, RFC 4291 2.5.5.1 */
    { { [8] = 0xff, 0xff }, 96, 12, false, false },          /* ::ffff:0:a.b.c.d, RFC 2765 */
    { { 0, 0x64, 0xff, 0x9b }, 96, 12, false, true },        /* 64:ff9b::/96, NAT64, RFC 6052 */
    { { 0, 0x64, 0xff, 0x9b, 0, 1 }, 48, 12, false, false }, /* 64:ff9b:1::/48, its usual /96 form */
    { { 0x20, 0x02 }, 16, 2, false, true },                  /* 6to4, RFC 3056 */
    { { 0x20, 0x01, 0, 0 }, 32, 12, true, true },            /* Teredo's client, RFC 4380 */
    { { 0x20, 0x01, 0, 0 }, 32, 4, false, true },            /* Teredo's server */
};
static const uint8_t isatap[4] = { 0, 0, 0x5e,
                                   0xfe }; /* RFC 5214: behind any /64; the bit 0x02 says that the address is unique */

static bool is_in(const struct net_address *a, const uint8_t bytes[16], unsigned prefix)
{
    struct net_address network = { .family = a->family };
    memcpy(network.bytes, bytes, 16);
    return net_address_in(a, &network, prefix);
}

static bool is_isatap(const struct net_address *a)
{
    return (a->bytes[8] & ~2) == isatap[0] && memcmp(a->bytes + 9, isatap + 1, 3) == 0;
}

static struct net_address take4(const struct net_address *a, unsigned at, bool is_inverted)
{
    struct net_address v4 = { .family = AF_INET };
    for (unsigned i = 0; i < 4; i++)
        v4.bytes[i] = is_inverted ? (uint8_t)~a->bytes[at + i] : a->bytes[at + i];
    return v4;
}

bool net_embedded(const struct net_address *a, size_t i, struct net_address *ret)
{
    if (a->family != AF_INET6 || net_is_own_loopback(a))
        return false;
    for (const struct form *f = forms; f < forms + ARRAY_LEN(forms); f++)
        if (is_in(a, f->bytes, f->prefix) && i-- == 0) {
            *ret = take4(a, f->at, f->is_inverted);
            return true;
        }
    if (i != 0 || !is_isatap(a))
        return false;
    *ret = take4(a, 12, false);
    return true;
}

bool net_is_own_loopback(const struct net_address *a)
{
    static const uint8_t zeros[15];
    if (a->family == AF_INET)
        return a->bytes[0] == 127 || memcmp(a->bytes, zeros, 4) == 0;
    return memcmp(a->bytes, zeros, 15) == 0 && a->bytes[15] <= 1;
}

static const struct special *find_special(const struct net_address *a)
{
    const struct special *table = a->family == AF_INET6 ? special6 : special4;
    size_t n = a->family == AF_INET6 ? ARRAY_LEN(special6) : ARRAY_LEN(special4);
    for (const struct special *s = table; s < table + n; s++)
        if (is_in(a, s->bytes, s->prefix))
            return s;
    return NULL;
}

/* What the registry says of the IPv6 address itself, whatever stands within. */
static enum net_scope scope6(const struct net_address *a)
{
    for (const struct form *f = forms; f < forms + ARRAY_LEN(forms); f++)
        if (f->is_network && is_in(a, f->bytes, f->prefix))
            return NET_PUBLIC;
    const struct special *s = find_special(a);
    if (s)
        return s->scope;
    return (a->bytes[0] & 0xe0) == 0x20 ? NET_PUBLIC : NET_RESERVED; /* 2000::/3 */
}

enum net_scope net_scope_of(const struct net_address *given)
{
    struct net_address a = net_address_unmapped(given), within;
    if (a.family != AF_INET6) {
        const struct special *s = find_special(&a);
        return s ? s->scope : NET_PUBLIC;
    }
    for (size_t i = 0; net_embedded(&a, i, &within); i++) {
        const struct special *s = find_special(&within);
        if (s)
            return s->scope; /* the worse of both, and the one that says more */
    }
    return scope6(&a);
}

const char *net_scope_name(enum net_scope s)
{
    static const char *const names[] = {
        [NET_PUBLIC] = "public",         [NET_LOOPBACK] = "loopback",   [NET_PRIVATE] = "private",
        [NET_LINK_LOCAL] = "link-local", [NET_MULTICAST] = "multicast", [NET_METADATA] = "metadata",
        [NET_RESERVED] = "reserved"
    };
    return (size_t)s < ARRAY_LEN(names) ? names[s] : "unknown";
}

static bool is_within_special(const struct net_address *network, unsigned prefix)
{
    const struct special *table = network->family == AF_INET6 ? special6 : special4;
    size_t n = network->family == AF_INET6 ? ARRAY_LEN(special6) : ARRAY_LEN(special4);
    for (const struct special *s = table; s < table + n; s++)
        if (prefix >= s->prefix && is_in(network, s->bytes, s->prefix))
            return true;
    return false;
}

/* What is known of the address within, when only prefix bits are. */
static bool names_within(const struct net_address *network, unsigned prefix, unsigned at, bool is_inverted)
{
    struct net_address within = take4(network, at, is_inverted);
    unsigned known = prefix > at * 8 ? MIN_OF(prefix - at * 8, 32u) : 0;
    return is_within_special(&within, known);
}

bool net_scope_is_named_by(const struct net_address *network, unsigned prefix)
{
    struct net_address form = { .family = AF_INET6 };
    if (network->family != AF_INET6)
        return is_within_special(network, prefix);
    for (const struct form *f = forms; f < forms + ARRAY_LEN(forms); f++) {
        memcpy(form.bytes, f->bytes, 16);
        if (f->is_network && prefix < f->prefix && net_address_in(&form, network, prefix))
            return false; /* it holds all of NAT64, 6to4 or Teredo, whose addresses are public */
        if (f->is_network && is_in(network, f->bytes, f->prefix) &&
            names_within(network, prefix, f->at, f->is_inverted))
            return true;
    }
    if (prefix >= 96 && is_isatap(network) && names_within(network, prefix, 12, false))
        return true;
    return is_within_special(network, prefix) && scope6(network) != NET_PUBLIC;
}
