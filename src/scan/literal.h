/* literal.h - the string literals of a program, and the rows that they stand in, by syntax alone.
 *
 * For values that a resolver loses on their way: the members of an enum, a table that a loop walks, what a method
 * returns. No literal is here that is only documentation, printed, logged, compared or looked for. One walk for all
 * languages but bash, bounded in number, depth and bytes. Texts live in the scan's arena.
 */
#pragma once
#include "scan/resolver.h"

#define LITERALS_MAX      256u
#define LITERAL_ROWS_MAX  96u
#define LITERAL_ROW_WORDS 16u
#define LITERAL_MAX_BYTES 16384u

struct literal {
    const char *text; /* decoded; what is interpolated is {} */
    uint32_t byte;
};

struct literal_row { /* a tuple, list, array, composite literal or argument list of strings only */
    const char *words[LITERAL_ROW_WORDS];
    uint32_t byte;
    uint8_t count;
    bool is_nested; /* a string and a list: («rm», [«-rf», «/x»]) */
};

struct literal_pair { /* of a map: a key and its value */
    const char *key, *value;
    uint32_t byte;
};

struct literals {
    struct literal texts[LITERALS_MAX];
    struct literal_row rows[LITERAL_ROWS_MAX];
    struct literal_pair pairs[LITERAL_ROWS_MAX];
    uint32_t text_count, row_count, pair_count;
};

void literals_of(struct scan_ctx *c, TSNode root, struct literals *ret);
/* The same of a tree in parts: begins with zeros, goes on where it was left, up to the child of the root that begins at
 * `until`; UINT32_MAX: to the end. What lies before that must be the same in each tree that it goes on with. */
#define LITERAL_MAX_SYMBOLS 1024u
struct literals_state {
    struct literals found;
    uint8_t kinds[LITERAL_MAX_SYMBOLS]; /* of the grammar's symbols, by their names; 0: not looked at yet */
    uint32_t bytes, at;
    int64_t child; /* of the root */
    bool has_begun;
};
/* to: where the texts live. */
void literals_go_on(struct scan_ctx *c, TSNode root, uint32_t until, struct arena *to, struct literals_state *s);
