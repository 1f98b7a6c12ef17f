#include "net/make.h"

static int copy_list(const struct strlist *from, struct strlist *to)
{
    int r = 0;
    STRLIST_FOREACH(item, from)
    if (r == 0)
        r = strlist_add(to, item);
    return r;
}

int net_rules_make(const struct profile *p, const struct config *c, bool is_learning, struct net_rules *ret,
                   struct error *err)
{
    const struct {
        const struct strlist *from;
        struct strlist *to;
    } lists[] = {
        { &p->network.allow, &ret->allow },
        { &p->network.deny, &ret->deny },
        { &p->network.ports, &ret->ports },
        { &c->sandbox.resolvers, &ret->resolvers },
    };
    int r;
    memset(ret, 0, sizeof *ret);
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        if ((r = copy_list(lists[i].from, lists[i].to)) < 0)
            return err_set(err, r, BLAME_US, NULL, "copy the network's rules: %s", strerror(-r));
    }
    /* An empty list closes inbound ports, as everything that is inbound is closed: outbound is for allow and deny. */
    if (!p->network.ports.count && (r = strlist_add(&ret->ports, "all")) < 0)
        return err_set(err, r, BLAME_US, NULL, "copy the network's rules: %s", strerror(-r));
    ret->no_loopback = p->network.disable_loopback;
    ret->has_names = p->network.dns == DNS_AUTO;
    ret->max_connections = p->network.max_connections;
    ret->max_connections_per_second = p->network.max_connections_per_second;
    ret->max_bytes = p->network.max_bytes;
    ret->is_learning = is_learning;
    return net_rules_compile(ret, err);
}
