#include "net/learn.h"

#include "net/scope.h"

#include <sys/socket.h>

/* A name, or an address, with a port; 0: looked up only. */
struct need {
    char name[NET_NAME_MAX]; /* "": none */
    struct net_address address;
    uint16_t port;
};
struct needs {
    uint32_t count, most;
    uint64_t dropped; /* for which there was no room: counted each time */
    struct need items[NET_MAX_RULES];
};
struct net_learn {
    struct needs allowed, refused; /* sorted */
};

struct net_learn *net_learn_new(void)
{
    struct net_learn *l = calloc(1, sizeof *l);
    if (l) {
        l->allowed.most = NET_MAX_RULES;
        l->refused.most = NET_LEARN_REFUSED_MAX;
    }
    return l;
}

struct net_learn *net_learn_free(struct net_learn *l)
{
    free(l);
    return NULL;
}

/* Names first, by letter; then addresses, IPv4 first. */
static int compare(const struct need *a, const struct need *b)
{
    if (!a->name[0] != !b->name[0])
        return a->name[0] ? -1 : 1;
    int c = strcmp(a->name, b->name);
    if (c == 0 && !a->name[0])
        c = a->address.family != b->address.family ? (a->address.family == AF_INET ? -1 : 1)
                                                   : memcmp(a->address.bytes, b->address.bytes, 16);
    return c ? c : a->port - b->port;
}

static void insert(struct needs *n, const struct need *what)
{
    uint32_t at = 0, end = n->count;
    while (at < end) {
        uint32_t middle = (at + end) / 2;
        int c = compare(what, &n->items[middle]);
        if (c == 0)
            return;
        if (c < 0)
            end = middle;
        else
            at = middle + 1;
    }
    if (n->count == n->most) {
        n->dropped++;
        return;
    }
    memmove(&n->items[at + 1], &n->items[at], (n->count - at) * sizeof *n->items);
    n->items[at] = *what;
    n->count++;
}

void net_learn_add(struct net_learn *l, const struct watch_event *e)
{
    struct need what = { 0 };
    struct needs *to = e->verdict == WATCH_ALLOWED ? &l->allowed : &l->refused;
    bool has_name = e->name && net_name_normal(e->name, what.name) == 0;
    if (e->kind == WATCH_CONNECT && !(e->flags & WATCH_INSIDE)) {
        if ((e->family != AF_INET && e->family != AF_INET6) || e->port == 0)
            return;
        what.port = e->port;
        struct net_address a = net_address_from(e->family, e->address);
        if (!has_name || net_scope_of(&a) != NET_PUBLIC) { /* a name would not open it (rules.h) */
            what.name[0] = '\0';
            what.address = a;
        }
        insert(to, &what);
    } else if (e->kind == WATCH_NAME && has_name) {
        insert(to, &what);
    }
}

/* ---- printing ---- */

/* The port is connected to under this name: the rule without one would say more than was needed. */
static bool is_covered(const struct needs *n, uint32_t i)
{
    return n->items[i].port == 0 && i + 1 < n->count && str_eq(n->items[i].name, n->items[i + 1].name);
}

static void print_need(const struct need *what, struct buf *out)
{
    char address[NET_ADDRESS_MAX];
    if (what->name[0]) {
        (void)buf_adds(out, what->name);
    } else {
        net_address_format(&what->address, address);
        (void)buf_addf(out, what->address.family == AF_INET6 ? "[%s/128]" : "%s/32", address);
    }
    if (what->port)
        (void)buf_addf(out, ":%u", what->port);
}

static void print_allowed(const struct needs *n, struct buf *out)
{
    (void)buf_adds(out, n->count ? "  allow:\n" : "  allow: []\n");
    for (uint32_t i = 0; i < n->count; i++) {
        if (is_covered(n, i))
            continue;
        (void)buf_adds(out, "    - \"");
        print_need(&n->items[i], out);
        (void)buf_adds(out, n->items[i].port ? "\"\n" : "\"  # looked up, not connected to under this name\n");
    }
    if (n->dropped)
        (void)buf_addf(out, "    # not complete: more than %u rules would be needed\n", n->most);
}

static void print_refused(const struct needs *n, struct buf *out)
{
    for (uint32_t i = 0; i < n->count; i++) {
        if (is_covered(n, i))
            continue;
        (void)buf_adds(out, "    # refused in this run: ");
        print_need(&n->items[i], out);
        (void)buf_addc(out, '\n');
    }
    if (n->dropped)
        (void)buf_adds(out, "    # and more was refused\n");
}

void net_learn_print(const struct net_learn *l, struct buf *out)
{
    print_allowed(&l->allowed, out);
    print_refused(&l->refused, out);
}
