#include "scan/literal.h"

#include "base/buf.h"

/* ---- what a node is ---- */

enum { NODE_UNKNOWN, NODE_OTHER, NODE_TEXT, NODE_ROW, NODE_PAIR, NODE_CALL, NODE_COMPARED, NODE_LOGIC, NODE_ALONE };

static const char *const texts[] = { "string",
                                     "template_string",
                                     "interpreted_string_literal",
                                     "raw_string_literal",
                                     "string_literal",
                                     "concatenated_string",
                                     NULL };
static const char *const rows[] = { "list",
                                    "tuple",
                                    "set",
                                    "argument_list",
                                    "array",
                                    "arguments",
                                    "literal_value",
                                    "array_expression",
                                    "tuple_expression",
                                    "token_tree",
                                    NULL };
static const char *const pairs[] = { "pair", "keyed_element", "keyword_argument", NULL };
static const char *const calls[] = { "call", "call_expression", "macro_invocation", NULL };
static const char *const compared[] = { "comparison_operator", "import_statement", "import_from_statement",
                                        "raise_statement",     "throw_statement",  "assert_statement",
                                        "import_declaration",  "expression_case",  "switch_case",
                                        "match_pattern",       "attribute_item",   "use_declaration",
                                        "decorator",           "case_pattern",     NULL };

struct walk {
    struct scan_ctx *c;
    struct arena *to;
    struct literals_state *state;
    struct literals *out; /* the state's */
};

static uint8_t kind_of(struct walk *w, TSNode node)
{
    const TSSymbol symbol = ts_node_symbol(node);
    if (symbol >= LITERAL_MAX_SYMBOLS)
        return NODE_OTHER;
    uint8_t *kind = &w->state->kinds[symbol];
    if (*kind == NODE_UNKNOWN) {
        const char *name = ts_node_type(node);
        *kind = str_is_one_of(name, texts)             ? NODE_TEXT
                : str_is_one_of(name, rows)            ? NODE_ROW
                : str_is_one_of(name, pairs)           ? NODE_PAIR
                : str_is_one_of(name, calls)           ? NODE_CALL
                : str_is_one_of(name, compared)        ? NODE_COMPARED
                : str_eq(name, "binary_expression")    ? NODE_LOGIC
                : str_eq(name, "expression_statement") ? NODE_ALONE
                                                       : NODE_OTHER;
    }
    return *kind;
}

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* Only shown, logged, compared or looked for: by the last part of the callee's name. */
static bool is_for_people(const struct walk *w, TSNode call)
{
    static const char *const names[] = { "print",       "println",      "printf",       "eprintln",   "eprint",
                                         "panic",       "errorf",       "log",          "info",       "warn",
                                         "warning",     "error",        "debug",        "exception",  "trace",
                                         "fatal",       "fatalf",       "echo",         "startswith", "endswith",
                                         "hasprefix",   "hassuffix",    "contains",     "includes",   "compile",
                                         "match",       "search",       "findall",      "fullmatch",  "replace",
                                         "strip",       "lstrip",       "rstrip",       "split",      "rsplit",
                                         "partition",   "add_argument", "exit",         "usage",      "bail",
                                         "fprintln",    "fprintf",      "logf",         "infof",      "warnf",
                                         "debugf",      "isinstance",   "getlogger",    "test",       "describe",
                                         "indexof",     "trimprefix",   "trimsuffix",   "trim",       "assert",
                                         "assert_eq",   "strftime",     "strptime",     "expect",     "context",
                                         "mustcompile", "starts_with",  "ends_with",    "critical",   "argumentparser",
                                         "starts",      "removeprefix", "removesuffix", "getenv",     "expanduser",
                                         "lookupenv",   "puts",         "raise_for",    NULL };
    TSNode callee = ts_node_child(call, 0);
    uint32_t from = ts_node_start_byte(callee), to = MIN_OF(ts_node_end_byte(callee), w->c->size), at = to;
    char name[24];
    while (at > from && to - at < sizeof name && (is_letter(w->c->text[at - 1]) || w->c->text[at - 1] == '_'))
        at--;
    size_t n = to - at;
    if (n == 0 || n >= sizeof name)
        return false;
    for (size_t i = 0; i < n; i++)
        name[i] = is_letter(w->c->text[at + i]) ? (char)(w->c->text[at + i] | 0x20) : '_';
    name[n] = '\0';
    return str_is_one_of(name, names);
}

/* a == "x", but not a + "x" */
static bool is_comparison(const struct walk *w, TSNode node)
{
    TSNode operator= ts_node_child(node, 1);
    uint32_t at = ts_node_start_byte(operator), n = ts_node_end_byte(operator) - at;
    return at + n <= w->c->size && n >= 2 && n <= 3 && w->c->text[at + 1] == '=';
}

/* ---- one literal ---- */

static void add_escape(struct buf *b, const char *text, uint32_t *at, uint32_t end)
{
    static const char from[] = "nrt0abfv", to[] = "\n\r\t\0\a\b\f\v";
    char c = text[*at];
    const char *known = memchr(from, c, sizeof from - 1);
    unsigned value = 0, digits = c == 'x' ? 2 : c == 'u' ? 4 : 0;
    if (!digits || *at + digits >= end) {
        if (c != '\n')
            (void)buf_addc(b, known ? to[known - from] : c);
        return;
    }
    for (unsigned i = 1; i <= digits; i++) {
        char d = text[*at + i], low = (char)(d | 0x20);
        if (!(d >= '0' && d <= '9') && !(low >= 'a' && low <= 'f'))
            return;
        value = value * 16 + (unsigned)(d <= '9' ? d - '0' : low - 'a' + 10);
    }
    (void)buf_addc(b, value < 0x80 ? (char)value : '?');
    *at += digits;
}

static bool is_interpolation(TSNode node)
{
    static const char *const kinds[] = { "interpolation", "template_substitution", NULL };
    return str_is_one_of(ts_node_type(node), kinds);
}

/* What lies between the quotes of a node. */
static void add_text(struct walk *w, TSNode node, struct buf *b)
{
    const char *t = w->c->text;
    uint32_t at = ts_node_start_byte(node), end = MIN_OF(ts_node_end_byte(node), w->c->size), child = 0;
    const uint32_t count = MIN_OF(ts_node_named_child_count(node), 64u); /* looking a child up takes its index */
    bool is_raw = false;
    for (; at < end && t[at] != '"' && t[at] != '\'' && t[at] != '`'; at++)
        is_raw |= (t[at] | 0x20) == 'r';
    if (at >= end)
        return;
    uint32_t quotes = at + 2 < end && end - at >= 6 && t[at] != '`' && t[at + 1] == t[at] && t[at + 2] == t[at] ? 3 : 1;
    is_raw |= str_eq(ts_node_type(node), "raw_string_literal");
    while (end > at && (t[end - 1] == '#')) /* r#".."# */
        end--;
    at += quotes;
    end = end >= at + quotes ? end - quotes : at;
    while (at < end && b->size < LITERAL_MAX_BYTES) {
        while (child < count && ts_node_end_byte(ts_node_named_child(node, child)) <= at)
            child++;
        TSNode inner = child < count ? ts_node_named_child(node, child) : node;
        if (child < count && ts_node_start_byte(inner) == at && is_interpolation(inner)) {
            (void)buf_adds(b, "{}");
            at = MAX_OF(ts_node_end_byte(inner), at + 1);
        } else if (t[at] == '\\' && !is_raw && at + 1 < end) {
            at++;
            add_escape(b, t, &at, end);
            at++;
        } else {
            (void)buf_addc(b, t[at++]);
        }
    }
}

/* NULL: not one that can be a value of ours. */
static const char *text_of(struct walk *w, TSNode node)
{
    struct buf b;
    const char *text = NULL;
    buf_init(&b, LITERAL_MAX_BYTES + 8);
    if (str_eq(ts_node_type(node), "concatenated_string")) {
        for (uint32_t i = 0; i < MIN_OF(ts_node_named_child_count(node), 64u); i++)
            add_text(w, ts_node_named_child(node, i), &b);
    } else {
        add_text(w, node, &b);
    }
    if (b.size && !b.failed && !memchr(b.data, '\0', b.size) && w->state->bytes + b.size < 4 * LITERAL_MAX_BYTES) {
        w->state->bytes += (uint32_t)b.size;
        text = arena_copy_bytes(w->to, b.data, b.size);
    }
    buf_done(&b);
    return text;
}

/* ---- rows and pairs ---- */

static bool is_punctuation(TSNode node)
{
    return !ts_node_is_named(node);
}

/* A node that stands around one other: Go's literal_element, Rust's &[..], Python's (x). */
static TSNode inside(TSNode node)
{
    static const char *const around[] = { "literal_element",  "reference_expression", "parenthesized_expression",
                                          "keyword_argument", "expression",           NULL };
    for (unsigned i = 0; i < 4 && str_is_one_of(ts_node_type(node), around) && ts_node_named_child_count(node); i++)
        node = ts_node_named_child(node, ts_node_named_child_count(node) - 1);
    return node;
}

static TSNode value_of(TSNode node)
{
    node = inside(node);
    for (unsigned i = 0; i < 2; i++) { /* []string{"a"}: its literal_value is the last child; vec!["a"] */
        const char *type = ts_node_type(node);
        if ((str_eq(type, "composite_literal") || str_eq(type, "macro_invocation")) && ts_node_named_child_count(node))
            node = inside(ts_node_named_child(node, ts_node_named_child_count(node) - 1));
    }
    return node;
}

/* Adds the words of a node whose children are texts; a text and a list of texts count, too. FALSE: other things. */
static bool add_words(struct walk *w, TSNode node, struct literal_row *row, bool is_inner)
{
    const uint32_t count = ts_node_child_count(node);
    if (count > 4 * LITERAL_ROW_WORDS)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        TSNode child = ts_node_child(node, i);
        if (is_punctuation(child) || str_eq(ts_node_type(child), "comment"))
            continue;
        child = value_of(child);
        if (kind_of(w, child) == NODE_PAIR)
            child = value_of(ts_node_named_child(child, ts_node_named_child_count(child) - 1));
        uint8_t kind = kind_of(w, child);
        if (kind == NODE_ROW && !is_inner && row->count) {
            if (!add_words(w, child, row, true))
                return false;
            row->is_nested = true;
            continue;
        }
        if (kind != NODE_TEXT || row->count == LITERAL_ROW_WORDS || (row->is_nested && !is_inner))
            return false;
        const char *text = text_of(w, child);
        if (!text)
            return false;
        row->words[row->count++] = text;
    }
    return row->count > 0;
}

static void look_at_row(struct walk *w, TSNode node)
{
    struct literals *out = w->out;
    struct literal_row row = { .byte = ts_node_start_byte(node) };
    if (out->row_count < LITERAL_ROWS_MAX && ts_node_child_count(node) > 2 && add_words(w, node, &row, false) &&
        row.count > 1)
        out->rows[out->row_count++] = row;
}

static void look_at_pair(struct walk *w, TSNode node)
{
    struct literals *out = w->out;
    uint32_t count = ts_node_named_child_count(node);
    if (count < 2 || out->pair_count == LITERAL_ROWS_MAX)
        return;
    TSNode key = inside(ts_node_named_child(node, 0)), value = inside(ts_node_named_child(node, count - 1));
    if (kind_of(w, key) != NODE_TEXT || kind_of(w, value) != NODE_TEXT)
        return;
    struct literal_pair pair = { text_of(w, key), text_of(w, value), ts_node_start_byte(value) };
    if (pair.key && pair.value)
        out->pairs[out->pair_count++] = pair;
}

static void look_at_text(struct walk *w, TSNode node)
{
    struct literals *out = w->out;
    const char *text = out->text_count < LITERALS_MAX ? text_of(w, node) : NULL;
    for (uint32_t i = 0; text && i < out->text_count; i++)
        if (str_eq(out->texts[i].text, text))
            return;
    if (text)
        out->texts[out->text_count++] = (struct literal){ text, ts_node_start_byte(node) };
}

/* ---- the walk ---- */

/* Whether to go on below the node. */
static bool look_at(struct walk *w, TSNode node)
{
    switch (kind_of(w, node)) {
    case NODE_TEXT:
        look_at_text(w, node);
        return true; /* of a template, what is interpolated */
    case NODE_ROW:
        look_at_row(w, node);
        return true;
    case NODE_PAIR:
        look_at_pair(w, node);
        return true;
    case NODE_CALL:
        return !is_for_people(w, node);
    case NODE_COMPARED:
        return false;
    case NODE_LOGIC:
        return !is_comparison(w, node);
    case NODE_ALONE: /* documentation */
        return ts_node_named_child_count(node) != 1 || kind_of(w, ts_node_named_child(node, 0)) != NODE_TEXT;
    default:
        return true;
    }
}

/* The cursor is at a node of that depth. */
static void walk_from(struct walk *w, TSTreeCursor *cursor, unsigned depth, uint32_t until)
{
    while (!scan_stop(w->c)) {
        TSNode node = ts_tree_cursor_current_node(cursor);
        if (depth == 1 && ts_node_start_byte(node) >= until)
            return;
        if (look_at(w, node) && depth < SCAN_MAX_DEPTH && ts_tree_cursor_goto_first_child(cursor)) {
            depth++;
            continue;
        }
        while (!ts_tree_cursor_goto_next_sibling(cursor)) {
            if (depth == 0 || !ts_tree_cursor_goto_parent(cursor))
                return;
            depth--;
        }
        w->state->child += depth == 1;
    }
}

void literals_go_on(struct scan_ctx *c, TSNode root, uint32_t until, struct arena *to, struct literals_state *s)
{
    struct walk w = { c, to, s, &s->found };
    if (s->has_begun && until <= s->at)
        return;
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    const bool is_there = s->has_begun && ts_tree_cursor_goto_first_child_for_byte(&cursor, s->at) == s->child &&
                          ts_node_start_byte(ts_tree_cursor_current_node(&cursor)) == s->at;
    if (!is_there) { /* also where the node there has no width */
        memset(s, 0, sizeof *s);
        ts_tree_cursor_reset(&cursor, root);
    }
    walk_from(&w, &cursor, is_there ? 1 : 0, until);
    s->has_begun = true;
    s->at = until;
    ts_tree_cursor_delete(&cursor);
}

void literals_of(struct scan_ctx *c, TSNode root, struct literals *ret)
{
    static struct literals_state s; /* one scan at a time */
    s.has_begun = false;
    literals_go_on(c, root, UINT32_MAX, c->arena, &s);
    *ret = s.found;
}
