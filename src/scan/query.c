#include "scan/query.h"

#include <stdio.h>
#include "scan/pattern.h"
#include "scan/resolver.h"

#define MAX_STATES 256u

struct slice {
    const char *text;
    uint32_t size;
};

static const char *const error_names[] = { "none", "syntax", "node type", "field", "capture", "structure", "language" };

static TSQuery *compile(const char *source, const TSLanguage *language, struct error *err)
{
    uint32_t at = 0;
    TSQueryError kind = TSQueryErrorNone;
    TSQuery *q = ts_query_new(language, source, (uint32_t)strlen(source), &at, &kind);
    if (!q)
        (void)err_set(err, -EINVAL, BLAME_HOST, "RULES", "the query '%.80s': a wrong %s at its byte %u", source,
                      (size_t)kind < ARRAY_LEN(error_names) ? error_names[kind] : "something", at);
    return q;
}

/* ---- predicates ---- */

static struct slice slice_of_step(const TSQuery *q, const TSQueryPredicateStep *step, const TSQueryMatch *m,
                                  const struct scan_ctx *c)
{
    uint32_t n = 0;
    if (step->type == TSQueryPredicateStepTypeString) {
        const char *s = ts_query_string_value_for_id(q, step->value_id, &n);
        return (struct slice){ s, n };
    }
    for (uint16_t i = 0; i < m->capture_count; i++)
        if (m->captures[i].index == step->value_id) {
            uint32_t from = ts_node_start_byte(m->captures[i].node), to = ts_node_end_byte(m->captures[i].node);
            if (from <= to && to <= c->size)
                return (struct slice){ c->text + from, to - from };
        }
    return (struct slice){ "", 0 };
}

static bool is_equal(struct slice a, struct slice b)
{
    return a.size == b.size && memcmp(a.text, b.text, a.size) == 0;
}

/* Compiled each time: a rule with #match? belongs into facts anyway. */
static bool is_match(struct slice text, struct slice source)
{
    char copy[512];
    if (source.size >= sizeof copy)
        return false;
    memcpy(copy, source.text, source.size);
    copy[source.size] = '\0';
    struct pattern p = { .source = copy };
    bool found = pattern_matches(&p, text.text, text.size) == PATTERN_FOUND;
    pattern_done(&p);
    return found;
}

static const char *const predicates[] = { "eq?", "not-eq?", "match?", "not-match?", "any-of?" };

static bool holds(const char *name, const struct slice *arg, size_t count)
{
    if (count < 2)
        return false;
    if (str_eq(name, "eq?"))
        return is_equal(arg[0], arg[1]);
    if (str_eq(name, "not-eq?"))
        return !is_equal(arg[0], arg[1]);
    if (str_eq(name, "match?"))
        return is_match(arg[0], arg[1]);
    if (str_eq(name, "not-match?"))
        return !is_match(arg[0], arg[1]);
    for (size_t i = 1; i < count; i++)
        if (is_equal(arg[0], arg[i]))
            return true;
    return false;
}

static bool all_hold(const TSQuery *q, const TSQueryMatch *m, const struct scan_ctx *c)
{
    uint32_t count = 0;
    const TSQueryPredicateStep *step = ts_query_predicates_for_pattern(q, m->pattern_index, &count);
    for (uint32_t i = 0; i < count; i++) {
        struct slice arg[16] = { 0 };
        size_t n = 0;
        uint32_t unused = 0;
        const char *name = ts_query_string_value_for_id(q, step[i].value_id, &unused);
        for (i++; i < count && step[i].type != TSQueryPredicateStepTypeDone; i++)
            if (n < ARRAY_LEN(arg))
                arg[n++] = slice_of_step(q, &step[i], m, c);
        if (!holds(name, arg, n))
            return false;
    }
    return true;
}

/* ---- */

void syntax_query_run(const char *source, const TSLanguage *language, struct scan_ctx *c, TSNode root,
                      query_found *found, void *ctx)
{
    TSQuery *q = compile(source, language, NULL);
    TSQueryCursor *cursor = q ? ts_query_cursor_new() : NULL;
    TSQueryMatch m;
    if (!cursor)
        return; /* `sandbox-scan --check` has told, when the rules were installed */
    ts_query_cursor_set_match_limit(cursor, MAX_STATES);
    ts_query_cursor_exec(cursor, q, root);
    while (!scan_stop(c) && ts_query_cursor_next_match(cursor, &m))
        if (m.capture_count && all_hold(q, &m, c) && !found(ctx, ts_node_start_byte(m.captures[0].node)))
            break;
    ts_query_cursor_delete(cursor);
    ts_query_delete(q);
}

static int check_predicates(const TSQuery *q, const char *source, struct error *err)
{
    for (uint32_t p = 0; p < ts_query_pattern_count(q); p++) {
        uint32_t count = 0, size = 0;
        const TSQueryPredicateStep *step = ts_query_predicates_for_pattern(q, p, &count);
        for (uint32_t i = 0; i < count; i++) {
            const char *name = ts_query_string_value_for_id(q, step[i].value_id, &size);
            bool is_known = false;
            for (size_t k = 0; k < ARRAY_LEN(predicates); k++)
                is_known |= str_eq(name, predicates[k]);
            if (!is_known)
                return err_set(err, -EINVAL, BLAME_HOST, "RULES", "the query '%.80s': no predicate is called #%.40s",
                               source, name);
            while (i < count && step[i].type != TSQueryPredicateStepTypeDone)
                i++;
        }
    }
    return 0;
}

int query_check(const char *source, const TSLanguage *language, struct error *err)
{
    TSQuery *q = compile(source, language, err);
    if (!q)
        return -EINVAL;
    int e = check_predicates(q, source, err);
    if (e == 0 && ts_query_capture_count(q) == 0)
        e = err_set(err, -EINVAL, BLAME_HOST, "RULES", "the query '%.80s' captures nothing: where is the finding?",
                    source);
    ts_query_delete(q);
    return e;
}
