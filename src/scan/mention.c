/* mention.c - programs that only talk about attacks: lessons, documentation, tests of filters.
 *
 * A rule marked «talk: true» looks for a text that is dangerous when something is done with it: the command of a
 * reverse shell, the address of a metadata service. It counts in full where there is no syntax, where the text could
 * not be read to its end, where anything else above information was found, or a need (the program can act), where a
 * call other than those listed here takes a text that the rule matches (it is written to a file, say), and where one
 * that acts takes something unknown. What remains is talk, and its findings are information.
 */
#include "scan/engine.h"

static const char *last_part(const char *name)
{
    const char *last = name;
    for (const char *c = name; *c; c++)
        if ((*c == '.' || *c == ':') && c[1])
            last = c + 1;
    return last;
}

/* Calls that show, compare or keep a text: by the last part of the name. */
static bool is_passive(const char *name)
{
    static const char *const names[] = { "print",        "println",     "printf",
                                         "pprint",       "sprintf",     "sprint",
                                         "sprintln",     "eprintln",    "eprint",
                                         "panic",        "errorf",      "format",
                                         "vec",          "assert",      "assert_eq",
                                         "assert_ne",    "log",         "info",
                                         "warn",         "warning",     "error",
                                         "debug",        "critical",    "exception",
                                         "trace",        "table",       "fatal",
                                         "fatalf",       "echo",        "append",
                                         "push",         "add",         "extend",
                                         "insert",       "len",         "str",
                                         "repr",         "string",      "join",
                                         "split",        "replace",     "strip",
                                         "lower",        "upper",       "tolowercase",
                                         "touppercase",  "contains",    "includes",
                                         "startswith",   "endswith",    "hasprefix",
                                         "count",        "find",        "index",
                                         "indexof",      "search",      "match",
                                         "test",         "compile",     "mustcompile",
                                         "findall",      "finditer",    "sub",
                                         "fullmatch",    "dumps",       "stringify",
                                         "wrap",         "fill",        "dedent",
                                         "get",          "items",       "foreach",
                                         "map",          "filter",      "sorted",
                                         "sort",         "equal",       "assertequal",
                                         "assertin",     "asserttrue",  "assertfalse",
                                         "assertraises", "expect",      "describe",
                                         "it",           "field",       "isinstance",
                                         "set",          "list",        "tuple",
                                         "dict",         "frozenset",   "namedtuple",
                                         "puts",         "center",      "ljust",
                                         "rjust",        "encode",      "decode",
                                         "hexdigest",    "sha256",      "md5",
                                         "write_line",   "cat",         ":",
                                         "true",         "counter",     "most_common",
                                         "template",     "substitute",  "safe_substitute",
                                         "deque",        "ordereddict", "defaultdict",
                                         "chain",        "zip",         "enumerate",
                                         "max",          "min",         "sum",
                                         "to_string",    "into",        "from",
                                         "new",          "add_argument" };
    const char *last = last_part(name);
    size_t n = strcspn(last, "!(");
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strlen(names[i]) == n && strncasecmp(last, names[i], n) == 0)
            return true;
    return false;
}

/* Whatever such a call takes may be the text, when it is not known. */
static bool is_acting(const char *name)
{
    static const char *const words[] = { "write",  "send",    "exec",       "spawn",  "system",
                                         "run",    "eval",    "appendfile", "create", "put",
                                         "upload", "connect", "popen",      "output", "copy" };
    const char *last = last_part(name);
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strncasecmp(last, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

static bool is_matched(struct scan *s, uint8_t kind, const char *text)
{
    for (const struct item_list *l = s->rules->lists[kind]; l; l = l->next) {
        const struct item *item = l->item;
        if (s->rules->rules[item->rule].is_talk && s->hits_of[item->rule] &&
            pattern_matches(item->regex, text, strlen(text)) != PATTERN_NONE)
            return true;
    }
    return false;
}

void talk_look(struct scan *s, const struct fact *f)
{
    if (f->kind == FACT_REDIRECT && f->name[0] == '>')
        s->is_meant = true; /* a here-document may hold it */
    if (f->kind != FACT_CALL || is_passive(f->name))
        return;
    s->is_meant |= f->has_dynamic_args && is_acting(f->name);
    for (unsigned i = 0; i < FACT_MAX_ARGS && !s->is_meant; i++)
        s->is_meant = f->args[i] && (is_matched(s, FACT_STRING, f->args[i]) || is_matched(s, ITEM_TEXT, f->args[i]));
}

bool talk_is_all(const struct scan *s)
{
    if (!s->has_talk || s->is_meant || !s->has_syntax || s->why_cut || s->ctx.is_cut)
        return false;
    for (uint32_t i = 0; i < s->hit_count; i++)
        if (!s->hits[i].rule->is_talk && (s->hits[i].rule->severity > SEVERITY_INFO || s->hits[i].rule->need))
            return false;
    return true;
}
