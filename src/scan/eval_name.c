#include "scan/eval.h"

#include <stdio.h>
#include "base/fnv.h"

/* Sizes of the first allocation: a program of 4 KB fits without growing. */
#define FIRST_SYMBOLS 512u
#define FIRST_POOL    256u

static void done(struct eval *e)
{
    free(e->ir.nodes);
    free(e->symbols);
    free(e->pool);
    free(e->commands);
}

static bool init(struct eval *e, struct scan_ctx *c, const struct ir_language *l, void *own)
{
    *e = (struct eval){ .c = c, .l = l, .own = own };
    /* not in the arena: tables that grow are given back at once; their bounds are in eval.h */
    e->symbols = calloc(FIRST_SYMBOLS, sizeof *e->symbols);
    e->pool = malloc(FIRST_POOL * sizeof *e->pool);
    e->commands = malloc(EVAL_COMMANDS * sizeof *e->commands);
    e->symbol_size = FIRST_SYMBOLS;
    e->pool_size = FIRST_POOL;
    return e->symbols && e->pool && e->commands;
}

static void begin(struct eval *e, bool is_quiet)
{
    e->is_quiet = is_quiet;
    e->depth = 0;
    e->scope = SCOPE_FILE;
    e->loop = NULL;
    e->command_count = 0;
    e->pool_count = is_quiet ? 0 : e->pool_count; /* the second pass still has lists of the first */
    e->seen = 0;
}

void eval_program(const struct ir_language *l, struct scan_ctx *c, TSNode root, void *own)
{
    struct eval e;
    if (init(&e, c, l, own)) {
        uint32_t program = ir_lower(&e, root);
        program = l->begin && !l->begin(&e) ? 0 : program;
        for (int pass = l->is_lexical || l->leave || l->own; program && pass < 2; pass++) {
            begin(&e, pass == 0);
            (void)eval_node(&e, program);
        }
        l->finish ? l->finish(&e) : eval_finish(&e);
        c->is_cut |= e.is_cut;
    } else {
        c->is_cut = true;
    }
    done(&e);
}

void eval_nested(struct eval *e, struct scan_ctx *c, TSNode root, void *own)
{
    const struct eval outer = *e;
    e->c = c;
    e->own = own;
    e->depth = 0;
    e->ir = (struct ir){ 0 };
    uint32_t program = ir_lower(e, root);
    if (program && (!e->l->begin || e->l->begin(e)))
        (void)eval_node(e, program);
    free(e->ir.nodes);
    e->ir = outer.ir;
    e->depth = outer.depth;
    e->own = outer.own;
    e->c = outer.c;
}

/* --- names --- */

static uint32_t hash_of(const char *name, size_t n, uint32_t scope)
{
    const uint32_t h = fnv_add(FNV_START ^ (scope * 2654435761u), name, n);
    return h ? h : 1; /* 0 is an empty place */
}

static struct eval_symbol *find(struct eval *e, const char *name, size_t n, uint32_t scope)
{
    uint32_t h = hash_of(name, n, scope);
    uint32_t i = h & (e->symbol_size - 1);
    for (;; i = (i + 1) & (e->symbol_size - 1)) {
        struct eval_symbol *s = &e->symbols[i];
        if (s->hash == 0)
            return s;
        if (s->hash == h && s->scope == scope && s->length == n && memcmp(s->name, name, n) == 0)
            return s;
    }
}

static bool grow(struct eval *e)
{
    if (e->symbol_size >= EVAL_SYMBOLS_MAX)
        return false;
    uint32_t size = e->symbol_size * (e->symbol_size < 8192 ? 4 : 2);
    struct eval_symbol *bigger = calloc(size, sizeof *bigger);
    if (!bigger)
        return false;
    for (uint32_t i = 0; i < e->symbol_size; i++) {
        if (e->symbols[i].hash == 0)
            continue;
        uint32_t j = e->symbols[i].hash & (size - 1);
        while (bigger[j].hash)
            j = (j + 1) & (size - 1);
        bigger[j] = e->symbols[i];
    }
    free(e->symbols);
    e->symbols = bigger;
    e->symbol_size = size;
    return true;
}

struct tv eval_get(struct eval *e, const char *name, size_t n, uint32_t scope, bool *ret_found)
{
    const struct eval_symbol *s = find(e, name, n, scope);
    if (ret_found)
        *ret_found = s->hash != 0;
    return s->hash ? s->value : tv_unknown(0);
}

void eval_set(struct eval *e, const char *name, size_t n, uint32_t scope, struct tv v)
{
    if (n == 0 || (n == 1 && *name == '_' && !e->l->own))
        return;
    struct eval_symbol *s = find(e, name, n, scope);
    if (s->hash == 0) {
        if (e->symbol_count >= e->symbol_size / 2) {
            if (!grow(e)) {
                e->c->is_cut = true;
                return;
            }
            s = find(e, name, n, scope);
        }
        e->symbol_count++;
        *s = (struct eval_symbol){ name, hash_of(name, n, scope), scope, (uint32_t)n, v };
    }
    s->value = v;
}

struct tv eval_lookup(struct eval *e, const char *name, size_t n, bool *ret_found)
{
    bool found = false;
    struct tv v = tv_unknown(0);
    for (const struct eval_scope *i = e->inner; i && !found; i = i->outer)
        v = eval_get(e, name, n, i->scope, &found);
    if (!found && !e->l->is_lexical && e->scope != SCOPE_FILE)
        v = eval_get(e, name, n, e->scope, &found);
    if (!found)
        v = eval_get(e, name, n, SCOPE_FILE, &found);
    if (ret_found)
        *ret_found = found;
    return v;
}

/* --- facts --- */

/* What an argument looks like to rules: NULL when nothing is known. */
static const char *shown(struct eval *e, struct tv v)
{
    switch (v.kind) {
    case TV_TEXT:
    case TV_PATH:
        return v.text;
    case TV_OBJECT:
        return arena_printf(e->c->arena, "<%s>", v.text);
    case TV_NUMBER:
        return arena_printf(e->c->arena, "%lld", (long long)v.number);
    case TV_LIST: {
        struct tv all = tv_join_list(e, v, (struct tv){ .kind = TV_TEXT, .text = " " });
        return all.kind == TV_TEXT ? all.text : NULL;
    }
    default:
        return NULL;
    }
}

void eval_fact(struct eval *e, struct fact *f, const struct tv *args, unsigned n)
{
    if (e->is_quiet || e->is_stopped)
        return;
    for (unsigned i = 0; i < n && i < FACT_MAX_ARGS; i++) {
        f->args[i] = e->l->shown ? e->l->shown(e, args[i]) : shown(e, args[i]);
        f->has_dynamic_args |= f->kind != FACT_FLOW && f->kind != FACT_STRING && (!f->args[i] || args[i].is_partial);
        f->arg_count++;
    }
    if (!fact_emit(e->c, f))
        e->is_stopped = true;
}

void eval_emit(struct eval *e, uint8_t kind, const char *name, const struct tv *args, unsigned n, uint32_t byte)
{
    eval_fact(e, &(struct fact){ .kind = kind, .name = name, .byte = byte }, args, n);
}

void eval_string(struct eval *e, struct tv v, uint32_t byte)
{
    if (v.kind == TV_TEXT && strnlen(v.text, e->l->least_text) == e->l->least_text)
        eval_emit(e, FACT_STRING, "", &v, 1, byte);
}

static const char *const flow_names[] = { "socket-to-process",  "self-spawn-loop",   "spawn-loop",
                                          "poll-loop",          "thread-loop",       "endless-alloc",
                                          "endless-busy",       "endless-write",     "secret-then-send",
                                          "download-then-exec", "decode-then-exec",  "computed-command",
                                          "walk-then-remove",   "walk-then-write",   "remove-tree-computed",
                                          "setuid-bit",         "compiler-directive" };

void eval_flow(struct eval *e, const char *name, uint32_t byte)
{
    if (e->is_quiet)
        return;
    for (unsigned i = 0; i < ARRAY_LEN(flow_names); i++) {
        if (!str_eq(flow_names[i], name))
            continue;
        if (!(e->flows & (1u << i)))
            eval_emit(e, FACT_FLOW, name, NULL, 0, byte);
        e->flows |= 1u << i;
        return;
    }
    assert(!"every flow has its name in the table");
}
