/* The rules of the network: what a text means, what an address is, what may be reached, what is remembered and learned.
 */
#include "random.h"
#include "test.h"

#include "config/yaml.h"
#include "net/learn.h"
#include "net/make.h"
#include "net/names.h"

#include <sys/socket.h>
#include <time.h>

/* ---- helpers ---- */

static struct net_rule rule_of(const char *text)
{
    struct net_rule r;
    const char *why = NULL;
    if (net_rule_parse(text, &r, &why) < 0) {
        (void)fprintf(stderr, "# %s: %s\n", text, why);
        test_fail(__FILE__, __LINE__, "a rule can be read");
    }
    return r;
}

static struct net_address address_of(const char *text)
{
    struct net_address a;
    if (net_address_parse(text, &a) < 0) {
        (void)fprintf(stderr, "# %s is no address\n", text);
        test_fail(__FILE__, __LINE__, "an address can be read");
    }
    return a;
}

static void add_words(struct strlist *l, const char *words)
{
    char word[NET_RULE_TEXT_MAX];
    while (*words) {
        size_t n = strcspn(words, " ");
        CHECK(n < sizeof word);
        memcpy(word, words, n);
        word[n] = '\0';
        CHECK_EQ(strlist_add(l, word), 0);
        words += n + strspn(words + n, " ");
    }
}

/* The rules of words between spaces; one at a time. */
static struct net_rules *rules_of(const char *allow, const char *deny, const char *ports)
{
    static struct net_rules r;
    struct error err = { 0 };
    net_rules_done(&r);
    memset(&r, 0, sizeof r);
    add_words(&r.allow, allow);
    add_words(&r.deny, deny);
    add_words(&r.ports, ports);
    r.has_names = true;
    if (net_rules_compile(&r, &err) < 0)
        (void)fprintf(stderr, "# %s: %s\n", err.text, err.remedy);
    CHECK(r.compiled.is_ready);
    return &r;
}

static const struct net_decision *decide(const struct net_rules *r, const struct net_names *names, const char *address,
                                         uint16_t port)
{
    static struct net_decision d;
    struct net_address a = address_of(address);
    net_decide_address(r, names, &a, port, 1000, &d);
    return &d;
}

static enum net_place place_of(const struct net_rules *r, const char *address, uint16_t port)
{
    return decide(r, NULL, address, port)->place;
}

static const struct net_decision *ask(const struct net_rules *r, const char *name)
{
    static struct net_decision d;
    net_decide_name(r, name, &d);
    return &d;
}

static bool may_answer(const struct net_rules *r, const char *name, const char *address)
{
    struct net_address a = address_of(address);
    return net_may_answer(r, name, &a);
}

static void know(struct net_names *n, const char *address, const char *name)
{
    struct net_address a = address_of(address);
    net_names_add(n, &a, name, 300, 1000);
}

/* ---- texts ---- */

TEST(without_loopback_only_the_resolver_is_reached_there)
{
    struct net_rules r = { .has_names = true, .no_loopback = true };
    struct error err = { 0 };
    struct net_decision d;
    static const uint8_t resolver[] = { 127, 0, 0, 53 }, other[] = { 127, 0, 0, 1 };
    CHECK_EQ(strlist_add(&r.ports, "all"), 0);
    CHECK_EQ(net_rules_compile(&r, &err), 0);
    const struct net_address a = net_address_from(AF_INET, resolver), b = net_address_from(AF_INET, other);
    net_decide_address(&r, NULL, &a, 53, 0, &d);
    CHECK_EQ(d.place, NET_SANDBOX);
    net_decide_address(&r, NULL, &a, 80, 0, &d);
    CHECK_EQ(d.place, NET_REFUSE);
    net_decide_address(&r, NULL, &b, 53, 0, &d);
    CHECK_EQ(d.place, NET_REFUSE);
    CHECK_STR(d.rule, "network.disable_loopback");
    net_rules_done(&r);
}

TEST(rules_of_the_network_are_read_as_they_are_written)
{
    static const struct {
        const char *text, *network;
        enum net_rule_kind kind;
        unsigned prefix, first, last;
    } good[] = {
        { "example.com", NULL, NET_RULE_NAME, 0, 1, 65535 },
        { "Example.COM.:443", NULL, NET_RULE_NAME, 0, 443, 443 },
        { "*.example.com:8000-8010", NULL, NET_RULE_BELOW, 0, 8000, 8010 },
        { "_dns.xn--bcher-kva.example", NULL, NET_RULE_NAME, 0, 1, 65535 },
        { "localhost:80", NULL, NET_RULE_NAME, 0, 80, 80 },
        { "1.2.3.4.in-addr.arpa", NULL, NET_RULE_NAME, 0, 1, 65535 },
        { "*", NULL, NET_RULE_BELOW, 0, 1, 65535 },
        { "*:443", NULL, NET_RULE_BELOW, 0, 443, 443 },
        { "10.0.0.0/8", "10.0.0.0", NET_RULE_CIDR, 8, 1, 65535 },
        { "10.1.2.3", "10.1.2.3", NET_RULE_CIDR, 32, 1, 65535 },
        { "127.0.0.1/32:8080", "127.0.0.1", NET_RULE_CIDR, 32, 8080, 8080 },
        { "0.0.0.0/0:443", "0.0.0.0", NET_RULE_CIDR, 0, 443, 443 },
        { "2001:db8::1", "2001:db8::1", NET_RULE_CIDR, 128, 1, 65535 },
        { "2001:db8::/32", "2001:db8::", NET_RULE_CIDR, 32, 1, 65535 },
        { "2001:db8::1:443", "2001:db8::1:443", NET_RULE_CIDR, 128, 1, 65535 }, /* no port outside of brackets */
        { "[2001:db8::/32]:443", "2001:db8::", NET_RULE_CIDR, 32, 443, 443 },
        { "[2001:db8::1]:1-9", "2001:db8::1", NET_RULE_CIDR, 128, 1, 9 },
        { "[::1]", "::1", NET_RULE_CIDR, 128, 1, 65535 },
        { "::/0", "::", NET_RULE_CIDR, 0, 1, 65535 },
        { "::ffff:10.0.0.0/104", "10.0.0.0", NET_RULE_CIDR, 8, 1, 65535 },
        { "[::ffff:10.1.2.3]:22", "10.1.2.3", NET_RULE_CIDR, 32, 22, 22 },
    };
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        struct net_rule r = rule_of(good[i].text);
        CHECK_EQ(r.kind, good[i].kind);
        CHECK_EQ(r.ports.first, good[i].first);
        CHECK_EQ(r.ports.last, good[i].last);
        CHECK_EQ(r.prefix, good[i].prefix);
        if (good[i].network) {
            struct net_address a = address_of(good[i].network);
            CHECK(net_address_equal(&a, &r.network));
        }
    }
}

TEST(a_text_with_two_meanings_is_no_rule)
{
    static const char *const bad[] = {
        "",
        " ",
        "a b",
        "a;b",
        ".",
        "*.",
        "*.*.com",
        "a.*.com",
        "*com",
        "a..b",
        ".a",
        "-:",
        "example.com:",
        "example.com:0",
        "example.com:65536",
        "example.com:9-8",
        "example.com:80,443",
        "example.com:http",
        "example.com/24",
        "*.com/8",
        "10.0.0.0/33",
        "10.0.0.0/",
        "10.0.0.0/-1",
        "10.0.0.1/8",
        "2001:db8::1/32",
        "2001:db8::/129",
        "10.0.0",
        "10.0.0.256",
        "010.0.0.1",
        "0x7f.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "1.2.3.4.5",
        "[10.0.0.0/8]:443",
        "[example.com]:443",
        "[::1",
        "::1]",
        "[::1]443",
        "[::1]:",
        "[::1]/128",
        "[]",
        "[]:1",
        "fe80::1%eth0",
        "fd00::1/128:80",
        "::ffff:0.0.0.0/95",
        "::ffff:10.0.0.0/8",
        "1:2:3:4:5:6:7:8:9",
        ":443",
        ":",
        "/",
        "*:",
        "\xc3\xbc.de",
        "ex\nample.com",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com", /* 64 */
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct net_rule r;
        const char *why = NULL;
        if (net_rule_parse(bad[i], &r, &why) == 0)
            (void)fprintf(stderr, "# accepted: «%s»\n", bad[i]);
        CHECK(net_rule_parse(bad[i], &r, &why) == -EINVAL);
        CHECK(why && *why);
    }
}

TEST(what_is_wrong_with_a_rule_is_said)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        { "10.1.2.3/8", "its address has bits behind its prefix: is the address meant, or the network around it?" },
        { "10.0.0.0/40", "the number behind the / is not between 0 and 32 (IPv4) or 128 (IPv6)" },
        { "2001:db8::/32:443", "IPv6 with a port stands in brackets: [2001:db8::/32]:443" },
        { "example.com/8", "what stands before the / is no address" },
        { "010.0.0.1", "it is neither a name nor an address in its usual form" },
        { "b\xc3\xbc.de", "a name has letters, digits, - and _ only" },
        { "example.com:http", "what follows the : is neither a port nor a range of ports such as 8000-8010" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct net_rule r;
        const char *why = NULL;
        CHECK_EQ(net_rule_parse(cases[i].text, &r, &why), -EINVAL);
        CHECK_STR(why, cases[i].why);
    }
}

TEST(names_have_at_most_253_characters)
{
    char text[NET_RULE_TEXT_MAX + 8];
    struct net_rule r;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 32 == 31 ? '.' : 'a';
    text[253] = '\0';
    CHECK_EQ(net_rule_parse(text, &r, NULL), 0);
    CHECK_EQ(r.name_size, 253);
    text[253] = 'a';
    text[254] = '\0';
    CHECK_EQ(net_rule_parse(text, &r, NULL), -EINVAL);
    text[254] = 'a';
    text[sizeof text - 1] = '\0';
    CHECK_EQ(net_rule_parse(text, &r, NULL), -EINVAL);
}

TEST(ports_and_servers_are_read_as_they_are_written)
{
    struct net_ports p;
    struct net_address a, expected;
    uint16_t port;
    CHECK(net_ports_parse("443", &p) == 0 && p.first == 443 && p.last == 443);
    CHECK(net_ports_parse("8000-8010", &p) == 0 && p.first == 8000 && p.last == 8010);
    CHECK(net_ports_parse("all", &p) == 0 && p.first == 1 && p.last == 65535);
    static const char *const bad[] = {
        "", "0", "65536", "9-8", "1-", "-1", "1-2-3", "http", " 1", "1 ", "+1", "0-10", "99999999999999999999"
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK_EQ(net_ports_parse(bad[i], &p), -EINVAL);
    static const struct {
        const char *text, *address;
        uint16_t port;
    } servers[] = { { "192.0.2.1", "192.0.2.1", 53 },
                    { "192.0.2.1:5353", "192.0.2.1", 5353 },
                    { "2001:db8::1", "2001:db8::1", 53 },
                    { "[2001:db8::1]:5353", "2001:db8::1", 5353 },
                    { "127.0.0.1:1", "127.0.0.1", 1 } };
    for (size_t i = 0; i < ARRAY_LEN(servers); i++) {
        CHECK_EQ(net_server_parse(servers[i].text, 53, &a, &port), 0);
        expected = address_of(servers[i].address);
        CHECK(net_address_equal(&a, &expected));
        CHECK_EQ(port, servers[i].port);
    }
    static const char *const none[] = {
        "", "dns.example.com", "192.0.2.0/24", "192.0.2.1/32", "192.0.2.1:0", "192.0.2.1:1-2", "192.0.2.1:1-65535", "*"
    };
    for (size_t i = 0; i < ARRAY_LEN(none); i++)
        CHECK_EQ(net_server_parse(none[i], 53, &a, &port), -EINVAL);
}

/* ---- what an address is ---- */

static const struct {
    const char *address;
    enum net_scope scope;
} registry[] = { { "0.0.0.0", NET_LOOPBACK },
                 { "0.0.0.1", NET_RESERVED },
                 { "0.255.255.255", NET_RESERVED },
                 { "10.0.0.0", NET_PRIVATE },
                 { "10.255.255.255", NET_PRIVATE },
                 { "100.64.0.0", NET_PRIVATE },
                 { "100.127.255.255", NET_PRIVATE },
                 { "127.0.0.0", NET_LOOPBACK },
                 { "127.255.255.255", NET_LOOPBACK },
                 { "169.254.0.0", NET_LINK_LOCAL },
                 { "169.254.255.255", NET_LINK_LOCAL },
                 { "172.16.0.0", NET_PRIVATE },
                 { "172.31.255.255", NET_PRIVATE },
                 { "192.0.0.0", NET_RESERVED },
                 { "192.0.0.255", NET_RESERVED },
                 { "192.0.2.1", NET_RESERVED },
                 { "192.88.99.1", NET_RESERVED },
                 { "192.168.0.0", NET_PRIVATE },
                 { "192.168.255.255", NET_PRIVATE },
                 { "198.18.0.0", NET_RESERVED },
                 { "198.19.255.255", NET_RESERVED },
                 { "198.51.100.7", NET_RESERVED },
                 { "203.0.113.7", NET_RESERVED },
                 { "224.0.0.0", NET_MULTICAST },
                 { "239.255.255.255", NET_MULTICAST },
                 { "240.0.0.0", NET_RESERVED },
                 { "255.255.255.254", NET_RESERVED },
                 { "255.255.255.255", NET_MULTICAST },
                 { "169.254.169.254", NET_METADATA },
                 { "169.254.170.2", NET_METADATA },
                 { "100.100.100.200", NET_METADATA },
                 { "168.63.129.16", NET_METADATA },
                 { "192.0.0.192", NET_METADATA },
                 /* one beside each range */
                 { "1.0.0.0", NET_PUBLIC },
                 { "9.255.255.255", NET_PUBLIC },
                 { "11.0.0.0", NET_PUBLIC },
                 { "100.63.255.255", NET_PUBLIC },
                 { "100.128.0.0", NET_PUBLIC },
                 { "126.255.255.255", NET_PUBLIC },
                 { "128.0.0.0", NET_PUBLIC },
                 { "169.253.255.255", NET_PUBLIC },
                 { "169.255.0.0", NET_PUBLIC },
                 { "172.15.255.255", NET_PUBLIC },
                 { "172.32.0.0", NET_PUBLIC },
                 { "191.255.255.255", NET_PUBLIC },
                 { "192.0.1.0", NET_PUBLIC },
                 { "192.0.3.0", NET_PUBLIC },
                 { "192.88.98.255", NET_PUBLIC },
                 { "192.167.255.255", NET_PUBLIC },
                 { "192.169.0.0", NET_PUBLIC },
                 { "198.17.255.255", NET_PUBLIC },
                 { "198.20.0.0", NET_PUBLIC },
                 { "203.0.112.255", NET_PUBLIC },
                 { "223.255.255.255", NET_PUBLIC },
                 { "168.63.129.17", NET_PUBLIC },
                 { "8.8.8.8", NET_PUBLIC },
                 { "93.184.216.34", NET_PUBLIC },

                 { "::", NET_LOOPBACK },
                 { "::1", NET_LOOPBACK },
                 { "::2", NET_RESERVED },
                 { "::8.8.8.8", NET_RESERVED },
                 { "::10.0.0.1", NET_PRIVATE },
                 { "::ffff:0:8.8.8.8", NET_RESERVED },
                 { "::ffff:127.0.0.1", NET_LOOPBACK },
                 { "::ffff:8.8.8.8", NET_PUBLIC },
                 { "fc00::1", NET_PRIVATE },
                 { "fdff:ffff::1", NET_PRIVATE },
                 { "fe80::1", NET_LINK_LOCAL },
                 { "febf:ffff::1", NET_LINK_LOCAL },
                 { "fec0::1", NET_PRIVATE },
                 { "feff::1", NET_PRIVATE },
                 { "ff02::1", NET_MULTICAST },
                 { "2001:db8::1", NET_RESERVED },
                 { "3fff:0fff::1", NET_RESERVED },
                 { "100::1", NET_RESERVED },
                 { "100:0:0:1::1", NET_RESERVED },
                 { "100:0:0:2::1", NET_RESERVED },
                 { "2001:2::1", NET_RESERVED },
                 { "2001:10::1", NET_RESERVED },
                 { "2001:1ff::1", NET_RESERVED },
                 { "5f00::1", NET_RESERVED },
                 { "4000::1", NET_RESERVED },
                 { "1fff::1", NET_RESERVED },
                 { "fd00:ec2::254", NET_METADATA },
                 { "fe80::a9fe:a9fe", NET_METADATA },
                 { "64:ff9b::8.8.8.8", NET_PUBLIC },
                 { "64:ff9b::10.0.0.1", NET_PRIVATE },
                 { "64:ff9b::169.254.169.254", NET_METADATA },
                 { "64:ff9b:1::8.8.8.8", NET_PRIVATE },
                 { "64:ff9b:1::127.0.0.1", NET_LOOPBACK },
                 { "64:ff9b:2::8.8.8.8", NET_RESERVED },
                 { "2002:808:808::1", NET_PUBLIC },
                 { "2002:a00:1::1", NET_PRIVATE },
                 { "2002:7f00:1::", NET_LOOPBACK },
                 { "2002:a9fe:a9fe::", NET_METADATA },
                 { "2001:0:808:808:0:0:f7f7:f7f7", NET_PUBLIC },  /* Teredo: client 8.8.8.8 inverted */
                 { "2001:0:808:808:0:0:f5ff:fffe", NET_PRIVATE }, /* client 10.0.0.1 */
                 { "2001:0:a00:1:0:0:f7f7:f7f7", NET_PRIVATE },   /* server 10.0.0.1 */
                 { "2a00:1450::5efe:8.8.8.8", NET_PUBLIC },
                 { "2a00:1450::5efe:10.0.0.1", NET_PRIVATE },
                 { "2a00:1450::200:5efe:127.0.0.1", NET_LOOPBACK },
                 { "2a00:1450:4001::200e", NET_PUBLIC },
                 { "2606:2800:220:1::1", NET_PUBLIC },
                 { "2001:200::1", NET_PUBLIC },
                 { "2001:4860:4860::8888", NET_PUBLIC },
                 { "3ffe::1", NET_PUBLIC },
                 { "3fff:1000::1", NET_PUBLIC } };

TEST(every_special_range_of_the_registries_is_known_and_ends_where_it_ends)
{
    for (size_t i = 0; i < ARRAY_LEN(registry); i++) {
        struct net_address a = address_of(registry[i].address);
        if (net_scope_of(&a) != registry[i].scope)
            (void)fprintf(stderr, "# %s is %s, not %s\n", registry[i].address, net_scope_name(net_scope_of(&a)),
                          net_scope_name(registry[i].scope));
        CHECK_EQ(net_scope_of(&a), registry[i].scope);
    }
}

TEST(a_range_is_meant_by_networks_within_it_only)
{
    static const char *const named[] = { "10.0.0.0/8",
                                         "10.1.0.0/16",
                                         "127.0.0.1",
                                         "192.168.1.0/24",
                                         "169.254.0.0/16",
                                         "fc00::/7",
                                         "fd12::/16",
                                         "::1",
                                         "::",
                                         "0.0.0.0",
                                         "224.0.0.0/4",
                                         "fe80::/10",
                                         "64:ff9b::10.0.0.0/104",
                                         "2002:a00::/24",
                                         "64:ff9b:1::/48",
                                         "2001:0:a00:1::/64",
                                         "2a00::5efe:10.0.0.0/104",
                                         "2001:db8::/32" };
    static const char *const others[] = { "0.0.0.0/0",     "8.0.0.0/5",    "10.0.0.0/7",   "::/0",         "::/3",
                                          "::/8",          "64:ff9b::/96", "64:ff9b::/95", "64:ff9b::/48", "2002::/16",
                                          "2002::/15",     "2001::/32",    "2001::/23",    "2000::/3",     "8.8.8.8",
                                          "2002:808::/32", "2a00::/64",    "f000::/4",     "192.0.0.0/2" };
    for (size_t i = 0; i < ARRAY_LEN(named) + ARRAY_LEN(others); i++) {
        bool is_named = i < ARRAY_LEN(named);
        struct net_rule r = rule_of(is_named ? named[i] : others[i - ARRAY_LEN(named)]);
        if (net_scope_is_named_by(&r.network, r.prefix) != is_named)
            (void)fprintf(stderr, "# %s\n", r.text);
        CHECK_EQ(net_scope_is_named_by(&r.network, r.prefix), is_named);
    }
}

/* ---- decisions ---- */

TEST(without_a_list_every_public_address_may_be_reached_and_no_other)
{
    const struct net_rules *r = rules_of("", "", "all");
    for (size_t i = 0; i < ARRAY_LEN(registry); i++) {
        struct net_address a = address_of(registry[i].address);
        enum net_place expected = net_is_own_loopback(&a)           ? NET_SANDBOX
                                  : registry[i].scope == NET_PUBLIC ? NET_HOST
                                                                    : NET_REFUSE;
        CHECK_EQ(place_of(r, registry[i].address, 443), expected);
        CHECK_EQ(may_answer(r, "example.com", registry[i].address), expected == NET_HOST);
    }
    CHECK_STR(decide(r, NULL, "93.184.216.34", 443)->rule, "public address");
    CHECK_STR(decide(r, NULL, "10.1.2.3", 443)->rule, "private address 10.1.2.3");
    CHECK_STR(decide(r, NULL, "::ffff:169.254.169.254", 80)->rule, "metadata address 169.254.169.254");
    CHECK_STR(decide(r, NULL, "64:ff9b::a00:1", 80)->rule, "private address 64:ff9b::a00:1");
    CHECK_STR(decide(r, NULL, "127.0.0.1", 80)->rule, "the sandbox's own loopback");
    CHECK_STR(ask(r, "Example.com.")->rule, "any name");
    CHECK_STR(ask(r, "Example.com.")->name, "example.com");
}

TEST(deny_wins_over_allow_and_ports_hold_for_all)
{
    const struct net_rules *r = rules_of("93.184.0.0/16 10.0.0.0/8 127.0.0.1/32:8080",
                                         "93.184.216.0/24:80 10.9.0.0/16 8.8.8.8", "80 443 8000-8010");
    CHECK_STR(decide(r, NULL, "93.184.216.34", 80)->rule, "deny 93.184.216.0/24:80");
    CHECK_EQ(place_of(r, "93.184.216.34", 80), NET_REFUSE);
    CHECK_STR(decide(r, NULL, "93.184.216.34", 443)->rule, "allow 93.184.0.0/16");
    CHECK_EQ(place_of(r, "93.184.216.34", 443), NET_HOST);
    CHECK_STR(decide(r, NULL, "93.184.216.34", 22)->rule, "port 22 is not in network.ports");
    CHECK_EQ(place_of(r, "93.184.216.34", 0), NET_REFUSE);
    CHECK_EQ(place_of(r, "10.8.0.1", 8005), NET_HOST);
    CHECK_EQ(place_of(r, "10.8.0.1", 8011), NET_REFUSE);
    CHECK_EQ(place_of(r, "10.9.0.1", 443), NET_REFUSE);
    CHECK_EQ(place_of(r, "1.1.1.1", 443), NET_REFUSE);
    CHECK_STR(decide(r, NULL, "1.1.1.1", 443)->rule, "no rule allows it");
    CHECK_EQ(place_of(r, "127.0.0.1", 8080), NET_REFUSE); /* means the host, and the port is not in ports */
    CHECK_EQ(place_of(r, "64:ff9b::10.9.0.1", 443), NET_REFUSE);
    CHECK_STR(decide(r, NULL, "64:ff9b::8.8.8.8", 443)->rule, "deny 8.8.8.8"); /* what it ends at */
}

TEST(the_hosts_loopback_is_reached_where_a_rule_says_so_and_is_the_sandboxs_own_elsewhere)
{
    const struct net_rules *r = rules_of("127.0.0.1/32:8080 [::1]:9090", "127.0.0.2", "all");
    CHECK_EQ(place_of(r, "127.0.0.1", 8080), NET_HOST);
    CHECK_EQ(place_of(r, "::ffff:127.0.0.1", 8080), NET_HOST);
    CHECK_EQ(place_of(r, "127.0.0.1", 8081), NET_SANDBOX);
    CHECK_EQ(place_of(r, "127.0.0.53", 8080), NET_SANDBOX);
    CHECK_EQ(place_of(r, "127.0.0.2", 1), NET_REFUSE);
    CHECK_EQ(place_of(r, "::1", 9090), NET_HOST);
    CHECK_EQ(place_of(r, "::1", 8080), NET_SANDBOX);
    CHECK_EQ(place_of(r, "0.0.0.0", 8080), NET_SANDBOX);
    CHECK_EQ(place_of(r, "::", 9090), NET_SANDBOX);
    CHECK_EQ(place_of(rules_of("", "", ""), "127.0.0.1", 22), NET_SANDBOX); /* ports are about the host */
}

TEST(a_wide_network_opens_public_addresses_only_and_metadata_wants_its_address)
{
    const struct net_rules *r = rules_of("0.0.0.0/0 ::/0", "", "all");
    for (size_t i = 0; i < ARRAY_LEN(registry); i++)
        CHECK_EQ(place_of(r, registry[i].address, 80) == NET_HOST, registry[i].scope == NET_PUBLIC);
    r = rules_of("169.254.0.0/16 100.64.0.0/10 168.63.0.0/16 fd00::/8 10.0.0.0/8", "", "all");
    CHECK_EQ(place_of(r, "169.254.1.1", 80), NET_HOST);
    CHECK_EQ(place_of(r, "169.254.169.254", 80), NET_REFUSE);
    CHECK_EQ(place_of(r, "100.100.100.200", 80), NET_REFUSE);
    CHECK_EQ(place_of(r, "100.100.100.201", 80), NET_HOST);
    CHECK_EQ(place_of(r, "168.63.129.16", 80), NET_REFUSE);
    CHECK_EQ(place_of(r, "168.63.129.17", 80), NET_HOST);
    CHECK_EQ(place_of(r, "fd00:ec2::254", 80), NET_REFUSE);
    CHECK_EQ(place_of(r, "fd00:ec2::255", 80), NET_HOST);
    CHECK_EQ(place_of(r, "64:ff9b::10.0.0.1", 80), NET_REFUSE); /* not this way */
    r = rules_of("169.254.169.254 [fd00:ec2::254/128]:80", "", "all");
    CHECK_EQ(place_of(r, "169.254.169.254", 80), NET_HOST);
    CHECK_EQ(place_of(r, "fd00:ec2::254", 80), NET_HOST);
    CHECK_EQ(place_of(r, "fd00:ec2::254", 81), NET_REFUSE);
}

TEST(a_name_permits_the_addresses_that_were_given_for_it)
{
    struct net_names *n = net_names_new();
    CHECK(n);
    know(n, "93.184.216.34", "www.Example.com.");
    know(n, "93.184.216.35", "example.com");
    know(n, "93.184.216.36", "evil-example.com");
    know(n, "93.184.216.37", "bad.example.com");
    know(n, "93.184.216.37", "good.example.com");
    know(n, "93.184.216.38", "mail.example.org");
    const struct net_rules *r = rules_of("*.example.com MAIL.example.org:25", "bad.example.com:443", "all");
    CHECK_EQ(decide(r, n, "93.184.216.34", 443)->place, NET_HOST);
    CHECK_STR(decide(r, n, "93.184.216.34", 443)->rule, "allow *.example.com");
    CHECK_STR(decide(r, n, "93.184.216.34", 443)->name, "www.example.com");
    CHECK_EQ(decide(r, NULL, "93.184.216.34", 443)->place, NET_REFUSE);
    CHECK_EQ(decide(r, n, "93.184.216.35", 443)->place, NET_REFUSE); /* *.x is not x */
    CHECK_EQ(decide(r, n, "93.184.216.36", 443)->place, NET_REFUSE); /* nor -x */
    CHECK_EQ(decide(r, n, "93.184.216.37", 443)->place,
             NET_REFUSE); /* under another name it would be allowed: deny wins */
    CHECK_EQ(decide(r, n, "93.184.216.37", 444)->place, NET_HOST);
    CHECK_EQ(decide(r, n, "93.184.216.38", 25)->place, NET_HOST);
    CHECK_STR(decide(r, n, "93.184.216.38", 25)->rule, "allow MAIL.example.org:25");
    CHECK_EQ(decide(r, n, "93.184.216.38", 80)->place, NET_REFUSE);
    CHECK_STR(decide(r, n, "93.184.216.38", 80)->name, "mail.example.org");
    CHECK_EQ(decide(r, n, "93.184.216.39", 80)->place, NET_REFUSE);
    r = rules_of("*", "", "443");
    CHECK_EQ(decide(r, n, "93.184.216.36", 443)->place, NET_HOST);
    CHECK_EQ(decide(r, n, "93.184.216.39", 443)->place, NET_REFUSE); /* any name, but a name */
    (void)net_names_free(n);
}

TEST(names_are_asked_for_and_answered_where_a_connection_could_follow)
{
    const struct net_rules *r = rules_of("*.example.com example.org:8443 db.internal 10.0.0.0/8:5432 *.below.net:22",
                                         "bad.example.com ugly.example.com:443 10.9.9.9", "443 5432 8443");
    static const struct {
        const char *name, *rule;
        enum net_place place;
    } names[] = {
        { "www.example.com", "allow *.example.com", NET_HOST },
        { "WWW.EXAMPLE.COM.", "allow *.example.com", NET_HOST },
        { "a.b.example.com", "allow *.example.com", NET_HOST },
        { "example.com", "no rule allows it", NET_REFUSE },
        { "xexample.com", "no rule allows it", NET_REFUSE },
        { "example.com.evil.net", "no rule allows it", NET_REFUSE },
        { "bad.example.com", "deny bad.example.com", NET_REFUSE },
        { "BAD.example.com.", "deny bad.example.com", NET_REFUSE },
        { "ugly.example.com", "allow *.example.com", NET_HOST },
        { "example.org", "allow example.org:8443", NET_HOST },
        { "db.internal", "allow db.internal", NET_HOST },
        { "x.below.net", "no port of allow *.below.net:22 is in network.ports", NET_REFUSE },
        { "127.1", "no host name", NET_REFUSE },
        { "2130706433", "no host name", NET_REFUSE },
        { "a b.example.com", "no host name", NET_REFUSE },
        { "", "no host name", NET_REFUSE },
    };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const struct net_decision *d = ask(r, names[i].name);
        CHECK_STR(d->rule, names[i].rule);
        CHECK_EQ(d->place, names[i].place);
    }
    CHECK(may_answer(r, "www.example.com", "93.184.216.34"));
    CHECK(!may_answer(r, "www.example.com", "127.0.0.1"));
    CHECK(!may_answer(r, "www.example.com", "::ffff:192.168.0.1"));
    CHECK(may_answer(r, "db.internal", "10.1.2.3"));
    CHECK(!may_answer(r, "db.internal", "10.9.9.9"));
    CHECK(!may_answer(r, "db.internal", "192.168.0.1"));
    CHECK(!may_answer(r, "other.internal", "93.184.216.34"));
    CHECK(may_answer(r, "other.internal", "10.1.2.3")); /* however it was come by */
    CHECK_STR(ask(rules_of("", "", ""), "example.com")->rule, "network.ports is empty");
    CHECK_STR(ask(rules_of("", "*:1-1000 *:1001-65535", "all"), "example.com")->rule, "deny *:1-1000");
    struct net_rules *without = rules_of("", "", "all");
    without->has_names = false;
    CHECK_STR(ask(without, "example.com")->rule, "network.dns is disabled");
    CHECK(!may_answer(without, "example.com", "93.184.216.34"));
}

TEST(learning_opens_what_is_public_and_nothing_else)
{
    struct net_rules *r = rules_of("example.com", "8.8.8.8 evil.example", "443");
    r->is_learning = true;
    CHECK_EQ(place_of(r, "93.184.216.34", 443), NET_HOST);
    CHECK_EQ(place_of(r, "93.184.216.34", 80), NET_REFUSE);
    CHECK_EQ(place_of(r, "8.8.8.8", 443), NET_REFUSE);
    CHECK_EQ(place_of(r, "10.0.0.1", 443), NET_REFUSE);
    CHECK_EQ(place_of(r, "169.254.169.254", 443), NET_REFUSE);
    CHECK_EQ(ask(r, "any.example.net")->place, NET_HOST);
    CHECK_EQ(ask(r, "evil.example")->place, NET_REFUSE);
}

/* ---- properties ---- */

/* A rule of some kind about few things, so that rules meet. */
static void some_rule(char out[static 64])
{
    static const char *const targets[] = {
        "a.example",   "*.a.example",     "b.example",      "*",           "10.0.0.0/8",
        "10.1.0.0/16", "127.0.0.0/8",     "127.0.0.1",      "93.0.0.0/8",  "93.184.216.0/24",
        "0.0.0.0/0",   "192.168.0.0/16",  "[::/0]",         "[2000::/3]",  "[fc00::/7]",
        "[2a00::/16]", "169.254.169.254", "[64:ff9b::/96]", "[2002::/16]", "[::ffff:10.0.0.0/104]"
    };
    static const char *const ports[] = { "", ":80", ":443", ":80-443", ":1-65535" };
    (void)snprintf(out, 64, "%s%s", targets[rnd(ARRAY_LEN(targets))], ports[rnd(ARRAY_LEN(ports))]);
}

static struct net_rules *some_rules(unsigned allow, unsigned deny)
{
    char lists[2][1024] = { "", "" }, rule[64];
    unsigned counts[2] = { allow, deny };
    for (unsigned l = 0; l < 2; l++)
        for (size_t at = 0, i = 0; i < counts[l]; i++) {
            some_rule(rule);
            at += (size_t)snprintf(lists[l] + at, sizeof lists[l] - at, "%s%s", i ? " " : "", rule);
        }
    return rules_of(lists[0], lists[1], rnd(3) ? "all" : "80 443");
}

static const char *const meeting_places[] = {
    "10.0.0.1",         "10.1.2.3",        "127.0.0.1",       "93.184.216.34", "93.1.1.1", "192.168.3.4",
    "8.8.8.8",          "169.254.169.254", "fc00::1",         "2a00::1",       "::1",      "64:ff9b::10.0.0.1",
    "64:ff9b::8.8.8.8", "2002:a00:1::1",   "2002:808:808::1", "fe80::1"
};

static struct net_names *some_names(void)
{
    static const char *const all[] = { "a.example", "x.a.example", "b.example", "c.example" };
    struct net_names *n = net_names_new();
    CHECK(n);
    for (unsigned i = 0; i < 24; i++)
        know(n, meeting_places[rnd(ARRAY_LEN(meeting_places))], all[rnd(ARRAY_LEN(all))]);
    return n;
}

TEST(whatever_the_rules_one_more_deny_never_opens_and_one_that_fits_always_closes)
{
    seed = 1;
    for (unsigned round = 0; round < 4000; round++) {
        struct net_names *n = some_names();
        struct net_rules *r = some_rules((unsigned)rnd(6), (unsigned)rnd(4));
        const char *where = meeting_places[rnd(ARRAY_LEN(meeting_places))];
        uint16_t port = rnd(2) ? 80 : 443;
        struct net_decision before = *decide(r, n, where, port);
        char rule[64];
        some_rule(rule);
        CHECK_EQ(strlist_add(&r->deny, rule), 0);
        CHECK_EQ(net_rules_compile(r, NULL), 0);
        CHECK(decide(r, n, where, port)->place == before.place || decide(r, n, where, port)->place == NET_REFUSE);
        CHECK_EQ(strlist_add(&r->deny, where), 0);
        CHECK_EQ(net_rules_compile(r, NULL), 0);
        CHECK_EQ(decide(r, n, where, port)->place, NET_REFUSE);
        (void)net_names_free(n);
    }
}

TEST(no_rule_with_a_name_ever_opens_what_is_not_public)
{
    seed = 2;
    struct net_names *n = net_names_new();
    CHECK(n);
    for (size_t i = 0; i < ARRAY_LEN(registry); i++)
        know(n, registry[i].address, "a.example");
    const struct net_rules *r = rules_of("a.example *.example * a.example:80 0.0.0.0/0 ::/0", "", "all");
    for (size_t i = 0; i < ARRAY_LEN(registry); i++) {
        const struct net_decision *d = decide(r, n, registry[i].address, 80);
        CHECK_EQ(d->place == NET_HOST, registry[i].scope == NET_PUBLIC);
        CHECK_EQ(may_answer(r, "a.example", registry[i].address), registry[i].scope == NET_PUBLIC);
    }
    (void)net_names_free(n);
}

/* All ways in which an IPv6 address may end at this IPv4 one. */
static unsigned spellings(const uint8_t v4[4], struct net_address out[static 12])
{
    static const struct {
        uint8_t bytes[16];
        unsigned at;
        bool is_inverted;
    } forms[] = {
        { { [10] = 0xff, 0xff }, 12, false },
        { { [8] = 0xff, 0xff }, 12, false },
        { { 0, 0x64, 0xff, 0x9b }, 12, false },
        { { 0, 0x64, 0xff, 0x9b, 0, 1 }, 12, false },
        { { 0, 0x64, 0xff, 0x9b, 0, 1, 7, 7, 0, 7, 7, 7 }, 12, false },
        { { 0x20, 0x02 }, 2, false },
        { { 0x20, 0x02, [15] = 1 }, 2, false },
        { { 0x20, 0x01, 0, 0, 8, 8, 8, 8 }, 12, true },
        { { 0x20, 0x01, 0, 0, [12] = 0xf7, 0xf7, 0xf7, 0xf7 }, 4, false },
        { { 0x2a, 0, 1, 2, 3, 4, 5, 6, 0, 0, 0x5e, 0xfe }, 12, false },
        { { 0x2a, 0, 1, 2, 3, 4, 5, 6, 2, 0, 0x5e, 0xfe }, 12, false },
        { { 0 }, 12, false },
    };
    for (unsigned f = 0; f < ARRAY_LEN(forms); f++) {
        uint8_t bytes[16];
        memcpy(bytes, forms[f].bytes, 16);
        for (unsigned i = 0; i < 4; i++)
            bytes[forms[f].at + i] = forms[f].is_inverted ? (uint8_t)~v4[i] : v4[i];
        out[f] = net_address_from(AF_INET6, bytes);
    }
    return ARRAY_LEN(forms);
}

TEST(no_spelling_within_ipv6_reaches_an_address_that_is_not_public_or_denied)
{
    seed = 3;
    struct net_rules *open = rules_of("0.0.0.0/0 ::/0 2000::/3 64:ff9b::/96 2002::/16 2001::/32 *", "93.184.216.0/24",
                                      "all");
    for (unsigned round = 0; round < 20000; round++) {
        struct net_address v4 = { .family = AF_INET }, v6[12];
        if (round < ARRAY_LEN(registry) && address_of(registry[round].address).family == AF_INET)
            v4 = address_of(registry[round].address);
        else
            for (unsigned i = 0; i < 4; i++)
                v4.bytes[i] = (uint8_t)rnd(256);
        if (round % 5 == 0)
            memcpy(v4.bytes, (uint8_t[]){ 93, 184, 216 }, 3);
        struct net_decision d, plain;
        net_decide_address(open, NULL, &v4, 80, 0, &plain);
        for (unsigned i = 0, count = spellings(v4.bytes, v6); i < count; i++) {
            net_decide_address(open, NULL, &v6[i], 80, 0, &d);
            CHECK(plain.place == NET_HOST || d.place != NET_HOST);
            /* the sandbox's own loopback is reached by its own spellings only */
            CHECK(d.place != NET_SANDBOX || plain.place == NET_SANDBOX || net_is_own_loopback(&v6[i]));
        }
    }
}

TEST(mapped_ipv6_and_ipv4_decide_alike)
{
    seed = 4;
    for (unsigned round = 0; round < 2000; round++) {
        struct net_names *n = some_names();
        struct net_rules *r = some_rules((unsigned)rnd(6), (unsigned)rnd(4));
        for (size_t i = 0; i < ARRAY_LEN(meeting_places); i++) {
            struct net_address v4 = address_of(meeting_places[i]),
                               v6 = { .family = AF_INET6, .bytes = { [10] = 0xff, 0xff } };
            if (v4.family != AF_INET)
                continue;
            memcpy(v6.bytes + 12, v4.bytes, 4); /* by hand: not yet unmapped */
            struct net_decision a, b;
            net_decide_address(r, n, &v4, 443, 1000, &a);
            net_decide_address(r, n, &v6, 443, 1000, &b);
            CHECK(a.place == b.place && str_eq(a.rule, b.rule) && str_eq(a.name, b.name));
            CHECK_EQ(net_may_answer(r, "a.example", &v4), net_may_answer(r, "a.example", &v6));
        }
        (void)net_names_free(n);
    }
}

/* What may be answered is what could then be connected to: the two are computed in different ways. */
TEST(an_answer_is_told_exactly_when_some_port_could_be_connected_to)
{
    static const uint16_t ports[] = { 1, 79, 80, 81, 442, 443, 444, 65535 }; /* every edge of some_rule() */
    seed = 5;
    for (unsigned round = 0; round < 3000; round++) {
        struct net_rules *r = some_rules((unsigned)rnd(6), (unsigned)rnd(6));
        const char *where = meeting_places[rnd(ARRAY_LEN(meeting_places))],
                   *name = rnd(2) ? "a.example" : "x.a.example";
        struct net_names *n = net_names_new();
        CHECK(n);
        know(n, where, name);
        bool reachable = false;
        for (size_t i = 0; i < ARRAY_LEN(ports); i++)
            reachable = reachable || decide(r, n, where, ports[i])->place == NET_HOST;
        CHECK_EQ(may_answer(r, name, where), reachable);
        if (reachable && r->compiled.allow_count == 0)
            CHECK_EQ(ask(r, name)->place, NET_HOST);
        (void)net_names_free(n);
    }
}

/* ---- through the launcher ---- */

TEST(rules_arrive_as_they_were_sent_and_damaged_ones_not_at_all)
{
    struct net_rules *r = rules_of("*.example.com:443 10.0.0.0/8", "bad.example.com", "443 8000-8010"),
                     *again = calloc(1, sizeof *again);
    struct buf b;
    CHECK(again);
    add_words(&r->resolvers, "192.0.2.1 [2001:db8::1]:5353");
    r->max_connections = 100;
    r->max_connections_per_second = 200;
    r->max_bytes = 10 * GIB;
    r->is_learning = true;
    buf_init(&b, 64 * KIB);
    net_rules_pack(&b, r);
    CHECK(!b.failed);
    CHECK_EQ(net_rules_unpack(b.data, b.size, again), 0);
    CHECK(again->has_names && again->is_learning && again->compiled.is_ready);
    CHECK_EQ(again->max_connections, 100);
    CHECK_EQ(again->max_connections_per_second, 200);
    CHECK_EQ(again->max_bytes, 10 * GIB);
    CHECK_EQ(again->resolvers.count, 2);
    CHECK_EQ(place_of(again, "10.1.2.3", 8001), NET_HOST);
    CHECK_STR(ask(again, "bad.example.com")->rule, "deny bad.example.com");
    net_rules_done(again); /* borrowed: frees nothing */
    for (size_t cut = 0; cut < b.size; cut++)
        CHECK_EQ(net_rules_unpack(b.data, cut, again), -EBADMSG);
    memcpy(memmem(b.data, b.size, "10.0.0.0/8", 10), "10.0.0.1/8", 10);
    CHECK_EQ(net_rules_unpack(b.data, b.size, again), -EBADMSG);
    CHECK(!again->compiled.is_ready);
    buf_done(&b);
    free(again);
}

TEST(more_rules_than_are_looked_at_are_refused)
{
    struct net_rules *r = calloc(1, sizeof *r);
    struct error err = { 0 };
    CHECK(r);
    for (unsigned i = 0; i < NET_MAX_RULES; i++)
        CHECK_EQ(strlist_addf(&r->deny, "n%u.example", i), 0);
    CHECK_EQ(net_rules_compile(r, &err), 0);
    CHECK_EQ(strlist_add(&r->deny, "one.more"), 0);
    CHECK_EQ(net_rules_compile(r, &err), -EINVAL);
    CHECK_STR(err.text, "network.deny: 257 items, but at most 256 are looked at");
    net_rules_done(r);
    free(r);
}

TEST(a_profile_and_the_configuration_become_rules)
{
    static const char text[] =
        "network:\n  mode: bridge\n  dns: auto\n  ports: [443]\n  disable_loopback: false\n  allow: "
        "[\"*.example.com\"]\n"
        "  deny: [bad.example.com]\n  max_connections: 7\n  max_connections_per_second: 8\n  max_bytes: 9m\n";
    struct profile p;
    struct config c;
    struct net_rules *r = calloc(1, sizeof *r);
    struct error err = { 0 };
    CHECK(r);
    profile_defaults(&p);
    config_defaults(&c);
    add_words(&c.sandbox.resolvers, "192.0.2.53");
    CHECK_EQ(yaml_load("p.yaml", text, strlen(text), profile_settings, &p, p.origin, ORIGIN_PROFILE, &err), 0);
    CHECK_EQ(profile_check(&p, &err), 0);
    CHECK_EQ(net_rules_make(&p, &c, false, r, &err), 0);
    CHECK(r->has_names && !r->is_learning);
    CHECK_EQ(r->max_connections, 7);
    CHECK_EQ(r->max_connections_per_second, 8);
    CHECK_EQ(r->max_bytes, 9 * MIB);
    CHECK_STR(strlist_first(&r->resolvers), "192.0.2.53");
    CHECK_EQ(ask(r, "www.example.com")->place, NET_HOST);
    CHECK_EQ(ask(r, "bad.example.com")->place, NET_REFUSE);
    net_rules_done(r);
    free(r);
    profile_done(&p);
    config_done(&c);
}

/* ---- names that are remembered ---- */

TEST(a_name_is_known_for_its_time_and_a_grace_but_no_longer_than_a_day)
{
    struct net_names *n = net_names_new();
    struct net_address a = address_of("93.184.216.34"), b = address_of("2a00::1"), none = address_of("93.184.216.35");
    CHECK(n);
    net_names_add(n, &a, "Example.COM.", 30, 1000);
    CHECK_STR(net_names_of(n, &a, 1000, 0), "example.com");
    CHECK_STR(net_names_of(n, &a, 1000 + 89999, 0), "example.com");
    CHECK(!net_names_of(n, &a, 1000 + 90000, 0));
    CHECK(!net_names_of(n, &a, 1000, 1));
    CHECK(!net_names_of(n, &none, 1000, 0));
    net_names_add(n, &b, "zero.example", 0, 1000);
    CHECK(net_names_of(n, &b, 1000 + 59999, 0));
    CHECK(!net_names_of(n, &b, 1000 + 60000, 0));
    net_names_add(n, &b, "long.example", UINT32_MAX, 1000);
    CHECK_STR(net_names_of(n, &b, 1000 + 86399999, 0), "long.example");
    CHECK(!net_names_of(n, &b, 1000 + 86400000, 0));
    net_names_add(n, &b, "long.example", 0, 1000); /* does not shorten */
    CHECK(net_names_of(n, &b, 1000 + 86399999, 0));
    net_names_add(n, &a, "127.1", 30, 1000);
    net_names_add(n, &a, "a b", 30, 1000);
    CHECK(!net_names_of(n, &a, 1000, 1));
    (void)net_names_free(n);
    CHECK(!net_names_free(NULL));
}

TEST(a_full_table_forgets_what_ends_first)
{
    struct net_names *n = net_names_new();
    struct net_address first = address_of("93.0.0.1");
    CHECK(n);
    net_names_add(n, &first, "first.example", 10, 1000);
    for (unsigned i = 1; i < NET_NAMES_MAX + 10; i++) {
        struct net_address a = { .family = AF_INET, .bytes = { 94, 0, (uint8_t)(i >> 8), (uint8_t)i } };
        CHECK_EQ(net_names_of(n, &first, 1000, 0) != NULL, i <= NET_NAMES_MAX);
        net_names_add(n, &a, "n.example", 100 + i, 1000);
        CHECK_STR(net_names_of(n, &a, 1000, 0), "n.example");
    }
    struct net_address second = { .family = AF_INET, .bytes = { 94, 0, 0, 1 } },
                       last = { .family = AF_INET, .bytes = { 94, 0, 0x0f, 0xff } };
    CHECK(!net_names_of(n, &second, 1000, 0));
    CHECK(net_names_of(n, &last, 1000, 0));
    (void)net_names_free(n);
}

/* Three times as many as there is room for: exactly the last ones are there, wherever their places were. */
TEST(a_table_that_turned_over_knows_all_that_it_has_room_for)
{
    struct net_names *n = net_names_new();
    CHECK(n);
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < 3 * NET_NAMES_MAX; i++) {
            uint32_t bits = i * 2654435761u; /* odd: no two alike */
            struct net_address a = { .family = AF_INET,
                                     .bytes = { (uint8_t)(bits >> 24), (uint8_t)(bits >> 16), (uint8_t)(bits >> 8),
                                                (uint8_t)bits } };
            if (round == 0)
                net_names_add(n, &a, "n.example", 100 + i, 1000);
            else
                CHECK_EQ(net_names_of(n, &a, 1000, 0) != NULL, i >= 2 * NET_NAMES_MAX);
        }
    (void)net_names_free(n);
}

TEST(one_address_has_so_many_names_and_not_more)
{
    struct net_names *n = net_names_new();
    struct net_address a = address_of("93.184.216.34"), other = address_of("93.184.216.35");
    char name[32];
    size_t count = 0;
    CHECK(n);
    net_names_add(n, &other, "other.example", 1, 1000);
    for (unsigned i = 0; i < 1000; i++) {
        (void)snprintf(name, sizeof name, "n%u.example", i);
        net_names_add(n, &a, name, 100 + i, 1000);
    }
    while (net_names_of(n, &a, 1000, count))
        count++;
    CHECK_EQ(count, NET_NAMES_PER_ADDRESS);
    bool has_last = false;
    for (size_t i = 0; i < count; i++)
        has_last = has_last || str_eq(net_names_of(n, &a, 1000, i), "n999.example");
    CHECK(has_last);
    CHECK(net_names_of(n, &other, 1000, 0)); /* nobody else's */
    (void)net_names_free(n);
}

/* ---- speed ---- */

TEST(a_decision_among_256_rules_of_each_kind_takes_microseconds)
{
    struct net_rules *r = calloc(1, sizeof *r);
    struct net_names *n = net_names_new();
    struct net_address a = address_of("93.184.216.34");
    struct net_decision d;
    struct timespec from, to;
    uint64_t best_ns = UINT64_MAX;
    CHECK(r && n);
    for (unsigned i = 0; i < NET_MAX_RULES; i++) {
        CHECK_EQ(strlist_addf(&r->deny, i % 2 ? "name-%03u.example.com" : "94.%u.0.0/16", i), 0);
        CHECK_EQ(strlist_addf(&r->allow, i % 2 ? "*.name-%03u.example.com" : "95.%u.0.0/16", i), 0);
    }
    CHECK_EQ(strlist_add(&r->ports, "all"), 0);
    CHECK_EQ(net_rules_compile(r, NULL), 0);
    know(n, "93.184.216.34", "www.name-256.example.com");
    know(n, "93.184.216.34", "www.name-257.example.com");
    for (unsigned round = 0; round < 20; round++) { /* the best of many, and of our own time: other programs run, too */
        CHECK_EQ(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from), 0);
        for (unsigned i = 0; i < 100; i++)
            net_decide_address(r, n, &a, 443, 1000, &d);
        CHECK_EQ(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to), 0);
        uint64_t ns = (uint64_t)((to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec) / 100;
        best_ns = MIN_OF(best_ns, ns);
    }
    CHECK_EQ(d.place, NET_REFUSE);
    (void)fprintf(stderr, "# a decision: %llu ns\n", (unsigned long long)best_ns);
    CHECK(best_ns < 100000); /* 5 times what is asked for: sanitizers and slow machines */
    net_rules_done(r);
    free(r);
    (void)net_names_free(n);
}

/* ---- learning ---- */

static void connected(struct net_learn *l, const char *address, uint16_t port, const char *name,
                      enum watch_verdict verdict)
{
    struct net_address a = address_of(address);
    struct watch_event e = {
        .kind = WATCH_CONNECT, .family = a.family, .port = port, .name = name, .verdict = (uint8_t)verdict
    };
    memcpy(e.address, a.bytes, sizeof a.bytes);
    net_learn_add(l, &e);
}

static void looked_up(struct net_learn *l, const char *name, enum watch_verdict verdict)
{
    net_learn_add(l, &(struct watch_event){ .kind = WATCH_NAME, .name = name, .verdict = (uint8_t)verdict });
}

static const char *learned(const struct net_learn *l)
{
    static char text[64 * 1024];
    struct buf b;
    buf_init(&b, sizeof text - 1);
    net_learn_print(l, &b);
    CHECK(!b.failed);
    memcpy(text, b.data, b.size + 1);
    buf_done(&b);
    return text;
}

TEST(what_a_run_needed_is_printed_sorted_and_once)
{
    struct net_learn *l = net_learn_new();
    CHECK(l);
    CHECK_STR(learned(l), "  allow: []\n");
    looked_up(l, "pypi.org", WATCH_ALLOWED);
    looked_up(l, "files.pythonhosted.org", WATCH_ALLOWED);
    looked_up(l, "alias.example.com", WATCH_ALLOWED);
    looked_up(l, "refused.example", WATCH_REFUSED);
    connected(l, "151.101.0.223", 443, "PyPI.org.", WATCH_ALLOWED);
    connected(l, "151.101.64.223", 443, "pypi.org", WATCH_ALLOWED);
    connected(l, "151.101.0.223", 80, "pypi.org", WATCH_ALLOWED);
    connected(l, "151.101.1.1", 443, "files.pythonhosted.org", WATCH_ALLOWED);
    connected(l, "93.184.216.34", 8080, NULL, WATCH_ALLOWED);
    connected(l, "2a00:1450::1", 443, NULL, WATCH_ALLOWED);
    connected(l, "9.9.9.9", 53, "", WATCH_ALLOWED);
    connected(l, "10.0.0.5", 5432, "db.internal", WATCH_ALLOWED); /* a CIDR allowed it; a name never would */
    connected(l, "169.254.169.254", 80, NULL, WATCH_REFUSED);
    net_learn_add(
        l, &(struct watch_event){ .kind = WATCH_CONNECT, .family = AF_INET, .port = 5000, .flags = WATCH_INSIDE });
    net_learn_add(l, &(struct watch_event){ .kind = WATCH_EXEC, .text = "/bin/sh" });
    CHECK_STR(learned(l), "  allow:\n"
                          "    - \"alias.example.com\"  # looked up, not connected to under this name\n"
                          "    - \"files.pythonhosted.org:443\"\n"
                          "    - \"pypi.org:80\"\n"
                          "    - \"pypi.org:443\"\n"
                          "    - \"9.9.9.9/32:53\"\n"
                          "    - \"10.0.0.5/32:5432\"\n"
                          "    - \"93.184.216.34/32:8080\"\n"
                          "    - \"[2a00:1450::1/128]:443\"\n"
                          "    # refused in this run: refused.example\n"
                          "    # refused in this run: 169.254.169.254/32:80\n");
    (void)net_learn_free(l);
    CHECK(!net_learn_free(NULL));
}

/* Learned from a run, the list permits the run. */
TEST(a_profile_with_the_learned_list_permits_what_was_learned)
{
    seed = 6;
    static const char *const names[] = { "a.example", "b.a.example", "c.example", NULL, "\"\n    - \"evil", "x\"y" };
    for (unsigned round = 0; round < 300; round++) {
        struct net_learn *l = net_learn_new();
        struct net_names *n = net_names_new();
        struct profile p;
        struct net_rules *r = calloc(1, sizeof *r);
        struct error err = { 0 };
        char text[64 * 1024];
        struct {
            const char *address, *name;
            uint16_t port;
        } seen[16];
        CHECK(l && n && r);
        for (unsigned i = 0; i < ARRAY_LEN(seen); i++) {
            const char *address = meeting_places[rnd(ARRAY_LEN(meeting_places))], *name = names[rnd(ARRAY_LEN(names))];
            seen[i].address = address;
            seen[i].name = name;
            seen[i].port = (uint16_t)(1 + rnd(65535));
            if (name)
                looked_up(l, name, WATCH_ALLOWED);
            connected(l, address, seen[i].port, name, WATCH_ALLOWED);
            if (name)
                know(n, address, name);
        }
        (void)snprintf(text, sizeof text, "network:\n  ports: all\n  dns: auto\n%s", learned(l));
        profile_defaults(&p);
        CHECK_EQ(yaml_load("learned", text, strlen(text), profile_settings, &p, p.origin, ORIGIN_PROFILE, &err), 0);
        CHECK_EQ(profile_check(&p, &err), 0);
        struct config c;
        config_defaults(&c);
        CHECK_EQ(net_rules_make(&p, &c, false, r, &err), 0);
        for (unsigned i = 0; i < ARRAY_LEN(seen); i++) {
            CHECK_EQ(decide(r, n, seen[i].address, seen[i].port)->place, NET_HOST);
            CHECK(!seen[i].name || strpbrk(seen[i].name, "\"") || ask(r, seen[i].name)->place == NET_HOST);
        }
        config_done(&c);
        net_rules_done(r);
        free(r);
        profile_done(&p);
        (void)net_names_free(n);
        (void)net_learn_free(l);
    }
}

TEST(what_is_learned_is_bounded_and_says_so)
{
    struct net_learn *l = net_learn_new();
    char name[32];
    CHECK(l);
    for (unsigned i = 0; i < 1000; i++) {
        (void)snprintf(name, sizeof name, "n%u.example", i);
        connected(l, "93.184.216.34", 443, name, WATCH_ALLOWED);
        connected(l, "93.184.216.34", 443, name, WATCH_REFUSED);
    }
    const char *text = learned(l);
    size_t lines = 0;
    for (const char *p = text; (p = strstr(p, "\n    - ")); p++)
        lines++;
    CHECK_EQ(lines, NET_MAX_RULES);
    CHECK(strstr(text, "# not complete: more than 256 rules would be needed"));
    CHECK(strstr(text, "# and more was refused"));
    (void)net_learn_free(l);
}
