/* Expressions of Rust. */
#include "scan/rust_eval.h"

struct tv rust_literal(struct rust *r, uint8_t kind)
{
    struct span s = typed_span(&r->t);
    struct tv v = tv_unknown(0);
    if (kind == R_INT)
        return tv_number(tv_parse_int(s.s, s.n));
    const char quote = kind == R_CHAR ? '\'' : '"';
    const char *from = memchr(s.s, quote, s.n), *to = memrchr(s.s, quote, s.n);
    if (!from || to <= from)
        return v;
    from++;
    bool is_plain = kind == R_RAW || !memchr(from, '\\', (size_t)(to - from));
    v = is_plain ? tv_text(&r->t, from, (size_t)(to - from)) : tv_escaped(&r->t, from, (size_t)(to - from));
    if (kind == R_CHAR)
        return v.kind == TV_TEXT && s.s[0] == 'b' ? tv_number((unsigned char)v.text[0]) : v;
    typed_string(&r->t, v, typed_byte(&r->t));
    return v;
}

/* --- expressions --- */

static struct tv binary(struct rust *r)
{
    struct tv a = tv_unknown(0), b = a;
    char op = 0;
    uint32_t byte = typed_byte(&r->t);
    r->concat++;
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        TSFieldId field = typed_field(&r->t);
        if (field == r->f_left) {
            a = rust_eval(r);
        } else if (field == r->f_right) {
            b = rust_eval(r);
        } else if (field == r->f_operator) {
            struct span s = typed_span(&r->t);
            op = s.n == 1 ? *s.s : 0;
        }
    }
    r->concat--;
    r->xors += op == '^';
    return typed_binary(&r->t, op, a, b, !r->concat, byte);
}

static struct tv array(struct rust *r)
{
    struct tv list = tv_list();
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t))
        if (ts_node_is_named(typed_here(&r->t)) && typed_here_kind(&r->t) != R_LINE_COMMENT)
            tv_append(&r->t, &list, rust_eval(r));
    return list;
}

struct tv rust_pick(struct rust *r, struct tv list)
{
    struct tv best = tv_unknown(list.taint);
    if (list.kind != TV_LIST)
        return list.kind == TV_OBJECT ? list : best;
    for (uint32_t i = 0, at = list.head; i < list.count && i < 64; i++, at = r->t.pool[at].next) {
        struct tv v = r->t.pool[at].value;
        if (v.kind != TV_TEXT)
            continue;
        if (typed_is_secret_path(v.text))
            return v;
        if (best.kind != TV_TEXT || (v.text[0] == '/' && best.text[0] != '/'))
            best = v;
    }
    return best;
}

static struct tv index_of(struct rust *r)
{
    struct tv parts[2] = { { .kind = TV_UNKNOWN }, { .kind = TV_UNKNOWN } };
    unsigned n = 0;
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        if (!ts_node_is_named(typed_here(&r->t)))
            continue;
        parts[MIN_OF(n, 1u)] = rust_eval(r);
        n++;
    }
    struct tv of = parts[0], at = parts[1];
    if (of.kind == TV_LIST)
        return at.kind == TV_NUMBER ? tv_item(&r->t, of, at.number) : rust_pick(r, of);
    return tv_unknown(of.taint);
}

static struct tv field(struct rust *r)
{
    struct tv of = tv_unknown(0);
    struct span name = { 0 };
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        if (typed_field(&r->t) == r->f_value)
            of = rust_eval(r);
        else if (typed_field(&r->t) == r->f_field)
            name = typed_span(&r->t);
    }
    if (of.kind == TV_OBJECT) {
        struct tv path = tv_path(&r->t, of.text, "::", name.s, name.n);
        const struct known *k = path.kind == TV_PATH ? typed_known(&r->t, path.text) : NULL;
        if (k && k->effects[0] == EF_PIPE)
            return tv_unknown(TAINT_PIPE);
        if (k && k->returns)
            return tv_object(k->returns, of.taint);
    }
    bool found;
    struct tv v = typed_get(&r->t, name.s, name.n, SCOPE_FIELD, &found);
    if (found && of.kind != TV_OBJECT) {
        v.taint |= of.taint;
        return v;
    }
    return tv_unknown(of.taint);
}

static void set_field(struct rust *r)
{
    struct span name = { 0 };
    struct tv v = tv_unknown(0);
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        if (typed_field(&r->t) == r->f_field)
            name = typed_span(&r->t);
        else if (typed_field(&r->t) == r->f_value)
            v = rust_eval(r);
    }
    if (name.n && (v.kind != TV_UNKNOWN || v.taint))
        typed_set(&r->t, name.s, name.n, SCOPE_FIELD, v);
}

/* What is in the brackets, where that is known, else the outer type: Arc<TcpStream> is a stream for us. */
static struct tv generic_type(struct rust *r)
{
    struct tv v = tv_unknown(0);
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        if (!ts_node_is_named(typed_here(&r->t)))
            continue;
        struct tv one = rust_eval(r);
        if (one.kind == TV_OBJECT && (v.kind != TV_OBJECT || one.taint || !effect_has_below(LANG_RUST, v.text)))
            v = one;
    }
    return v;
}

/* Parentheses, references, ? and the like are what is in them; a block is its last expression. */
static struct tv children(struct rust *r, bool is_last)
{
    struct tv v = tv_unknown(0), first = v;
    unsigned n = 0;
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        uint8_t kind = typed_here_kind(&r->t);
        if (!ts_node_is_named(typed_here(&r->t)) || kind == R_LINE_COMMENT || kind == R_BLOCK_COMMENT)
            continue;
        v = rust_eval(r);
        if (n == 0 || (first.kind == TV_UNKNOWN && !first.taint))
            first = v;
        n++;
    }
    return is_last ? v : first;
}

static struct tv cast(struct rust *r)
{
    struct tv v = tv_unknown(0);
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t))
        if (typed_field(&r->t) == r->f_value)
            v = rust_eval(r);
    return v;
}

static struct tv leave(struct rust *r, uint8_t kind)
{
    if (r->t.loop)
        r->t.loop->has_exit = true;
    struct tv v = children(r, true);
    if (kind == R_RETURN)
        rust_returned(r, v);
    return tv_unknown(0);
}

static struct tv eval_kind(struct rust *r, uint8_t kind)
{
    struct tv none = tv_unknown(0);
    switch ((enum rust_node)kind) {
    case R_LINE_COMMENT:
    case R_BLOCK_COMMENT:
    case R_ATTRIBUTE:
    case R_INNER_ATTRIBUTE:
    case R_VISIBILITY:
    case R_TOKENS:
        return none;
    case R_MACRO_DEFINITION:
        rust_macro_definition(r);
        return none;
    case R_USE:
        rust_use(r);
        return none;
    case R_EXTERN_CRATE:
        rust_extern_crate(r);
        return none;
    case R_FOREIGN:
        rust_foreign(r);
        return none;
    case R_CALL:
        return rust_call(r);
    case R_MACRO:
        return rust_macro(r);
    case R_FIELD:
        return field(r);
    case R_IDENTIFIER:
    case R_SELF:
        return rust_identifier(r);
    case R_SCOPED:
        return rust_scoped(r);
    case R_TYPE:
        return rust_type(rust_identifier(r), &r->t);
    case R_SCOPED_TYPE:
        return rust_type(rust_scoped(r), &r->t);
    case R_GENERIC_TYPE:
        return generic_type(r);
    case R_STRING:
    case R_RAW:
    case R_CHAR:
    case R_INT:
        return rust_literal(r, kind);
    case R_BINARY:
        return binary(r);
    case R_ARRAY:
        return array(r);
    case R_INDEX:
        return index_of(r);
    case R_TYPE_CAST:
        return cast(r);
    case R_CLOSURE:
        return rust_closure(r);
    case R_LET:
        (void)rust_declare(r, r->t.scope);
        return none;
    case R_LET_CONDITION:
        (void)rust_declare(r, r->t.scope);
        return none;
    case R_CONST:
    case R_STATIC:
        (void)rust_declare(r, r->t.scope);
        return none;
    case R_ASSIGNMENT:
        rust_assignment(r, false);
        return none;
    case R_COMPOUND:
        rust_assignment(r, true);
        return none;
    case R_FIELD_DECLARATION:
        rust_field_declaration(r);
        return none;
    case R_FIELD_INIT:
        set_field(r);
        return none;
    case R_FUNCTION:
        rust_function(r);
        return none;
    case R_MOD:
        rust_module(r);
        return none;
    case R_TYPE_ITEM:
        rust_type_item(r);
        return none;
    case R_LOOP:
    case R_WHILE:
    case R_FOR:
        rust_loop(r, kind);
        return none;
    case R_MATCH:
        return rust_match(r);
    case R_RETURN:
    case R_BREAK:
        return leave(r, kind);
    case R_UNSAFE:
        typed_emit(&r->t, FACT_NAME, "unsafe", NULL, 0, typed_byte(&r->t));
        return children(r, true);
    case R_BLOCK:
        return children(r, true);
    case R_EXPRESSION_STATEMENT:
        (void)children(r, false);
        return none;
    default:
        return children(r, false);
    }
}

struct tv rust_eval(struct rust *r)
{
    if (r->t.is_stopped)
        return tv_unknown(0);
    if (r->t.depth >= SCAN_MAX_DEPTH) {
        r->t.c->is_cut = true;
        return tv_unknown(0);
    }
    if (scan_stop(r->t.c)) {
        r->t.is_stopped = true;
        return tv_unknown(0);
    }
    r->t.depth++;
    struct tv v = eval_kind(r, typed_here_kind(&r->t));
    r->t.depth--;
    return v;
}
