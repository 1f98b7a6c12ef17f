/* engine.c - facts against rules, and what comes out. */
#include "scan/engine.h"

#include "base/clock.h"
#include "scan/carrier.h"
#include "scan/growth.h"
#include "scan/grammar.h"
#include "scan/memory.h"
#include "scan/path.h"
#include "scan/query.h"
#include "base/utf8.h"

/* ---- hits ---- */

static void cut(struct scan *s, const char *why)
{
    s->ctx.is_cut = true;
    if (!s->why_cut)
        s->why_cut = why;
}

static void hit(struct scan *s, uint16_t rule, uint32_t byte)
{
    const struct rule *r = &s->rules->rules[rule];
    if (r->is_off || s->hits_of[rule] == SCAN_RULE_MAX_FINDINGS || s->hit_count == ARRAY_LEN(s->hits))
        return;
    for (uint32_t i = 0; s->hits_of[rule] && i < s->hit_count; i++)
        if (s->hits[i].rule == r && scan_line(s, s->hits[i].byte) == scan_line(s, byte))
            return;
    s->hits_of[rule]++;
    s->has_talk |= r->is_talk;
    s->hits[s->hit_count++] = (struct scan_hit){ .rule = r, .byte = byte, .is_guess = s->is_guessing };
}

static bool is_found(struct scan *s, struct pattern *p, const char *text)
{
    enum pattern_result r = pattern_matches(p, text, strlen(text));
    if (r == PATTERN_GAVE_UP)
        cut(s, "a pattern gave up on a text of this program");
    return r == PATTERN_FOUND;
}

/* ---- facts ---- */

void scan_hit_by(struct scan *s, uint16_t rule, uint32_t byte)
{
    hit(s, rule, byte);
}

static bool some_arg_matches(struct scan *s, struct pattern *p, const struct fact *f)
{
    for (unsigned i = 0; i < FACT_MAX_ARGS; i++)
        if (f->args[i] && is_found(s, p, f->args[i]))
            return true;
    return false;
}

bool scan_item_holds(struct scan *s, const struct item *item, const struct fact *f)
{
    if ((item->wants_dynamic && !f->has_dynamic_name) || (item->wants_dynamic_args && !f->has_dynamic_args))
        return false;
    for (unsigned i = 0; i < FACT_MAX_ARGS; i++)
        if (item->arg[i] && (!f->args[i] || !is_found(s, item->arg[i], f->args[i])))
            return false;
    return (!item->any_arg || some_arg_matches(s, item->any_arg, f)) &&
           (!item->no_arg || !some_arg_matches(s, item->no_arg, f));
}

static void on_item(void *ctx, const struct item *item)
{
    struct scan *s = ctx;
    if (s->hits_of[item->rule] == SCAN_RULE_MAX_FINDINGS)
        return;
    if (scan_item_holds(s, item, s->fact))
        hit(s, item->rule, s->fact->byte);
    else
        candidate_item(s, item, s->fact);
}

static void match_string(struct scan *s, const struct fact *f)
{
    if (!f->args[0])
        return;
    filter_set candidates = filter_scan(&s->rules->string_filter, f->args[0], strlen(f->args[0]));
    for (const struct item_list *l = s->rules->lists[FACT_STRING]; candidates && l; l = l->next)
        if (filter_may(candidates, l->item->filter_index) && s->hits_of[l->item->rule] < SCAN_RULE_MAX_FINDINGS &&
            is_found(s, l->item->regex, f->args[0]) && scan_item_holds(s, l->item, f))
            hit(s, l->item->rule, f->byte);
}

/* ---- names: what language rules of a level are compared with ---- */

static bool is_builtin(enum language language, const char *name)
{
    static const char *const python[] = { "eval", "exec", "compile", "__import__" };
    static const char *const node[] = { "eval", "Function" };
    const char *const *list = language == LANG_PYTHON ? python : node;
    size_t count = language == LANG_PYTHON ? ARRAY_LEN(python) : language == LANG_NODE ? ARRAY_LEN(node) : 0;
    for (size_t i = 0; i < count; i++)
        if (str_eq(name, list[i]))
            return true;
    return false;
}

static void keep_name(struct scan *s, uint8_t kind, const char *name, uint32_t byte)
{
    size_t n = strlen(name), size;
    if (n == 0 || n > 200)
        return;
    for (size_t i = 0; i < n; i += size) {
        size = utf8_size(name + i, n - i);
        if (size == 0 || !is_printable(name + i, size))
            return; /* no module or command of ours is called that */
    }
    for (uint32_t i = 0; i < s->name_count; i++)
        if (s->names[i].kind == kind && str_eq(s->names[i].name, name))
            return;
    if (s->name_count == SCAN_MAX_NAMES) {
        cut(s, "more modules and commands than a scan keeps");
        return;
    }
    s->names[s->name_count].name = arena_copy(&s->arena, name);
    s->names[s->name_count].byte = byte;
    s->names[s->name_count++].kind = kind;
}

static void note_name(struct scan *s, const struct fact *f)
{
    enum language language = s->rules->language;
    const char *name = str_starts(f->name, "builtins.") ? f->name + strlen("builtins.") : f->name;
    if (f->kind == FACT_IMPORT) {
        keep_name(s, NAME_MODULE, f->name, f->byte);
        if (language == LANG_PYTHON || language == LANG_NODE)
            embedded_import(&s->ctx, (uint8_t)language, f->name);
    } else if (f->kind == FACT_CALL && language == LANG_BASH)
        keep_name(s, NAME_COMMAND, f->name, f->byte);
    else if ((f->kind == FACT_CALL || f->kind == FACT_NAME) && is_builtin(language, name))
        keep_name(s, NAME_BUILTIN, name, f->byte);
}

/* Rules name files by their plain path; programs need not. */
static void straighten(struct scan *s, struct fact *f)
{
    char plain[2048];
    for (unsigned i = 0; i < f->arg_count && f->kind != FACT_STRING; i++)
        if (f->args[i] && path_plain(f->args[i], plain, sizeof plain))
            f->args[i] = arena_copy(&s->arena, plain);
}

/* A program may have a long text in thousands of calls: what is read of facts is bounded, one by one and together. Its
 * own text is read in any case. */
#define FACT_MAX_READ  4096u
#define FACTS_MAX_READ (2u << 20)

static void read_folded(struct scan *root, const char *text, uint32_t byte)
{
    const size_t size = strnlen(text, FACT_MAX_READ);
    if (root->folded_bytes > FACTS_MAX_READ)
        return;
    root->folded_bytes += (uint32_t)size;
    resemble_add(&root->rules->resemblance, &root->resembled, text, size, PIECE_COMMENT_NONE, true, byte);
}

/* What a resolver has folded: the names that things really have, and texts that were spelled, joined or decoded. */
static void fact_resembles(struct scan *s, const struct fact *f)
{
    const struct embedded_program *inside = s->ctx.embedded ? s->ctx.embedded->current : NULL;
    struct scan *root = s->ctx.embedded ? s->ctx.embedded->root : s;
    const uint32_t byte = inside ? inside->byte : f->byte;
    if (f->kind == FACT_CALL || f->kind == FACT_IMPORT)
        read_folded(root, f->name, byte);
    if (f->kind == FACT_CALL || f->kind == FACT_STRING)
        for (unsigned i = 0; i < MIN_OF(f->arg_count, FACT_MAX_ARGS); i++)
            if (f->args[i])
                read_folded(root, f->args[i], byte);
}

static bool on_fact(struct scan_ctx *c, const struct fact *given)
{
    struct scan *s = (struct scan *)c; /* ctx is its first member */
    struct fact plain = *given, *f = &plain;
    straighten(s, f);
    if (s->trace)
        s->trace(s, f);
    s->fact_count++;
    note_name(s, f);
    fact_resembles(s, f);
    s->fact = f;
    if (f->kind == FACT_STRING && f->args[0] && carrier_is_call(f->args[0], strlen(f->args[0])))
        embedded_perhaps(&s->ctx, EMBEDDED_JSON, "text", f->args[0], strlen(f->args[0]), f->byte);
    if (f->kind == FACT_STRING)
        match_string(s, f);
    else
        ruleset_find(s->rules, f->kind, f->name, on_item, s);
    if (s->has_talk && !s->is_meant)
        talk_look(s, f);
    s->fact = NULL;
    candidate_fact(s, f);
    return !s->ctx.is_cut;
}

/* ---- a scan ---- */

int scan_begin(struct scan *s, struct ruleset *rules, const char *text, size_t size, uint32_t timeout_ms)
{
    memset(s, 0, sizeof *s);
    if (size > UINT32_MAX / 2)
        return -EFBIG;
    s->begun_us = clock_us();
    s->rules = rules;
    s->ctx = (struct scan_ctx){ .text = text,
                                .size = (uint32_t)size,
                                .arena = &s->arena,
                                .emit = on_fact,
                                .deadline_us = clock_cpu_us() + timeout_ms * UINT64_C(1000) };
    s->hits_of = calloc(RULES_MAX, 1);
    pattern_set_deadline(s->ctx.deadline_us);
    return s->hits_of ? scan_find_lines(s) : -ENOMEM;
}

void scan_observe(struct scan *s, const char *what, uint32_t byte)
{
    struct fact f = { .kind = FACT_FLOW, .name = what, .byte = byte };
    if (s->trace)
        s->trace(s, &f);
    s->fact = &f;
    ruleset_find(s->rules, f.kind, f.name, on_item, s);
    s->fact = NULL;
}

enum piece_comment scan_comment(uint8_t language)
{
    static const uint8_t of[EMBEDDED_LANGUAGES] = {
        [LANG_PYTHON] = PIECE_COMMENT_HASH,   [LANG_BASH] = PIECE_COMMENT_HASH,    [LANG_NODE] = PIECE_COMMENT_SLASHES,
        [LANG_GO] = PIECE_COMMENT_SLASHES,    [LANG_RUST] = PIECE_COMMENT_SLASHES, [EMBEDDED_PERL] = PIECE_COMMENT_HASH,
        [EMBEDDED_RUBY] = PIECE_COMMENT_HASH, [EMBEDDED_AWK] = PIECE_COMMENT_HASH, [EMBEDDED_MAKE] = PIECE_COMMENT_HASH,
    };
    return (enum piece_comment)of[language];
}

#define ERROR_SYMBOL ((TSSymbol)-1)

/* The place of the first error, for information: down along what has one, with a bound. */
static uint32_t first_error(TSNode root)
{
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    uint32_t byte = ts_node_start_byte(root);
    for (unsigned steps = 0; steps < 10000; steps++) {
        TSNode node = ts_tree_cursor_current_node(&cursor);
        if (!ts_node_has_error(node)) {
            if (!ts_tree_cursor_goto_next_sibling(&cursor))
                break;
            continue;
        }
        byte = ts_node_start_byte(node);
        if (ts_node_symbol(node) == ERROR_SYMBOL || !ts_tree_cursor_goto_first_child(&cursor))
            break;
    }
    ts_tree_cursor_delete(&cursor);
    return byte;
}

struct query_hit {
    struct scan *s;
    uint16_t rule;
};

static bool on_query(void *ctx, uint32_t byte)
{
    struct query_hit *q = ctx;
    hit(q->s, q->rule, byte);
    return q->s->hits_of[q->rule] < SCAN_RULE_MAX_FINDINGS;
}

static void match_queries(struct scan *s, const struct grammar *g, TSNode root)
{
    for (const struct item_list *l = s->rules->lists[ITEM_QUERY]; l; l = l->next) {
        /* compiling a query takes milliseconds: only where the text holds what it is about */
        if (l->item->regex && pattern_matches(l->item->regex, s->ctx.text, s->ctx.size) == PATTERN_NONE)
            continue;
        syntax_query_run(l->item->query, g->language(), &s->ctx, root, on_query,
                         &(struct query_hit){ s, l->item->rule });
    }
}

static void look_at_tree(struct scan *s, const struct grammar *g, TSTree *tree)
{
    TSNode root = ts_tree_root_node(tree);
    s->has_syntax = true;
    if (s->growth)
        growth_shape(s->growth, g->language(), root, s->shape);
    else
        shape_of(g->language(), root, s->shape);
    g->resolve(&s->ctx, root);
    candidate_look(s, root);
    match_queries(s, g, root);
    if (ts_node_has_error(root)) {
        s->is_meant = true; /* what could not be read may mean it */
        scan_observe(s, "syntax-error", first_error(root));
    }
}

/* A parser for each: a scanner of a grammar may keep something of what it has read before. `from`: or NULL. */
static TSTree *parse_text(struct scan *s, const struct grammar *g, const TSTree *from, uint64_t time_us)
{
    TSTree *tree = NULL;
    TSParser *parser = ts_parser_new();
    if (parser && ts_parser_set_language(parser, g->language())) {
        ts_parser_set_timeout_micros(parser, time_us * SCAN_PATIENCE); /* elapsed time */
        tree = ts_parser_parse_string(parser, from, s->ctx.text, MIN_OF(s->ctx.size, SCAN_MAX_SYNTAX_BYTES));
    } else
        cut(s, "the grammar does not fit the parser");
    ts_parser_delete(parser);
    return tree;
}

/* From where the last scan's tree ends; NULL: from the beginning, then. */
static TSTree *parse_on(struct scan *s, const struct grammar *g, uint64_t time_us)
{
    TSTree *from = growth_edited(s->growth, s), *tree = from ? parse_text(s, g, from, time_us) : NULL;
    if (from)
        ts_tree_delete(from);
    if (!tree || !ts_node_has_error(ts_tree_root_node(tree)))
        return tree;
    ts_tree_delete(tree);
    return NULL;
}

static void parse(struct scan *s, const struct grammar *g, uint64_t time_us)
{
    if (s->ctx.size > SCAN_MAX_SYNTAX_BYTES && !s->why_cut)
        s->why_cut = "longer than a scan looks into";
    TSTree *on = s->growth ? parse_on(s, g, time_us) : NULL, *tree = on ? on : parse_text(s, g, NULL, time_us);
    if (s->growth)
        growth_tree(s->growth, s, tree, on != NULL);
    if (tree)
        look_at_tree(s, g, tree);
    if (!tree || s->ctx.is_cut)
        cut(s, "time, depth or steps for the scan were used up");
}

static void scan_tree(struct scan *s, const struct grammar *g)
{
    uint64_t now = clock_cpu_us();
    static jmp_buf exhausted; /* one scan at a time */
    if (now >= s->ctx.deadline_us) {
        cut(s, "the time for the scan was over");
        return;
    }
    memory_install();
    if (s->growth)
        memory_resume();
    memory_on_exhaustion(&exhausted);
    if (setjmp(exhausted) == 0)
        parse(s, g, s->ctx.deadline_us - now);
    else
        cut(s, "the memory for the scan was used up");
    memory_on_exhaustion(NULL);
    if (s->growth)
        growth_hold(s->growth, s->why_cut == NULL);
    else
        memory_reset();
}

void scan_syntax(struct scan *s)
{
    const struct grammar *g = grammar_of(s->rules->language);
    if (!g->language)
        return;
    bool is_outermost = !s->ctx.embedded;
    if (is_outermost && embedded_begin(s) < 0) {
        cut(s, "no memory for programs inside this program");
        return;
    }
    scan_tree(s, g);
    if (is_outermost)
        embedded_scan(s);
}

/* ---- the report ---- */

/* A guess refuses nobody: agixt.analysis.block_on_detection looks at high and critical ones. */
static uint8_t severity_of(const struct scan_hit *h)
{
    return h->is_talk    ? SEVERITY_INFO
           : h->is_guess ? MIN_OF(h->rule->severity, (uint8_t)SEVERITY_MEDIUM)
                         : h->rule->severity;
}

static uint32_t risk_of(const struct scan_hit *h)
{
    return h->is_talk ? 0 : h->is_guess ? h->rule->risk_increase / 2 : h->rule->risk_increase;
}

static int by_severity_and_line(const void *a, const void *b)
{
    const struct scan_hit *x = a, *y = b;
    if (severity_of(x) != severity_of(y))
        return severity_of(y) - severity_of(x);
    return x->byte < y->byte ? -1 : x->byte > y->byte;
}

/* Each rule counts once; text.yaml's are in the set of every language. */
static bool is_first_of_rule(const struct scan *s, uint32_t hit)
{
    for (uint32_t i = 0; i < hit; i++)
        if (!s->hits[i].is_talk && str_eq(s->hits[i].rule->name, s->hits[hit].rule->name))
            return false;
    return true;
}

static struct finding finding_of(struct scan *s, const struct scan_hit *h)
{
    struct finding f = { .rule = h->rule->name,
                         .family = h->rule->family,
                         .message = h->rule->message,
                         .path = h->path ? h->path : "",
                         .line = scan_line(s, h->byte),
                         .column = scan_column(s, h->byte),
                         .risk_increase = risk_of(h),
                         .severity = severity_of(h) };
    if (h->is_guess)
        f.message = arena_printf(&s->arena, "%s (guessed: by one of the program's own literals)", h->rule->message);
    f.text_at = h->text_at;
    f.text = h->text ? h->text : scan_excerpt(s, h->byte, &f.text_at);
    return f;
}

static bool is_beside(const struct scan *s, const struct rule *r, const char *const *others, bool with_guesses)
{
    for (unsigned i = 0; i < RULE_MAX_WITH && others[i]; i++)
        for (uint32_t k = 0; k < s->hit_count; k++)
            if ((with_guesses || !s->hits[k].is_guess) && !str_eq(s->hits[k].rule->name, r->name) &&
                rule_is_called(s->hits[k].rule, others[i]))
                return true;
    return false;
}

/* What explains it was found, and is not itself explained by another: a question that the program answers itself. */
static bool is_explained(const struct scan *s, const struct rule *r, bool with_guesses)
{
    if (!r->without[0])
        return false;
    for (uint32_t k = 0; k < s->hit_count; k++) {
        const struct rule *other = s->hits[k].rule;
        for (unsigned i = 0; i < RULE_MAX_WITH && r->without[i]; i++)
            if ((with_guesses || !s->hits[k].is_guess) && !str_eq(other->name, r->name) &&
                rule_is_called(other, r->without[i]) && !is_beside(s, other, other->without, with_guesses))
                return true;
    }
    return false;
}

static bool is_lonely(const struct scan *s, const struct scan_hit *h)
{
    return (h->rule->with[0] && !is_beside(s, h->rule, h->rule->with, h->is_guess)) ||
           is_explained(s, h->rule, h->is_guess);
}

/* Rules that count only beside others, where none of these was found, and those that others explain. */
static void drop_lonely(struct scan *s)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->hit_count; i++)
        s->hits[i].is_lonely = is_lonely(s, &s->hits[i]);
    for (uint32_t i = 0; i < s->hit_count; i++)
        if (!s->hits[i].is_lonely && !(s->hits[i].is_guess && !s->hits[i].rule->takes_candidates))
            s->hits[kept++] = s->hits[i];
    s->hit_count = kept;
}

static void report_needs(struct scan *s, struct scan_report *ret)
{
    for (uint32_t i = 0; i < s->hit_count && ret->need_count < SCAN_MAX_NEEDS; i++) {
        const struct scan_hit *h = &s->hits[i];
        uint32_t k = 0;
        while (h->rule->need && k < ret->need_count && !str_eq(ret->needs[k].rule, h->rule->name))
            k++;
        if (!h->rule->need || k < ret->need_count)
            continue;
        struct scan_need *n = &ret->needs[ret->need_count++];
        *n = (struct scan_need){ .need = h->rule->need,
                                 .rule = h->rule->name,
                                 .message = h->rule->message,
                                 .line = scan_line(s, h->byte),
                                 .column = scan_column(s, h->byte) };
        n->text_at = h->text_at;
        n->text = h->text ? h->text : scan_excerpt(s, h->byte, &n->text_at);
    }
}

#define RESEMBLES_MEDIUM 100u /* milli */
#define RESEMBLES_HIGH   300u /* an agent's level falls by one step, not by two */

static struct finding resemblance_finding(struct scan *s, int32_t score)
{
    const bool is_high = score >= s->rules->resemblance.high;
    struct finding f = { .rule = SCAN_RESEMBLANCE,
                         .family = SCAN_FAMILY_RESEMBLANCE,
                         .message = arena_printf(&s->arena,
                                                 "resembles programs that act badly, most by %s (score %.1f)",
                                                 resemble_words(&s->resembled, &s->arena), score / 1000.0),
                         .path = "",
                         .line = scan_line(s, s->resembled.top[0].byte),
                         .column = scan_column(s, s->resembled.top[0].byte),
                         .risk_increase = is_high ? RESEMBLES_HIGH : RESEMBLES_MEDIUM,
                         .severity = is_high ? SEVERITY_HIGH : SEVERITY_MEDIUM };
    f.text = scan_excerpt(s, s->resembled.top[0].byte, &f.text_at);
    return f;
}

/* A program that uses no module and no command, needs nothing, and of which all was seen, acts on nothing, whatever its
 * words are. */
static bool can_act(const struct scan *s, const struct scan_report *r)
{
    return s->name_count || r->need_count || scan_report_count(r) || !r->is_complete || !r->has_syntax || s->why_cut;
}

/* Shell scripts only: they administer systems, and most of what rules say wrongly is of those that do so honestly. In a
 * line or two there is nothing that could speak for or against a rule. */
static bool may_be_doubted(const struct scan *s, const struct scan_report *r)
{
    return s->rules->language == LANG_BASH && s->ctx.size >= RESEMBLANCE_MIN_DOUBTED && r->is_complete && !s->why_cut;
}

/* What the statistics say beside the rules: a finding of its own, or that a rule stands alone. */
static void report_resemblance(struct scan *s, struct scan_report *ret)
{
    const struct resemblance *w = &s->rules->resemblance;
    const int32_t score = resemble_score(w, &s->resembled);
    if (!resemblance_is_there(w))
        return;
    if (score >= w->medium && can_act(s, ret)) {
        const struct finding f = resemblance_finding(s, score);
        scan_report_add(ret, &f);
    } else if (score < w->doubt && may_be_doubted(s, ret))
        scan_report_doubt(ret);
}

void scan_report(struct scan *s, struct scan_report *ret)
{
    memset(ret, 0, sizeof *ret);
    ret->is_complete = !(s->ctx.embedded && s->ctx.embedded->has_unread);
    ret->has_syntax = s->has_syntax;
    ret->rules_id = s->rules->id;
    ret->shape = s->shape;
    drop_lonely(s);
    qsort(s->hits, s->hit_count, sizeof *s->hits, by_severity_and_line);
    bool is_talk = talk_is_all(s);
    for (uint32_t i = 0; i < s->hit_count; i++) {
        s->hits[i].is_talk |= is_talk && !s->hits[i].path && s->hits[i].rule->is_talk;
        if (!s->hits[i].is_talk && is_first_of_rule(s, i))
            ret->risk_increase = MIN_OF(ret->risk_increase + risk_of(&s->hits[i]), 1000u);
    }
    for (uint32_t i = 0; i < s->hit_count && ret->finding_count < SCAN_MAX_FINDINGS; i++)
        if (!s->hits[i].rule->need)
            ret->findings[ret->finding_count++] = finding_of(s, &s->hits[i]);
    report_needs(s, ret);
    report_resemblance(s, ret);
    for (uint32_t i = 0; i < s->name_count; i++)
        ret->names[ret->name_count++] = (struct scan_name){ .name = s->names[i].name,
                                                            .kind = s->names[i].kind,
                                                            .line = scan_line(s, s->names[i].byte),
                                                            .column = scan_column(s, s->names[i].byte) };
    if (s->why_cut)
        scan_report_cut(ret, s->why_cut);
    ret->took_us = (uint32_t)MIN_OF(clock_us() - s->begun_us, (uint64_t)UINT32_MAX);
}

void scan_done(struct scan *s)
{
    pattern_set_deadline(0);
    free(s->ctx.lines);
    free(s->hits_of);
    arena_done(&s->arena);
}
