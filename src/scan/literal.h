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
