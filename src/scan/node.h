/* node.h - the inside of the JavaScript resolver: values, names and what they mean.
 *
 * Every node of the tree gets a value when the walk leaves it, so its children's values are there already and nothing
 * is computed twice. Values are small and copied; their text borrows from the program or from the scan's arena and is
 * not NUL-terminated. Folding has a budget: what would grow beyond it is unknown, not truncated.
 */
#pragma once
#include "scan/effect.h"
#include "scan/embedded.h"
#include "scan/flat.h"

enum js_kind {
    JS_UNKNOWN,
    JS_STRING,
    JS_NUMBER,   /* text: its decimal form */
    JS_NAME,     /* text: a resolved dotted name: fs.readFile, net.connect().write */
    JS_ARRAY,    /* text: known elements, each ended by JS_SEPARATOR; node: the literal, if there is one */
    JS_OBJECT,   /* node: the literal */
    JS_FUNCTION, /* node: the literal or declaration */
};
#define JS_SEPARATOR '\x1f'
#define JS_HOLE      "{}" /* stands for the unknown parts of a partly known string */

/* Where a value comes from; the union of its parts'. */
enum js_flag {
    JS_PARTIAL = 1 << 0,    /* a string with holes */
    JS_DECODED = 1 << 1,    /* came out of base64, hex, character codes ... */
    JS_NETWORK = 1 << 2,    /* was received */
    JS_SOCKET = 1 << 3,     /* is a connection */
    JS_CHILD = 1 << 4,      /* is a child process or its streams or output */
    JS_SHELL = 1 << 5,      /* ... of a shell */
    JS_SECRET = 1 << 6,     /* read from a place of secrets */
    JS_ENV = 1 << 7,        /* all of the environment */
    JS_SCRIPT = 1 << 8,     /* this program's own file */
    JS_CREDENTIAL = 1 << 9, /* an environment variable with the name of a secret */
    JS_SYSTEM = 1 << 10,    /* what the host says of itself: user, network interfaces ... */
};

struct js_value {
    uint8_t kind;
    uint16_t flags;
    uint32_t len, node;
    const char *text;
};

struct js_binding {
    const char *name;
    uint32_t len, scope, next;
    struct js_value value;
};

#define JS_BUCKETS      256u
#define JS_MAX_BINDINGS 8192u
#define JS_MAX_ARGS     16u
#define JS_MAX_NAME     160u /* a longer dotted name is not known */

struct js {
    struct scan_ctx *c;
    struct flat flat;
    struct js_value *values; /* one for each node */
    struct js_binding *bindings;
    uint32_t binding_count, binding_cap, buckets[JS_BUCKETS];
    uint32_t scope;          /* the innermost function, or 0 */
    uint32_t budget;         /* bytes that folding may still make */
    uint16_t seen;           /* flags of everything read so far */
    struct js_value written; /* the last path that received data was written to */
    bool has_socket, has_shell, has_told_exfiltration, has_listed;
    struct embedded_word started[EMBEDDED_MAX_WORDS]; /* the last command, whose input may be written to later */
    unsigned started_count;
    uint32_t given_outside; /* a call of the program's own function with / or the home directory; FLAT_NONE: none */
};

/* A call, ready to be judged. Arguments of f.call() and the like are shifted already. */
struct js_call {
    uint32_t node;
    struct js_value callee; /* JS_NAME, or unknown */
    struct effects does;    /* the callee's: js_look_up() */
    struct js_value base;   /* the object of a method call */
    const char *method;     /* the name behind the last dot, or NULL; not NUL-terminated */
    uint32_t method_len;
    uint32_t count;
    struct js_value args[JS_MAX_ARGS];
    uint32_t arg_nodes[JS_MAX_ARGS];
};

/* Each kind with the grammar's name, in the order of these names. */
/* clang-format off */
#define JS_KINDS(X) \
    X(ARGUMENTS, "arguments") X(ARRAY, "array") X(ARRAY_PATTERN, "array_pattern") X(ARROW, "arrow_function") \
    X(ASSIGN, "assignment_expression") X(ASSIGN_PATTERN, "assignment_pattern") \
    X(AUGMENTED, "augmented_assignment_expression") X(AWAIT, "await_expression") X(BINARY, "binary_expression") \
    X(BREAK, "break_statement") X(CALL, "call_expression") X(CATCH, "catch_clause") X(CLASS, "class") \
    X(CLASS_BODY, "class_body") X(CLASS_DECLARATION, "class_declaration") X(COMMENT, "comment") \
    X(COMPUTED, "computed_property_name") X(DO, "do_statement") X(EXPORT, "export_statement") X(FALSE, "false") \
    X(FOR_IN, "for_in_statement") X(FOR, "for_statement") X(PARAMETERS, "formal_parameters") \
    X(FUNCTION_DECLARATION, "function_declaration") X(FUNCTION, "function_expression") \
    X(GENERATOR, "generator_function") X(GENERATOR_DECLARATION, "generator_function_declaration") \
    X(IDENTIFIER, "identifier") X(IF, "if_statement") X(IMPORT, "import") X(IMPORT_CLAUSE, "import_clause") \
    X(IMPORT_SPECIFIER, "import_specifier") X(IMPORT_STATEMENT, "import_statement") \
    X(DECLARATION, "lexical_declaration") X(MEMBER, "member_expression") X(META, "meta_property") \
    X(METHOD, "method_definition") X(NAMED_IMPORTS, "named_imports") X(NAMESPACE_IMPORT, "namespace_import") \
    X(NEW, "new_expression") X(NUMBER, "number") X(OBJECT, "object") X(OBJECT_ASSIGN, "object_assignment_pattern") \
    X(OBJECT_PATTERN, "object_pattern") X(PAIR, "pair") X(PAIR_PATTERN, "pair_pattern") \
    X(PARENTHESES, "parenthesized_expression") X(PROGRAM, "program") X(PROPERTY, "property_identifier") \
    X(REGEX, "regex") X(REST, "rest_pattern") X(RETURN, "return_statement") X(SEQUENCE, "sequence_expression") \
    X(SHORTHAND, "shorthand_property_identifier") X(SHORTHAND_PATTERN, "shorthand_property_identifier_pattern") \
    X(SPREAD, "spread_element") X(STRING, "string") X(SUBSCRIPT, "subscript_expression") \
    X(TEMPLATE, "template_string") X(SUBSTITUTION, "template_substitution") X(TERNARY, "ternary_expression") \
    X(THIS, "this") X(THROW, "throw_statement") X(TRUE, "true") X(UNARY, "unary_expression") \
    X(VARIABLE, "variable_declaration") X(DECLARATOR, "variable_declarator") X(WHILE, "while_statement") \
    X(YIELD, "yield_expression")
#define JS_FIELDS(X) \
    X(ALIAS, "alias") X(ALTERNATIVE, "alternative") X(ARGUMENT, "argument") X(ARGUMENTS, "arguments") \
    X(BODY, "body") X(CONDITION, "condition") X(CONSEQUENCE, "consequence") X(CONSTRUCTOR, "constructor") \
    X(FUNCTION, "function") X(INDEX, "index") X(KEY, "key") X(LEFT, "left") X(NAME, "name") X(OBJECT, "object") \
    X(OPERATOR, "operator") X(PARAMETER, "parameter") X(PARAMETERS, "parameters") X(PROPERTY, "property") \
    X(RIGHT, "right") X(SOURCE, "source") X(VALUE, "value")
/* clang-format on */

enum js_node {
    N_OTHER,
#define X(kind, name) N_##kind,
    JS_KINDS(X)
#undef X
        N_KINDS
};
enum js_field {
    F_OTHER,
#define X(field, name) F_##field,
    JS_FIELDS(X)
#undef X
        F_FIELDS
};

/* --- node_fold.c: strings and arrays ----------------------------------------------------------- */

struct js_value js_text(struct js *j, uint8_t kind, const char *s, size_t n, uint16_t flags); /* copies */
struct js_value js_literal(struct js *j, uint32_t node); /* a string literal, escapes undone */
struct js_value js_template(struct js *j, uint32_t node);
struct js_value js_binary(struct js *j, uint32_t node);
struct js_value js_array(struct js *j, uint32_t node);
struct js_value js_append(struct js *j, const struct js_value *list, const struct js_value *more, uint32_t count);
/* What a value says within a string: itself, ~ for the home directory, a hole for what is not known. */
size_t js_spell(const struct js_value *v, const char **ret);
bool js_is(const struct js_value *v, const char *text);
/* The n-th element of an array value with known elements. */
bool js_element(const struct js_value *array, uint32_t n, struct js_value *ret);
/* A call of a method that only computes: split, join, reverse, Buffer.from ...; false: not one of them. */
bool js_fold_call(struct js *j, const struct js_call *k, struct js_value *ret);

/* --- node_effect.c: what calls do -------------------------------------------------------------- */

/* Sets `does`: whenever the callee is another. */
void js_look_up(struct js_call *k);
static inline bool js_does(const struct js_call *k, enum effect e)
{
    return effects_has(&k->does, e);
}
/* import("data:text/javascript,..."): a program. */
void js_import(struct js *j, const struct js_call *k);
/* Emits the flows of a call and returns what its result is. */
uint16_t js_judge(struct js *j, const struct js_call *k);
/* What the parameters of a function are, that is handed to the call k. */
struct js_value js_callback_parameter(struct js *j, const struct js_call *k, uint32_t n);
void js_judge_loop(struct js *j, uint32_t node);
void js_flow(struct js *j, uint32_t node, const char *name, const struct js_value *about);

/* --- node_name.c: names and what they stand for ---------------------------------------------- */

void js_bind(struct js *j, const char *name, uint32_t len, uint32_t scope, struct js_value v);
/* `const {exec: e, ...rest} = value`: every name in the pattern. */
void js_bind_pattern(struct js *j, uint32_t node, struct js_value v, uint32_t scope, bool is_assignment, int depth);
struct js_value js_key(struct js *j, uint32_t node); /* a property's name: identifier, string or [computed] */
struct js_value js_module(struct js *j, const char *name, size_t len);
struct js_value js_identifier(struct js *j, uint32_t node);

static inline uint32_t js_width(const struct js *j, uint32_t node)
{
    return j->flat.nodes[node].end - j->flat.nodes[node].start;
}
static inline const char *js_source(const struct js *j, uint32_t node)
{
    return j->flat.text + j->flat.nodes[node].start;
}
static inline bool js_says(const struct js *j, uint32_t node, const char *text)
{
    return js_width(j, node) == strlen(text) && memcmp(js_source(j, node), text, js_width(j, node)) == 0;
}
static inline struct js_value js_constant(uint8_t kind, const char *text, uint16_t flags)
{
    return (struct js_value){ .kind = kind, .flags = flags, .text = text, .len = (uint32_t)strlen(text) };
}
static inline bool js_is_function(uint8_t kind)
{
    return kind == N_ARROW || kind == N_FUNCTION || kind == N_FUNCTION_DECLARATION || kind == N_METHOD ||
           kind == N_GENERATOR || kind == N_GENERATOR_DECLARATION;
}

/* --- node.c ------------------------------------------------------------------------------------- */

struct js_value js_member(struct js *j, const struct js_value *base, const char *name, uint32_t len);
struct js_value *js_lookup(struct js *j, const char *name, uint32_t len, uint32_t node);
void js_tell_name(struct js *j, uint32_t node, const struct js_value *v);
