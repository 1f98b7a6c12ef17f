#include "scan/growth.h"

#include "scan/engine.h"
#include "scan/memory.h"

static void drop(struct growth *g)
{
    g->newest = g->older = NULL;
    g->basis = NULL;
    g->is_kept = false;
    g->passing = NULL;
    memory_drop();
}

static void drop_words(struct growth *g)
{
    arena_done(&g->words);
    g->words = (struct arena){ 0 };
    g->words_bytes = 0;
}

static bool begins_with(const struct growth *g, const struct grown *made, const char *text, uint32_t size)
{
    return made && made->text.size <= size && memcmp(g->text, text, made->text.size) == 0;
}

static struct grown *unused(struct growth *g)
{
    size_t i = 0;
    while (&g->made[i] == g->newest || &g->made[i] == g->older)
        i++;
    return &g->made[i];
}

void growth_begin(struct growth *g, const char *text, uint32_t size)
{
    g->basis = begins_with(g, g->newest, text, size)  ? g->newest
               : begins_with(g, g->older, text, size) ? g->older
                                                      : NULL;
    if (!g->basis) {
        drop(g);
        drop_words(g);
    }
    g->next = unused(g);
    g->is_kept = g->is_parsed_on = false;
    if (g->basis)
        *g->next = *g->basis;
    else
        memset(g->next, 0, sizeof *g->next);
    g->next->tree = NULL;
}

/* What runs inside borrows literals: they go when all of the scan is over. */
void growth_end(struct growth *g, const struct scan *s)
{
    if (s->why_cut || s->ctx.is_cut || g->words.failed || g->words_bytes > GROWTH_WORDS_MAX)
        drop(g);
    if (!g->newest)
        drop_words(g);
    g->basis = NULL;
}

struct text_state *growth_text(struct growth *g)
{
    return &g->next->text;
}

struct text_state *growth_scratch(struct growth *g)
{
    return &g->scratch;
}

/* ---- the tree ---- */

static TSPoint point_of(const struct scan *s, uint32_t byte)
{
    const uint32_t line = scan_line(s, byte);
    return (TSPoint){ line - 1, byte - s->ctx.lines[line - 1] };
}

/* The scanner of bash's grammar does not forget here-documents that a state it goes back to has not: what it reads
 * depends on all that it has read, and not on its state alone. So bash is parsed in whole. */
static bool can_be_edited(const struct scan *s)
{
    return s->rules->language != LANG_BASH;
}

TSTree *growth_edited(const struct growth *g, const struct scan *s)
{
    const struct grown *from = g->basis;
    if (!from || !from->boundary || !can_be_edited(s))
        return NULL;
    TSTree *edited = ts_tree_copy(from->tree);
    const TSInputEdit edit = { .start_byte = from->boundary,
                               .old_end_byte = from->text.size,
                               .new_end_byte = s->ctx.size,
                               .start_point = point_of(s, from->boundary),
                               .old_end_point = point_of(s, from->text.size),
                               .new_end_point = point_of(s, s->ctx.size) };
    ts_tree_edit(edited, &edit);
    return edited;
}

/* Where the last two statements begin. */
static uint32_t boundary_of(TSNode root)
{
    unsigned statements = 0;
    for (uint32_t i = ts_node_child_count(root); i > 0; i--) {
        TSNode child = ts_node_child(root, i - 1);
        if (ts_node_is_named(child) && !ts_node_is_extra(child) && ++statements == 2)
            return ts_node_start_byte(child);
    }
    return 0;
}

/* It takes the place of the state that it was not made of. */
static void keep(struct growth *g, const struct scan *s, TSTree *tree)
{
    struct grown *out = g->basis == g->newest ? g->older : g->newest;
    if (out)
        ts_tree_delete(out->tree);
    if (g->basis)
        g->older = g->basis == g->newest ? g->newest : g->older;
    g->newest = g->next;
    g->newest->tree = tree;
    g->newest->boundary = boundary_of(ts_tree_root_node(tree));
    g->is_kept = true;
    const uint32_t same = g->basis ? g->basis->text.size : 0;
    memcpy(g->text + same, s->ctx.text + same, s->ctx.size - same);
}

void growth_tree(struct growth *g, const struct scan *s, TSTree *tree, bool is_parsed_on)
{
    g->is_parsed_on = is_parsed_on;
    if (tree && !ts_node_has_error(ts_tree_root_node(tree)))
        keep(g, s, tree);
    else
        g->passing = tree;
}

void growth_shape(struct growth *g, const TSLanguage *language, TSNode root, char ret[static SHAPE_TEXT_MAX])
{
    static struct shape all; /* one scan at a time in a process */
    if (!g->is_kept) {
        shape_of(language, root, ret);
        return;
    }
    if (g->newest->boundary)
        shape_go_on(language, root, g->newest->boundary, &g->newest->shape);
    all = g->newest->shape;
    shape_go_on(language, root, UINT32_MAX, &all);
    shape_print(&all, ret);
}

void growth_literals(struct growth *g, struct scan *s, TSNode root, struct literals *ret)
{
    static struct literals_state all; /* one scan at a time in a process */
    if (!g->is_kept) {
        literals_of(&s->ctx, root, ret);
        return;
    }
    struct literals_state *kept = &g->newest->literals;
    const uint32_t before = kept->bytes;
    if (g->newest->boundary)
        literals_go_on(&s->ctx, root, g->newest->boundary, &g->words, kept);
    g->words_bytes += kept->bytes < before ? kept->bytes : kept->bytes - before;
    all = *kept;
    literals_go_on(&s->ctx, root, UINT32_MAX, s->ctx.arena, &all);
    *ret = all.found;
}

void growth_hold(struct growth *g, bool is_whole)
{
    if (is_whole && g->passing)
        ts_tree_delete(g->passing);
    g->passing = NULL;
    if (!is_whole || !memory_hold())
        drop(g);
}
