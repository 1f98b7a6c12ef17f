/* The tree as an array: one walk with a cursor; tree-sitter's own child lookups cost a search each. */
#include "scan/python.h"

#define MAX_NODES   600000u /* 1 MB of Python is about 400,000 */
#define MAX_SYMBOLS 512u

/* Of the one grammar that this program is linked with; made when first needed. */
static struct {
    bool is_made;
    uint8_t kind[MAX_SYMBOLS], field[64];
    bool is_async[MAX_SYMBOLS];
} symbols;

static const char *const kind_names[K_COUNT] = { [K_other] = "",
                                                 [K_operator] = "",
                                                 [K_colon] = "",
#define X(name) [K_##name] = #name,
                                                 PY_KINDS(X)
#undef X
};
static const char *const field_names[] = { "",
#define X(name) [FIELD_##name] = #name,
                                           PY_FIELDS(X)
#undef X
};

static uint8_t index_of(const char *const *names, size_t n, const char *s)
{
    for (size_t i = 1; i < n; i++)
        if (str_eq(names[i], s))
            return (uint8_t)i;
    return 0;
}

static void make_symbols(const TSLanguage *lang)
{
    uint32_t n = ts_language_symbol_count(lang);
    for (uint32_t i = 0; i < n && i < MAX_SYMBOLS; i++) {
        const char *name = ts_language_symbol_name(lang, (TSSymbol)i);
        if (!name || !*name)
            continue;
        if (ts_language_symbol_type(lang, (TSSymbol)i) == TSSymbolTypeRegular)
            symbols.kind[i] = index_of(kind_names, K_COUNT, name);
        else if (str_eq(name, ":"))
            symbols.kind[i] = K_colon;
    }
    n = ts_language_field_count(lang);
    for (uint32_t i = 1; i <= n && i < ARRAY_LEN(symbols.field); i++) {
        const char *name = ts_language_field_name_for_id(lang, (TSFieldId)i);
        if (name)
            symbols.field[i] = index_of(field_names, ARRAY_LEN(field_names), name);
    }
    symbols.is_made = true;
}

struct walk {
    uint32_t cap;
    uint32_t open[SCAN_MAX_DEPTH + 1], last[SCAN_MAX_DEPTH + 1]; /* the node of each depth and its latest child */
    unsigned depth;
};

static bool room_for_node(struct py *p, struct walk *w)
{
    if (p->node_count < w->cap)
        return true;
    uint32_t cap = w->cap * 2;
    struct py_node *more = cap > MAX_NODES * 2 ? NULL : fold_take(&p->mem, (size_t)cap * sizeof *more);
    if (!more)
        return false;
    memcpy(more, p->nodes, p->node_count * sizeof *more);
    p->nodes = more;
    w->cap = cap;
    return true;
}

/* Adds the cursor's node below the open one; 0: not one that matters, or no room (then is_cut). */
static uint32_t add_node(struct py *p, struct walk *w, const TSTreeCursor *cursor)
{
    TSNode n = ts_tree_cursor_current_node(cursor);
    TSSymbol s = ts_node_symbol(n);
    TSFieldId f = ts_tree_cursor_current_field_id(cursor);
    uint8_t kind = s < MAX_SYMBOLS ? symbols.kind[s] : (uint8_t)K_ERROR;
    uint8_t field = f < ARRAY_LEN(symbols.field) ? symbols.field[f] : 0;
    if (!ts_node_is_named(n)) {
        if (field == FIELD_operator)
            kind = K_operator;
        else if (kind != K_colon || !w->depth || p->nodes[w->open[w->depth]].kind != K_slice)
            return 0;
    } else if (ts_node_is_extra(n) && s != (TSSymbol)-1) {
        return 0; /* comments, continued lines */
    }
    if (p->node_count >= MAX_NODES || !room_for_node(p, w)) {
        p->is_cut = true;
        return 0;
    }
    uint32_t at = p->node_count++;
    p->nodes[at] = (struct py_node){
        .start = ts_node_start_byte(n), .end = MIN_OF(ts_node_end_byte(n), p->ctx->size), .kind = kind, .field = field
    };
    if (w->last[w->depth])
        p->nodes[w->last[w->depth]].next = at;
    else if (at > 1)
        p->nodes[w->open[w->depth]].first = at;
    w->last[w->depth] = at;
    return at;
}

static bool is_leaf(const struct py_node *n)
{
    return n->kind == K_string_content || n->kind == K_string_start || n->kind == K_string_end ||
           n->kind == K_identifier || n->kind == K_operator;
}

bool py_tree(struct py *p, TSNode root)
{
    const TSTree *tree = root.tree;
    if (!symbols.is_made)
        make_symbols(ts_tree_language(tree));
    struct walk w = { .cap = MAX_OF(p->ctx->size / 2u, 256u) };
    w.cap = MIN_OF(w.cap, MAX_NODES);
    p->nodes = fold_take(&p->mem, (size_t)w.cap * sizeof *p->nodes);
    if (!p->nodes)
        return false;
    p->node_count = 1; /* 0 stands for none */
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    uint32_t at = add_node(p, &w, &cursor);
    for (;;) {
        if (scan_stop(p->ctx))
            break;
        if (at && !is_leaf(&p->nodes[at])) {
            if (w.depth + 1 >= SCAN_MAX_DEPTH) {
                p->is_cut = true;
            } else if (ts_tree_cursor_goto_first_child(&cursor)) {
                w.depth++;
                w.open[w.depth] = at;
                w.last[w.depth] = 0;
                at = add_node(p, &w, &cursor);
                continue;
            }
        }
        bool is_end = false;
        while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
            if (!w.depth || !ts_tree_cursor_goto_parent(&cursor)) {
                is_end = true;
                break;
            }
            w.depth--;
        }
        if (is_end || !w.depth)
            break;
        at = add_node(p, &w, &cursor);
    }
    ts_tree_cursor_delete(&cursor);
    return p->node_count > 1;
}

uint32_t py_child(const struct py *p, uint32_t node, enum py_field f)
{
    for (uint32_t c = p->nodes[node].first; c; c = p->nodes[c].next)
        if (p->nodes[c].field == f)
            return c;
    return 0;
}

bool py_text_is(const struct py *p, uint32_t node, const char *s)
{
    size_t n = strlen(s);
    const struct py_node *at = &p->nodes[node];
    return at->end - at->start == n && memcmp(p->text + at->start, s, n) == 0;
}
