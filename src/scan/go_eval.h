/* go_eval.h - inside of the Go resolver: one cursor, shared by imports (go.c), expressions (go_expr.c) and statements
 * (go_stmt.c). Each function begins at the cursor's node and ends there, too.
 */
#pragma once
#include "scan/typed.h"

/* Each kind with the grammar's name, in the order of these names. */
/* clang-format off */
#define GO_KINDS(X) \
    X(ARGUMENTS, "argument_list") X(ASSIGNMENT, "assignment_statement") X(BINARY, "binary_expression") \
    X(BREAK, "break_statement") X(CALL, "call_expression") X(COMMENT, "comment") X(COMPOSITE, "composite_literal") \
    X(CONST, "const_spec") X(EXPRESSIONS, "expression_list") X(FIELD, "field_declaration") \
    X(FOR_CLAUSE, "for_clause") X(FOR, "for_statement") X(FUNC_LITERAL, "func_literal") \
    X(FUNCTION, "function_declaration") X(GO, "go_statement") X(GOTO, "goto_statement") X(IDENTIFIER, "identifier") \
    X(IMPORT, "import_spec") X(INDEX, "index_expression") X(INT, "int_literal") \
    X(STRING, "interpreted_string_literal") X(KEYED, "keyed_element") X(METHOD, "method_declaration") \
    X(PACKAGE, "package_clause") X(PARAMETER, "parameter_declaration") X(QUALIFIED, "qualified_type") \
    X(RANGE, "range_clause") X(RAW, "raw_string_literal") X(RECEIVE, "receive_statement") \
    X(RETURN, "return_statement") X(RUNE, "rune_literal") X(SELECT, "select_statement") \
    X(SELECTOR, "selector_expression") X(SEND, "send_statement") X(SHORT_VAR, "short_var_declaration") \
    X(SLICE, "slice_expression") X(ALIAS, "type_alias") X(ASSERTION, "type_assertion_expression") \
    X(CONVERSION, "type_conversion_expression") X(TYPE, "type_identifier") X(TYPE_SPEC, "type_spec") \
    X(UNARY, "unary_expression") X(VAR, "var_spec") X(VARIADIC, "variadic_argument") \
    X(VARIADIC_PARAMETER, "variadic_parameter_declaration")
#define GO_FIELDS(X) \
    X(function) X(arguments) X(operand) X(field) X(name) X(path) X(type) X(value) X(left) X(right) X(body) \
    X(operator) X(index) X(start) X(end) X(condition) X(key) X(alias) X(parameters)
/* clang-format on */

enum node {
    N_OTHER,
#define X(kind, name) N_##kind,
    GO_KINDS(X)
#undef X
        N_COUNT
};

#define DOT_IMPORTS 4u
#define NAMES       8u

struct go {
    struct typed t; /* first: helpers take it */
#define X(name) TSFieldId f_##name;
    GO_FIELDS(X)
#undef X
    const char *dots[DOT_IMPORTS];
    uint32_t dot_count;
    const char *function; /* the name of the function we are in, for its results */
    size_t function_size;
    uint16_t callback_taint; /* what parameters of function literals get */
    struct span last_name;   /* the last variable that was read */
    uint32_t concat;         /* inside a + whose whole will be told */
};

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
