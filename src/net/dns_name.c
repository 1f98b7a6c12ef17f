#include "net/dns.h"

#include <sys/socket.h>

static uint8_t lower(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c + 32) : c;
}

static bool is_letter(uint8_t c)
{
    return lower(c) >= 'a' && lower(c) <= 'z';
}

int dns_name_from_text(const char *text, struct dns_name *ret)
{
    struct dns_name n = { 0 };
    if (str_eq(text, "."))
        text = "";
    while (*text) {
        size_t label = strcspn(text, ".");
        if (label == 0 || label > 63 || label + 2 > (size_t)DNS_NAME_MAX - n.size)
            return -EINVAL;
        n.wire[n.size++] = (uint8_t)label;
        memcpy(n.wire + n.size, text, label);
        n.size = (uint8_t)(n.size + label);
        text += label + (text[label] == '.');
    }
    n.wire[n.size++] = 0;
    *ret = n;
    return 0;
}

/* What names of hosts and services are made of; everything else is data, or an attack on a program that prints it. */
static bool is_usual(uint8_t c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

bool dns_name_text(const struct dns_name *n, char out[static NET_NAME_MAX])
{
    size_t at = 0;
    bool usual = n->size > 0;
    for (size_t i = 0; i < n->size && n->wire[i];) {
        size_t label = n->wire[i++];
        if (at)
            out[at++] = '.';
        for (; label; label--, i++) {
            usual = usual && is_usual(n->wire[i]);
            out[at++] = is_usual(n->wire[i]) ? (char)lower(n->wire[i]) : '?';
        }
    }
    if (!at)
        out[at++] = '.';
    assert(at < NET_NAME_MAX); /* 255 bytes of a name are at most 253 of text */
    out[at] = '\0';
    return usual;
}

bool dns_name_equal(const struct dns_name *a, const struct dns_name *b)
{
    for (size_t i = 0; i < MIN_OF(a->size, b->size); i++)
        if (lower(a->wire[i]) != lower(b->wire[i])) /* lengths are below 'A' */
            return false;
    return a->size == b->size;
}

void dns_name_lower(struct dns_name *n)
{
    for (size_t i = 0; i < n->size; i++)
        n->wire[i] = lower(n->wire[i]);
}

void dns_mix_case(struct dns_name *n, const uint8_t random[static DNS_NAME_MAX / 8 + 1])
{
    for (size_t i = 0; i < n->size; i++)
        if (is_letter(n->wire[i]) && random[i / 8] >> (i % 8) & 1)
            n->wire[i] ^= 32;
}

/* Number of one label without zeros in front, 0 to 255, that ends at a dot; moves *p behind the dot. */
static bool reverse_byte(const char **p, uint8_t *ret)
{
    size_t n = strspn(*p, "0123456789");
    unsigned value = 0;
    for (size_t i = 0; i < MIN_OF(n, (size_t)4); i++)
        value = value * 10 + (unsigned)((*p)[i] - '0');
    if (n < 1 || n > 3 || value > 255 || (n > 1 && (*p)[0] == '0') || (*p)[n] != '.')
        return false;
    *ret = (uint8_t)value;
    *p += n + 1;
    return true;
}

static bool reverse_digit(const char **p, uint8_t *ret)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = **p ? strchr(digits, **p) : NULL;
    if (!found || (*p)[1] != '.')
        return false;
    *ret = (uint8_t)(found - digits);
    *p += 2;
    return true;
}

bool dns_reverse_address(const char *name, struct net_address *ret)
{
    uint8_t bytes[16] = { 0 }, digit = 0;
    const char *p = name;
    size_t n = 0;
    while (n < 4 && reverse_byte(&p, &bytes[3 - n]))
        n++;
    if (n == 4 && str_eq(p, "in-addr.arpa")) {
        *ret = net_address_from(AF_INET, bytes);
        return true;
    }
    memset(bytes, 0, sizeof bytes);
    for (p = name, n = 0; n < 32 && reverse_digit(&p, &digit); n++)
        bytes[15 - n / 2] |= (uint8_t)(digit << (n % 2 * 4));
    if (n != 32 || !str_eq(p, "ip6.arpa"))
        return false;
    *ret = net_address_from(AF_INET6, bytes);
    return true;
}
