/* embedded.c - the queue of programs inside a program, and the scan of each. */
#include "scan/embedded.h"

#include <stdio.h>
#include "base/clock.h"
#include "scan/engine.h"

const char *const embedded_names[EMBEDDED_LANGUAGES] = {
    [LANG_PYTHON] = "python",     [LANG_NODE] = "node",      [LANG_BASH] = "bash",
    [LANG_GO] = "go",             [LANG_RUST] = "rust",      [EMBEDDED_PERL] = "perl",
    [EMBEDDED_RUBY] = "ruby",     [EMBEDDED_PHP] = "php",    [EMBEDDED_LUA] = "lua",
    [EMBEDDED_AWK] = "awk",       [EMBEDDED_UNKNOWN] = "unknown language",
};

/* ---- which language ---- */

static const struct {
    const char *name;
    uint8_t language;
} interpreters[] = { { "python", LANG_PYTHON },  { "pypy", LANG_PYTHON },    { "ipython", LANG_PYTHON },
                     { "node", LANG_NODE },      { "nodejs", LANG_NODE },    { "deno", LANG_NODE },
                     { "bun", LANG_NODE },       { "tsx", LANG_NODE },       { "ts-node", LANG_NODE },
                     { "sh", LANG_BASH },        { "bash", LANG_BASH },      { "dash", LANG_BASH },
                     { "zsh", LANG_BASH },       { "ksh", LANG_BASH },       { "ash", LANG_BASH },
                     { "rbash", LANG_BASH },     { "perl", EMBEDDED_PERL },  { "ruby", EMBEDDED_RUBY },
                     { "irb", EMBEDDED_RUBY },   { "php", EMBEDDED_PHP },    { "lua", EMBEDDED_LUA },
                     { "luajit", EMBEDDED_LUA }, { "awk", EMBEDDED_AWK },    { "gawk", EMBEDDED_AWK },
                     { "mawk", EMBEDDED_AWK },   { "tclsh", EMBEDDED_UNKNOWN }, { "expect", EMBEDDED_UNKNOWN },
                     { "Rscript", EMBEDDED_UNKNOWN }, { "julia", EMBEDDED_UNKNOWN }, { "osascript", EMBEDDED_UNKNOWN },
                     { "pwsh", EMBEDDED_UNKNOWN }, { "guile", EMBEDDED_UNKNOWN } };

uint8_t embedded_interpreter(const char *name, size_t size)
{
    while (size && memchr(name, '/', size)) {
        const char *slash = memchr(name, '/', size);
        size -= (size_t)(slash + 1 - name);
        name = slash + 1;
    }
    while (size && ((name[size - 1] >= '0' && name[size - 1] <= '9') || name[size - 1] == '.' || name[size - 1] == '-'))
        size--;
    for (size_t i = 0; i < ARRAY_LEN(interpreters); i++)
        if (strlen(interpreters[i].name) == size && memcmp(interpreters[i].name, name, size) == 0)
            return interpreters[i].language;
    return EMBEDDED_LANGUAGES;
}

uint8_t embedded_by_name(const char *path, size_t size)
{
    static const struct {
        const char *ending;
        uint8_t language;
    } endings[] = { { ".py", LANG_PYTHON },    { ".pyw", LANG_PYTHON },  { ".js", LANG_NODE },
                    { ".mjs", LANG_NODE },     { ".cjs", LANG_NODE },    { ".ts", LANG_NODE },
                    { ".sh", LANG_BASH },      { ".bash", LANG_BASH },   { ".go", LANG_GO },
                    { ".rs", LANG_RUST },      { ".pl", EMBEDDED_PERL }, { ".pm", EMBEDDED_PERL },
                    { ".rb", EMBEDDED_RUBY },  { ".php", EMBEDDED_PHP }, { ".lua", EMBEDDED_LUA },
                    { ".awk", EMBEDDED_AWK } };
    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        size_t n = strlen(endings[i].ending);
        if (size > n && memcmp(path + size - n, endings[i].ending, n) == 0)
            return endings[i].language;
    }
    return EMBEDDED_LANGUAGES;
}

uint8_t embedded_by_first_line(const char *text, size_t size)
{
    const char *end = size > 2 && text[0] == '#' && text[1] == '!' ? memchr(text, '\n', size) : NULL;
    uint8_t found = EMBEDDED_LANGUAGES;
    for (const char *p = text + 2; end && p < end && found == EMBEDDED_LANGUAGES;) {
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        const char *word = p;
        while (p < end && *p != ' ' && *p != '\t' && *p != '\r')
            p++;
        found = embedded_interpreter(word, (size_t)(p - word));
        p += p < end;
    }
    return found;
}

/* ---- the queue ---- */

static void give_up(struct embedded *e, const char *why)
{
    if (!e->root->why_cut)
        e->root->why_cut = why;
}

/* Where a text stands in the program that holds it; FALSE: it was put together. */
static bool find_text(const struct scan_ctx *c, const char *text, size_t size, uint32_t byte, uint32_t *ret)
{
    uintptr_t at = (uintptr_t)text - (uintptr_t)c->text;
    if (at < c->size && size <= c->size - at) {
        *ret = (uint32_t)at;
        return true;
    }
    if (byte >= c->size)
        return false;
    const char *hit = memmem(c->text + byte, MIN_OF((size_t)(c->size - byte), size + 4096), text, size);
    *ret = hit ? (uint32_t)(hit - c->text) : 0;
    return hit != NULL;
}

static bool is_queued(const struct embedded *e, uint8_t language, const char *text, size_t size)
{
    for (uint32_t i = 0; i < e->program_count; i++)
        if (e->programs[i].language == language && e->programs[i].size == size &&
            memcmp(e->programs[i].text, text, size) == 0)
            return true;
    return false;
}

/* A byte of the program whose resolver is at work, in the outermost program. */
static uint32_t root_byte(const struct embedded *e, uint32_t byte)
{
    const struct embedded_program *p = e->current;
    return !p ? byte : p->is_verbatim ? p->byte + byte : p->byte;
}

void embedded_add(struct scan_ctx *c, uint8_t language, const char *how, const char *text, size_t size, uint32_t byte)
{
    struct embedded *e = c->embedded;
    if (!e || !text || size < 2 || language >= EMBEDDED_LANGUAGES || is_queued(e, language, text, size))
        return;
    uint8_t depth = e->current ? e->current->depth + 1 : 1;
    if (depth > EMBEDDED_MAX_DEPTH) {
        give_up(e, "programs inside programs, deeper than a scan looks into");
        return;
    }
    if (e->program_count == EMBEDDED_MAX_PROGRAMS || size > EMBEDDED_MAX_BYTES - e->bytes) {
        give_up(e, "more programs inside this program than a scan looks into");
        return;
    }
    struct embedded_program *p = &e->programs[e->program_count++];
    uint32_t at = byte;
    bool is_here = find_text(c, text, size, byte, &at);
    e->bytes += (uint32_t)size;
    *p = (struct embedded_program){ .language = language,
                                    .depth = depth,
                                    .size = (uint32_t)size,
                                    .is_verbatim = is_here && (!e->current || e->current->is_verbatim),
                                    .byte = root_byte(e, is_here ? at : byte) };
    p->text = p->is_verbatim ? e->root->ctx.text + p->byte : arena_copy_bytes(&e->root->arena, text, size);
    struct scan_ctx place = { .text = c->text, .size = c->size };
    struct fact f = { 0 };
    scan_place(&place, byte, &f);
    p->path = arena_printf(&e->root->arena, "%s%s%s at line %u, %s", e->current ? e->current->path : "",
                           e->current ? ", " : "", how, f.line, embedded_names[language]);
    if (e->root->arena.failed)
        e->program_count--;
}

void embedded_unread(struct scan_ctx *c, uint32_t byte)
{
    struct fact f = { .kind = FACT_FLOW, .name = "unread", .byte = byte };
    if (!c->embedded)
        return;
    c->embedded->has_unread = true;
    (void)fact_emit(c, &f); /* when the bound is reached, scan_stop() says so, too */
}

/* ---- the scans ---- */

int embedded_begin(struct scan *root)
{
    root->ctx.embedded = arena_zero(&root->arena, sizeof *root->ctx.embedded);
    if (!root->ctx.embedded)
        return -ENOMEM;
    root->ctx.embedded->root = root;
    return 0;
}

static bool is_known(const struct scan *root, const struct rule *rule, uint32_t line)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < root->hit_count; i++) {
        if (!str_eq(root->hits[i].rule->name, rule->name))
            continue;
        if (++count == SCAN_RULE_MAX_FINDINGS || scan_line(root, root->hits[i].byte) == line)
            return true;
    }
    return false;
}

static void take_hits(struct scan *root, struct scan *inner, const struct embedded_program *p)
{
    bool is_talk = talk_is_all(inner);
    for (uint32_t i = 0; i < inner->hit_count && root->hit_count < ARRAY_LEN(root->hits); i++) {
        struct scan_hit h = inner->hits[i];
        uint32_t line = scan_line(inner, h.byte);
        h.is_talk = is_talk && h.rule->is_talk;
        h.text = arena_copy(&root->arena, scan_excerpt(inner, h.byte, &h.text_at));
        h.path = arena_printf(&root->arena, "%.*s, line %u", (int)EMBEDDED_MAX_PATH, p->path, line);
        h.byte = p->is_verbatim ? p->byte + h.byte : p->byte;
        if (is_known(root, h.rule, scan_line(root, h.byte)) || str_eq(h.rule->name, "scan-syntax-error"))
            continue;
        root->is_meant |= !h.is_talk && h.rule->severity > SEVERITY_INFO;
        root->hits[root->hit_count++] = h;
    }
}

static void scan_one(struct scan *root, const struct embedded_program *p)
{
    static struct scan inner; /* one at a time */
    uint64_t now = clock_us();
    struct embedded *e = root->ctx.embedded;
    if (now >= root->ctx.deadline_us) {
        give_up(e, "the time for the scan was over");
        return;
    }
    struct ruleset *rules = ruleset_other(root->rules, (enum language)p->language);
    if (!rules || scan_begin(&inner, rules, p->text, p->size, (uint32_t)((root->ctx.deadline_us - now) / 1000) + 1) < 0) {
        give_up(e, "no memory for a program inside this program");
        return;
    }
    inner.trace = root->trace;
    inner.ctx.embedded = e;
    e->current = p;
    scan_text(&inner);
    scan_syntax(&inner);
    e->current = NULL;
    take_hits(root, &inner, p);
    if (inner.why_cut)
        give_up(e, inner.why_cut);
    scan_done(&inner);
    pattern_set_deadline(root->ctx.deadline_us);
}

void embedded_scan(struct scan *root)
{
    struct embedded *e = root->ctx.embedded;
    while (e && e->next < e->program_count)
        scan_one(root, &e->programs[e->next++]);
}
