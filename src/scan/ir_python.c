/* Python's syntax in the intermediate representation (ir.h). What other languages have not got:
 *
 *   IR_TEXT      `number` is where its inside begins and how long it is (py_inside); sign b: of bytes; in capitals:
 *                with escapes. IR_TEMPLATE: pieces of that kind, what stands in braces (ROLE_START), formats (ROLE_END)
 *   IR_ASSIGN    sign n: :=, w: of a with
 *   IR_BINARY    sign p: a power, d: a division without rest, c: comparisons of any number of parts
 *   IR_EITHER    sign &: and, |: or, ?: a value, its condition, another value
 *   IR_IMPORT    sign f: from text import its parts; a: as another name
 *   IR_LIST      sign [: a list, and no tuple or set
 *   IR_SPREAD    sign *: of a dictionary
 *   IR_WAIT      sign y: yield
 *   IR_NONE      None
 */
#include "scan/python.h"

/* signs of IR_CUSTOM */
enum {
    PY_AUGMENTED = 1,
    PY_BINARY,
    PY_BOOLEAN,
    PY_EXEC,
    PY_FALSE,
    PY_FROM,
    PY_IMPORT,
    PY_NUMBER,
    PY_PAIR,
    PY_SENTENCE,
    PY_SLICE,
    PY_TEXT,
    PY_TEXTS,
    PY_TRUE,
    PY_WITH
};

static const struct ir_rule rules[] = {
    { "argument_list", IR_ARGS, 0 },
    { "as_pattern_target", IR_ONLY, 0 },
    { "assignment", IR_ASSIGN, 0 },
    { "attribute", IR_MEMBER, 0 },
    { "augmented_assignment", IR_CUSTOM, PY_AUGMENTED },
    { "await", IR_WAIT, 0 },
    { "binary_operator", IR_CUSTOM, PY_BINARY },
    { "boolean_operator", IR_CUSTOM, PY_BOOLEAN },
    { "break_statement", IR_BREAK, 0 },
    { "call", IR_CALL, 0 },
    { "class_definition", IR_TYPEDEF, 0 },
    { "comment", IR_DROP, 0 },
    { "comparison_operator", IR_BINARY, 'c' },
    { "concatenated_string", IR_CUSTOM, PY_TEXTS },
    { "conditional_expression", IR_EITHER, '?' },
    { "default_parameter", IR_PARAM, 0 },
    { "delete_statement", IR_DROP, 0 },
    { "dictionary", IR_RECORD, 0 },
    { "dictionary_comprehension", IR_COMPREHENSION, '{' },
    { "dictionary_splat", IR_SPREAD, '*' },
    { "dictionary_splat_pattern", IR_SPREAD, '*' },
    { "elif_clause", IR_BRANCH, 0 },
    { "except_clause", IR_BRANCH, 0 },
    { "except_group_clause", IR_BRANCH, 0 },
    { "exec_statement", IR_CUSTOM, PY_EXEC },
    { "expression_list", IR_LIST, 0 },
    { "expression_statement", IR_CUSTOM, PY_SENTENCE },
    { "false", IR_CUSTOM, PY_FALSE },
    { "for_in_clause", IR_EACH, 0 },
    { "for_statement", IR_EACH, 0 },
    { "function_definition", IR_FUNCTION, 0 },
    { "future_import_statement", IR_DROP, 0 },
    { "generator_expression", IR_COMPREHENSION, 0 },
    { "global_statement", IR_DECLARE, 0 },
    { "identifier", IR_NAME, 0 },
    { "if_clause", IR_ONLY, 0 },
    { "if_statement", IR_BRANCH, 0 },
    { "import_from_statement", IR_CUSTOM, PY_FROM },
    { "import_statement", IR_CUSTOM, PY_IMPORT },
    { "integer", IR_CUSTOM, PY_NUMBER },
    { "keyword_argument", IR_PAIR, 0 },
    { "lambda", IR_CLOSURE, 0 },
    { "lambda_parameters", IR_PARTS, 0 },
    { "line_continuation", IR_DROP, 0 },
    { "list", IR_LIST, '[' },
    { "list_comprehension", IR_COMPREHENSION, 0 },
    { "list_pattern", IR_LIST, 0 },
    { "list_splat", IR_SPREAD, 0 },
    { "list_splat_pattern", IR_SPREAD, 0 },
    { "named_expression", IR_ASSIGN, 'n' },
    { "none", IR_NONE, 0 },
    { "nonlocal_statement", IR_DROP, 0 },
    { "pair", IR_CUSTOM, PY_PAIR },
    { "parameters", IR_PARTS, 0 },
    { "parenthesized_expression", IR_ONLY, 0 },
    { "pattern_list", IR_LIST, 0 },
    { "raise_statement", IR_BREAK, 0 },
    { "return_statement", IR_RETURN, 0 },
    { "set", IR_LIST, 0 },
    { "set_comprehension", IR_COMPREHENSION, 0 },
    { "slice", IR_CUSTOM, PY_SLICE },
    { "string", IR_CUSTOM, PY_TEXT },
    { "subscript", IR_INDEX, 0 },
    { "true", IR_CUSTOM, PY_TRUE },
    { "tuple", IR_LIST, 0 },
    { "tuple_pattern", IR_LIST, 0 },
    { "type", IR_ONLY, 0 },
    { "typed_default_parameter", IR_PARAM, 0 },
    { "typed_parameter", IR_PARAM, 0 },
    { "unary_operator", IR_UNARY, 0 },
    { "while_statement", IR_LOOP, 0 },
    { "with_clause", IR_PARTS, 0 },
    { "with_item", IR_CUSTOM, PY_WITH },
    { "yield", IR_WAIT, 'y' },
};

static struct span field(struct eval *e, const char *name)
{
    TSNode n = ts_node_child_by_field_name(eval_here(e), name, (uint32_t)strlen(name));
    if (ts_node_is_null(n))
        return (struct span){ "", 0 };
    return (struct span){ e->c->text + ts_node_start_byte(n), ts_node_end_byte(n) - ts_node_start_byte(n) };
}

static bool is_field(struct eval *e, const char *name)
{
    const char *mine = ts_tree_cursor_current_field_name(&e->ir.cursor);
    return mine && str_eq(mine, name);
}

static bool is_kind(struct eval *e, const char *kind)
{
    return str_eq(ts_node_type(eval_here(e)), kind);
}

/* A node with all parts. */
static uint32_t whole(struct eval *e, uint8_t op, char sign)
{
    uint32_t node = ir_leaf(e, op), last = 0;
    if (node) {
        ir_at(e, node)->sign = sign;
        ir_parts(e, node, &last);
    }
    return node;
}

static bool down(struct eval *e)
{
    if (e->ir.depth + 1 >= SCAN_MAX_DEPTH) {
        e->is_cut = true;
        return false;
    }
    e->ir.depth++;
    if (eval_down(e))
        return true;
    e->ir.depth--;
    return false;
}

static bool next(struct eval *e)
{
    bool more = eval_next(e);
    e->ir.depth -= !more;
    return more;
}

static char sign_of(struct span s)
{
    bool is_double = s.n > 1 && s.s[0] == s.s[1];
    return !s.n ? 0 : is_double && *s.s == '*' ? 'p' : is_double && *s.s == '/' ? 'd' : *s.s;
}

/* --- texts, numbers --- */

static uint32_t piece(struct eval *e, uint32_t at, uint32_t size, char prefix, bool is_raw)
{
    uint32_t node = ir_leaf(e, IR_TEXT);
    bool has_escapes = !is_raw && memchr(e->c->text + at, '\\', size);
    ir_at(e, node)->sign = prefix == 'b' ? has_escapes ? 'B' : 'b' : has_escapes ? 'T' : 't';
    ir_at(e, node)->number = (int64_t)at << 32 | size;
    return node;
}

/* A text of one piece is a leaf. */
static uint32_t lower_text(struct eval *e)
{
    uint32_t node = ir_leaf(e, IR_TEMPLATE), last = 0, from = ir_at(e, node)->start, count = 0;
    bool is_raw = false;
    char prefix = 't';
    for (bool more = node && down(e); more; more = next(e)) {
        struct span s = eval_span(e);
        const uint32_t at = MIN_OF((uint32_t)(s.s - e->c->text), e->c->size);
        const uint32_t size = MIN_OF((uint32_t)s.n, e->c->size - at);
        if (is_kind(e, "string_start")) {
            for (uint32_t i = 0; i < size; i++) {
                is_raw |= (s.s[i] | 0x20) == 'r';
                prefix = (s.s[i] | 0x20) == 'b' ? 'b' : prefix;
            }
            from = at + size;
        } else if (is_kind(e, "string_content")) {
            ir_add(e, node, &last, piece(e, at, size, prefix, is_raw), ROLE_NONE);
            count++;
        } else if (is_kind(e, "interpolation")) {
            count += 2;
            for (bool inner = down(e); inner; inner = next(e))
                if (is_field(e, "expression"))
                    ir_add(e, node, &last, ir_here(e), ROLE_START);
                else if (is_kind(e, "format_specifier"))
                    ir_add(e, node, &last, ir_here(e), ROLE_END);
        }
    }
    if (node && count < 2) {
        struct ir_node *i = ir_at(e, node), *only = ir_at(e, last);
        i->op = IR_TEXT;
        i->first = 0;
        i->sign = last ? only->sign : prefix;
        i->number = last ? only->number : (int64_t)from << 32;
    }
    return node;
}

static uint32_t lower_number(struct eval *e, struct span s)
{
    uint32_t node = ir_leaf(e, IR_NUMBER);
    int64_t v;
    while (s.n && memchr("lLjJ", s.s[s.n - 1], 4))
        s.n--;
    if (!node)
        return 0;
    if (fold_int((struct fold_text){ s.s, (uint32_t)s.n }, 0, &v))
        ir_at(e, node)->number = v;
    else if (s.n > 18)
        ir_at(e, node)->number = INT64_MAX;
    else
        ir_at(e, node)->op = IR_STATEMENTS;
    return node;
}

static uint32_t lower_constant(struct eval *e, int64_t v)
{
    uint32_t node = ir_leaf(e, IR_NUMBER);
    if (node)
        ir_at(e, node)->number = v;
    return node;
}

/* --- parts whose roles the grammar does not name, or names otherwise --- */

static uint32_t lower_pair(struct eval *e)
{
    uint32_t node = ir_leaf(e, IR_PAIR), last = 0;
    for (bool more = node && down(e); more; more = next(e)) {
        const uint8_t role = ir_role_here(e);
        if (role == ROLE_NAME || role == ROLE_RIGHT)
            ir_add(e, node, &last, ir_here(e), role == ROLE_NAME ? ROLE_START : ROLE_RIGHT);
    }
    return node;
}

static uint32_t lower_slice(struct eval *e)
{
    static const uint8_t roles[] = { ROLE_START, ROLE_END, ROLE_ELSE };
    uint32_t node = ir_leaf(e, IR_SLICE), last = 0, at = 0;
    for (bool more = node && down(e); more; more = next(e))
        if (ts_node_is_named(eval_here(e)))
            ir_add(e, node, &last, ir_here(e), roles[at]);
        else if (span_is(eval_span(e), ":"))
            at += at < 2;
    return node;
}

static uint32_t lower_with(struct eval *e)
{
    uint32_t node = ir_leaf(e, IR_ASSIGN), last = 0;
    bool has_name = false;
    for (bool more = node && down(e); more; more = next(e)) {
        if (!is_kind(e, "as_pattern")) {
            ir_add(e, node, &last, ts_node_is_named(eval_here(e)) ? ir_here(e) : 0, ROLE_RIGHT);
            continue;
        }
        for (bool inner = down(e); inner; inner = next(e)) {
            has_name |= is_kind(e, "as_pattern_target");
            if (ts_node_is_named(eval_here(e)))
                ir_add(e, node, &last, ir_here(e), has_name ? ROLE_LEFT : ROLE_RIGHT);
        }
    }
    if (node)
        ir_at(e, node)->sign = 'w';
    return has_name ? node : last;
}

/* exec TEXT, as a call. */
static uint32_t lower_exec(struct eval *e)
{
    uint32_t node = ir_leaf(e, IR_CALL), from = ir_at(e, node)->start, last = 0, part = 0;
    uint32_t name = ir_new(e, IR_NAME, from, MIN_OF(from + 4, e->c->size)), args = ir_leaf(e, IR_ARGS);
    if (!node || !args)
        return 0;
    ir_add(e, node, &last, name, ROLE_OF);
    ir_add(e, node, &last, args, ROLE_ARGS);
    for (bool more = down(e); more; more = next(e))
        if (ts_node_is_named(eval_here(e)) && !part)
            ir_add(e, args, &part, ir_here(e), ROLE_NONE);
    return node;
}

/* A docstring or a comment in quotes is not there. */
static uint32_t lower_sentence(struct eval *e)
{
    uint32_t node = whole(e, IR_STATEMENTS, 0), only = ir_at(e, node)->first;
    if (!only || ir_at(e, only)->next)
        return node;
    return ir_at(e, only)->op == IR_TEXT || ir_at(e, only)->op == IR_TEMPLATE ? 0 : only;
}

/* --- imports --- */

/* "a . b" as "a.b"; NULL: too long */
static const char *dotted(struct eval *e)
{
    struct span s = eval_span(e);
    char name[PY_MAX_NAME + 1];
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (strchr(" \t\r\n\\", s.s[i]))
            continue;
        if (n == PY_MAX_NAME)
            return NULL;
        name[n++] = s.s[i];
    }
    return arena_copy_bytes(e->c->arena, name, n);
}

/* One name; what it gives is bound to its first word, or to another. */
static uint32_t lower_imported(struct eval *e)
{
    uint32_t node = ir_leaf(e, IR_IMPORT), last = 0;
    struct span s = eval_span(e);
    if (!node)
        return 0;
    if (!is_kind(e, "aliased_import")) {
        size_t n = 0;
        while (n < s.n && !strchr(". \t\r\n\\", s.s[n]))
            n++;
        ir_at(e, node)->text = dotted(e);
        ir_add(e, node, &last, ir_new(e, IR_NAME, ir_at(e, node)->start, ir_at(e, node)->start + (uint32_t)n),
               ROLE_NAME);
        return node;
    }
    ir_at(e, node)->sign = 'a';
    for (bool more = down(e); more; more = next(e))
        if (is_kind(e, "dotted_name"))
            ir_at(e, node)->text = dotted(e);
        else if (is_kind(e, "identifier"))
            ir_add(e, node, &last, ir_leaf(e, IR_NAME), ROLE_NAME);
    return node;
}

static uint32_t lower_import(struct eval *e, bool is_from)
{
    uint32_t node = ir_leaf(e, is_from ? IR_IMPORT : IR_STATEMENTS), last = 0;
    if (!node)
        return 0;
    if (is_from)
        ir_at(e, node)->sign = 'f';
    for (bool more = down(e); more; more = next(e)) {
        if (is_kind(e, "wildcard_import")) {
            uint32_t all = ir_leaf(e, IR_IMPORT);
            ir_at(e, all)->sign = '*';
            ir_add(e, node, &last, all, ROLE_NONE);
        } else if (is_field(e, "module_name") && is_kind(e, "dotted_name")) {
            ir_at(e, node)->start = ts_node_start_byte(eval_here(e)); /* where its fact is */
            ir_at(e, node)->text = dotted(e);
        } else if (is_field(e, "name")) {
            ir_add(e, node, &last, lower_imported(e), ROLE_NONE);
        }
    }
    return node;
}

static uint32_t lower(struct eval *e, const struct ir_rule *rule)
{
    uint32_t node;
    switch (rule->sign) {
    case PY_AUGMENTED:
    case PY_BINARY:
        node = whole(e, rule->sign == PY_BINARY ? IR_BINARY : IR_ASSIGN, 0);
        if (node)
            ir_at(e, node)->sign = sign_of(field(e, "operator"));
        return node;
    case PY_BOOLEAN:
        return whole(e, IR_EITHER, span_is(field(e, "operator"), "and") ? '&' : '|');
    case PY_EXEC:
        return lower_exec(e);
    case PY_FROM:
    case PY_IMPORT:
        return lower_import(e, rule->sign == PY_FROM);
    case PY_NUMBER:
        return lower_number(e, eval_span(e));
    case PY_PAIR:
        return lower_pair(e);
    case PY_SENTENCE:
        return lower_sentence(e);
    case PY_SLICE:
        return lower_slice(e);
    case PY_TEXT:
        return lower_text(e);
    case PY_TEXTS:
        return whole(e, IR_TEMPLATE, 0);
    case PY_WITH:
        return lower_with(e);
    default:
        return lower_constant(e, rule->sign == PY_TRUE);
    }
}

const struct ir_language *py_language(void)
{
    static const struct ir_language python = { .language = LANG_PYTHON,
                                               .separator = ".",
                                               .rules = rules,
                                               .rule_count = ARRAY_LEN(rules),
                                               .group = IR_STATEMENTS,
                                               .lower = lower,
                                               .own = py_own,
                                               .begin = py_begin,
                                               .finish = py_finish };
    return &python;
}
