/* Rust: names are full paths, std::process::Command::new, whatever use, as, groups, globs and type aliases made of
 * them; core and alloc count as std. Methods of known types are type::method: std::process::Command::arg,
 * std::net::TcpStream::write_all. Macros are std::name (std::include_bytes, std::arch::asm) unless imported from
 * elsewhere; their tokens, which the grammar leaves alone, are read as expressions where they look like some. Functions
 * of extern blocks are extern::name. NAME unsafe and NAME extern tell of such blocks. Flows: see typed.h.
 */
#include "scan/rust_eval.h"

static struct tv use_path(struct rust *r, struct tv prefix, struct span s)
{
    if (s.n > 2 && s.s[0] == ':')
        s.s += 2, s.n -= 2;
    if (prefix.kind == TV_PATH)
        return tv_path(&r->t, prefix.text, "::", s.s, s.n);
    size_t head = 0;
    while (head < s.n && s.s[head] != ':')
        head++;
    struct tv base = rust_base(r, (struct span){ s.s, head });
    if (head + 2 >= s.n)
        return base;
    return base.kind == TV_PATH ? tv_path(&r->t, base.text, "::", s.s + head + 2, s.n - head - 2) : base;
}

static struct span last_segment(struct span s)
{
    for (size_t i = s.n; i > 0; i--)
        if (s.s[i - 1] == ':')
            return (struct span){ s.s + i, s.n - i };
    return s;
}

static void use_leaf(struct rust *r, struct tv path, struct span name, uint32_t byte)
{
    if (path.kind != TV_PATH)
        return;
    typed_emit(&r->t, FACT_IMPORT, path.text, NULL, 0, byte);
    if (!span_is(name, "_"))
        typed_set(&r->t, name.s, name.n, SCOPE_FILE, path);
}

static void use_tree(struct rust *r, struct tv prefix);

static void use_list(struct rust *r, struct tv prefix)
{
    for (bool more = rust_down(r); more; more = rust_next(r))
        if (ts_node_is_named(rust_here(r)))
            use_tree(r, prefix);
}

static void use_wildcard(struct rust *r, struct tv prefix, uint32_t byte)
{
    struct tv path = prefix;
    for (bool more = rust_down(r); more; more = rust_next(r))
        if (ts_node_is_named(rust_here(r)))
            path = use_path(r, prefix, rust_span(r));
    if (path.kind != TV_PATH)
        return;
    if (r->t.is_quiet && r->glob_count < RUST_GLOBS)
        r->globs[r->glob_count++] = path.text;
    struct tv all = tv_path(&r->t, path.text, "::", "*", 1);
    typed_emit(&r->t, FACT_IMPORT, all.text, NULL, 0, byte);
}

/* One branch of a use declaration, below what `prefix` says. */
static void use_tree(struct rust *r, struct tv prefix)
{
    uint8_t kind = rust_kind(r);
    struct span s = rust_span(r), alias = { 0 };
    uint32_t byte = rust_byte(r);
    struct tv path = prefix;
    if (r->t.depth >= SCAN_MAX_DEPTH || scan_stop(r->t.c)) {
        r->t.c->is_cut = true;
        return;
    }
    r->t.depth++;
    if (kind == R_USE_LIST) {
        use_list(r, prefix);
    } else if (kind == R_USE_WILDCARD) {
        use_wildcard(r, prefix, byte);
    } else if (kind == R_SCOPED_USE_LIST || kind == R_USE_AS) {
        for (bool more = rust_down(r); more; more = rust_next(r)) {
            TSFieldId field = rust_field(r);
            if (field == r->f_path)
                path = use_path(r, prefix, rust_span(r));
            else if (field == r->f_list)
                use_list(r, path);
            else if (field == r->f_alias)
                alias = rust_span(r);
        }
        if (kind == R_USE_AS)
            use_leaf(r, path, alias, byte);
    } else if (kind == R_SELF) {
        if (prefix.kind == TV_PATH) { /* std::fs::{self}: named by the prefix's last word, wherever that was written */
            const char *colon = strrchr(prefix.text, ':');
            const char *word = colon ? colon + 1 : prefix.text;
            const char *in_text = memmem(r->t.c->text, r->t.c->size, word, strlen(word));
            if (in_text)
                use_leaf(r, prefix, (struct span){ in_text, strlen(word) }, byte);
        }
    } else if (kind != R_VISIBILITY) {
        use_leaf(r, use_path(r, prefix, s), last_segment(s), byte);
    }
    r->t.depth--;
}

void rust_use(struct rust *r)
{
    for (bool more = rust_down(r); more; more = rust_next(r))
        if (ts_node_is_named(rust_here(r)))
            use_tree(r, tv_unknown(0));
}

void rust_extern_crate(struct rust *r)
{
    struct span name = { 0 }, alias = { 0 };
    uint32_t byte = rust_byte(r);
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        if (rust_field(r) == r->f_name)
            name = rust_span(r);
        else if (rust_field(r) == r->f_alias)
            alias = rust_span(r);
    }
    if (name.n)
        use_leaf(r, use_path(r, tv_unknown(0), name), alias.n ? alias : name, byte);
}

/* extern "C" { fn system(..); }: its functions are called as extern::system. */
void rust_foreign(struct rust *r)
{
    typed_emit(&r->t, FACT_NAME, "extern", NULL, 0, rust_byte(r));
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        if (rust_field(r) != r->f_body)
            continue;
        for (bool item = rust_down(r); item; item = rust_next(r)) {
            if (rust_kind(r) != R_SIGNATURE)
                continue;
            for (bool part = rust_down(r); part; part = rust_next(r)) {
                struct span s = rust_span(r);
                if (rust_field(r) == r->f_name)
                    typed_set(&r->t, s.s, s.n, SCOPE_FILE, tv_path(&r->t, "extern", "::", s.s, s.n));
            }
        }
    }
}

static void fields(struct rust *r, const TSLanguage *l)
{
    const struct {
        const char *name;
        TSFieldId *ret;
    } all[] = { { "function", &r->f_function },  { "arguments", &r->f_arguments },
                { "value", &r->f_value },        { "field", &r->f_field },
                { "name", &r->f_name },          { "path", &r->f_path },
                { "type", &r->f_type },          { "left", &r->f_left },
                { "right", &r->f_right },        { "body", &r->f_body },
                { "operator", &r->f_operator },  { "alias", &r->f_alias },
                { "list", &r->f_list },          { "pattern", &r->f_pattern },
                { "macro", &r->f_macro },        { "parameters", &r->f_parameters },
                { "condition", &r->f_condition } };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        *all[i].ret = ts_language_field_id_for_name(l, all[i].name, (uint32_t)strlen(all[i].name));
}

void resolve_rust(struct scan_ctx *c, TSNode root)
{
    const TSLanguage *l = ts_tree_language(root.tree);
    struct rust r = { 0 };
    if (typed_init(&r.t, c, root, LANG_RUST) < 0) {
        c->is_cut = true;
        return;
    }
    r.t.kind_count = rust_kinds(l, r.kinds, sizeof r.kinds);
    r.t.kinds = r.kinds;
    fields(&r, l);
    for (int pass = 0; pass < 2; pass++) {
        typed_begin(&r.t, root, pass == 0);
        (void)rust_eval(&r);
    }
    typed_finish(&r.t);
    typed_done(&r.t);
}
