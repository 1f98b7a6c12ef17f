/* Rust's literals, patterns, use declarations and the tokens of macros, lowered. */
#include "scan/ir_rust.h"

static uint32_t name_at(struct eval *e, struct span s)
{
    uint32_t at = (uint32_t)(s.s - e->c->text);
    return ir_new(e, IR_NAME, at, at + (uint32_t)s.n);
}

static bool is_kind(struct eval *e, const char *kind)
{
    return str_eq(ts_node_type(eval_here(e)), kind);
}

static uint32_t literal(struct eval *e, char kind)
{
    struct span s = eval_span(e);
    uint32_t node = ir_leaf(e, kind == RUST_NUMBER ? IR_NUMBER : IR_TEXT);
    if (!node || kind == RUST_NUMBER) {
        ir_at(e, node)->number = node ? tv_parse_int(s.s, s.n) : 0;
        return node;
    }
    const char quote = kind == RUST_CHAR ? '\'' : '"';
    const char *from = memchr(s.s, quote, s.n), *to = memrchr(s.s, quote, s.n);
    if (!from || to <= from)
        return 0;
    size_t n = (size_t)(to - ++from);
    struct tv v = *s.s == 'r' || !memchr(from, '\\', n) ? tv_text(e, from, n) : tv_escaped(e, from, n);
    ir_at(e, node)->text = v.text;
    ir_at(e, node)->sign = kind == RUST_CHAR ? 'c' : 0;
    if (kind == RUST_CHAR && *s.s == 'b' && v.text) {
        ir_at(e, node)->op = IR_NUMBER;
        ir_at(e, node)->number = (unsigned char)*v.text;
    }
    return node;
}

void rust_pattern(struct eval *e, uint32_t node, uint32_t *last)
{
    const struct ir_rule *rule = ir_rule_here(e);
    if (rule && rule->op == IR_NAME && is_kind(e, "identifier")) {
        ir_add(e, node, last, ir_leaf(e, IR_NAME), ROLE_LEFT);
        return;
    }
    if ((rule && rule->op == IR_SCOPED) || e->ir.depth >= SCAN_MAX_DEPTH)
        return;
    e->ir.depth++;
    for (bool more = eval_down(e); more; more = eval_next(e))
        if (ir_role_here(e) != ROLE_TYPE && ir_role_here(e) != ROLE_CONDITION)
            rust_pattern(e, node, last);
    e->ir.depth--;
}

/* --- use --- */

static struct span last_segment(struct span s)
{
    const char *colon = s.n ? memrchr(s.s, ':', s.n) : NULL;
    return colon ? (struct span){ colon + 1, (size_t)(s.s + s.n - colon - 1) } : s;
}

/* «prefix::path»; the prefix may be NULL. */
static const char *joined(struct eval *e, const char *prefix, struct span s)
{
    if (s.n > 2 && s.s[0] == ':')
        s.s += 2, s.n -= 2;
    return prefix ? tv_path(e, prefix, "::", s.s, s.n).text : tv_text(e, s.s, s.n).text;
}

static void use_leaf(struct eval *e, uint32_t parent, uint32_t *last, const char *path, struct span name, char sign)
{
    uint32_t node = path ? ir_leaf(e, IR_IMPORT) : 0, inner = 0;
    if (!node)
        return;
    ir_at(e, node)->text = path;
    ir_at(e, node)->sign = sign;
    if (name.n)
        ir_add(e, node, &inner, name_at(e, name), ROLE_NAME);
    ir_add(e, parent, last, node, ROLE_NONE);
}

/* One branch of a use declaration, below a prefix whose last word is `word`. */
static void use_tree(struct eval *e, uint32_t parent, uint32_t *last, const char *prefix, struct span word)
{
    struct span s = eval_span(e), alias = { 0 };
    bool is_alias = is_kind(e, "use_as_clause"), is_all = is_kind(e, "use_wildcard");
    if (e->ir.depth >= SCAN_MAX_DEPTH || scan_stop(e->c)) {
        e->is_cut = true;
        return;
    }
    e->ir.depth++;
    if (is_kind(e, "use_list") || is_kind(e, "scoped_use_list") || is_alias || is_all) {
        const char *path = prefix;
        for (bool more = eval_down(e); more; more = eval_next(e)) {
            const char *field = ts_tree_cursor_current_field_name(&e->ir.cursor);
            if (!ts_node_is_named(eval_here(e)))
                continue;
            if (field && str_eq(field, "alias")) {
                alias = eval_span(e);
            } else if (is_all || (field && str_eq(field, "path"))) {
                path = joined(e, prefix, eval_span(e));
                word = last_segment(eval_span(e));
            } else {
                use_tree(e, parent, last, path, word);
            }
        }
        if (is_alias || is_all)
            use_leaf(e, parent, last, path, alias, is_all ? '*' : 0);
    } else if (is_kind(e, "self")) {
        use_leaf(e, parent, last, prefix, word, 0);
    } else if (!is_kind(e, "visibility_modifier")) {
        use_leaf(e, parent, last, joined(e, prefix, s), last_segment(s), 0);
    }
    e->ir.depth--;
}

/* use a::{b, c}; extern crate a as b; */
static uint32_t use(struct eval *e, bool is_crate)
{
    uint32_t node = ir_leaf(e, IR_STATEMENTS), last = 0;
    struct span name = { 0 }, alias = { 0 };
    for (bool more = eval_down(e); more; more = eval_next(e)) {
        const char *field = ts_tree_cursor_current_field_name(&e->ir.cursor);
        if (is_crate && field && str_eq(field, "name"))
            name = eval_span(e);
        else if (is_crate && field && str_eq(field, "alias"))
            alias = eval_span(e);
        else if (!is_crate && ts_node_is_named(eval_here(e)))
            use_tree(e, node, &last, NULL, name);
    }
    if (name.n)
        use_leaf(e, node, &last, joined(e, NULL, name), alias.n ? alias : name, 0);
    return node;
}

static uint32_t note(struct eval *e, const char *text)
{
    uint32_t node = ir_leaf(e, IR_NOTE);
    ir_at(e, node)->text = node ? text : NULL;
    return node;
}

/* extern "C" { fn system(..); }: its functions are called as extern::system. */
static uint32_t foreign(struct eval *e)
{
    uint32_t node = ir_leaf(e, IR_STATEMENTS), last = 0;
    ir_add(e, node, &last, note(e, "extern"), ROLE_NONE);
    for (bool more = eval_down(e); more; more = eval_next(e)) {
        if (ir_role_here(e) != ROLE_BODY)
            continue;
        for (bool item = eval_down(e); item; item = eval_next(e)) {
            if (!is_kind(e, "function_signature_item"))
                continue;
            for (bool part = eval_down(e); part; part = eval_next(e))
                if (ir_role_here(e) == ROLE_NAME)
                    use_leaf(e, node, &last, joined(e, "extern", eval_span(e)), eval_span(e), '=');
        }
    }
    return node;
}

/* --- the tokens of macros --- */

/* The grammar keeps them as a flat list, with a tree for each bracket. Paths, literals, calls, methods and commas are
 * read; what is none of these only separates. */
struct reading {
    uint32_t parent, *last;           /* where whole values go */
    uint32_t held[FACT_MAX_ARGS * 4]; /* operands of this value that are no part of another: they come first */
    unsigned held_count;
    uint32_t operand; /* so far */
    bool has_any, is_path, is_method, after_colons, after_dot, is_macro;
};

static void tokens(struct eval *e, uint32_t parent, uint32_t *last);

static void drop_operand(struct reading *r)
{
    if (r->operand && r->held_count < ARRAY_LEN(r->held))
        r->held[r->held_count++] = r->operand;
    r->operand = 0;
    r->is_path = r->is_method = r->after_colons = r->after_dot = r->is_macro = false;
}

/* An operand becomes the first part of another. */
static void wrap(struct eval *e, struct reading *r, uint8_t op, uint8_t role, uint32_t part, uint8_t part_role)
{
    uint32_t start = r->operand ? ir_at(e, r->operand)->start : 0, last = 0;
    uint32_t node = ir_new(e, op, start, part ? ir_at(e, part)->end : start);
    ir_add(e, node, &last, r->operand, role);
    ir_add(e, node, &last, part, part_role);
    r->operand = node;
}

static void word(struct eval *e, struct reading *r)
{
    if (r->after_dot) {
        wrap(e, r, IR_MEMBER, ROLE_NONE, ir_leaf(e, IR_NAME), ROLE_NAME);
        r->is_method = true;
    } else if (r->after_colons) {
        wrap(e, r, IR_SCOPED, ROLE_NONE, ir_leaf(e, IR_NAME), ROLE_NAME);
    } else {
        drop_operand(r);
        r->operand = ir_leaf(e, IR_NAME);
        r->is_path = true;
    }
    r->after_colons = r->after_dot = false;
}

static void bracket(struct eval *e, struct reading *r)
{
    const char open = *eval_span(e).s;
    bool is_call = open == '(' && (r->is_method || r->is_path), is_index = open == '[' && r->operand;
    bool is_list = r->is_macro && r->operand && ir_at(e, r->operand)->end - ir_at(e, r->operand)->start == 3 &&
                   memcmp(e->c->text + ir_at(e, r->operand)->start, "vec", 3) == 0;
    uint32_t last = 0, args = ir_leaf(e, is_list || open == '[' ? IR_LIST : open == '(' ? IR_ONLY : IR_STATEMENTS);
    if (!args)
        return;
    if ((r->is_macro && !is_list) || is_call)
        ir_at(e, args)->op = IR_ARGS;
    tokens(e, args, &last);
    if (is_list)
        r->operand = args;
    else if (r->is_macro || is_call)
        wrap(e, r, r->is_macro ? IR_MACRO : IR_CALL, ROLE_OF, args, ROLE_ARGS);
    else if (is_index) {
        ir_at(e, args)->op = IR_ONLY;
        wrap(e, r, IR_INDEX, ROLE_NONE, args, ROLE_NONE);
    } else {
        drop_operand(r);
        r->operand = args;
    }
    r->is_path = r->is_method = r->after_colons = r->after_dot = r->is_macro = false;
}

static void punctuation(struct eval *e, struct reading *r, struct span s)
{
    if (span_is(s, "::")) {
        r->after_colons = r->is_path;
    } else if (span_is(s, ".")) {
        r->after_dot = r->operand != 0;
        r->is_path = false;
    } else if (*s.s == '!' && r->is_path) {
        r->is_macro = true;
    } else if (*s.s != '?' && *s.s != '&' && *s.s != '<' && *s.s != '>') {
        drop_operand(r);
        if (*s.s == '^') {
            r->operand = ir_leaf(e, IR_BINARY); /* of what is not known, but it is one */
            ir_at(e, r->operand)->sign = '^';
            drop_operand(r);
        }
    }
}

/* At a comma or the end: one value of what was read. */
static void finish(struct eval *e, struct reading *r)
{
    uint32_t value = r->operand ? r->operand : ir_leaf(e, IR_NONE), last = 0;
    if (r->held_count) {
        uint32_t all = ir_new(e, IR_LAST, ir_at(e, value)->start, ir_at(e, value)->end);
        for (unsigned i = 0; i < r->held_count; i++)
            ir_add(e, all, &last, r->held[i], ROLE_NONE);
        ir_add(e, all, &last, value, ROLE_NONE);
        value = all;
    }
    if (r->has_any)
        ir_add(e, r->parent, r->last, value, ROLE_NONE);
    *r = (struct reading){ .parent = r->parent, .last = r->last };
}

/* The values between commas; what stands before a semicolon belongs to the next. */
static void tokens(struct eval *e, uint32_t parent, uint32_t *last)
{
    struct reading r = { .parent = parent, .last = last };
    bool is_first = true; /* the bracket itself */
    if (e->ir.depth >= SCAN_MAX_DEPTH || scan_stop(e->c)) {
        e->is_cut = true;
        return;
    }
    e->ir.depth++;
    for (bool more = eval_down(e); more; more = eval_next(e), is_first = false) {
        const struct ir_rule *rule = ir_rule_here(e);
        struct span s = eval_span(e);
        uint8_t op = rule ? rule->op : IR_NONE;
        if (is_first || !s.n)
            continue;
        if (s.n == 1 && strchr(")]},", *s.s)) {
            finish(e, &r);
            continue;
        }
        r.has_any = s.n != 1 || *s.s != ';';
        if (!r.has_any) {
            drop_operand(&r);
        } else if (op == IR_NAME || op == IR_TYPE) {
            word(e, &r);
        } else if (op == IR_CUSTOM && ts_node_is_named(eval_here(e))) {
            drop_operand(&r);
            r.operand = literal(e, rule->sign);
        } else if (is_kind(e, "token_tree")) {
            bracket(e, &r);
        } else if (!ts_node_is_named(eval_here(e))) {
            punctuation(e, &r, s);
        }
    }
    e->ir.depth--;
}

static uint32_t macro(struct eval *e)
{
    uint32_t node = ir_leaf(e, IR_MACRO), args = 0, last = 0, inner = 0;
    bool is_list = false;
    for (bool more = eval_down(e); more; more = eval_next(e)) {
        if (ir_role_here(e) == ROLE_OF) {
            is_list = span_is(eval_span(e), "vec") || span_is(eval_span(e), "std::vec");
            ir_add(e, node, &last, ir_here(e), ROLE_OF);
        } else if (is_kind(e, "token_tree") && (args = ir_leaf(e, is_list ? IR_LIST : IR_ARGS)) != 0) {
            tokens(e, args, &inner);
            ir_add(e, node, &last, args, ROLE_ARGS);
        }
    }
    return is_list && args ? args : node;
}

/* What a macro of the program expands to is read once, where it is defined. */
static uint32_t macro_definition(struct eval *e)
{
    uint32_t node = ir_leaf(e, IR_STATEMENTS), last = 0;
    for (bool rule = eval_down(e); rule; rule = eval_next(e)) {
        if (!ts_node_is_named(eval_here(e)))
            continue;
        for (bool part = eval_down(e); part; part = eval_next(e))
            if (ir_role_here(e) == ROLE_RIGHT)
                tokens(e, node, &last);
    }
    return node;
}

/* for PATTERN in VALUE BODY */
static uint32_t loop(struct eval *e)
{
    uint32_t node = ir_leaf(e, IR_LOOP), each = ir_leaf(e, IR_EACH), last = 0, inner = 0;
    ir_add(e, node, &last, each, ROLE_NONE);
    for (bool more = eval_down(e); more && each; more = eval_next(e)) {
        const uint8_t role = ir_role_here(e);
        if (role == ROLE_LEFT)
            rust_pattern(e, each, &inner);
        else if (role == ROLE_RIGHT)
            ir_add(e, each, &inner, ir_here(e), role);
        else if (ts_node_is_named(eval_here(e)))
            ir_add(e, node, &last, ir_here(e), role);
    }
    return node;
}

/* f::<T>: f */
static uint32_t generic_function(struct eval *e)
{
    uint32_t node = 0;
    for (bool more = eval_down(e); more; more = eval_next(e))
        if (ir_role_here(e) == ROLE_OF)
            node = ir_here(e);
    return node;
}

uint32_t rust_lower(struct eval *e, const struct ir_rule *rule)
{
    uint32_t node, last = 0;
    switch (rule->sign) {
    case RUST_USE:
    case RUST_CRATE:
        return use(e, rule->sign == RUST_CRATE);
    case RUST_FOREIGN:
        return foreign(e);
    case RUST_FOR:
        return loop(e);
    case RUST_GENERIC:
        return generic_function(e);
    case RUST_MACRO:
        return macro(e);
    case RUST_MACRO_DEFINITION:
        return macro_definition(e);
    case RUST_UNSAFE:
        node = ir_leaf(e, IR_LAST);
        ir_add(e, node, &last, note(e, "unsafe"), ROLE_NONE);
        ir_parts(e, node, &last);
        return node;
    default:
        return literal(e, rule->sign);
    }
}
