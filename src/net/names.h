/* names.h - which address was given for which name: filled from the resolver's answers, asked when something connects.
 *
 * At most NET_NAMES_MAX entries, of one address at most NET_NAMES_PER_ADDRESS; the one that ends first makes place. An
 * entry outlives its TTL by a grace (60 s), since programs connect a while after they asked; it never lives longer than
 * a day, and it never dies before it would have (a later answer with a shorter TTL does not shorten it).
 */
#pragma once
#include "net/rules.h"

#define NET_NAMES_MAX 4096u
#define NET_NAMES_PER_ADDRESS \
    16u /* a wildcard name gives one address as many names as its owner likes; a decision looks at all */

struct net_names *net_names_new(void); /* NULL: no memory */
struct net_names *net_names_free(struct net_names *n);
/* name: the one that was asked for (not a CNAME on the way). One that is no host name is not kept. */
void net_names_add(struct net_names *n, const struct net_address *a, const char *name, uint32_t ttl_s, uint64_t now_ms);
/* The i-th name (from 0) under which the address is known and that is still valid; NULL: no more. In lower case,
 * without a last dot. */
const char *net_names_of(const struct net_names *n, const struct net_address *a, uint64_t now_ms, size_t i);
