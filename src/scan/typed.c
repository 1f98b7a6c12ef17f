#include "scan/typed.h"

#include <stdio.h>
#include "base/fnv.h"

/* Sizes of the first allocation: a program of 4 KB fits without growing. */
#define FIRST_SYMBOLS 512u
#define FIRST_POOL    256u

static void done(struct typed *t)
{
    ts_tree_cursor_delete(&t->cursor);
    free(t->symbols);
    free(t->pool);
    free(t->commands);
    t->symbols = NULL;
    t->pool = NULL;
    t->commands = NULL;
}

static int init(struct typed *t, struct scan_ctx *c, TSNode root, enum language language)
{
    *t = (struct typed){ .c = c, .language = language, .separator = language == LANG_GO ? "." : "::" };
    /* not in the arena: tables that grow are given back at once; their bounds are in typed.h */
    t->symbols = calloc(FIRST_SYMBOLS, sizeof *t->symbols);
    t->pool = malloc(FIRST_POOL * sizeof *t->pool);
    t->commands = malloc(TYPED_COMMANDS * sizeof *t->commands);
    t->symbol_size = FIRST_SYMBOLS;
    t->pool_size = FIRST_POOL;
    t->cursor = ts_tree_cursor_new(root);
    if (t->symbols && t->pool && t->commands)
        return 0;
    done(t);
    return -ENOMEM;
}

static void begin(struct typed *t, TSNode root, bool is_quiet)
{
    ts_tree_cursor_reset(&t->cursor, root);
    t->is_quiet = is_quiet;
    t->depth = 0;
    t->scope = SCOPE_FILE;
    t->loop = NULL;
    t->command_count = 0;
    t->pool_count = is_quiet ? 0 : t->pool_count; /* the second pass still has lists of the first */
    t->seen = 0;
}

/* From the language's symbols to the resolver's kinds. */
static void map_kinds(struct typed *t, const TSLanguage *l, const char *const *names, size_t count)
{
    t->kind_count = MIN_OF(ts_language_symbol_count(l), (uint32_t)sizeof t->kinds);
    for (uint32_t s = 0; s < t->kind_count; s++) {
        const char *name = ts_language_symbol_name(l, (TSSymbol)s);
        if (!name || ts_language_symbol_type(l, (TSSymbol)s) == TSSymbolTypeAuxiliary)
            continue;
        for (size_t low = 0, high = count; low < high;) {
            size_t mid = (low + high) / 2;
            int order = strcmp(name, names[mid]);
            if (order == 0)
                t->kinds[s] = (uint8_t)(mid + 1);
            high = order <= 0 ? mid : high;
            low = order > 0 ? mid + 1 : low;
        }
    }
}

void typed_resolve(struct typed *t, struct scan_ctx *c, TSNode root, enum language language, const char *const *names,
                   size_t count, void (*evaluate)(struct typed *t))
{
    if (init(t, c, root, language) < 0) {
        c->is_cut = true;
        return;
    }
    map_kinds(t, ts_tree_language(root.tree), names, count);
    for (int pass = 0; pass < 2; pass++) {
        begin(t, root, pass == 0);
        evaluate(t);
    }
    typed_finish(t);
    done(t);
}

/* --- names --- */

static uint32_t hash_of(const char *name, size_t n, uint32_t scope)
{
    const uint32_t h = fnv_add(FNV_START ^ (scope * 2654435761u), name, n);
    return h ? h : 1; /* 0 is an empty place */
}

/* Names are kept as places in the text: every name comes from there. */
static struct typed_symbol *find(struct typed *t, const char *name, size_t n, uint32_t scope)
{
    uint32_t h = hash_of(name, n, scope);
    uint32_t i = h & (t->symbol_size - 1);
    for (;; i = (i + 1) & (t->symbol_size - 1)) {
        struct typed_symbol *s = &t->symbols[i];
        if (s->hash == 0)
            return s;
        if (s->hash == h && s->scope == scope && s->length == n && memcmp(t->c->text + s->offset, name, n) == 0)
            return s;
    }
}

static bool grow(struct typed *t)
{
    if (t->symbol_size >= TYPED_SYMBOLS_MAX)
        return false;
    uint32_t size = t->symbol_size * 4;
    struct typed_symbol *bigger = calloc(size, sizeof *bigger);
    if (!bigger)
        return false;
    for (uint32_t i = 0; i < t->symbol_size; i++) {
        if (t->symbols[i].hash == 0)
            continue;
        uint32_t j = t->symbols[i].hash & (size - 1);
        while (bigger[j].hash)
            j = (j + 1) & (size - 1);
        bigger[j] = t->symbols[i];
    }
    free(t->symbols);
    t->symbols = bigger;
    t->symbol_size = size;
    return true;
}

struct tv typed_get(struct typed *t, const char *name, size_t n, uint32_t scope, bool *ret_found)
{
    const struct typed_symbol *s = find(t, name, n, scope);
    if (ret_found)
        *ret_found = s->hash != 0;
    return s->hash ? s->value : tv_unknown(0);
}

void typed_set(struct typed *t, const char *name, size_t n, uint32_t scope, struct tv v)
{
    assert(name >= t->c->text && name + n <= t->c->text + t->c->size);
    if (n == 0 || (n == 1 && *name == '_'))
        return;
    struct typed_symbol *s = find(t, name, n, scope);
    if (s->hash == 0) {
        if (t->symbol_count >= t->symbol_size / 2) {
            if (!grow(t)) {
                t->c->is_cut = true;
                return;
            }
            s = find(t, name, n, scope);
        }
        t->symbol_count++;
        *s = (struct typed_symbol){ hash_of(name, n, scope), scope, (uint32_t)(name - t->c->text), (uint32_t)n, v };
    }
    s->value = v;
}

struct tv typed_lookup(struct typed *t, const char *name, size_t n, bool *ret_found)
{
    bool found = false;
    struct tv v = tv_unknown(0);
    if (t->scope != SCOPE_FILE)
        v = typed_get(t, name, n, t->scope, &found);
    if (!found)
        v = typed_get(t, name, n, SCOPE_FILE, &found);
    if (ret_found)
        *ret_found = found;
    return v;
}

/* --- facts --- */

/* What an argument looks like to rules: NULL when nothing is known. */
static const char *shown(struct typed *t, struct tv v)
{
    switch (v.kind) {
    case TV_TEXT:
    case TV_PATH:
        return v.text;
    case TV_OBJECT:
        return arena_printf(t->c->arena, "<%s>", v.text);
    case TV_NUMBER:
        return arena_printf(t->c->arena, "%lld", (long long)v.number);
    case TV_LIST: {
        struct tv all = tv_join_list(t, v, (struct tv){ .kind = TV_TEXT, .text = " " });
        return all.kind == TV_TEXT ? all.text : NULL;
    }
    default:
        return NULL;
    }
}

void typed_emit(struct typed *t, uint8_t kind, const char *name, const struct tv *args, unsigned n, uint32_t byte)
{
    if (t->is_quiet || t->is_stopped)
        return;
    struct fact f = { .kind = kind, .name = name, .byte = byte };
    for (unsigned i = 0; i < n && i < FACT_MAX_ARGS; i++) {
        f.args[i] = shown(t, args[i]);
        if (!f.args[i] || args[i].is_partial)
            f.has_dynamic_args = true;
        f.arg_count++;
    }
    if (!fact_emit(t->c, &f))
        t->is_stopped = true;
}

void typed_string(struct typed *t, struct tv v, uint32_t byte)
{
    if (v.kind == TV_TEXT && v.text[0] && v.text[1])
        typed_emit(t, FACT_STRING, "", &v, 1, byte);
}

static const char *const flow_names[] = { "socket-to-process",  "self-spawn-loop",   "spawn-loop",
                                          "poll-loop",          "thread-loop",       "endless-alloc",
                                          "endless-busy",       "endless-write",     "secret-then-send",
                                          "download-then-exec", "decode-then-exec",  "computed-command",
                                          "walk-then-remove",   "walk-then-write",   "remove-tree-computed",
                                          "setuid-bit",         "compiler-directive" };

void typed_flow(struct typed *t, const char *name, uint32_t byte)
{
    if (t->is_quiet)
        return;
    for (unsigned i = 0; i < ARRAY_LEN(flow_names); i++) {
        if (!str_eq(flow_names[i], name))
            continue;
        if (!(t->flows & (1u << i)))
            typed_emit(t, FACT_FLOW, name, NULL, 0, byte);
        t->flows |= 1u << i;
        return;
    }
    assert(!"every flow has its name in the table");
}
