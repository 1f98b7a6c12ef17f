/* Go: names are import path, dot, name: os/exec.Command, net/http.Get, syscall.Dup2, C.system. Methods of known types
 * are «type.method»: os/exec.Cmd.Run, net.Conn.Write, net/http.Client.Do; methods of package variables keep the
 * variable: net/http.DefaultClient.Do. A composite literal of a known type is a CALL of the type: syscall.SysProcAttr.
 * A command is told once, with all its arguments. Flows: see typed.h, and compiler-directive (//go:linkname).
 */
#include "scan/go_eval.h"

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
    uint32_t byte = typed_byte(&g->t);
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        if (typed_field(&g->t) == g->f_path)
            path = typed_span(&g->t);
        else if (typed_field(&g->t) == g->f_name)
            alias = typed_span(&g->t);
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

static void evaluate(struct typed *t)
{
    (void)go_eval((struct go *)t);
}

void resolve_go(struct scan_ctx *c, TSNode root)
{
    static const char *const names[] = {
#define X(kind, name) name,
        GO_KINDS(X)
#undef X
    };
    const TSLanguage *l = ts_tree_language(root.tree);
    struct go g = { 0 };
#define X(name) g.f_##name = ts_language_field_id_for_name(l, #name, sizeof #name - 1);
    GO_FIELDS(X)
#undef X
    typed_resolve(&g.t, c, root, LANG_GO, names, ARRAY_LEN(names), evaluate);
}
