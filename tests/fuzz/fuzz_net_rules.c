/* Rules from anybody, as the broker gets them and as lines of text: what is read can be decided by, and what is not
 * public never opens by a name.
 *
 * The first byte says which: 'p' a packed struct, else lines: «a RULE», «d RULE», «p PORTS» fill the lists, «? ADDRESS»
 * and «n NAME» ask. */
#include "net/names.h"

static const char *const addresses[] = { "10.0.0.1",       "127.0.0.1",    "169.254.169.254", "93.184.216.34", "::1",
                                         "64:ff9b::a00:1", "2002:a00:1::", "2a00::1",         "fe80::1" };

static void check_decisions(const struct net_rules *r, const struct net_names *names, const struct net_address *a)
{
    struct net_decision d;
    static const uint16_t ports[] = { 0, 1, 80, 443, 65535 };
    for (size_t i = 0; i < ARRAY_LEN(ports); i++) {
        net_decide_address(r, names, a, ports[i], 1, &d);
        assert(d.rule[0] && strnlen(d.rule, sizeof d.rule) < sizeof d.rule);
        assert(d.place != NET_SANDBOX || net_is_own_loopback(a));
        assert(d.place != NET_HOST || (ports[i] && r->ports.count));
        bool has_network = net_scope_of(a) == NET_PUBLIC;
        for (uint32_t k = 0; k < r->compiled.allow_count; k++)
            has_network = has_network || net_rule_has_address(&r->compiled.allow[k], a);
        assert(d.place != NET_HOST || has_network);
    }
    (void)net_may_answer(r, "www.example.com", a);
}

static void check_rules(const struct net_rules *r)
{
    struct net_names *names = net_names_new();
    struct net_decision d;
    assert(names);
    for (size_t i = 0; i < ARRAY_LEN(addresses); i++) {
        struct net_address a;
        assert(net_address_parse(addresses[i], &a) == 0);
        net_names_add(names, &a, "www.example.com", 1, 0);
        check_decisions(r, names, &a);
    }
    net_decide_name(r, "www.example.com", &d);
    assert(d.rule[0] && d.place != NET_SANDBOX);
    (void)net_names_free(names);
}

static void take_line(struct net_rules *r, const char *line)
{
    struct net_rule rule;
    struct net_ports ports;
    struct net_address a;
    char normal[NET_NAME_MAX];
    const char *why = NULL, *text = line[0] && line[1] ? line + 2 : "";
    int e = net_rule_parse(text, &rule, &why);
    assert(e == 0 || (e == -EINVAL && why));
    if (line[0] == 'a' && e == 0)
        (void)strlist_add(&r->allow, text);
    if (line[0] == 'd' && e == 0)
        (void)strlist_add(&r->deny, text);
    if (net_ports_parse(text, &ports) == 0 && line[0] == 'p')
        (void)strlist_add(&r->ports, text);
    if (net_address_parse(text, &a) == 0 && line[0] == '?')
        if (r->compiled.is_ready || net_rules_compile(r, NULL) == 0)
            check_decisions(r, NULL, &a);
    if (net_name_normal(text, normal) == 0) {
        char again[NET_NAME_MAX];
        assert(net_name_normal(normal, again) == 0 && str_eq(normal, again));
    }
    r->compiled.is_ready = r->compiled.is_ready && line[0] == '?'; /* the lists have changed */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct net_rules r;
    char line[512];
    memset(&r, 0, sizeof r);
    if (size && data[0] == 'p') {
        if (net_rules_unpack(data + 1, size - 1, &r) == 0)
            check_rules(&r);
        return 0;
    }
    r.has_names = true;
    for (size_t at = 0, n; at < size; at += n + 1) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        n = end ? (size_t)(end - data) - at : size - at;
        memcpy(line, data + at, MIN_OF(n, sizeof line - 1));
        line[MIN_OF(n, sizeof line - 1)] = '\0';
        take_line(&r, line);
    }
    if (net_rules_compile(&r, NULL) == 0)
        check_rules(&r);
    net_rules_done(&r);
    return 0;
}
