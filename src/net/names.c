/* names.c - a table of fixed size: slots, chained by a hash of the address. Nothing moves, so a name that was given out
 * stays until it is replaced. */
#include "net/names.h"

#include <sys/socket.h>
#include "base/fnv.h"

#define GRACE_S   60u
#define LONGEST_S (24u * 3600u)
#define BUCKETS   4096u /* a power of two */
#define NONE      UINT16_MAX

struct slot {
    struct net_address address;
    uint16_t next;
    char name[NET_NAME_MAX];
};
struct net_names {
    uint32_t count;
    uint16_t first[BUCKETS];
    uint64_t ends_ms[NET_NAMES_MAX]; /* apart from the slots: looked through when the table is full */
    struct slot slots[NET_NAMES_MAX];
};
_Static_assert(NET_NAMES_MAX < NONE, "slots are counted in 16 bits");

struct net_names *net_names_new(void)
{
    struct net_names *n = calloc(1, sizeof *n); /* 1.1 MiB, of which the kernel gives what is touched */
    if (n)
        for (size_t i = 0; i < BUCKETS; i++)
            n->first[i] = NONE;
    return n;
}

struct net_names *net_names_free(struct net_names *n)
{
    free(n);
    return NULL;
}

/* A program that makes names collide slows down the broker of its own sandbox only, and no list is longer than
 * the table. */
static unsigned bucket_of(const struct net_address *a)
{
    const uint32_t h = fnv_add(FNV_START, a->bytes, a->family == AF_INET6 ? 16 : 4);
    return (h ^ h >> 16) & (BUCKETS - 1);
}

static void unlink_slot(struct net_names *n, unsigned index)
{
    uint16_t *at = &n->first[bucket_of(&n->slots[index].address)];
    while (*at != index)
        at = &n->slots[*at].next;
    *at = n->slots[index].next;
}

static unsigned soonest(const struct net_names *n)
{
    unsigned found = 0;
    for (unsigned i = 1; i < n->count; i++)
        if (n->ends_ms[i] < n->ends_ms[found])
            found = i;
    return found;
}

/* The slot of this name and address; else, when the address has as many names as it may, the one of them that ends
 * first; else NONE. */
static unsigned find_slot(const struct net_names *n, const struct net_address *a, const char *name)
{
    unsigned of_address = 0, first_to_end = NONE;
    for (unsigned i = n->first[bucket_of(a)]; i != NONE; i = n->slots[i].next) {
        if (!net_address_equal(&n->slots[i].address, a))
            continue;
        if (str_eq(n->slots[i].name, name))
            return i;
        of_address++;
        if (first_to_end == NONE || n->ends_ms[i] < n->ends_ms[first_to_end])
            first_to_end = i;
    }
    return of_address >= NET_NAMES_PER_ADDRESS ? first_to_end : NONE;
}

static unsigned new_slot(struct net_names *n, const struct net_address *a)
{
    unsigned index = n->count < NET_NAMES_MAX ? n->count++ : soonest(n);
    if (n->ends_ms[index])
        unlink_slot(n, index);
    uint16_t *bucket = &n->first[bucket_of(a)];
    n->slots[index] = (struct slot){ .address = *a, .next = *bucket };
    n->ends_ms[index] = 0;
    *bucket = (uint16_t)index;
    return index;
}

void net_names_add(struct net_names *n, const struct net_address *given, const char *name, uint32_t ttl_s,
                   uint64_t now_ms)
{
    char normal[NET_NAME_MAX];
    struct net_address a = net_address_unmapped(given);
    if (net_name_normal(name, normal) < 0)
        return;
    uint64_t lives_s = MIN_OF((uint64_t)ttl_s + GRACE_S, LONGEST_S), ends = now_ms + lives_s * 1000;
    unsigned index = find_slot(n, &a, normal);
    if (index == NONE)
        index = new_slot(n, &a);
    struct slot *s = &n->slots[index];
    if (!str_eq(s->name, normal)) {
        memcpy(s->name, normal, sizeof s->name);
        n->ends_ms[index] = 0;
    }
    n->ends_ms[index] = MAX_OF(n->ends_ms[index], ends);
}

const char *net_names_of(const struct net_names *n, const struct net_address *given, uint64_t now_ms, size_t i)
{
    struct net_address a = net_address_unmapped(given);
    for (unsigned at = n->first[bucket_of(&a)]; at != NONE; at = n->slots[at].next)
        if (net_address_equal(&n->slots[at].address, &a) && n->ends_ms[at] > now_ms && i-- == 0)
            return n->slots[at].name;
    return NULL;
}
