#include "net/names.h"

#include <stdio.h>
#include <sys/socket.h>

/* ---- from lists to what is decided by, and through the launcher ---- */

static int bad_rule(struct error *err, const char *list, const char *text, const char *why)
{
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "network.%s: '%.60s' cannot be read", list, text);
    return err_remedy(err, "%s", why);
}

static int check_count(const struct strlist *l, uint32_t most, const char *list, struct error *err)
{
    if (l->count <= most)
        return 0;
    return err_set(err, -EINVAL, BLAME_CALLER, NULL, "network.%s: %u items, but at most %u are looked at", list,
                   l->count, most);
}

static int compile_list(const struct strlist *l, const char *list, struct net_rule *rules, uint32_t *ret,
                        struct error *err)
{
    uint32_t n = 0;
    const char *why = "";
    int r = check_count(l, NET_MAX_RULES, list, err);
    if (r < 0)
        return r;
    STRLIST_FOREACH(text, l)
    if (net_rule_parse(text, &rules[n++], &why) < 0)
        return bad_rule(err, list, text, why);
    *ret = n;
    return 0;
}

static int compile_ports(const struct strlist *l, struct net_ports *ports, uint32_t *ret, struct error *err)
{
    uint32_t n = 0;
    int r = check_count(l, NET_MAX_RULES, "ports", err);
    if (r < 0)
        return r;
    STRLIST_FOREACH(text, l)
    if (net_ports_parse(text, &ports[n++]) < 0)
        return bad_rule(err, "ports", text, "a port, a range such as 8000-8010, or all");
    *ret = n;
    return 0;
}

static int check_resolvers(const struct strlist *l, struct error *err)
{
    struct net_address a;
    uint16_t port;
    int r = check_count(l, NET_MAX_RESOLVERS, "resolvers", err);
    if (r < 0)
        return r;
    STRLIST_FOREACH(text, l)
    if (net_server_parse(text, 53, &a, &port) < 0)
        return bad_rule(err, "resolvers", text, "an address with an optional :port; of IPv6 then in brackets");
    return 0;
}

int net_rules_compile(struct net_rules *r, struct error *err)
{
    struct net_compiled *c = &r->compiled;
    c->is_ready = false;
    int e = compile_list(&r->allow, "allow", c->allow, &c->allow_count, err);
    if (e == 0)
        e = compile_list(&r->deny, "deny", c->deny, &c->deny_count, err);
    if (e == 0)
        e = compile_ports(&r->ports, c->ports, &c->ports_count, err);
    if (e == 0)
        e = check_resolvers(&r->resolvers, err);
    c->no_loopback = r->no_loopback;
    c->is_ready = e == 0;
    return e;
}

#define T struct net_rules
static const struct field fields[] = {
    FIELD_L(T, allow),
    FIELD_L(T, deny),
    FIELD_L(T, ports),
    FIELD_U(T, has_names, 1),
    FIELD_U(T, no_loopback, 1),
    FIELD_U(T, max_connections, UINT32_MAX),
    FIELD_U(T, max_connections_per_second, UINT32_MAX),
    FIELD_U(T, max_bytes, UINT64_MAX),
    FIELD_L(T, resolvers),
    FIELD_U(T, is_learning, 1),
};
#undef T

void net_rules_pack(struct buf *b, const struct net_rules *r)
{
    pack_fields(b, fields, ARRAY_LEN(fields), r);
}

int net_rules_unpack(const void *data, size_t size, struct net_rules *ret)
{
    struct unpack u = unpack_start(data, size);
    memset(ret, 0, sizeof *ret);
    unpack_fields(&u, fields, ARRAY_LEN(fields), ret);
    if (unpack_end(&u) < 0 || net_rules_compile(ret, NULL) < 0)
        return -EBADMSG;
    return 0;
}

void net_rules_done(struct net_rules *r)
{
    struct strlist *lists[] = { &r->allow, &r->deny, &r->ports, &r->resolvers };
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        strlist_done(lists[i]);
    r->compiled.is_ready = false; /* its texts are gone */
}

/* ---- what is asked ---- */

struct target {
    const struct net_compiled *c;
    bool is_open; /* no list of what is allowed: all that is public */
    bool has_address;
    struct net_address address; /* unmapped */
    enum net_scope scope;
    size_t within_count, name_count;
    struct net_address within[NET_EMBEDDED_MAX];
    const char *names[NET_NAMES_PER_ADDRESS];
    size_t name_sizes[NET_NAMES_PER_ADDRESS];
};

static struct target target_start(const struct net_rules *r)
{
    assert(
        r->compiled.is_ready); /* lists that were not compiled allow nothing and deny nothing: neither would be right */
    return (struct target){ .c = &r->compiled, .is_open = r->is_learning || r->compiled.allow_count == 0 };
}

static void target_address(struct target *t, const struct net_address *a)
{
    t->has_address = true;
    t->address = net_address_unmapped(a);
    t->scope = net_scope_of(&t->address);
    while (t->within_count < NET_EMBEDDED_MAX &&
           net_embedded(&t->address, t->within_count, &t->within[t->within_count]))
        t->within_count++;
}

static void target_name(struct target *t, const char *name)
{
    if (t->name_count == NET_NAMES_PER_ADDRESS)
        return;
    t->names[t->name_count] = name;
    t->name_sizes[t->name_count++] = strlen(name);
}

/* ---- rules against it ---- */

static const char *name_in(const struct net_rule *rule, const struct target *t)
{
    if (rule->kind != NET_RULE_CIDR)
        for (size_t i = 0; i < t->name_count; i++)
            if (net_rule_has_name(rule, t->names[i], t->name_sizes[i]))
                return t->names[i];
    return NULL;
}

static bool denies(const struct net_rule *rule, const struct target *t)
{
    if (rule->kind != NET_RULE_CIDR)
        return name_in(rule, t) != NULL;
    for (size_t i = 0; i < t->within_count; i++)
        if (net_rule_has_address(rule, &t->within[i]))
            return true;
    return t->has_address && net_rule_has_address(rule, &t->address);
}

/* ret_name: the name that did it, or NULL */
static bool allows(const struct net_rule *rule, const struct target *t, const char **ret_name)
{
    *ret_name = NULL;
    if (rule->kind != NET_RULE_CIDR) /* a name never opens what is not public */
        return t->scope == NET_PUBLIC && (*ret_name = name_in(rule, t)) != NULL;
    if (!t->has_address || !net_rule_has_address(rule, &t->address))
        return false;
    if (t->scope == NET_METADATA)
        return rule->prefix == (t->address.family == AF_INET6 ? 128 : 32);
    return t->scope == NET_PUBLIC || net_scope_is_named_by(&rule->network, rule->prefix);
}

static const struct net_rule *find_deny(const struct target *t, uint16_t port)
{
    for (uint32_t i = 0; i < t->c->deny_count; i++)
        if (net_ports_have(t->c->deny[i].ports, port) && denies(&t->c->deny[i], t))
            return &t->c->deny[i];
    return NULL;
}

static const struct net_rule *find_allow(const struct target *t, uint16_t port, const char **ret_name)
{
    for (uint32_t i = 0; i < t->c->allow_count; i++)
        if (net_ports_have(t->c->allow[i].ports, port) && allows(&t->c->allow[i], t, ret_name))
            return &t->c->allow[i];
    *ret_name = NULL;
    return NULL;
}

static bool has_port(const struct net_compiled *c, uint16_t port)
{
    for (uint32_t i = 0; i < c->ports_count; i++)
        if (net_ports_have(c->ports[i], port))
            return true;
    return false;
}

/* ---- an address ---- */

static void decided(struct net_decision *d, enum net_place place, const char *format, const char *text)
{
    d->place = place;
    (void)snprintf(d->rule, sizeof d->rule, format, text); /* cut where it is longer */
}

static void decide_scope(const struct target *t, struct net_decision *d)
{
    char address[NET_ADDRESS_MAX], what[NET_ADDRESS_MAX + 32];
    net_address_format(&t->address, address);
    (void)snprintf(what, sizeof what, "%s address %s", net_scope_name(t->scope), address);
    decided(d, NET_REFUSE, "%s", what);
}

/* In mode bridge `lo` is up in any case: datagrams and the resolver need it. Where the profile wants none, only the
 * resolver may be reached. */
static void decide_own_loopback(const struct target *t, uint16_t port, struct net_decision *d)
{
    static const uint8_t resolver[] = { 127, 0, 0, 53 };
    bool is_resolver = port == 53 && t->address.family == AF_INET &&
                       memcmp(t->address.bytes, resolver, sizeof resolver) == 0;
    if (t->c->no_loopback && !is_resolver)
        decided(d, NET_REFUSE, "%s", "network.disable_loopback");
    else
        decided(d, NET_SANDBOX, "%s", "the sandbox's own loopback");
}

static void decide(const struct target *t, uint16_t port, struct net_decision *d)
{
    const char *name;
    const struct net_rule *rule = find_deny(t, port);
    char number[8];
    if (rule)
        return decided(d, NET_REFUSE, "deny %s", rule->text);
    rule = find_allow(t, port, &name);
    if (t->scope != NET_PUBLIC && !rule)
        return net_is_own_loopback(&t->address) ? decide_own_loopback(t, port, d) : decide_scope(t, d);
    (void)snprintf(number, sizeof number, "%u", port);
    if (!has_port(t->c, port))
        return decided(d, NET_REFUSE, "port %s is not in network.ports", number);
    if (rule) {
        if (name)
            (void)snprintf(d->name, sizeof d->name, "%s", name);
        return decided(d, NET_HOST, "allow %s", rule->text);
    }
    if (t->is_open)
        return decided(d, NET_HOST, "%s", t->c->allow_count ? "learning: public address" : "public address");
    decided(d, NET_REFUSE, "%s", "no rule allows it");
}

void net_decide_address(const struct net_rules *r, const struct net_names *names, const struct net_address *a,
                        uint16_t port, uint64_t now_ms, struct net_decision *ret)
{
    struct target t = target_start(r);
    const char *name;
    memset(ret, 0, sizeof *ret);
    target_address(&t, a);
    for (size_t i = 0; names && i < NET_NAMES_PER_ADDRESS && (name = net_names_of(names, &t.address, now_ms, i)); i++)
        target_name(&t, name);
    if (t.name_count)
        (void)snprintf(ret->name, sizeof ret->name, "%s", t.names[0]);
    decide(&t, port, ret);
}

bool net_names_exactly(const struct net_rules *r, const struct net_address *a, uint16_t port)
{
    const struct net_compiled *c = &r->compiled;
    const struct net_address plain = net_address_unmapped(a);
    if (net_is_own_loopback(&plain))
        return true;
    for (uint32_t i = 0; i < c->allow_count; i++)
        if (c->allow[i].kind == NET_RULE_CIDR && c->allow[i].prefix == (plain.family == AF_INET6 ? 128 : 32) &&
            net_ports_have(c->allow[i].ports, port) && net_rule_has_address(&c->allow[i], &plain))
            return true;
    return false;
}

/* ---- a name ---- */

/* Some port from first to last is not denied. */
static bool is_open_between(const struct target *t, uint32_t first, uint32_t last)
{
    for (uint32_t port = first; port <= last;) {
        const struct net_rule *rule = find_deny(t, (uint16_t)port);
        if (!rule)
            return true;
        port = rule->ports.last + 1u;
    }
    return false;
}

/* There is a port at which the answer would be yes. */
static bool is_reachable(const struct target *t)
{
    const char *name;
    for (uint32_t p = 0; p < t->c->ports_count; p++) {
        struct net_ports ports = t->c->ports[p];
        if (t->is_open && t->scope == NET_PUBLIC && is_open_between(t, ports.first, ports.last))
            return true;
        for (uint32_t i = 0; i < t->c->allow_count; i++) {
            const struct net_rule *rule = &t->c->allow[i];
            uint16_t first = MAX_OF(ports.first, rule->ports.first), last = MIN_OF(ports.last, rule->ports.last);
            if (first <= last && allows(rule, t, &name) && is_open_between(t, first, last))
                return true;
        }
    }
    return false;
}

/* The words for a name that may not be asked for. */
static void decide_refused_name(const struct target *t, struct net_decision *d)
{
    const char *name;
    for (uint32_t i = 0; i < t->c->deny_count; i++)
        if (denies(&t->c->deny[i], t))
            return decided(d, NET_REFUSE, "deny %s", t->c->deny[i].text);
    for (uint32_t i = 0; i < t->c->allow_count; i++)
        if (allows(&t->c->allow[i], t, &name))
            return decided(d, NET_REFUSE, "no port of allow %s is in network.ports", t->c->allow[i].text);
    decided(d, NET_REFUSE, "%s", t->c->ports_count ? "no rule allows it" : "network.ports is empty");
}

/* The name, as if it had an address that is public. */
static bool target_of_name(const struct net_rules *r, const char *name, char normal[static NET_NAME_MAX],
                           struct target *ret)
{
    *ret = target_start(r);
    if (net_name_normal(name, normal) < 0)
        return false;
    target_name(ret, normal);
    return true;
}

void net_decide_name(const struct net_rules *r, const char *name, struct net_decision *ret)
{
    char normal[NET_NAME_MAX];
    struct target t;
    const char *by;
    memset(ret, 0, sizeof *ret);
    if (!target_of_name(r, name, normal, &t))
        return decided(ret, NET_REFUSE, "%s", "no host name");
    memcpy(ret->name, normal, sizeof ret->name);
    if (!r->has_names)
        return decided(ret, NET_REFUSE, "%s", "network.dns is disabled");
    if (!is_reachable(&t))
        return decide_refused_name(&t, ret);
    for (uint32_t i = 0; i < t.c->allow_count; i++)
        if (allows(&t.c->allow[i], &t, &by))
            return decided(ret, NET_HOST, "allow %s", t.c->allow[i].text);
    decided(ret, NET_HOST, "%s", t.c->allow_count ? "learning: any name" : "any name");
}

bool net_may_answer(const struct net_rules *r, const char *name, const struct net_address *a)
{
    char normal[NET_NAME_MAX];
    struct target t;
    if (!r->has_names || !target_of_name(r, name, normal, &t))
        return false;
    target_address(&t, a);
    return is_reachable(&t);
}
