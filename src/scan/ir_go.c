/* Go: names are import path, dot, name: os/exec.Command, net/http.Get, syscall.Dup2, C.system. Methods of known types
 * are «type.method»: os/exec.Cmd.Run, net.Conn.Write, net/http.Client.Do; methods of package variables keep the
 * variable: net/http.DefaultClient.Do. A composite literal of a known type is a CALL of the type: syscall.SysProcAttr.
 * A command is told once, with all its arguments. Flows: see eval.h, and compiler-directive (//go:linkname).
 */
#include "scan/eval.h"

enum { GO_COMMENT = 1, GO_FOR, GO_IMPORT, GO_NUMBER, GO_RUNE, GO_TEXT }; /* signs of IR_CUSTOM */

static const struct ir_rule rules[] = {
    { "argument_list", IR_ARGS, 0 },
    { "assignment_statement", IR_ASSIGN, 0 },
    { "binary_expression", IR_BINARY, 0 },
    { "block", IR_STATEMENTS, 0 },
    { "break_statement", IR_BREAK, 0 },
    { "call_expression", IR_CALL, 0 },
    { "comment", IR_CUSTOM, GO_COMMENT },
    { "composite_literal", IR_NEW, 0 },
    { "const_spec", IR_DECLARE, 0 },
    { "expression_list", IR_TUPLE, 0 },
    { "field_declaration", IR_FIELD, 0 },
    { "for_statement", IR_CUSTOM, GO_FOR },
    { "func_literal", IR_CLOSURE, 0 },
    { "function_declaration", IR_FUNCTION, 0 },
    { "go_statement", IR_THREAD, 0 },
    { "goto_statement", IR_BREAK, 0 },
    { "identifier", IR_NAME, 0 },
    { "import_spec", IR_CUSTOM, GO_IMPORT },
    { "index_expression", IR_INDEX, 0 },
    { "int_literal", IR_CUSTOM, GO_NUMBER },
    { "interpreted_string_literal", IR_CUSTOM, GO_TEXT },
    { "keyed_element", IR_PAIR, 0 },
    { "literal_value", IR_LIST, 0 },
    { "method_declaration", IR_FUNCTION, 0 },
    { "package_clause", IR_DROP, 0 },
    { "package_identifier", IR_NAME, 0 },
    { "parameter_declaration", IR_PARAM, 0 },
    { "parameter_list", IR_PARTS, 0 },
    { "qualified_type", IR_SCOPED, 't' },
    { "range_clause", IR_EACH, 'i' },
    { "raw_string_literal", IR_CUSTOM, GO_TEXT },
    { "receive_statement", IR_ASSIGN, 0 },
    { "return_statement", IR_RETURN, 0 },
    { "rune_literal", IR_CUSTOM, GO_RUNE },
    { "select_statement", IR_WAIT, 0 },
    { "selector_expression", IR_MEMBER, 0 },
    { "send_statement", IR_WAIT, 0 },
    { "short_var_declaration", IR_ASSIGN, 0 },
    { "slice_expression", IR_SLICE, 0 },
    { "type_alias", IR_TYPEDEF, 0 },
    { "type_assertion_expression", IR_CAST, 0 },
    { "type_conversion_expression", IR_CAST, 0 },
    { "type_identifier", IR_TYPE, 0 },
    { "type_spec", IR_TYPEDEF, 0 },
    { "unary_expression", IR_UNARY, 0 },
    { "var_spec", IR_DECLARE, 0 },
    { "variadic_argument", IR_SPREAD, 0 },
    { "variadic_parameter_declaration", IR_PARAM, 0 },
};

/* --- lowering --- */

/* The name a package has without an alias: the last element, without /v2 and .v3. */
static struct span package_name(struct span path)
{
    const char *slash = memrchr(path.s, '/', path.n);
    if (slash && path.s + path.n - slash > 2 && slash[1] == 'v' && slash[2] >= '0' && slash[2] <= '9') {
        path.n = (size_t)(slash - path.s);
        slash = memrchr(path.s, '/', path.n);
    }
    struct span last = slash ? (struct span){ slash + 1, path.n - (size_t)(slash + 1 - path.s) } : path;
    const char *dot = memchr(last.s, '.', last.n);
    return dot ? (struct span){ last.s, (size_t)(dot - last.s) } : last;
}

static uint32_t lower_import(struct eval *e)
{
    uint32_t node = ir_leaf(e, IR_IMPORT), last = 0;
    struct span path = { 0 }, alias = { 0 };
    for (bool more = eval_down(e); more; more = eval_next(e)) {
        if (ir_role_here(e) == ROLE_NAME)
            alias = eval_span(e);
        else if (ts_node_is_named(eval_here(e)) && *eval_span(e).s != '/')
            path = eval_span(e);
    }
    if (!node || path.n < 3)
        return 0;
    path.s++, path.n -= 2;
    ir_at(e, node)->text = tv_text(e, path.s, path.n).text;
    if (span_is(alias, ".")) {
        ir_at(e, node)->sign = '.';
        return node;
    }
    alias = alias.n ? alias : package_name(path);
    const uint32_t at = (uint32_t)(alias.s - e->c->text);
    ir_add(e, node, &last, ir_new(e, IR_NAME, at, at + (uint32_t)alias.n), ROLE_NAME);
    return node;
}

static uint32_t lower_literal(struct eval *e, char kind)
{
    struct span s = eval_span(e);
    uint32_t node = ir_leaf(e, kind == GO_TEXT ? IR_TEXT : IR_NUMBER);
    if (!node || (kind != GO_NUMBER && s.n < (kind == GO_RUNE ? 3 : 2)))
        return 0;
    if (kind == GO_NUMBER) {
        ir_at(e, node)->number = tv_parse_int(s.s, s.n);
        return node;
    }
    bool is_plain = *s.s == '`' || !memchr(s.s, '\\', s.n);
    s.s++, s.n -= 2;
    struct tv v = is_plain ? tv_text(e, s.s, s.n) : tv_escaped(e, s.s, s.n);
    if (kind == GO_RUNE)
        ir_at(e, node)->number = is_plain ? (unsigned char)*s.s : v.text ? (unsigned char)*v.text : 0;
    else
        ir_at(e, node)->text = v.text;
    return node;
}

/* What follows `for` says whether it ends: for {}, for ;; {}, for true {} do not. */
static uint32_t lower_for(struct eval *e)
{
    uint32_t node = ir_leaf(e, IR_LOOP), last = 0;
    bool is_endless = true;
    for (bool more = eval_down(e); more; more = eval_next(e)) {
        TSNode n = eval_here(e);
        const struct ir_rule *rule = ir_rule_here(e);
        bool is_comment = rule && rule->op == IR_CUSTOM && rule->sign == GO_COMMENT;
        if (!ts_node_is_named(n) || is_comment)
            continue;
        if (str_eq(ts_node_type(n), "for_clause"))
            is_endless = ts_node_is_null(ts_node_child_by_field_name(n, "condition", 9));
        else if (ir_role_here(e) != ROLE_BODY)
            is_endless = span_is(eval_span(e), "true");
        ir_add(e, node, &last, ir_here(e), ROLE_NONE);
    }
    ir_at(e, node)->sign = is_endless ? 'e' : 0;
    return node;
}

static uint32_t lower(struct eval *e, const struct ir_rule *rule)
{
    struct span s = eval_span(e);
    if (rule->sign == GO_IMPORT)
        return lower_import(e);
    if (rule->sign == GO_FOR)
        return lower_for(e);
    if (rule->sign != GO_COMMENT)
        return lower_literal(e, rule->sign);
    bool is_directive = (s.n > 14 && memcmp(s.s, "//go:linkname", 13) == 0) ||
                        (s.n > 10 && memcmp(s.s, "//go:cgo_", 9) == 0);
    uint32_t node = is_directive ? ir_leaf(e, IR_NOTE) : 0;
    if (node) {
        ir_at(e, node)->text = "compiler-directive";
        ir_at(e, node)->sign = 'f';
    }
    return node;
}

/* --- what names stand for --- */

static struct tv unbound(struct eval *e, struct span name)
{
    for (uint32_t i = 0; i < e->glob_count && name.n > 0 && name.s[0] >= 'A' && name.s[0] <= 'Z'; i++) {
        struct tv v = tv_path(e, e->globs[i], ".", name.s, name.n);
        if (v.kind == TV_PATH && (e->glob_count == 1 || eval_known(e, v.text)))
            return v;
    }
    return tv_unknown(0);
}

static struct tv base(struct eval *e, struct span name)
{
    return eval_get(e, name.s, name.n, SCOPE_FILE, NULL);
}

static struct tv import(struct eval *e, const char *path)
{
    (void)e;
    return (struct tv){ .kind = TV_PATH, .text = path };
}

/* --- calls --- */

static struct tv append(struct eval *e, const struct tv *args, unsigned n)
{
    struct tv list = n > 0 ? args[0] : tv_unknown(0);
    if (list.kind == TV_UNKNOWN && !list.taint)
        list = tv_list();
    for (unsigned i = 1; i < n; i++) {
        if (list.kind == TV_LIST)
            tv_append(e, &list, args[i]);
        list.taint |= args[i].taint;
    }
    return list.kind == TV_LIST ? list : tv_unknown(list.taint);
}

static bool is_one_of(struct span name, const char *words)
{
    char word[16];
    if (name.n + 3 > sizeof word)
        return false;
    (void)snprintf(word, sizeof word, " %.*s ", (int)name.n, name.s);
    return strstr(words, word);
}

static bool builtin(struct eval *e, const struct call *k, struct tv *ret)
{
    struct tv first = k->n > 0 ? k->args[0] : tv_unknown(0);
    bool is_append = span_is(k->name, "append");
    *ret = tv_unknown(first.taint);
    if (e->loop) {
        e->loop->has_alloc |= is_append || span_is(k->name, "make");
        e->loop->has_exit |= span_is(k->name, "panic");
    }
    if (is_append)
        *ret = append(e, k->args, k->n);
    else if (span_is(k->name, "string"))
        *ret = tv_from_bytes(e, first);
    else if (is_one_of(k->name, " byte rune int uintptr int32 uint8 "))
        *ret = first;
    else
        return is_one_of(k->name, " make panic len cap copy delete new close print println float64 int64 min max ");
    return true;
}

/* Methods of strings.Builder and bytes.Buffer: a list of what was written. */
static bool builder(struct eval *e, const struct call *k, struct tv *ret)
{
    *ret = tv_unknown(0);
    if (k->recv.kind != TV_LIST)
        return false;
    if (span_is(k->name, "String") || span_is(k->name, "Bytes")) {
        *ret = tv_from_bytes(e, k->recv);
        return true;
    }
    if (k->n != 1 || k->name.n < 5 || memcmp(k->name.s, "Write", 5) != 0)
        return false;
    struct tv list = k->recv;
    tv_append(e, &list, k->args[0]);
    if (k->variable.n)
        eval_set(e, k->variable.s, k->variable.n, e->scope, list);
    return true;
}

static struct tv call(struct eval *e, struct call *k)
{
    struct tv v;
    if (k->value.kind == TV_PATH)
        return eval_call(e, k->value.text, k->recv.kind == TV_OBJECT ? k->recv : tv_unknown(k->recv.taint), k->args,
                         k->n, k->byte);
    if (builder(e, k, &v) || (k->recv.kind == TV_UNKNOWN && builtin(e, k, &v)))
        return v;
    if (k->value.kind == TV_OBJECT && k->n == 1) { /* a conversion */
        k->value.taint |= k->args[0].taint;
        return k->value;
    }
    return eval_local(e, k->name, k->recv, k->args, k->n);
}

void resolve_go(struct scan_ctx *c, TSNode root)
{
    static const struct ir_language go = { LANG_GO, ".",     rules, ARRAY_LEN(rules), IR_ONLY, lower,
                                           NULL,    unbound, base,  import,           call,    .least_text = 2 };
    eval_program(&go, c, root, NULL);
}
