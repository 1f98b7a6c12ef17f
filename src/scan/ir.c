#include "scan/eval.h"

/* What fields are called in the grammars. */
static const struct {
    const char *name;
    uint8_t role;
} fields[] = {
    { "alternative", ROLE_ELSE },  { "argument", ROLE_ARGS },       { "arguments", ROLE_ARGS },
    { "body", ROLE_BODY },         { "condition", ROLE_CONDITION }, { "destination", ROLE_RIGHT },
    { "variable", ROLE_LEFT },     { "consequence", ROLE_LEFT },    { "constructor", ROLE_OF },
    { "end", ROLE_END },           { "field", ROLE_NAME },          { "function", ROLE_OF },
    { "key", ROLE_NAME },          { "left", ROLE_LEFT },           { "macro", ROLE_OF },
    { "name", ROLE_NAME },         { "operator", ROLE_OPERATOR },   { "parameter", ROLE_PARAMS },
    { "property", ROLE_NAME },     { "pattern", ROLE_LEFT },        { "right", ROLE_RIGHT },
    { "start", ROLE_START },       { "type", ROLE_TYPE },           { "value", ROLE_RIGHT },
    { "operand", ROLE_OF },        { "parameters", ROLE_PARAMS },   { "attribute", ROLE_NAME },
    { "superclasses", ROLE_ARGS },
};

static void learn(struct eval *e, const TSLanguage *l)
{
    struct ir *ir = &e->ir;
    const struct ir_rule *rules = e->l->rules;
    for (uint32_t s = 0; s < MIN_OF(ts_language_symbol_count(l), (uint32_t)sizeof ir->rules); s++) {
        const char *name = ts_language_symbol_name(l, (TSSymbol)s);
        if (!name || ts_language_symbol_type(l, (TSSymbol)s) == TSSymbolTypeAuxiliary)
            continue;
        for (size_t low = 0, high = e->l->rule_count; low < high;) {
            size_t mid = (low + high) / 2;
            int order = strcmp(name, rules[mid].kind);
            if (order == 0)
                ir->rules[s] = (uint8_t)(mid + 1);
            high = order <= 0 ? mid : high;
            low = order > 0 ? mid + 1 : low;
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        TSFieldId f = ts_language_field_id_for_name(l, fields[i].name, (uint32_t)strlen(fields[i].name));
        if (f && f < sizeof ir->roles)
            ir->roles[f] = fields[i].role;
    }
}

const struct ir_rule *ir_rule_here(struct eval *e)
{
    TSSymbol s = ts_node_symbol(eval_here(e));
    uint8_t rule = s < sizeof e->ir.rules ? e->ir.rules[s] : 0;
    return rule ? &e->l->rules[rule - 1] : NULL;
}

uint8_t ir_role_here(struct eval *e)
{
    TSFieldId f = ts_tree_cursor_current_field_id(&e->ir.cursor);
    return f < sizeof e->ir.roles ? e->ir.roles[f] : ROLE_NONE;
}

uint32_t ir_new(struct eval *e, uint8_t op, uint32_t start, uint32_t end)
{
    struct ir *ir = &e->ir;
    if (ir->count == ir->size) {
        uint32_t size = MIN_OF(ir->size ? ir->size * 2 : e->c->size / 4 + 64, IR_MAX_NODES);
        struct ir_node *bigger = ir->count >= IR_MAX_NODES ? NULL : realloc(ir->nodes, size * sizeof *bigger);
        if (!bigger) {
            e->is_cut = e->is_stopped = true;
            return 0;
        }
        ir->nodes = bigger;
        ir->size = size;
    }
    ir->nodes[ir->count] = (struct ir_node){ .op = op, .start = start, .end = end };
    return ir->count++;
}

uint32_t ir_leaf(struct eval *e, uint8_t op)
{
    TSNode n = eval_here(e);
    return ir_new(e, op, MIN_OF(ts_node_start_byte(n), e->c->size), MIN_OF(ts_node_end_byte(n), e->c->size));
}

void ir_add(struct eval *e, uint32_t parent, uint32_t *last, uint32_t part, uint8_t role)
{
    if (!part || !parent)
        return;
    ir_at(e, part)->role = role;
    if (*last)
        ir_at(e, *last)->next = part;
    else
        ir_at(e, parent)->first = part;
    *last = part;
}

/* A token that is told from others of its kind only in the table of a shell. */
static bool is_word(const struct ir_rule *rule)
{
    return rule && (rule->op == IR_THREAD || rule->op == IR_ALL);
}

/* What stands in a place for names: the language says which names are in a pattern. */
static void add_part(struct eval *e, uint32_t node, uint32_t *last)
{
    const struct ir_rule *rule = ir_rule_here(e);
    uint8_t op = ir_at(e, node)->op;
    bool is_dropped = (rule && rule->op == IR_DROP) || (!ts_node_is_named(eval_here(e)) && !is_word(rule));
    if (is_dropped && op != IR_BINARY && op != IR_ASSIGN && op != IR_UNARY)
        return; /* fast path: the cursor looks for a field */
    uint8_t role = ir_role_here(e);
    if (op <= IR_GROUPS_END || op == IR_ARGS)
        role = ROLE_NONE;
    if (role == ROLE_OPERATOR && (op == IR_BINARY || op == IR_ASSIGN || op == IR_UNARY)) {
        struct span s = eval_span(e);
        bool is_simple = op != IR_BINARY ? s.n > 1 || op == IR_UNARY : s.n == 1;
        ir_at(e, node)->sign = is_simple && s.s[0] != ':' ? *s.s : 0;
    } else if (is_dropped) {
        return;
    } else if (op == IR_ALL) {
        ir_add(e, node, last, ir_here(e), role);
    } else if (op == IR_CLOSURE && role == ROLE_PARAMS && e->l->pattern) { /* all of them get what the call gives */
        uint32_t names = 0, all = ir_leaf(e, IR_PARAM);
        e->l->pattern(e, all, &names);
        ir_add(e, node, last, all, role);
    } else if (role == ROLE_LEFT && op != IR_BINARY && op != IR_ASSIGN && e->l->pattern) {
        e->l->pattern(e, node, last);
    } else if (role == ROLE_NAME && (op == IR_ASSIGN || (rule && rule->op == IR_LAST))) { /* {a, b} = ... [a]() {} */
        ir_add(e, node, last, ir_here(e), op == IR_ASSIGN ? ROLE_LEFT : ROLE_START);
    } else if (role == ROLE_NAME) {
        bool is_binding = op == IR_DECLARE || op == IR_FIELD || op == IR_PARAM;
        ir_add(e, node, last, ir_leaf(e, IR_NAME), is_binding ? ROLE_LEFT : ROLE_NAME);
    } else if (rule && rule->op == IR_PARTS) {
        uint32_t before = *last;
        ir_parts(e, node, last);
        for (uint32_t p = before ? ir_at(e, before)->next : ir_at(e, node)->first; p; p = ir_at(e, p)->next)
            ir_at(e, p)->role = ir_at(e, p)->role ? ir_at(e, p)->role : role; /* parameters */
    } else {
        uint32_t part = ir_here(e);
        bool is_member = ir_at(e, part)->op == IR_MEMBER || ir_at(e, part)->op == IR_INDEX;
        bool is_operand = role == ROLE_OF || ((op == IR_MEMBER || op == IR_INDEX) && !*last);
        ir_at(e, part)->is_part = e->l->is_lexical && (is_member ? is_operand : op == IR_BINARY);
        ir_add(e, node, last, part, role);
    }
}

void ir_parts(struct eval *e, uint32_t node, uint32_t *last)
{
    if (e->ir.depth >= SCAN_MAX_DEPTH) {
        e->is_cut = true;
        return;
    }
    e->ir.depth++;
    for (bool more = eval_down(e); more; more = eval_next(e))
        add_part(e, node, last);
    e->ir.depth--;
}

uint32_t ir_here(struct eval *e)
{
    const struct ir_rule *rule = ir_rule_here(e);
    uint8_t op = rule ? rule->op : e->l->group;
    if (op == IR_DROP || e->ir.depth >= SCAN_MAX_DEPTH || scan_stop(e->c)) {
        e->is_cut |= op != IR_DROP;
        return 0;
    }
    if (op == IR_CUSTOM)
        return e->l->lower(e, rule);
    uint32_t node = ir_leaf(e, op), last = 0;
    if (!node || op == IR_NAME || op == IR_TYPE || op == IR_NONE)
        return node;
    ir_at(e, node)->sign = rule ? rule->sign : 0;
    ir_parts(e, node, &last);
    const uint32_t only = ir_at(e, node)->first;
    return op < IR_GROUPS_END && op != IR_STATEMENTS && only && only == last ? only : node;
}

uint32_t ir_lower(struct eval *e, TSNode root)
{
    learn(e, ts_tree_language(root.tree));
    e->ir.cursor = ts_tree_cursor_new(root);
    (void)ir_new(e, IR_NONE, 0, 0); /* 0 is none */
    uint32_t node = e->ir.nodes ? ir_here(e) : 0;
    ts_tree_cursor_delete(&e->ir.cursor);
    e->is_stopped = false;
    return node;
}

/* --- what was lowered --- */

struct span ir_span(struct eval *e, uint32_t n)
{
    const struct ir_node *i = ir_at(e, n);
    return (struct span){ e->c->text + i->start, i->end - i->start };
}

uint32_t ir_part(struct eval *e, uint32_t n, uint8_t role)
{
    PARTS(p, e, n)
    if (ir_at(e, p)->role == role)
        return p;
    return 0;
}

struct span ir_name(struct eval *e, uint32_t n)
{
    uint32_t p = ir_part(e, n, ROLE_NAME);
    return p ? ir_span(e, p) : (struct span){ 0 };
}
