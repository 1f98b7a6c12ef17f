/* The tokens of a macro, read as expressions: paths, literals, calls, methods, commas. What is none of these only
 * separates. The grammar keeps them as a flat list, with a tree for each bracket. */
#include "scan/rust_eval.h"

struct reading {
    struct tv value;  /* of the operand so far */
    struct span name; /* its last word, when it is a path or a method not yet called */
    uint32_t byte;
    bool has_operand, is_path, is_method, after_colons, after_dot, is_macro;
};

static unsigned tokens(struct rust *r, struct tv args[static FACT_MAX_ARGS], struct tv *ret_list);

static void word(struct rust *r, struct reading *w)
{
    struct span s = typed_span(&r->t);
    if (w->after_dot) {
        w->name = s;
        w->is_method = true;
    } else if (w->after_colons && w->value.kind == TV_PATH) {
        w->value = tv_path(&r->t, w->value.text, "::", s.s, s.n);
        w->name = s;
    } else {
        bool found;
        *w = (struct reading){ .has_operand = true, .is_path = true, .name = s, .byte = typed_byte(&r->t) };
        w->value = typed_lookup(&r->t, s.s, s.n, &found);
        if (!found)
            w->value = rust_base(r, s);
        r->last_name = s;
    }
    w->after_colons = w->after_dot = false;
}

static void bracket(struct rust *r, struct reading *w)
{
    struct tv args[FACT_MAX_ARGS], list = tv_list();
    char open = *typed_span(&r->t).s;
    struct reading before = *w;
    if (before.is_macro) {
        w->value = rust_macro_call(r, before.value, before.name, before.byte);
        w->is_macro = w->is_path = false;
        return;
    }
    unsigned n = tokens(r, args, &list);
    w->after_colons = w->after_dot = w->is_method = w->is_path = false;
    if (open == '(' && before.is_method) {
        w->value = rust_call_method(r, before.value, before.name, args, n, before.byte);
    } else if (open == '(' && before.has_operand && before.is_path) {
        w->value = rust_call_path(r, before.value, before.name, args, n, before.byte);
    } else if (open == '[' && before.has_operand) {
        w->value = n == 1 && args[0].kind == TV_NUMBER && before.value.kind == TV_LIST
                       ? tv_item(&r->t, before.value, args[0].number)
                       : rust_pick(r, before.value);
    } else if (open == '[') {
        w->value = list;
    } else {
        w->value = n == 1 && open == '(' ? args[0] : tv_unknown(0);
    }
    w->has_operand = true;
}

/* What ends an operand: its value, where a path that no process called is none. */
static struct tv finished(const struct reading *w)
{
    return w->is_path && w->value.kind == TV_PATH && !w->after_colons ? tv_unknown(w->value.taint) : w->value;
}

static void punctuation(struct rust *r, struct reading *w, char c, size_t n)
{
    if (c == ':' && n == 2) {
        w->after_colons = w->is_path;
    } else if (c == '.' && n == 1) {
        w->after_dot = w->has_operand;
        w->is_path = false;
    } else if (c == '!' && w->is_path) {
        w->is_macro = true;
    } else if (c != '?' && c != '&' && c != '<' && c != '>') {
        if (c == '^')
            r->xors++;
        *w = (struct reading){ 0 };
    }
}

static bool is_word_kind(uint8_t kind)
{
    return kind == R_IDENTIFIER || kind == R_SELF || kind == R_CRATE || kind == R_SUPER || kind == R_TYPE;
}

static bool is_literal_kind(uint8_t kind)
{
    return kind == R_STRING || kind == R_RAW || kind == R_CHAR || kind == R_INT;
}

/* The values between commas. */
static unsigned tokens(struct rust *r, struct tv args[static FACT_MAX_ARGS], struct tv *ret_list)
{
    struct reading w = { 0 };
    unsigned n = 0;
    bool is_first = true, has_any = false;
    if (r->t.depth >= SCAN_MAX_DEPTH || scan_stop(r->t.c)) {
        r->t.c->is_cut = true;
        return 0;
    }
    r->t.depth++;
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        uint8_t kind = typed_here_kind(&r->t);
        struct span s = typed_span(&r->t);
        if (is_first) { /* the bracket itself */
            is_first = false;
            continue;
        }
        bool is_end = s.n == 1 && (*s.s == ')' || *s.s == ']' || *s.s == '}');
        if (is_end || (s.n == 1 && (*s.s == ',' || *s.s == ';'))) {
            if (has_any && *s.s != ';') {
                struct tv v = finished(&w);
                tv_append(&r->t, ret_list, v);
                if (n < FACT_MAX_ARGS)
                    args[n++] = v;
            }
            w = (struct reading){ 0 };
            has_any = false;
            continue;
        }
        has_any = true;
        if (is_word_kind(kind)) {
            word(r, &w);
        } else if (is_literal_kind(kind)) {
            w = (struct reading){ .value = rust_literal(r, kind), .has_operand = true, .byte = typed_byte(&r->t) };
        } else if (kind == R_TOKENS) {
            bracket(r, &w);
        } else if (!ts_node_is_named(typed_here(&r->t))) {
            punctuation(r, &w, *s.s, s.n);
        }
    }
    r->t.depth--;
    return n;
}

void rust_tokens(struct rust *r)
{
    struct tv args[FACT_MAX_ARGS], list = tv_list();
    (void)tokens(r, args, &list);
}

/* At the token tree. */
struct tv rust_macro_call(struct rust *r, struct tv path, struct span name, uint32_t byte)
{
    struct tv args[FACT_MAX_ARGS], list = tv_list();
    if (path.kind != TV_PATH || !strstr(path.text, "::"))
        path = tv_path(&r->t, "std", "::", name.s, name.n);
    unsigned n = tokens(r, args, &list);
    if (path.kind != TV_PATH)
        return tv_unknown(0);
    if (str_eq(path.text, "std::vec"))
        return list;
    const struct known *k = typed_known(&r->t, path.text);
    bool is_told = !k || (k->effects[0] != EF_BRACES && k->effects[0] != EF_CONCAT && k->effects[0] != EF_WAIT &&
                          k->effects[0] != EF_EXIT);
    bool was_quiet = r->t.is_quiet;
    r->t.is_quiet |= !is_told; /* println! and its like are no facts; what is in them was told above */
    struct tv v = typed_call(&r->t, path.text, tv_unknown(0), args, n, byte);
    r->t.is_quiet = was_quiet;
    if (!is_told)
        typed_string(&r->t, v, byte);
    return v;
}

struct tv rust_macro(struct rust *r)
{
    struct tv path = tv_unknown(0), v = path;
    struct span name = { 0 };
    uint32_t byte = typed_byte(&r->t);
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        if (typed_field(&r->t) == r->f_macro) {
            name = typed_span(&r->t);
            path = typed_here_kind(&r->t) == R_IDENTIFIER ? typed_lookup(&r->t, name.s, name.n, NULL) : rust_eval(r);
        } else if (typed_here_kind(&r->t) == R_TOKENS) {
            v = rust_macro_call(r, path, name, byte);
        }
    }
    return v;
}
