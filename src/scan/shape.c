#include "scan/shape.h"

#include <stdio.h>

#define MAX_SYMBOLS SHAPE_MAX_SYMBOLS
#define MAX_DEPTH   512u    /* what lies deeper is left out */
#define MAX_NODES   200000u /* so is what comes later: the same text still has the same shape */
#define MAX_PAIRS   SHAPE_MAX_PAIRS

#define FNV_START UINT64_C(0xcbf29ce484222325)
static uint64_t fnv(uint64_t h, uint32_t v)
{
    for (unsigned i = 0; i < 4; i++, v >>= 8)
        h = (h ^ (v & 0xff)) * UINT64_C(0x100000001b3);
    return h;
}

enum { KIND_UNKNOWN, KIND_SKIPPED, KIND_LITERAL, KIND_FIRST };

static uint16_t kind_of(struct shape *s, TSNode node)
{
    static const char *const literals[] = { "integer",
                                            "float",
                                            "number",
                                            "string",
                                            "true",
                                            "false",
                                            "none",
                                            "null",
                                            "undefined",
                                            "template_string",
                                            "raw_string",
                                            "string_literal",
                                            "raw_string_literal",
                                            "interpreted_string_literal",
                                            "int_literal",
                                            "float_literal",
                                            "integer_literal",
                                            "rune_literal",
                                            "char_literal",
                                            "boolean_literal",
                                            "concatenated_string",
                                            "regex",
                                            "word",
                                            "nil",
                                            "ansi_c_string",
                                            "imaginary_literal",
                                            NULL };
    static const char *const skipped[] = { "comment", "line_comment", "block_comment", NULL };
    const TSSymbol symbol = ts_node_symbol(node);
    if (symbol >= MAX_SYMBOLS) /* ERROR among them */
        return MAX_SYMBOLS;
    if (s->kinds[symbol] == KIND_UNKNOWN) {
        const char *name = ts_node_type(node);
        s->kinds[symbol] = str_is_one_of(name, skipped)    ? KIND_SKIPPED
                           : str_is_one_of(name, literals) ? KIND_LITERAL
                                                           : (uint16_t)(KIND_FIRST + symbol);
    }
    return s->kinds[symbol];
}

/* A sum, so that their order does not matter. No qsort(3): glibc's asks sysinfo(2), which a confined worker dies of. */
static uint64_t weight_of(uint32_t pair)
{
    uint64_t h = fnv(FNV_START, pair);
    h = (h ^ (h >> 31)) * UINT64_C(0x94d049bb133111eb); /* FNV's lower bits alone mix too little for a sum */
    return h ^ (h >> 29);
}

static void add_pair(struct shape *s, uint32_t pair)
{
    uint32_t i = (uint32_t)(fnv(FNV_START, pair) % MAX_PAIRS);
    while (s->pairs[i] && s->pairs[i] != pair)
        i = (i + 1) % MAX_PAIRS;
    if (s->pairs[i] || s->pair_count >= MAX_PAIRS / 2)
        return;
    s->pairs[i] = pair;
    s->pair_sum += weight_of(pair);
    s->pair_count++;
}

/* Whether to look at its children. */
static bool enter(struct shape *s, TSNode node, uint16_t path[static MAX_DEPTH], uint32_t depth)
{
    if (!ts_node_is_named(node) || depth >= MAX_DEPTH)
        return false;
    const uint16_t kind = kind_of(s, node);
    if (kind == KIND_SKIPPED)
        return false;
    path[depth] = kind;
    s->tree = fnv(fnv(s->tree, depth), kind);
    if (depth)
        add_pair(s, (uint32_t)path[depth - 1] << 16 | kind);
    return kind != KIND_LITERAL;
}

/* The cursor is at a node of that depth; up to the end, or to the child of the root that begins at `until`. */
static void walk(struct shape *s, TSTreeCursor *cursor, uint32_t depth, uint16_t path[static MAX_DEPTH], uint32_t until)
{
    for (;;) {
        TSNode node = ts_tree_cursor_current_node(cursor);
        if ((depth == 1 && ts_node_start_byte(node) >= until) || s->nodes++ >= MAX_NODES)
            return;
        if (enter(s, node, path, depth) && ts_tree_cursor_goto_first_child(cursor)) {
            depth++;
            continue;
        }
        while (!ts_tree_cursor_goto_next_sibling(cursor)) {
            if (!ts_tree_cursor_goto_parent(cursor) || !depth)
                return;
            depth--;
        }
        s->child += depth == 1;
    }
}

void shape_go_on(const TSLanguage *language, TSNode root, uint32_t until, struct shape *s)
{
    uint16_t path[MAX_DEPTH];
    if (s->nodes && until <= s->at)
        return;
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    bool is_there = s->nodes && ts_tree_cursor_goto_first_child_for_byte(&cursor, s->at) == s->child &&
                    ts_node_start_byte(ts_tree_cursor_current_node(&cursor)) == s->at;
    if (s->nodes && !is_there) { /* the node there has no width: from the beginning, then */
        memset(s, 0, sizeof *s);
        ts_tree_cursor_reset(&cursor, root);
    }
    if (!s->nodes)
        s->tree = fnv(FNV_START, ts_language_symbol_count(language));
    path[0] = kind_of(s, root);
    walk(s, &cursor, is_there ? 1 : 0, path, until);
    s->at = until;
    ts_tree_cursor_delete(&cursor);
}

void shape_print(const struct shape *s, char ret[static SHAPE_TEXT_MAX])
{
    (void)snprintf(ret, SHAPE_TEXT_MAX, "%016llx-%016llx-%u", (unsigned long long)(FNV_START + s->pair_sum),
                   (unsigned long long)s->tree, s->pair_count);
}

void shape_of(const TSLanguage *language, TSNode root, char ret[static SHAPE_TEXT_MAX])
{
    static struct shape s; /* one scan at a time in a process */
    memset(&s, 0, sizeof s);
    shape_go_on(language, root, UINT32_MAX, &s);
    shape_print(&s, ret);
}
