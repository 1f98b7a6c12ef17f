/* shape.h - what a program looks like when names, values and text are taken away, as numbers that can be compared.
 *
 *   set    which constructs stand in which (a call in an assignment, a loop in a function), each once: two programs
 * that differ only in names, literals, order or repetition have the same. What trust counts as diversity. tree   the
 * whole tree in its order: much more specific. What known-bad code is recognised by. size   how many different
 * constructs there are: what tells work from print(1)
 */
#pragma once
#include "base/base.h"

#include <tree_sitter/api.h>

/* «set-tree-size», 16 hex digits each for the first two. */
#define SHAPE_TEXT_MAX 48u
void shape_of(const TSLanguage *language, TSNode root, char ret[static SHAPE_TEXT_MAX]);

/* The same of a tree in parts: begins with zeros, goes on where it was left, up to the child of the root that begins at
 * `until`; UINT32_MAX: to the end. What lies before that must be the same in each tree that it goes on with. */
#define SHAPE_MAX_SYMBOLS 1024u
#define SHAPE_MAX_PAIRS   4096u /* a grammar of ours has some hundred kinds of nodes, and few stand in few */
struct shape {
    uint16_t kinds[SHAPE_MAX_SYMBOLS]; /* of symbols, by their names; 0: not looked at yet */
    uint32_t pairs[SHAPE_MAX_PAIRS];   /* open addressing; 0: free */
    uint32_t pair_count, nodes, at;
    int64_t child; /* of the root */
    uint64_t pair_sum, tree;
};
void shape_go_on(const TSLanguage *language, TSNode root, uint32_t until, struct shape *s);
void shape_print(const struct shape *s, char ret[static SHAPE_TEXT_MAX]);
