#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include "base/parse.h"
#include "policy/standing.h"
#include "scan/grammar.h"
#include "scan/query.h"
#include "scan/report.h"
#include "scan/rule.h"
#include "scan/stamp.h"

/* ---- names ---- */

static uint32_t hash_step(uint32_t h, char c)
{
    return (h ^ (unsigned char)c) * 16777619u; /* FNV-1a */
}
#define HASH_START(kind) ((2166136261u ^ (kind)) * 16777619u)

void ruleset_add_name(struct ruleset *s, struct item *item, const char *name)
{
    struct name_entry *n = arena_zero(&s->arena, sizeof *n);
    if (!n)
        return; /* the arena remembers that it failed */
    n->size = (uint32_t)strlen(name);
    n->is_prefix = n->size && name[n->size - 1] == '*';
    n->size -= n->is_prefix;
    n->name = name;
    n->kind = item->kind;
    n->item = item;
    n->hash = HASH_START(n->kind);
    for (uint32_t i = 0; i < n->size; i++)
        n->hash = hash_step(n->hash, name[i]);
    if (n->is_prefix)
        s->prefix_sizes |= UINT64_C(1) << n->size;
    n->next = s->names[n->hash % NAME_BUCKETS];
    s->names[n->hash % NAME_BUCKETS] = n;
}

static void visit(const struct ruleset *s, uint8_t kind, uint32_t hash, const char *name, uint32_t size, bool is_prefix,
                  item_found *found, void *ctx)
{
    for (const struct name_entry *n = s->names[hash % NAME_BUCKETS]; n; n = n->next)
        if (n->hash == hash && n->kind == kind && n->is_prefix == is_prefix && n->size == size &&
            memcmp(n->name, name, size) == 0)
            found(ctx, n->item);
}

void ruleset_find(const struct ruleset *s, uint8_t kind, const char *name, item_found *found, void *ctx)
{
    uint32_t hash = HASH_START(kind), i = 0;
    for (;; i++) {
        if (i < PREFIX_MAX && s->prefix_sizes >> i & 1)
            visit(s, kind, hash, name, i, true, found, ctx);
        if (!name[i])
            break;
        hash = hash_step(hash, name[i]);
    }
    visit(s, kind, hash, name, i, false, found, ctx);
}

/* ---- items and patterns ---- */

struct pattern *ruleset_pattern(struct ruleset *s, const char *source)
{
    struct pattern *p = arena_zero(&s->arena, sizeof *p);
    if (!p)
        return NULL;
    p->source = source;
    p->next = s->patterns;
    s->patterns = p;
    return p;
}

/* What a text must hold for a query: the string of its first #eq? or #match?, without anchors, as a pattern. NULL:
 * nothing is known. */
static struct pattern *query_needs(struct ruleset *s, const char *query)
{
    const char *eq = strstr(query, "(#eq? @"), *match = strstr(query, "(#match? @"), *p = eq ? eq : match;
    if (!p || strchr(query, '[') || !(p = strchr(p, '"'))) /* of alternatives one may go without */
        return NULL;
    const char *end = strchr(++p, '"');
    if (!eq && *p == '^')
        p++;
    if (!end || memchr(p, eq ? '\\' : '|', (size_t)(end - p)))
        return NULL;
    return ruleset_pattern(s, eq ? arena_printf(&s->arena, "\\Q%.*s\\E", (int)(end - p), p)
                                 : arena_copy_bytes(&s->arena, p, (size_t)(end - p)));
}

void ruleset_add_item(struct ruleset *s, struct item *item)
{
    if (item->kind != ITEM_TEXT && item->kind != ITEM_QUERY && item->kind != FACT_STRING)
        return; /* found by its names */
    struct item_list *l = arena_zero(&s->arena, sizeof *l);
    if (!l)
        return;
    if (item->kind == ITEM_QUERY)
        item->regex = query_needs(s, item->query);
    *l = (struct item_list){ item, s->lists[item->kind] };
    s->lists[item->kind] = l;
}

static void index_list(struct ruleset *s, unsigned kind, struct filter *filter)
{
    unsigned index = 0;
    struct item_list **at = &s->lists[kind];
    if (filter)
        memset(filter, 0, sizeof *filter);
    while (*at) {
        struct item *item = (*at)->item;
        if (s->rules[item->rule].is_off) {
            *at = (*at)->next;
            continue;
        }
        if (filter) {
            item->filter_index = index++;
            filter_add(filter, item->filter_index, item->regex->source);
        }
        at = &(*at)->next;
    }
}

void ruleset_index(struct ruleset *s)
{
    index_list(s, FACT_STRING, &s->string_filter);
    index_list(s, ITEM_TEXT, &s->text_filter);
    index_list(s, ITEM_QUERY, NULL);
}

/* ---- files ---- */

static int read_source(struct ruleset *s, unsigned file, struct stamp *stamp, struct error *err)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", s->dir, stamp_rule_file(file));
    int e = stamp_file(stamp, path, &s->sources[file], RULES_MAX_BYTES);
    if (e == -ENOENT)
        return 0; /* no rules of that kind */
    return e < 0 ? err_set(err, e, BLAME_HOST, "RULES", "%s: %s", path, strerror(-e)) : 0;
}

static int parse_source(struct ruleset *to, const struct ruleset *from, unsigned file, struct error *err)
{
    char path[4096];
    const struct buf *b = &from->sources[file];
    if (!b->size)
        return 0;
    (void)snprintf(path, sizeof path, "%s/%s", from->dir, stamp_rule_file(file));
    return rules_read(to, path, b->data, b->size, err);
}

static int parse_language(struct ruleset *to, const struct ruleset *from, struct error *err)
{
    const unsigned files[] = { STAMP_LISTS, to->language, STAMP_TEXT };
    int e = 0;
    for (size_t i = 0; e == 0 && i < ARRAY_LEN(files); i++)
        e = parse_source(to, from, files[i], err);
    if (e == 0 && to->arena.failed)
        e = err_set(err, -ENOMEM, BLAME_US, "RULES", "out of memory");
    ruleset_index(to);
    return e;
}

static int read_weights(struct ruleset *s, struct error *err)
{
    char path[4096];
    const struct buf *b = &s->sources[STAMP_WEIGHTS];
    (void)snprintf(path, sizeof path, "%s/%s", s->dir, stamp_rule_file(STAMP_WEIGHTS));
    return b->size ? resemblance_read(&s->resemblance, path, b->data, b->size, err) : 0;
}

int ruleset_load(struct ruleset *ret, const char *dir, enum language language, struct error *err)
{
    struct stamp stamp = stamp_start();
    int e = 0;
    memset(ret, 0, sizeof *ret);
    ret->language = language;
    ret->dir = arena_copy(&ret->arena, dir);
    for (unsigned i = 0; e == 0 && i < RULES_FILES; i++)
        e = read_source(ret, i, &stamp, err);
    stamp_print(&stamp, ret->id);
    if (e == 0)
        e = read_weights(ret, err);
    return e < 0 ? e : parse_language(ret, ret, err);
}

struct ruleset *ruleset_other(struct ruleset *s, enum language language)
{
    struct error unused = { 0 };
    if (language == s->language)
        return s;
    if (s->others[language])
        return s->others[language];
    struct ruleset *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->language = language;
    bool is_good = parse_language(o, s, &unused) == 0 &&
                   (!s->patterns_added || ruleset_add_patterns(o, s->patterns_added, &unused) == 0);
    if (!is_good) {
        ruleset_done(o);
        free(o);
        return NULL;
    }
    return s->others[language] = o;
}

/* «key=value» of a record; NULL: not there. */
static const char *record_value(struct arena *a, const char *record, const char *key)
{
    size_t length;
    const char *value = record_find(record, key, &length);
    return value ? arena_copy_bytes(a, value, length) : NULL;
}

int ruleset_add_patterns(struct ruleset *s, const struct strlist *records, struct error *err)
{
    STRLIST_FOREACH(record, records)
    {
        const char *name = record_value(&s->arena, record, "name"), *source = record_value(&s->arena, record, "regex"),
                   *risk = record_value(&s->arena, record, "risk_increase");
        uint32_t milli = 100;
        if (!source || (risk && parse_ratio(risk, &milli) < 0))
            return err_set(err, -EINVAL, BLAME_CALLER, "RULES",
                           "agixt.analysis.patterns: '%s': no regex, or no risk_increase between 0 and 1",
                           name ? name : "?");
        if (s->rule_count == RULES_MAX)
            return err_set(err, -E2BIG, BLAME_CALLER, "RULES", "agixt.analysis.patterns: more than %u rules",
                           RULES_MAX);
        struct item *item = arena_zero(&s->arena, sizeof *item);
        struct pattern *p = ruleset_pattern(s, source);
        if (!item || !p)
            return err_set(err, -ENOMEM, BLAME_US, "RULES", "out of memory");
        if (pattern_compile(p, err) < 0)
            return err_wrap(err, "agixt.analysis.patterns: %s", name ? name : "?");
        *item = (struct item){ .kind = ITEM_TEXT, .rule = (uint16_t)s->rule_count, .regex = p };
        ruleset_add_item(s, item);
        s->rules[s->rule_count++] = (struct rule){
            .name = name ? name : "pattern",
            .family = SCAN_FAMILY_CONFIGURED,
            .message = "matches a pattern of the configuration",
            .severity = milli >= 300   ? SEVERITY_HIGH
                        : milli >= 100 ? SEVERITY_MEDIUM
                        : milli        ? SEVERITY_LOW
                                       : SEVERITY_INFO,
            .risk_increase = milli,
        };
    }
    s->patterns_added = records;
    ruleset_index(s);
    return s->arena.failed ? err_set(err, -ENOMEM, BLAME_US, "RULES", "out of memory") : 0;
}

void ruleset_done(struct ruleset *s)
{
    for (struct pattern *p = s->patterns; p; p = p->next)
        pattern_done(p);
    for (unsigned i = 0; i < LANG_COUNT; i++) {
        if (s->others[i])
            ruleset_done(s->others[i]);
        free(TAKE_PTR(s->others[i]));
    }
    for (unsigned i = 0; i < RULES_FILES; i++)
        buf_done(&s->sources[i]);
    arena_done(&s->arena);
}

bool rule_is_called(const struct rule *r, const char *word)
{
    return str_eq(r->name, word) || (r->need && str_eq(r->need, word)) || (r->family && str_eq(r->family, word));
}

static bool is_known(const struct ruleset *s, const char *word)
{
    for (uint32_t i = 0; i < s->rule_count; i++)
        if (rule_is_called(&s->rules[i], word))
            return true;
    return false;
}

static int check_others(const struct ruleset *s, const struct rule *r, const char *key, const char *const *others,
                        struct error *err)
{
    for (unsigned i = 0; i < RULE_MAX_WITH && others[i]; i++)
        if (!is_known(s, others[i]))
            return err_set(err, -EINVAL, BLAME_HOST, "RULES", "%s: %s: no rule, need or family is called %.40s",
                           r->name, key, others[i]);
    return 0;
}

int ruleset_check(struct ruleset *s, struct error *err)
{
    const struct grammar *g = grammar_of(s->language);
    int e = 0;
    for (uint32_t i = 0; e == 0 && i < s->rule_count; i++)
        if ((e = check_others(s, &s->rules[i], "with", s->rules[i].with, err)) == 0)
            e = check_others(s, &s->rules[i], "without", s->rules[i].without, err);
    for (struct pattern *p = s->patterns; e == 0 && p; p = p->next)
        e = pattern_compile(p, err);
    for (const struct item_list *l = s->lists[ITEM_QUERY]; e == 0 && l && g->language; l = l->next)
        e = query_check(l->item->query, g->language(), err);
    return e < 0 ? err_wrap(err, "rules of %s", g->name) : 0;
}
