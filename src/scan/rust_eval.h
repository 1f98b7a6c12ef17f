/* rust_eval.h - inside of the Rust resolver: one cursor, shared by uses (rust.c), expressions (rust_eval.c), calls
 * (rust_call.c), items (rust_item.c) and the tokens of macros (rust_macro.c). Each function begins at the cursor's node
 * and ends there, too.
 */
#pragma once
#include "scan/typed.h"

#define RUST_GLOBS 16u
#define RUST_NAMES 8u

/* Each kind with the grammar's name, in the order of these names. */
/* clang-format off */
#define RUST_KINDS(X) \
    X(ARGUMENTS, "arguments") X(ARRAY, "array_expression") X(ASSIGNMENT, "assignment_expression") \
    X(ATTRIBUTE, "attribute_item") X(BINARY, "binary_expression") X(BLOCK, "block") \
    X(BLOCK_COMMENT, "block_comment") X(BREAK, "break_expression") X(CALL, "call_expression") \
    X(CHAR, "char_literal") X(CLOSURE, "closure_expression") X(COMPOUND, "compound_assignment_expr") \
    X(CONST, "const_item") X(CRATE, "crate") X(EXPRESSION_STATEMENT, "expression_statement") \
    X(EXTERN_CRATE, "extern_crate_declaration") X(FIELD_DECLARATION, "field_declaration") \
    X(FIELD, "field_expression") X(FIELD_INIT, "field_initializer") X(FOR, "for_expression") \
    X(FOREIGN, "foreign_mod_item") X(FUNCTION, "function_item") X(SIGNATURE, "function_signature_item") \
    X(GENERIC_FUNCTION, "generic_function") X(GENERIC_TYPE, "generic_type") X(IDENTIFIER, "identifier") \
    X(INDEX, "index_expression") X(INNER_ATTRIBUTE, "inner_attribute_item") X(INT, "integer_literal") \
    X(LET_CONDITION, "let_condition") X(LET, "let_declaration") X(LINE_COMMENT, "line_comment") \
    X(LOOP, "loop_expression") X(MACRO_DEFINITION, "macro_definition") X(MACRO, "macro_invocation") \
    X(MATCH_ARM, "match_arm") X(MATCH, "match_expression") X(MOD, "mod_item") X(PARAMETER, "parameter") \
    X(RAW, "raw_string_literal") X(RETURN, "return_expression") X(SCOPED, "scoped_identifier") \
    X(SCOPED_TYPE, "scoped_type_identifier") X(SCOPED_USE_LIST, "scoped_use_list") X(SELF, "self") \
    X(SHORTHAND_INIT, "shorthand_field_initializer") X(STATIC, "static_item") X(STRING, "string_literal") \
    X(STRUCT, "struct_expression") X(SUPER, "super") X(TOKENS, "token_tree") \
    X(TUPLE_STRUCT_PATTERN, "tuple_struct_pattern") X(TYPE_CAST, "type_cast_expression") X(TYPE, "type_identifier") \
    X(TYPE_ITEM, "type_item") X(UNARY, "unary_expression") X(UNSAFE, "unsafe_block") X(USE_AS, "use_as_clause") \
    X(USE, "use_declaration") X(USE_LIST, "use_list") X(USE_WILDCARD, "use_wildcard") \
    X(VISIBILITY, "visibility_modifier") X(WHILE, "while_expression")
#define RUST_FIELDS(X) \
    X(function) X(arguments) X(value) X(field) X(name) X(path) X(type) X(left) X(right) X(body) X(operator) X(alias) \
    X(list) X(pattern) X(macro) X(parameters) X(condition)
/* clang-format on */

enum rust_node {
    R_OTHER,
#define X(kind, name) R_##kind,
    RUST_KINDS(X)
#undef X
        R_COUNT
};

struct rust {
    struct typed t; /* first: helpers take it */
#define X(name) TSFieldId f_##name;
    RUST_FIELDS(X)
#undef X
    const char *globs[RUST_GLOBS];
    uint32_t glob_count;
    struct span function;  /* the name of the function we are in */
    struct span last_name; /* the last variable that was read: what read(&mut buf) fills */
    struct tv scrutinee;   /* what a match looks at */
    struct tv element;     /* what a closure in the arguments gets */
    uint32_t concat, xors;
};

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
