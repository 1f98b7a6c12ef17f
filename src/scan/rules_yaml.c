/* rules_yaml.c - reads a file of rules: libyaml's events, one key after the other. As strict as config/yaml.c: no
 * aliases, anchors, tags, directives, no key twice, no key that is not known. The examples (matches, misses) are for
 * the tests, and only skipped here.
 */
#include <stdarg.h>
#include <stdio.h>
#include <yaml.h>
#include "base/parse.h"
#include "policy/standing.h"
#include "scan/grammar.h"
#include "scan/rules_list.h"

struct reader {
    yaml_parser_t parser;
    yaml_event_t event; /* the one that was read last */
    const char *path;
    struct ruleset *set;
    struct error *err;
};

static const char *const severities[SEVERITY_COUNT] = { "info", "low", "medium", "high", "critical" };
static const char *const families[] = { "network",          "reverse-shell",
                                        "file-destruction", "sensitive-files",
                                        "credentials",      "code-execution",
                                        "obfuscation",      "privilege-escalation",
                                        "persistence",      "process-interference",
                                        "resource-abuse",   "exfiltration",
                                        "sensitive-words",  "scan" };

/* What a program can need: a rule with one of these makes no finding. */
static const char *const needs[] = { "network",     "listening",  "programs", "code",  "native-code",
                                     "packages",    "containers", "deletion", "files", "ownership",
                                     "environment", "processes",  "services", "host",  "system" };

static uint32_t line_of(const struct reader *r)
{
    return (uint32_t)r->event.start_mark.line + 1;
}

static PRINTF_LIKE(2, 3) int fail(struct reader *r, const char *fmt, ...)
{
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return err_set(r->err, -EINVAL, BLAME_HOST, "RULES", "%s:%u: %s", r->path, line_of(r), text);
}

static bool has_decoration(const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return e->data.scalar.anchor || e->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return e->data.sequence_start.anchor || e->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return e->data.mapping_start.anchor || e->data.mapping_start.tag;
    default:
        return e->type == YAML_ALIAS_EVENT;
    }
}

static int next(struct reader *r)
{
    yaml_event_delete(&r->event);
    if (!yaml_parser_parse(&r->parser, &r->event)) {
        const yaml_parser_t *p = &r->parser;
        memset(&r->event, 0, sizeof r->event);
        return err_set(r->err, -EINVAL, BLAME_HOST, "RULES", "%s:%zu: not valid YAML: %s", r->path,
                       p->problem_mark.line + 1, p->problem ? p->problem : "unreadable");
    }
    if (has_decoration(&r->event))
        return fail(r, "an alias, anchor or tag; expected the value itself");
    return 0;
}

static int expect(struct reader *r, yaml_event_type_t type, const char *what)
{
    int e = next(r);
    return e < 0 ? e : r->event.type == type ? 0 : fail(r, "expected %s", what);
}

static const char *scalar(const struct reader *r)
{
    return (const char *)r->event.data.scalar.value;
}

/* The text of the event that was just read, in the rule set's arena. */
static int text(struct reader *r, const char *key, const char **ret)
{
    if (r->event.type != YAML_SCALAR_EVENT || r->event.data.scalar.length == 0)
        return fail(r, "%s: expected a text", key);
    if (strlen(scalar(r)) != r->event.data.scalar.length)
        return fail(r, "%s: a NUL byte", key);
    *ret = arena_copy(&r->set->arena, scalar(r));
    return 0;
}

static int word_of(struct reader *r, const char *key, const char *const *words, size_t count, uint8_t *ret)
{
    for (size_t i = 0; r->event.type == YAML_SCALAR_EVENT && i < count; i++)
        if (str_eq(words[i], scalar(r))) {
            *ret = (uint8_t)i;
            return 0;
        }
    return fail(r, "%s: unknown value '%.40s'; see rules/README.md", key,
                r->event.type == YAML_SCALAR_EVENT ? scalar(r) : "(no text)");
}

/* Calls `each` for the event, or for every item of the list that it begins. */
typedef int each_fn(struct reader *r, const char *key, void *to);
static int list(struct reader *r, const char *key, each_fn *each, void *to)
{
    int e;
    if (r->event.type == YAML_SCALAR_EVENT)
        return each(r, key, to);
    if (r->event.type != YAML_SEQUENCE_START_EVENT)
        return fail(r, "%s: expected a text or a list", key);
    while ((e = next(r)) == 0 && r->event.type != YAML_SEQUENCE_END_EVENT)
        if ((e = each(r, key, to)) < 0)
            return e;
    return e;
}

/* ---- one item of `match` ---- */

static const struct {
    const char *key;
    uint8_t kind;
    bool has_names;
} kinds[] = { { "import", FACT_IMPORT, true },  { "call", FACT_CALL, true },         { "name", FACT_NAME, true },
              { "string", FACT_STRING, false }, { "redirect", FACT_REDIRECT, true }, { "pipe", FACT_PIPE, true },
              { "flow", FACT_FLOW, true },      { "text", ITEM_TEXT, false },        { "query", ITEM_QUERY, false } };

static int add_name(struct reader *r, const char *key, void *to)
{
    const char *name;
    int e = text(r, key, &name);
    if (e < 0)
        return e;
    const char *star = strchr(name, '*');
    if (star && (star[1] || (size_t)(star - name) >= PREFIX_MAX))
        return fail(r, "%s: '%.60s': a * stands at the end only, behind at most %u bytes", key, name, PREFIX_MAX - 1);
    ruleset_add_name(r->set, to, name);
    return 0;
}

static int flag(struct reader *r, const char *key, bool *ret)
{
    if (r->event.type != YAML_SCALAR_EVENT || !str_eq(scalar(r), "true"))
        return fail(r, "%s: expected true", key);
    *ret = true;
    return 0;
}

static int regex(struct reader *r, const char *key, struct pattern **ret)
{
    const char *source = "";
    const char *unknown = NULL;
    int e = text(r, key, &source);
    if (e == 0 && !(source = rules_list_expand(r->set, source, &unknown)))
        return fail(r, "%s: %s: no list of that name in lists.yaml", key, unknown);
    if (e == 0 && !(*ret = ruleset_pattern(r->set, source)))
        e = err_set(r->err, -ENOMEM, BLAME_US, "RULES", "%s: out of memory", r->path);
    return e;
}

static int condition(struct reader *r, const char *key, struct item *item)
{
    if (str_eq(key, "dynamic"))
        return flag(r, key, &item->wants_dynamic);
    if (str_eq(key, "dynamic-arg"))
        return flag(r, key, &item->wants_dynamic_args);
    if (str_eq(key, "arg"))
        return regex(r, key, &item->any_arg);
    if (str_eq(key, "no-arg"))
        return regex(r, key, &item->no_arg);
    if (str_starts(key, "arg") && key[3] >= '0' && key[3] < '0' + (char)FACT_MAX_ARGS && !key[4])
        return regex(r, key, &item->arg[key[3] - '0']);
    return fail(r, "unknown key '%.40s' in an item of match; see rules/README.md", key);
}

static int item_key(struct reader *r, const char *key, struct item *item, bool *has_kind)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (!str_eq(key, kinds[i].key))
            continue;
        if (*has_kind)
            return fail(r, "%s: the item has another kind already; make it two items", key);
        *has_kind = true;
        item->kind = kinds[i].kind;
        if (kinds[i].has_names)
            return list(r, key, add_name, item);
        if (item->kind != ITEM_QUERY)
            return regex(r, key, &item->regex);
        item->query_line = line_of(r);
        return text(r, key, &item->query);
    }
    return condition(r, key, item);
}

static int read_item(struct reader *r, const char *name, void *to)
{
    (void)to;
    int e = 0;
    bool has_kind = false;
    struct strlist seen = { 0 };
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return fail(r, "%s: expected items such as '- call: [os.system]'", name);
    struct item *item = arena_zero(&r->set->arena, sizeof *item);
    if (!item)
        return err_set(r->err, -ENOMEM, BLAME_US, "RULES", "%s: out of memory", r->path);
    item->rule = (uint16_t)r->set->rule_count;
    while (e == 0 && (e = next(r)) == 0 && r->event.type == YAML_SCALAR_EVENT) {
        char key[32];
        (void)snprintf(key, sizeof key, "%s", scalar(r));
        e = strlist_has(&seen, key) ? fail(r, "%s is given twice", key) : strlist_add(&seen, key);
        if (e == 0 && (e = next(r)) == 0)
            e = item_key(r, key, item, &has_kind);
    }
    strlist_done(&seen);
    if (e == 0 && r->event.type != YAML_MAPPING_END_EVENT)
        e = fail(r, "%s: expected a key", name);
    if (e == 0 && !has_kind)
        e = fail(r, "%s: the item says nothing to look for", name);
    if (e == 0)
        ruleset_add_item(r->set, item);
    return e;
}

/* ---- one rule ---- */

enum {
    KEY_NAME,
    KEY_LANGUAGES,
    KEY_FAMILY,
    KEY_SEVERITY,
    KEY_RISK,
    KEY_MESSAGE,
    KEY_MATCH,
    KEY_MATCHES,
    KEY_MISSES,
    KEY_TALK,
    KEY_CANDIDATES,
    KEY_NEED,
    KEY_WITH,
    KEY_WITHOUT,
    KEY_COUNT
};
static const char *const keys[KEY_COUNT] = { "name",       "languages", "family",  "severity", "risk_increase",
                                             "message",    "match",     "matches", "misses",   "talk",
                                             "candidates", "need",      "with",    "without" };

static int add_language(struct reader *r, const char *key, void *to)
{
    enum language language;
    if (r->event.type != YAML_SCALAR_EVENT || !grammar_find(scalar(r), &language))
        return fail(r, "%s: expected python, node, bash, go or rust", key);
    *(unsigned *)to |= 1u << language;
    return 0;
}

static int skip_text(struct reader *r, const char *key, void *to)
{
    (void)to;
    return r->event.type == YAML_SCALAR_EVENT ? 0 : fail(r, "%s: expected a list of texts", key);
}

static int add_other(struct reader *r, const char *key, void *to)
{
    const char **others = to;
    unsigned n = 0;
    while (n < RULE_MAX_WITH && others[n])
        n++;
    return n < RULE_MAX_WITH ? text(r, key, &others[n]) : fail(r, "%s: more than %u", key, RULE_MAX_WITH);
}

static int rule_value(struct reader *r, unsigned k, struct rule *rule, unsigned *languages)
{
    const char *number = "";
    uint8_t index = 0;
    int e = 0;
    switch (k) {
    case KEY_NAME:
        return text(r, keys[k], &rule->name);
    case KEY_LANGUAGES:
        return list(r, keys[k], add_language, languages);
    case KEY_FAMILY:
        if ((e = word_of(r, keys[k], families, ARRAY_LEN(families), &index)) == 0)
            rule->family = families[index];
        return e;
    case KEY_SEVERITY:
        return word_of(r, keys[k], severities, ARRAY_LEN(severities), &rule->severity);
    case KEY_RISK:
        if ((e = text(r, keys[k], &number)) == 0 && parse_ratio(number, &rule->risk_increase) < 0)
            e = fail(r, "risk_increase: '%.20s': expected a number between 0 and 1", number);
        return e;
    case KEY_MESSAGE:
        return text(r, keys[k], &rule->message);
    case KEY_NEED:
        if ((e = word_of(r, keys[k], needs, ARRAY_LEN(needs), &index)) == 0)
            rule->need = needs[index];
        return e;
    case KEY_WITH:
        return list(r, keys[k], add_other, rule->with);
    case KEY_WITHOUT:
        return list(r, keys[k], add_other, rule->without);
    case KEY_CANDIDATES:
        return word_of(r, keys[k], (const char *const[]){ "false", "true" }, 2, &rule->takes_candidates);
    case KEY_TALK:
        return flag(r, keys[k], &rule->is_talk);
    case KEY_MATCH:
        if (!rule->name) /* items say whose they are in messages */
            return fail(r, "match: stands before the rule's name");
        return r->event.type == YAML_SEQUENCE_START_EVENT ? list(r, rule->name, read_item, NULL)
                                                          : fail(r, "match: expected a list of items");
    default:
        return list(r, keys[k], skip_text, NULL);
    }
}

static int finish_rule(struct reader *r, unsigned given, const struct rule *rule, unsigned languages)
{
    const unsigned judged = 1u << KEY_FAMILY | 1u << KEY_SEVERITY | 1u << KEY_RISK,
                   always = 1u << KEY_NAME | 1u << KEY_MESSAGE | 1u << KEY_MATCH,
                   needed = rule->need ? always : always | judged;
    if (rule->need && (given & (judged | 1u << KEY_TALK)))
        return fail(r, "%s: a need is a fact: without family, severity, risk_increase and talk", rule->name);
    for (unsigned k = 0; k < KEY_COUNT; k++)
        if ((needed & ~given) >> k & 1)
            return fail(r, "the rule '%s' has no %s", rule->name ? rule->name : "?", keys[k]);
    if (rule->severity == SEVERITY_INFO && rule->risk_increase)
        return fail(r, "%s: information raises nothing: risk_increase must be 0", rule->name);
    for (uint32_t i = 0; i < r->set->rule_count; i++)
        if (str_eq(r->set->rules[i].name, rule->name))
            return fail(r, "the name %s is taken by another rule", rule->name);
    r->set->rules[r->set->rule_count] = *rule;
    r->set->rules[r->set->rule_count].is_off = languages && !(languages >> r->set->language & 1);
    if (!(given >> KEY_CANDIDATES & 1))
        r->set->rules[r->set->rule_count].takes_candidates = rule->severity >= SEVERITY_HIGH;
    r->set->rule_count++;
    return 0;
}

static int read_rule(struct reader *r, const char *name, void *to)
{
    (void)to;
    struct rule rule = { .line = line_of(r) };
    unsigned given = 0, languages = 0, k;
    int e;
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return fail(r, "%s: expected a list of rules", name);
    if (r->set->rule_count == RULES_MAX)
        return fail(r, "more than %u rules", RULES_MAX);
    while ((e = next(r)) == 0 && r->event.type == YAML_SCALAR_EVENT) {
        for (k = 0; k < KEY_COUNT && !str_eq(keys[k], scalar(r)); k++)
            ;
        if (k == KEY_COUNT)
            return fail(r, "unknown key '%.40s'; see rules/README.md", scalar(r));
        if (given >> k & 1)
            return fail(r, "%s is given twice", keys[k]);
        given |= 1u << k;
        if ((e = next(r)) < 0 || (e = rule_value(r, k, &rule, &languages)) < 0)
            return e;
    }
    if (e == 0 && r->event.type != YAML_MAPPING_END_EVENT)
        return fail(r, "expected a key");
    return e < 0 ? e : finish_rule(r, given, &rule, languages);
}

/* ---- lists that rules share ---- */

static int add_alternative(struct reader *r, const char *key, void *to)
{
    const char **all = to, *one = "", *unknown = NULL;
    int e = text(r, key, &one);
    if (e == 0 && !(one = rules_list_expand(r->set, one, &unknown)))
        return fail(r, "%s: %s: no list of that name before this one", key, unknown);
    if (e == 0)
        *all = **all ? arena_printf(&r->set->arena, "%s|%s", *all, one) : one;
    return e;
}

static int read_lists(struct reader *r)
{
    int e = expect(r, YAML_MAPPING_START_EVENT, "lists by name");
    while (e == 0 && (e = next(r)) == 0 && r->event.type == YAML_SCALAR_EVENT) {
        const char *name = arena_copy(&r->set->arena, scalar(r)), *all = "";
        if ((e = next(r)) == 0 && (e = list(r, name, add_alternative, &all)) == 0 && !rules_list_add(r->set, name, all))
            e = fail(r, "the list %s is given twice", name);
    }
    return e == 0 && r->event.type != YAML_MAPPING_END_EVENT ? fail(r, "lists: expected a name") : e;
}

static int read_rules(struct reader *r)
{
    int e = expect(r, YAML_SEQUENCE_START_EVENT, "a list of rules");
    return e < 0 ? e : list(r, "rules", read_rule, NULL);
}

static int read_stream(struct reader *r)
{
    int e = expect(r, YAML_STREAM_START_EVENT, "text");
    if (e < 0 || (e = expect(r, YAML_DOCUMENT_START_EVENT, "a document")) < 0 ||
        (e = expect(r, YAML_MAPPING_START_EVENT, "rules:")) < 0 || (e = expect(r, YAML_SCALAR_EVENT, "rules:")) < 0)
        return e;
    bool is_lists = str_eq(scalar(r), "lists");
    if (!is_lists && !str_eq(scalar(r), "rules"))
        return fail(r, "unknown key '%.40s'; expected rules, or lists", scalar(r));
    if ((e = is_lists ? read_lists(r) : read_rules(r)) < 0)
        return e;
    if ((e = expect(r, YAML_MAPPING_END_EVENT, "no other key than rules or lists")) < 0 ||
        (e = expect(r, YAML_DOCUMENT_END_EVENT, "the end of the document")) < 0)
        return e;
    return expect(r, YAML_STREAM_END_EVENT, "a single document");
}

int rules_read(struct ruleset *s, const char *path, const char *bytes, size_t size, struct error *err)
{
    struct reader r = { .path = path, .set = s, .err = err };
    if (size > RULES_MAX_BYTES)
        return err_set(err, -EFBIG, BLAME_HOST, "RULES", "%s: larger than %u KiB", path, RULES_MAX_BYTES / 1024);
    /* many %TAG lines would cost libyaml quadratic time, and no process needs one here */
    if (size && (bytes[0] == '%' || memmem(bytes, size, "\n%", 2)))
        return err_set(err, -EINVAL, BLAME_HOST, "RULES", "%s: a directive (%%); expected plain YAML", path);
    if (!yaml_parser_initialize(&r.parser))
        return err_set(err, -ENOMEM, BLAME_US, "RULES", "%s: out of memory", path);
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)bytes, size);
    int e = read_stream(&r);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    return e;
}
