/* go_eval.h - inside of the Go resolver: one cursor, shared by imports (go.c), expressions (go_expr.c) and statements
 * (go_stmt.c). Each function begins at the cursor's node and ends there, too.
 */
#pragma once
#include "scan/typed.h"

/* In the order of the names in go.c. */
enum node {
    N_OTHER,
    N_ARGUMENTS,
    N_ASSIGNMENT,
    N_BINARY,
    N_BREAK,
    N_CALL,
    N_COMMENT,
    N_COMPOSITE,
    N_CONST,
    N_EXPRESSIONS,
    N_FIELD,
    N_FOR_CLAUSE,
    N_FOR,
    N_FUNC_LITERAL,
    N_FUNCTION,
    N_GO,
    N_GOTO,
    N_IDENTIFIER,
    N_IMPORT,
    N_INDEX,
    N_INT,
    N_STRING,
    N_KEYED,
    N_METHOD,
    N_PACKAGE,
    N_PARAMETER,
    N_QUALIFIED,
    N_RANGE,
    N_RAW,
    N_RECEIVE,
    N_RETURN,
    N_RUNE,
    N_SELECT,
    N_SELECTOR,
    N_SEND,
    N_SHORT_VAR,
    N_SLICE,
    N_ALIAS,
    N_ASSERTION,
    N_CONVERSION,
    N_TYPE,
    N_TYPE_SPEC,
    N_UNARY,
    N_VAR,
    N_VARIADIC,
    N_VARIADIC_PARAMETER,
    N_COUNT
};

#define GO_SYMBOLS  512u
#define DOT_IMPORTS 4u
#define NAMES       8u

struct span {
    const char *s;
    size_t n;
};

struct go {
    struct typed t; /* first: helpers take it */
    uint8_t kinds[GO_SYMBOLS];
    TSFieldId f_function, f_arguments, f_operand, f_field, f_name, f_path, f_type, f_value, f_left, f_right, f_body,
        f_operator, f_index, f_start, f_end, f_condition, f_key, f_alias, f_parameters;
    const char *dots[DOT_IMPORTS];
    uint32_t dot_count;
    const char *function; /* the name of the function we are in, for its results */
    size_t function_size;
    uint16_t callback_taint; /* what parameters of function literals get */
    struct span last_name;   /* the last variable that was read */
    uint32_t concat;         /* inside a + whose whole will be told */
};

static inline TSNode go_here(struct go *g)
{
    return ts_tree_cursor_current_node(&g->t.cursor);
}
static inline uint8_t go_kind(struct go *g)
{
    return typed_kind(&g->t, go_here(g));
}
static inline uint32_t go_byte(struct go *g)
{
    return ts_node_start_byte(go_here(g));
}
static inline TSFieldId go_field(struct go *g)
{
    return ts_tree_cursor_current_field_id(&g->t.cursor);
}
static inline bool go_down(struct go *g)
{
    return ts_tree_cursor_goto_first_child(&g->t.cursor);
}
/* The next sibling; after the last one, back at the parent. */
static inline bool go_next(struct go *g)
{
    if (!g->t.is_stopped && ts_tree_cursor_goto_next_sibling(&g->t.cursor))
        return true;
    (void)ts_tree_cursor_goto_parent(&g->t.cursor);
    return false;
}

static inline struct span go_text(struct go *g)
{
    TSNode n = go_here(g);
    uint32_t from = ts_node_start_byte(n), to = ts_node_end_byte(n);
    return (struct span){ g->t.c->text + from, to - from };
}

static inline bool span_is(struct span s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.s, word, s.n) == 0;
}

struct tv go_eval(struct go *g);
void go_import(struct go *g);

struct tv go_string(struct go *g);
struct tv go_rune(struct go *g);
struct tv go_name(struct go *g);
/* What a selector names; `is_called`: as a function, so that it is no fact by itself. */
struct tv go_selector(struct go *g, bool is_called, struct tv *ret_recv, struct span *ret_name);
struct tv go_call(struct go *g);
struct tv go_binary(struct go *g);
struct tv go_unary(struct go *g);
struct tv go_index(struct go *g);
struct tv go_slice(struct go *g);
struct tv go_composite(struct go *g);
/* Of several texts the one that rules would most care for: a loop over paths reads all of them. */
struct tv go_pick(struct go *g, struct tv list);
/* A field gets a value: remembered, and standard streams of commands are looked at. `type` may be NULL. */
void go_set_field(struct go *g, const char *type, struct span key, struct tv v, uint32_t byte);
