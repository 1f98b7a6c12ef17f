/* filter.h - which of many patterns can match a text at all, in one pass over it.
 *
 * From a regex follows, mostly, a run of characters that every match holds («stratum», «.onion»). The filter keeps four
 * bytes of each such run; a text that lacks them needs no look by that pattern. Patterns of which nothing follows are
 * always looked for. Letters count the same in both cases, so (?i) changes nothing.
 */
#pragma once
#include "base/base.h"

#define FILTER_SLOTS 2048u

/* __extension__: ISO C has no type of 128 bits, gcc and clang have it wherever we run. */
__extension__ typedef unsigned __int128 filter_set;
#define FILTER_BITS 128u

struct filter {
    uint32_t key[FILTER_SLOTS];    /* four bytes; 0: free. Found by hash and from there on one after the other */
    filter_set bits[FILTER_SLOTS]; /* the patterns (number modulo FILTER_BITS) that need them */
    unsigned used;
    filter_set always;
};

/* Pattern number `index` joins. */
void filter_add(struct filter *f, unsigned index, const char *regex);
/* The patterns that may match; test with filter_may(). */
filter_set filter_scan(const struct filter *f, const char *text, size_t size);
/* The same of a text in parts, one behind the other; begins with zeros. */
struct filter_state {
    filter_set found;
    uint32_t key;
};
void filter_go_on(const struct filter *f, const char *part, size_t size, struct filter_state *s);
static inline bool filter_may(filter_set candidates, unsigned index)
{
    return candidates >> (index % FILTER_BITS) & 1;
}
