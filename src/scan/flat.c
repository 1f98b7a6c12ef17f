#include "scan/flat.h"

static uint8_t find_name(const char *const *names, uint8_t count, const char *name)
{
    int low = 1, high = count - 1;
    while (name && low <= high) {
        int middle = (low + high) / 2, order = strcmp(name, names[middle]);
        if (order == 0)
            return (uint8_t)middle;
        if (order < 0)
            high = middle - 1;
        else
            low = middle + 1;
    }
    return 0;
}

static void learn(struct flat_grammar *g, const TSLanguage *language)
{
    for (int i = 2; i < g->kind_count; i++) /* or the search above would miss some */
        assert(strcmp(g->kinds[i - 1], g->kinds[i]) < 0);
    for (int i = 2; i < g->field_count; i++)
        assert(strcmp(g->fields[i - 1], g->fields[i]) < 0);
    uint32_t symbols = MIN_OF(ts_language_symbol_count(language), (uint32_t)sizeof g->kind_of);
    for (uint32_t s = 0; s < symbols; s++)
        g->kind_of[s] = find_name(g->kinds, g->kind_count, ts_language_symbol_name(language, (TSSymbol)s));
    uint32_t fields = MIN_OF(ts_language_field_count(language) + 1, (uint32_t)sizeof g->field_of);
    for (uint32_t s = 1; s < fields; s++)
        g->field_of[s] = find_name(g->fields, g->field_count, ts_language_field_name_for_id(language, (TSFieldId)s));
    g->language = language;
}

static bool add_node(struct scan_ctx *c, const struct flat_grammar *g, struct flat *f, uint32_t *cap,
                     const TSTreeCursor *cursor, uint32_t parent)
{
    if (f->count == *cap) {
        uint32_t wanted = MIN_OF(*cap ? *cap * 2 : c->size / 2 + 64, FLAT_MAX_NODES);
        struct flat_node *grown = f->count >= FLAT_MAX_NODES ? NULL : realloc(f->nodes, wanted * sizeof *grown);
        if (!grown) {
            c->is_cut = true;
            return false;
        }
        f->nodes = grown;
        *cap = wanted;
    }
    TSNode n = ts_tree_cursor_current_node(cursor);
    TSSymbol symbol = ts_node_symbol(n);
    TSFieldId field = ts_tree_cursor_current_field_id(cursor);
    f->nodes[f->count] = (struct flat_node){
        .start = MIN_OF(ts_node_start_byte(n), c->size),
        .end = MIN_OF(ts_node_end_byte(n), c->size),
        .parent = parent,
        .kind = symbol < sizeof g->kind_of ? g->kind_of[symbol] : 0,
        .field = field < sizeof g->field_of ? g->field_of[field] : 0,
        .is_named = ts_node_is_named(n),
    };
    return true;
}

static bool is_whole(const struct flat_grammar *g, uint8_t kind)
{
    for (size_t i = 0; i < sizeof g->whole; i++)
        if (kind && g->whole[i] == kind)
            return true;
    return false;
}

bool flat_build(struct scan_ctx *c, TSNode root, struct flat_grammar *g, struct flat *ret)
{
    struct flat f = { .text = c->text, .size = c->size };
    uint32_t cap = 0, depth = 0, parent = FLAT_NONE;
    const TSLanguage *language = ts_tree_language(root.tree);
    if (g->language != language)
        learn(g, language);
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    while (!scan_stop(c) && add_node(c, g, &f, &cap, &cursor, parent)) {
        uint32_t here = f.count++;
        if (is_whole(g, f.nodes[here].kind)) {
            /* no way down */
        } else if (depth < SCAN_MAX_DEPTH) {
            if (ts_tree_cursor_goto_first_child(&cursor)) {
                parent = here;
                depth++;
                continue;
            }
        } else if (ts_node_child_count(ts_tree_cursor_current_node(&cursor)) > 0) {
            c->is_cut = true;
        }
        f.nodes[here].after = f.count;
        while (depth > 0 && !ts_tree_cursor_goto_next_sibling(&cursor)) {
            ts_tree_cursor_goto_parent(&cursor);
            depth--;
            f.nodes[parent].after = f.count;
            parent = f.nodes[parent].parent;
        }
        if (depth == 0)
            break;
    }
    for (; parent != FLAT_NONE; parent = f.nodes[parent].parent) /* stopped half-way: close what is open */
        f.nodes[parent].after = f.count;
    if (f.count && f.nodes[0].after == 0)
        f.nodes[0].after = f.count;
    ts_tree_cursor_delete(&cursor);
    *ret = f;
    return f.count > 0;
}

void flat_done(struct flat *f)
{
    free(f->nodes);
    *f = (struct flat){ 0 };
}

uint32_t flat_field(const struct flat *f, uint32_t node, uint8_t field)
{
    FLAT_CHILDREN(c, f, node)
    if (f->nodes[c].field == field)
        return c;
    return FLAT_NONE;
}

uint32_t flat_above(const struct flat *f, uint32_t node, uint8_t kind, uint32_t limit)
{
    for (uint32_t i = f->nodes[node].parent; i != FLAT_NONE && limit-- > 0; i = f->nodes[i].parent)
        if (f->nodes[i].kind == kind)
            return i;
    return FLAT_NONE;
}
