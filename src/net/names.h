/* names.h - which address was given for which name: filled from the resolver's answers, asked when something connects.
 *
 * At most NET_NAMES_MAX entries; the one that ends first makes place. An entry outlives its TTL by a grace (60 s), since programs
 * connect a while after they asked; it never lives shorter than 60 s and never longer than a day.
 */
#pragma once
#include "net/rules.h"

#define NET_NAMES_MAX 4096u

struct net_names *net_names_new(void); /* NULL: no memory */
struct net_names *net_names_free(struct net_names *n);
/* name: the one that was asked for (not a CNAME on the way). */
void net_names_add(struct net_names *n, const struct net_address *a, const char *name, uint32_t ttl_s, uint64_t now_ms);
/* The i-th name (from 0) under which the address is known and that is still valid; NULL: no more. */
const char *net_names_of(const struct net_names *n, const struct net_address *a, uint64_t now_ms, size_t i);
