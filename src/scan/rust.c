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
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t))
        if (ts_node_is_named(typed_here(&r->t)))
            use_tree(r, prefix);
}

static void use_wildcard(struct rust *r, struct tv prefix, uint32_t byte)
{
    struct tv path = prefix;
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t))
        if (ts_node_is_named(typed_here(&r->t)))
            path = use_path(r, prefix, typed_span(&r->t));
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
    uint8_t kind = typed_here_kind(&r->t);
    struct span s = typed_span(&r->t), alias = { 0 };
    uint32_t byte = typed_byte(&r->t);
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
        for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
            TSFieldId field = typed_field(&r->t);
            if (field == r->f_path)
                path = use_path(r, prefix, typed_span(&r->t));
            else if (field == r->f_list)
                use_list(r, path);
            else if (field == r->f_alias)
                alias = typed_span(&r->t);
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
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t))
        if (ts_node_is_named(typed_here(&r->t)))
            use_tree(r, tv_unknown(0));
}

void rust_extern_crate(struct rust *r)
{
    struct span name = { 0 }, alias = { 0 };
    uint32_t byte = typed_byte(&r->t);
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        if (typed_field(&r->t) == r->f_name)
            name = typed_span(&r->t);
        else if (typed_field(&r->t) == r->f_alias)
            alias = typed_span(&r->t);
    }
    if (name.n)
        use_leaf(r, use_path(r, tv_unknown(0), name), alias.n ? alias : name, byte);
}

/* extern "C" { fn system(..); }: its functions are called as extern::system. */
void rust_foreign(struct rust *r)
{
    typed_emit(&r->t, FACT_NAME, "extern", NULL, 0, typed_byte(&r->t));
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        if (typed_field(&r->t) != r->f_body)
            continue;
        for (bool item = typed_down(&r->t); item; item = typed_next(&r->t)) {
            if (typed_here_kind(&r->t) != R_SIGNATURE)
                continue;
            for (bool part = typed_down(&r->t); part; part = typed_next(&r->t)) {
                struct span s = typed_span(&r->t);
                if (typed_field(&r->t) == r->f_name)
                    typed_set(&r->t, s.s, s.n, SCOPE_FILE, tv_path(&r->t, "extern", "::", s.s, s.n));
            }
        }
    }
}

static void evaluate(struct typed *t)
{
    (void)rust_eval((struct rust *)t);
}

void resolve_rust(struct scan_ctx *c, TSNode root)
{
    static const char *const names[] = {
#define X(kind, name) name,
        RUST_KINDS(X)
#undef X
    };
    const TSLanguage *l = ts_tree_language(root.tree);
    struct rust r = { 0 };
#define X(name) r.f_##name = ts_language_field_id_for_name(l, #name, sizeof #name - 1);
    RUST_FIELDS(X)
#undef X
    typed_resolve(&r.t, c, root, LANG_RUST, names, ARRAY_LEN(names), evaluate);
}
