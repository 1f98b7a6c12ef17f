/* scan_facts.h - what a resolver says of a text, as lines «kind name(argument, ...)»; unknown arguments are «?». */
#pragma once
#include "scan/engine.h"
#include "scan/grammar.h"
#include "scan/memory.h"
#include "test.h"

static char facts_text[1 << 16];
static size_t facts_size;
static bool facts_cut;

static inline void facts_add(const char *s)
{
    size_t n = strlen(s);
    if (facts_size + n + 1 < sizeof facts_text)
        memcpy(facts_text + facts_size, s, n + 1), facts_size += n;
}

static inline bool facts_take(struct scan_ctx *c, const struct fact *f)
{
    static const char *const kinds[FACT_KINDS] = { "import", "call", "name", "string", "redirect", "pipe", "flow" };
    (void)c;
    facts_add(kinds[f->kind]);
    facts_add(" ");
    facts_add(f->name);
    facts_add("(");
    for (unsigned i = 0; i < f->arg_count; i++) {
        facts_add(i ? ", " : "");
        facts_add(f->args[i] ? f->args[i] : "?");
    }
    facts_add(")\n");
    return true;
}

static inline void facts_of_bytes(enum language language, const char *text, size_t size)
{
    const struct grammar *g = grammar_of(language);
    if (!g || !g->language || !g->language())
        SKIP("the grammar was not there when this was built: npm ci");
    struct arena arena = { 0 };
    memory_install();
    TSParser *p = ts_parser_new();
    CHECK(ts_parser_set_language(p, g->language()));
    TSTree *tree = ts_parser_parse_string(p, NULL, text, (uint32_t)size);
    static struct scan s;
    s = (struct scan){
        .ctx = { .text = text, .size = (uint32_t)size, .arena = &arena, .emit = facts_take, .deadline_us = UINT64_MAX }
    };
    CHECK(scan_find_lines(&s) == 0);
    facts_size = 0;
    facts_text[0] = '\0';
    g->resolve(&s.ctx, ts_tree_root_node(tree));
    facts_cut = s.ctx.is_cut;
    free(s.ctx.lines);
    ts_tree_delete(tree);
    ts_parser_delete(p);
    memory_reset();
    arena_done(&arena);
}

static inline bool facts_have(const char *line)
{
    const char *hit = strstr(facts_text, line);
    bool has = hit && (hit == facts_text || hit[-1] == '\n') && hit[strlen(line)] == '\n';
    if (!has)
        (void)fprintf(stderr, "# no «%s» in\n%s", line, facts_text);
    return has;
}
static inline bool facts_mention(const char *part)
{
    return strstr(facts_text, part) != NULL;
}

/* xorshift: the same changes on every machine. */
static inline uint32_t facts_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    return *seed ^= *seed << 5;
}

/* A text with bytes changed, cut and repeated `rounds` times: survives, which sanitizers judge. */
static inline void facts_survive_changes(enum language language, const char *text, unsigned rounds)
{
    static const char bytes[] = "(){}[]\"'`\\;:\n.,&*!|<\0\xff";
    char changed[4096];
    uint32_t seed = 2463534242u;
    for (unsigned i = 0; i < rounds; i++) {
        size_t n = MIN_OF(strlen(text), sizeof changed);
        memcpy(changed, text, n);
        for (unsigned k = 0; k < 1 + i % 7 && n > 64; k++) {
            size_t at = facts_random(&seed) % (n - 48), from = facts_random(&seed) % (n - 48),
                   size = facts_random(&seed) % 48;
            switch (facts_random(&seed) % 3) {
            case 0:
                changed[at] = bytes[facts_random(&seed) % sizeof bytes];
                break;
            case 1:
                memmove(changed + at, changed + from, size);
                break;
            default:
                memmove(changed + at, changed + at + size, n - at - size);
                n -= size;
            }
        }
        facts_of_bytes(language, changed, n);
    }
}
