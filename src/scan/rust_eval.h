/* rust_eval.h - inside of the Rust resolver: one cursor, shared by uses (rust.c), expressions (rust_eval.c), calls
 * (rust_call.c), items (rust_item.c) and the tokens of macros (rust_macro.c). Each function begins at the cursor's node
 * and ends there, too.
 */
#pragma once
#include "scan/typed.h"

#define RUST_SYMBOLS 512u
#define RUST_GLOBS   16u
#define RUST_NAMES   8u

/* In the order of the names in rust_eval.c. */
enum rust_node {
    R_OTHER,
    R_ARGUMENTS,
    R_ARRAY,
    R_ASSIGNMENT,
    R_ATTRIBUTE,
    R_BINARY,
    R_BLOCK,
    R_BLOCK_COMMENT,
    R_BREAK,
    R_CALL,
    R_CHAR,
    R_CLOSURE,
    R_COMPOUND,
    R_CONST,
    R_CRATE,
    R_EXPRESSION_STATEMENT,
    R_EXTERN_CRATE,
    R_FIELD_DECLARATION,
    R_FIELD,
    R_FIELD_INIT,
    R_FOR,
    R_FOREIGN,
    R_FUNCTION,
    R_SIGNATURE,
    R_GENERIC_FUNCTION,
    R_GENERIC_TYPE,
    R_IDENTIFIER,
    R_INDEX,
    R_INNER_ATTRIBUTE,
    R_INT,
    R_LET_CONDITION,
    R_LET,
    R_LINE_COMMENT,
    R_LOOP,
    R_MACRO_DEFINITION,
    R_MACRO,
    R_MATCH_ARM,
    R_MATCH,
    R_MOD,
    R_PARAMETER,
    R_RAW,
    R_RETURN,
    R_SCOPED,
    R_SCOPED_TYPE,
    R_SCOPED_USE_LIST,
    R_SELF,
    R_SHORTHAND_INIT,
    R_STATIC,
    R_STRING,
    R_STRUCT,
    R_SUPER,
    R_TOKENS,
    R_TUPLE_STRUCT_PATTERN,
    R_TYPE_CAST,
    R_TYPE,
    R_TYPE_ITEM,
    R_UNARY,
    R_UNSAFE,
    R_USE_AS,
    R_USE,
    R_USE_LIST,
    R_USE_WILDCARD,
    R_VISIBILITY,
    R_WHILE,
    R_COUNT
};

struct span {
    const char *s;
    size_t n;
};

struct rust {
    struct typed t; /* first: helpers take it */
    uint8_t kinds[RUST_SYMBOLS];
    TSFieldId f_function, f_arguments, f_value, f_field, f_name, f_path, f_type, f_left, f_right, f_body, f_operator,
        f_alias, f_list, f_pattern, f_macro, f_parameters, f_condition;
    const char *globs[RUST_GLOBS];
    uint32_t glob_count;
    struct span function;  /* the name of the function we are in */
    struct span last_name; /* the last variable that was read: what read(&mut buf) fills */
    struct tv scrutinee;   /* what a match looks at */
    struct tv element;     /* what a closure in the arguments gets */
    uint32_t concat, xors;
};

static inline TSNode rust_here(struct rust *r)
{
    return ts_tree_cursor_current_node(&r->t.cursor);
}
static inline uint8_t rust_kind(struct rust *r)
{
    return typed_kind(&r->t, rust_here(r));
}
static inline uint32_t rust_byte(struct rust *r)
{
    return ts_node_start_byte(rust_here(r));
}
static inline TSFieldId rust_field(struct rust *r)
{
    return ts_tree_cursor_current_field_id(&r->t.cursor);
}
static inline bool rust_down(struct rust *r)
{
    return ts_tree_cursor_goto_first_child(&r->t.cursor);
}
/* The next sibling; after the last one, back at the parent. */
static inline bool rust_next(struct rust *r)
{
    if (!r->t.is_stopped && ts_tree_cursor_goto_next_sibling(&r->t.cursor))
        return true;
    (void)ts_tree_cursor_goto_parent(&r->t.cursor);
    return false;
}
static inline struct span rust_span(struct rust *r)
{
    TSNode n = rust_here(r);
    uint32_t from = ts_node_start_byte(n), to = ts_node_end_byte(n);
    return (struct span){ r->t.c->text + from, to - from };
}
static inline bool span_is(struct span s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.s, word, s.n) == 0;
}

uint32_t rust_kinds(const TSLanguage *l, uint8_t *ret, uint32_t size);

struct tv rust_eval(struct rust *r);
/* The first word of a path: imported, of a glob, a local module (unknown), or a crate by its own name. */
struct tv rust_base(struct rust *r, struct span name);
struct tv rust_literal(struct rust *r, uint8_t kind);
struct tv rust_call_path(struct rust *r, struct tv path, struct span name, struct tv *args, unsigned n, uint32_t byte);
struct tv rust_call_method(struct rust *r, struct tv recv, struct span name, struct tv *args, unsigned n,
                           uint32_t byte);
struct tv rust_pick(struct rust *r, struct tv list);

/* What is called. */
struct rust_callee {
    struct tv value, recv;
    struct span name;
    bool is_method;
};
struct tv rust_scoped(struct rust *r);
struct tv rust_type(struct tv v, struct typed *t);
struct tv rust_identifier(struct rust *r);
void rust_callee(struct rust *r, struct rust_callee *ret);
struct tv rust_call(struct rust *r);

struct tv rust_declare(struct rust *r, uint32_t scope);
void rust_assignment(struct rust *r, bool is_compound);
void rust_field_declaration(struct rust *r);
void rust_function(struct rust *r);
struct tv rust_closure(struct rust *r);
void rust_loop(struct rust *r, uint8_t kind);
struct tv rust_match(struct rust *r);
void rust_returned(struct rust *r, struct tv v); /* the function we are in gives v */
void rust_type_item(struct rust *r);
void rust_module(struct rust *r);
void rust_macro_definition(struct rust *r);

void rust_use(struct rust *r);
void rust_extern_crate(struct rust *r);
void rust_foreign(struct rust *r);
void rust_tokens(struct rust *r); /* at a token tree: what is called in it */
/* A macro call; `tokens` false: the macro's name is known, the cursor is at its token tree. */
struct tv rust_macro(struct rust *r);
struct tv rust_macro_call(struct rust *r, struct tv path, struct span name, uint32_t byte);
