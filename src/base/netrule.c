#include "base/netrule.h"

#include "base/parse.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>

/* ---- addresses ---- */

static const uint8_t mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff }; /* RFC 4291, 2.5.5.2 */

struct net_address net_address_from(uint8_t family, const void *bytes)
{
    struct net_address a = { .family = family };
    memcpy(a.bytes, bytes, family == AF_INET6 ? 16 : 4);
    return net_address_unmapped(&a);
}

struct net_address net_address_unmapped(const struct net_address *a)
{
    struct net_address v4 = { .family = AF_INET };
    if (a->family != AF_INET6 || memcmp(a->bytes, mapped, sizeof mapped) != 0)
        return *a;
    memcpy(v4.bytes, a->bytes + 12, 4);
    return v4;
}

bool net_address_equal(const struct net_address *a, const struct net_address *b)
{
    return a->family == b->family && memcmp(a->bytes, b->bytes, a->family == AF_INET6 ? 16 : 4) == 0;
}

bool net_address_in(const struct net_address *a, const struct net_address *network, unsigned prefix)
{
    unsigned whole = prefix / 8, rest = prefix % 8;
    if (a->family != network->family || memcmp(a->bytes, network->bytes, whole) != 0)
        return false;
    return rest == 0 || ((a->bytes[whole] ^ network->bytes[whole]) & (0xff00 >> rest) & 0xff) == 0;
}

int net_address_parse(const char *s, struct net_address *ret)
{
    uint8_t bytes[16];
    if (inet_pton(AF_INET, s, bytes) == 1)
        *ret = net_address_from(AF_INET, bytes);
    else if (inet_pton(AF_INET6, s, bytes) == 1)
        *ret = net_address_from(AF_INET6, bytes);
    else
        return -EINVAL;
    return 0;
}

void net_address_format(const struct net_address *a, char out[static NET_ADDRESS_MAX])
{
    if (!inet_ntop(a->family == AF_INET6 ? AF_INET6 : AF_INET, a->bytes, out, NET_ADDRESS_MAX))
        (void)snprintf(out, NET_ADDRESS_MAX, "?"); /* cannot be: both families are known and the room is enough */
}

/* ---- ports ---- */

static int parse_port(const char *s, size_t n, uint16_t *ret)
{
    char text[8];
    uint64_t port;
    if (n == 0 || n >= sizeof text)
        return -EINVAL;
    memcpy(text, s, n);
    text[n] = '\0';
    if (parse_u64(text, &port) < 0 || port < 1 || port > UINT16_MAX)
        return -EINVAL;
    *ret = (uint16_t)port;
    return 0;
}

static int parse_port_range(const char *s, struct net_ports *ret)
{
    struct net_ports p;
    size_t n = strcspn(s, "-");
    if (parse_port(s, n, &p.first) < 0)
        return -EINVAL;
    p.last = p.first;
    if (s[n] == '-' && parse_port(s + n + 1, strlen(s + n + 1), &p.last) < 0)
        return -EINVAL;
    if (p.first > p.last)
        return -EINVAL;
    *ret = p;
    return 0;
}

int net_ports_parse(const char *s, struct net_ports *ret)
{
    if (!str_eq(s, "all"))
        return parse_port_range(s, ret);
    *ret = (struct net_ports){ 1, UINT16_MAX };
    return 0;
}

/* ---- names ---- */

/* By hand: what the locale says is no concern of DNS. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_label_char(char c)
{
    c = lower(c);
    return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_';
}

/* No top-level domain is a number (RFC 3696, 2), but inet_aton() and browsers read 2130706433, 127.1 and 0x7f.0x1 as
 * addresses. */
static bool is_number(const char *s, size_t n)
{
    bool is_hex = n >= 2 && s[0] == '0' && lower(s[1]) == 'x';
    for (size_t i = is_hex ? 2 : 0; i < n; i++)
        if (!is_digit(s[i]) && !(is_hex && lower(s[i]) >= 'a' && lower(s[i]) <= 'f'))
            return false;
    return true;
}

/* A name of n bytes; *ret: without its last dot. NULL, or what is wrong. */
static const char *check_name(const char *s, size_t n, size_t *ret)
{
    size_t label = 0;
    if (n && s[n - 1] == '.')
        n--;
    if (n == 0)
        return "a name is missing";
    if (n >= NET_NAME_MAX)
        return "a name has at most 253 characters";
    for (size_t i = 0; i <= n; i++) {
        if (i < n && s[i] != '.') {
            if (!is_label_char(s[i]))
                return "a name has letters, digits, - and _ only";
            label++;
            continue;
        }
        if (label == 0 || label > 63)
            return "each part of a name has 1 to 63 characters";
        if (i == n && is_number(s + n - label, label))
            return "it is neither a name nor an address in its usual form";
        label = 0;
    }
    *ret = n;
    return NULL;
}

int net_name_normal(const char *s, char ret[static NET_NAME_MAX])
{
    size_t n;
    if (check_name(s, strnlen(s, NET_NAME_MAX + 1), &n))
        return -EINVAL;
    for (size_t i = 0; i < n; i++)
        ret[i] = lower(s[i]);
    ret[n] = '\0';
    return 0;
}

static bool is_same_name(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lower(a[i]) != lower(b[i]))
            return false;
    return true;
}

/* ---- rules ---- */

/* What stands behind the /, NULL: nothing. r->network is known; is_mapped: it was written as ::ffff:a.b.c.d. NULL, or
 * what is wrong. */
static const char *parse_prefix(const char *digits, bool is_mapped, struct net_rule *r)
{
    unsigned bits = r->network.family == AF_INET ? 32 : 128, most = is_mapped ? 128 : bits;
    uint64_t prefix = most;
    if (digits && strchr(digits, ':'))
        return "IPv6 with a port stands in brackets: [2001:db8::/32]:443";
    if (digits && (parse_u64(digits, &prefix) < 0 || prefix > most))
        return "the number behind the / is not between 0 and 32 (IPv4) or 128 (IPv6)";
    if (is_mapped && prefix < 96)
        return "a network that is wider than ::ffff:0:0/96 cannot begin with it";
    r->prefix = (uint8_t)(is_mapped ? prefix - 96 : prefix);
    for (unsigned bit = r->prefix; bit < bits; bit++)
        if (r->network.bytes[bit / 8] & (0x80 >> bit % 8))
            return "its address has bits behind its prefix: is the address meant, or the network around it?";
    return NULL;
}

/* «10.0.0.0/8» or an address alone, n bytes. 1: it is not of this kind at all; 0; or -EINVAL. */
static int parse_network(const char *s, size_t n, struct net_rule *r, const char **why)
{
    char text[64];
    const char *slash = memchr(s, '/', n);
    size_t size = slash ? (size_t)(slash - s) : n;
    *why = "what stands before the / is no address";
    if (n >= sizeof text)
        return slash ? -EINVAL : 1;
    memcpy(text, s, n);
    text[n] = text[size] = '\0';
    if (net_address_parse(text, &r->network) < 0)
        return slash ? -EINVAL : 1;
    bool is_mapped = r->network.family == AF_INET && memchr(s, ':', size);
    *why = parse_prefix(slash ? text + size + 1 : NULL, is_mapped, r);
    r->kind = NET_RULE_CIDR;
    return *why ? -EINVAL : 0;
}

static int parse_target(const char *s, size_t n, struct net_rule *r, const char **why)
{
    int is_name = parse_network(s, n, r, why);
    if (is_name <= 0)
        return is_name;
    if (n == 1 && s[0] == '*') {
        r->kind = NET_RULE_BELOW;
        r->name = s + 1;
        return 0;
    }
    r->kind = n > 2 && s[0] == '*' && s[1] == '.' ? NET_RULE_BELOW : NET_RULE_NAME;
    if (r->kind == NET_RULE_BELOW) {
        s += 2;
        n -= 2;
    }
    *why = check_name(s, n, &n);
    if (*why)
        return -EINVAL;
    r->name = s;
    r->name_size = (uint8_t)n;
    return 0;
}

/* Where the target stands in s, and what its ports are, if any: *ret_ports is NULL without. */
static int split_rule(const char *s, const char **ret_target, size_t *ret_size, const char **ret_ports,
                      const char **why)
{
    const char *end, *colon = strchr(s, ':');
    *ret_ports = NULL;
    *ret_target = s;
    *ret_size = strlen(s);
    if (s[0] == '[') {
        end = strchr(s, ']');
        *why = "brackets hold an IPv6 address or network, and nothing but :port follows them";
        if (!end || (end[1] != '\0' && end[1] != ':') || !memchr(s, ':', (size_t)(end - s)))
            return -EINVAL;
        *ret_target = s + 1;
        *ret_size = (size_t)(end - s) - 1;
        *ret_ports = end[1] ? end + 2 : NULL;
    } else if (colon && !strchr(colon + 1, ':')) { /* two colons: IPv6, which has no port outside of brackets */
        *ret_size = (size_t)(colon - s);
        *ret_ports = colon + 1;
    }
    return 0;
}

int net_rule_parse(const char *text, struct net_rule *ret, const char **ret_why)
{
    struct net_rule r = { .text = text, .ports = { 1, UINT16_MAX } };
    const char *target, *ports, *why = "it is too long";
    size_t size;
    int e = strnlen(text, NET_RULE_TEXT_MAX) < NET_RULE_TEXT_MAX ? split_rule(text, &target, &size, &ports, &why)
                                                                 : -EINVAL;
    if (e == 0)
        e = parse_target(target, size, &r, &why);
    if (e == 0 && text[0] == '[' && r.kind != NET_RULE_CIDR) {
        why = "brackets hold an IPv6 address or network";
        e = -EINVAL;
    }
    if (e == 0 && ports && parse_port_range(ports, &r.ports) < 0) {
        why = "what follows the : is neither a port nor a range of ports such as 8000-8010";
        e = -EINVAL;
    }
    if (e < 0) {
        if (ret_why)
            *ret_why = why;
        return e;
    }
    *ret = r;
    return 0;
}

bool net_rule_has_name(const struct net_rule *r, const char *name, size_t name_size)
{
    if (r->kind == NET_RULE_NAME)
        return name_size == r->name_size && is_same_name(name, r->name, name_size);
    if (r->kind == NET_RULE_BELOW && r->name_size == 0)
        return true;
    return r->kind == NET_RULE_BELOW && name_size > r->name_size + 1u && name[name_size - r->name_size - 1] == '.' &&
           is_same_name(name + name_size - r->name_size, r->name, r->name_size);
}

bool net_rule_has_address(const struct net_rule *r, const struct net_address *a)
{
    return r->kind == NET_RULE_CIDR && net_address_in(a, &r->network, r->prefix);
}

int net_server_parse(const char *s, uint16_t default_port, struct net_address *ret_address, uint16_t *ret_port)
{
    struct net_rule r;
    if (strpbrk(s, "/-") /* a network, a range */ || net_rule_parse(s, &r, NULL) < 0 || r.kind != NET_RULE_CIDR)
        return -EINVAL;
    *ret_address = r.network;
    *ret_port = r.ports.first == r.ports.last ? r.ports.first : default_port;
    return 0;
}
