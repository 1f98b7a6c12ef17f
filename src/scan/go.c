/* Go: names are import path, dot, name: os/exec.Command, net/http.Get, syscall.Dup2, C.system. Methods of known types
 * are «type.method»: os/exec.Cmd.Run, net.Conn.Write, net/http.Client.Do; methods of package variables keep the
 * variable: net/http.DefaultClient.Do. A composite literal of a known type is a CALL of the type: syscall.SysProcAttr.
 * A command is told once, with all its arguments. Flows: see typed.h, and compiler-directive (//go:linkname).
 */
#include "scan/go_eval.h"

static const char *const node_names[] = {
    "argument_list",
    "assignment_statement",
    "binary_expression",
    "break_statement",
    "call_expression",
    "comment",
    "composite_literal",
    "const_spec",
    "expression_list",
    "field_declaration",
    "for_clause",
    "for_statement",
    "func_literal",
    "function_declaration",
    "go_statement",
    "goto_statement",
    "identifier",
    "import_spec",
    "index_expression",
    "int_literal",
    "interpreted_string_literal",
    "keyed_element",
    "method_declaration",
    "package_clause",
    "parameter_declaration",
    "qualified_type",
    "range_clause",
    "raw_string_literal",
    "receive_statement",
    "return_statement",
    "rune_literal",
    "select_statement",
    "selector_expression",
    "send_statement",
    "short_var_declaration",
    "slice_expression",
    "type_alias",
    "type_assertion_expression",
    "type_conversion_expression",
    "type_identifier",
    "type_spec",
    "unary_expression",
    "var_spec",
    "variadic_argument",
    "variadic_parameter_declaration",
};
static_assert(ARRAY_LEN(node_names) + 1 == N_COUNT, "one kind for each name");

/* --- imports --- */

/* The name a package has without an alias: the last element, without /v2 and .v3. */
static struct span package_name(struct span path)
{
    for (int round = 0; round < 2; round++) {
        const char *slash = memrchr(path.s, '/', path.n);
        struct span last = slash ? (struct span){ slash + 1, path.n - (size_t)(slash + 1 - path.s) } : path;
        if (round == 0 && slash && last.n >= 2 && last.s[0] == 'v' && last.s[1] >= '0' && last.s[1] <= '9') {
            path.n = (size_t)(slash - path.s);
            continue;
        }
        const char *dot = memchr(last.s, '.', last.n);
        if (dot)
            last.n = (size_t)(dot - last.s);
        return last;
    }
    return path;
}

void go_import(struct go *g)
{
    struct span path = { 0 }, alias = { 0 };
    uint32_t byte = go_byte(g);
    for (bool more = go_down(g); more; more = go_next(g)) {
        if (go_field(g) == g->f_path)
            path = go_text(g);
        else if (go_field(g) == g->f_name)
            alias = go_text(g);
    }
    if (path.n < 3)
        return;
    path.s++, path.n -= 2;
    struct tv v = tv_text(&g->t, path.s, path.n);
    if (v.kind != TV_TEXT)
        return;
    v.kind = TV_PATH;
    typed_emit(&g->t, FACT_IMPORT, v.text, NULL, 0, byte);
    if (span_is(alias, ".")) {
        if (g->t.is_quiet && g->dot_count < DOT_IMPORTS)
            g->dots[g->dot_count++] = v.text;
        return;
    }
    if (!alias.n)
        alias = package_name(path);
    typed_set(&g->t, alias.s, alias.n, SCOPE_FILE, v);
}

static void fields(struct go *g, const TSLanguage *l)
{
    const struct {
        const char *name;
        TSFieldId *ret;
    } all[] = {
        { "function", &g->f_function },
        { "arguments", &g->f_arguments },
        { "operand", &g->f_operand },
        { "field", &g->f_field },
        { "name", &g->f_name },
        { "path", &g->f_path },
        { "type", &g->f_type },
        { "value", &g->f_value },
        { "left", &g->f_left },
        { "right", &g->f_right },
        { "body", &g->f_body },
        { "operator", &g->f_operator },
        { "index", &g->f_index },
        { "start", &g->f_start },
        { "end", &g->f_end },
        { "condition", &g->f_condition },
        { "key", &g->f_key },
        { "alias", &g->f_alias },
        { "parameters", &g->f_parameters },
    };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        *all[i].ret = ts_language_field_id_for_name(l, all[i].name, (uint32_t)strlen(all[i].name));
}

void resolve_go(struct scan_ctx *c, TSNode root)
{
    const TSLanguage *l = ts_tree_language(root.tree);
    struct go g = { 0 };
    if (typed_init(&g.t, c, root, LANG_GO) < 0) {
        c->is_cut = true;
        return;
    }
    g.t.kind_count = typed_map_kinds(l, node_names, ARRAY_LEN(node_names), g.kinds, GO_SYMBOLS);
    g.t.kinds = g.kinds;
    fields(&g, l);
    for (int pass = 0; pass < 2; pass++) {
        typed_begin(&g.t, root, pass == 0);
        (void)go_eval(&g);
    }
    typed_finish(&g.t);
    typed_done(&g.t);
}
