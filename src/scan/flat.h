/* flat.h - a syntax tree as one array in source order, for resolvers that visit every node once.
 *
 * The children of node i begin at i + 1; nodes[i].after is the first node behind its subtree, so the next sibling of a
 * child c is nodes[c].after. Kinds and fields are the resolver's own small numbers, found by name once per grammar, so
 * that a newer grammar with other symbol numbers needs no change here. Nodes deeper than SCAN_MAX_DEPTH or beyond
 * FLAT_MAX_NODES are left out and the scan counts as cut. The array is the caller's: flat_done() frees it.
 */
#pragma once
#include "scan/resolver.h"

#define FLAT_MAX_NODES 300000u
#define FLAT_NONE      UINT32_MAX

struct flat_node {
    uint32_t start, end; /* bytes of the text */
    uint32_t after, parent;
    uint8_t kind, field; /* 0: none that the resolver knows */
    bool is_named;
};

/* `kinds` and `fields` are sorted names; the number of one is its index, the first being "" for all others. */
struct flat_grammar {
    const char *const *kinds, *const *fields;
    uint8_t kind_count, field_count;
    uint8_t whole[4];           /* kinds whose children no process needs: strings without expansions, comments */
    const TSLanguage *language; /* what the maps below were made for */
    uint8_t kind_of[1024], field_of[128];
};

struct flat {
    const char *text;
    struct flat_node *nodes;
    uint32_t count, size; /* nodes; bytes of the text */
};

/* False: no memory (the scan is marked as cut). */
bool flat_build(struct scan_ctx *c, TSNode root, struct flat_grammar *g, struct flat *ret);
void flat_done(struct flat *f);
/* The first child with that field; FLAT_NONE if there is none. */
uint32_t flat_field(const struct flat *f, uint32_t node, uint8_t field);
/* The nearest ancestor of that kind, looking at most `limit` levels up; FLAT_NONE if there is none. */
uint32_t flat_above(const struct flat *f, uint32_t node, uint8_t kind, uint32_t limit);

#define FLAT_CHILDREN(c, f, i) \
    for (uint32_t c = (i) + 1, flat_end_##c = (f)->nodes[i].after; c < flat_end_##c; c = (f)->nodes[c].after)
