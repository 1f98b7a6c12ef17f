/* Items, patterns and what declares or changes names in Rust. */
#include "scan/rust_eval.h"

struct names {
    struct span names[RUST_NAMES];
    unsigned count;
};

/* The variables of a pattern; constructors and types in it are none. */
static void pattern(struct rust *r, struct names *ret)
{
    uint8_t kind = typed_here_kind(&r->t);
    if (kind == R_IDENTIFIER) {
        if (ret->count < RUST_NAMES)
            ret->names[ret->count++] = typed_span(&r->t);
        return;
    }
    if (kind == R_SCOPED || kind == R_SCOPED_TYPE || r->t.depth >= SCAN_MAX_DEPTH)
        return;
    r->t.depth++;
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t))
        if (typed_field(&r->t) != r->f_type && typed_field(&r->t) != r->f_condition)
            pattern(r, ret);
    r->t.depth--;
}

static void bind(struct rust *r, const struct names *n, struct tv v)
{
    for (unsigned i = 0; i < n->count; i++)
        typed_set(&r->t, n->names[i].s, n->names[i].n, r->t.scope, v);
}

/* let, const, static, if let, while let: a pattern or name, perhaps a type, a value. */
struct tv rust_declare(struct rust *r, uint32_t scope)
{
    struct names names = { 0 };
    struct tv type = tv_unknown(0), v = type;
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        TSFieldId f = typed_field(&r->t);
        if (f == r->f_pattern || f == r->f_name)
            pattern(r, &names);
        else if (f == r->f_type)
            type = rust_eval(r);
        else if (f == r->f_value || typed_here_kind(&r->t) == R_BLOCK)
            v = rust_eval(r);
    }
    if (v.kind == TV_UNKNOWN && type.kind == TV_OBJECT) {
        type.taint |= v.taint;
        v = type;
    }
    uint32_t before = r->t.scope;
    r->t.scope = scope;
    bind(r, &names, v);
    r->t.scope = before;
    return v;
}

void rust_assignment(struct rust *r, bool is_compound)
{
    struct tv v = tv_unknown(0);
    struct span name = { 0 };
    bool is_field = false, is_adding = false;
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        TSFieldId f = typed_field(&r->t);
        if (f == r->f_left) {
            uint8_t kind = typed_here_kind(&r->t);
            if (kind == R_IDENTIFIER)
                name = typed_span(&r->t);
            else if (kind == R_FIELD) {
                struct rust_callee c = { 0 };
                rust_callee(r, &c);
                name = c.name;
                is_field = true;
            } else {
                (void)rust_eval(r);
            }
        } else if (f == r->f_right) {
            v = rust_eval(r);
        } else if (f == r->f_operator) {
            is_adding = *typed_span(&r->t).s == '+';
            r->xors += *typed_span(&r->t).s == '^';
        }
    }
    if (!name.n)
        return;
    if (is_compound)
        v = is_adding && !is_field ? tv_concat(&r->t, typed_lookup(&r->t, name.s, name.n, NULL), v)
                                   : tv_unknown(v.taint);
    if (!is_field || v.kind != TV_UNKNOWN || v.taint)
        typed_set(&r->t, name.s, name.n, is_field ? SCOPE_FIELD : r->t.scope, v);
}

/* «name: type» and «type name = type»: the type. */
static struct tv name_and_type(struct rust *r, struct span *ret_name)
{
    struct tv type = tv_unknown(0);
    *ret_name = (struct span){ 0 };
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        if (typed_field(&r->t) == r->f_name)
            *ret_name = typed_span(&r->t);
        else if (typed_field(&r->t) == r->f_type)
            type = rust_eval(r);
    }
    return type;
}

void rust_field_declaration(struct rust *r)
{
    struct span name;
    struct tv type = name_and_type(r, &name);
    if (name.n && type.kind == TV_OBJECT)
        typed_set(&r->t, name.s, name.n, SCOPE_FIELD, type);
}

static void parameters(struct rust *r)
{
    uint32_t position = 0;
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        struct names names = { 0 };
        struct tv type = tv_unknown(0);
        if (typed_here_kind(&r->t) != R_PARAMETER) /* self is no argument of a method call */
            continue;
        for (bool part = typed_down(&r->t); part; part = typed_next(&r->t)) {
            if (typed_field(&r->t) == r->f_pattern)
                pattern(r, &names);
            else if (typed_field(&r->t) == r->f_type)
                type = rust_eval(r);
        }
        bool is_taught = false;
        struct tv v = tv_unknown(0);
        if (r->function.n)
            v = typed_get(&r->t, r->function.s, r->function.n, SCOPE_PARAM + position++, &is_taught);
        bind(r, &names, is_taught && v.kind != TV_UNKNOWN ? v : type.kind == TV_OBJECT ? type : v);
    }
}

void rust_returned(struct rust *r, struct tv v)
{
    if (!r->function.n || (v.kind == TV_UNKNOWN && !v.taint))
        return;
    struct tv before = typed_get(&r->t, r->function.s, r->function.n, SCOPE_RESULT, NULL);
    if (before.kind == TV_UNKNOWN) {
        v.taint |= before.taint;
        typed_set(&r->t, r->function.s, r->function.n, SCOPE_RESULT, v);
    }
}

void rust_function(struct rust *r)
{
    struct typed_loop *loop = r->t.loop;
    struct span outer = r->function;
    uint32_t scope = r->t.scope;
    r->t.loop = NULL;
    r->function = (struct span){ 0 };
    r->t.scope = typed_byte(&r->t) + 64; /* past the special scopes */
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        TSFieldId f = typed_field(&r->t);
        if (f == r->f_name) {
            r->function = typed_span(&r->t);
            typed_set(&r->t, r->function.s, r->function.n, SCOPE_FILE, tv_unknown(0));
        } else if (f == r->f_parameters) {
            parameters(r);
        } else if (f == r->f_body) {
            struct tv v = rust_eval(r);
            rust_returned(r, v);
        }
    }
    r->t.loop = loop;
    r->function = outer;
    r->t.scope = scope;
}

struct tv rust_closure(struct rust *r)
{
    struct typed_loop *loop = r->t.loop;
    struct span outer = r->function;
    struct tv v = tv_unknown(0);
    r->t.loop = NULL;
    r->function = (struct span){ 0 };
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        if (typed_field(&r->t) == r->f_body) {
            v = rust_eval(r);
        } else if (typed_field(&r->t) == r->f_parameters) {
            struct names names = { 0 };
            pattern(r, &names);
            bind(r, &names, r->element);
            r->element = tv_unknown(0);
        }
    }
    r->t.loop = loop;
    r->function = outer;
    return v;
}

void rust_loop(struct rust *r, uint8_t kind)
{
    struct typed_loop mine = { .is_endless = kind == R_LOOP }, *outer = r->t.loop;
    struct names names = { 0 };
    uint32_t byte = typed_byte(&r->t);
    r->t.loop = &mine;
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        TSFieldId f = typed_field(&r->t);
        if (f == r->f_pattern) {
            pattern(r, &names);
        } else if (f == r->f_value) {
            struct tv of = rust_eval(r);
            bind(r, &names, rust_pick(r, of));
        } else if (ts_node_is_named(typed_here(&r->t))) {
            if (f == r->f_condition && span_is(typed_span(&r->t), "true"))
                mine.is_endless = true;
            (void)rust_eval(r);
        }
    }
    r->t.loop = outer;
    typed_loop_end(&r->t, &mine, byte);
    if (outer) {
        outer->has_wait |= mine.has_wait;
        outer->has_call |= mine.has_call;
        outer->has_spawn |= mine.has_spawn;
        outer->has_asked |= mine.has_asked;
        outer->has_fork |= mine.has_fork;
        outer->has_thread |= mine.has_thread;
    }
}

/* The first arm of which something is known. */
struct tv rust_match(struct rust *r)
{
    struct tv before = r->scrutinee, v = tv_unknown(0);
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        if (typed_field(&r->t) == r->f_value) {
            r->scrutinee = rust_eval(r);
        } else if (typed_field(&r->t) == r->f_body) {
            for (bool arm = typed_down(&r->t); arm; arm = typed_next(&r->t)) {
                if (typed_here_kind(&r->t) != R_MATCH_ARM)
                    continue;
                struct names names = { 0 };
                for (bool part = typed_down(&r->t); part; part = typed_next(&r->t)) {
                    if (typed_field(&r->t) == r->f_pattern) {
                        pattern(r, &names);
                        bind(r, &names, r->scrutinee);
                    } else if (typed_field(&r->t) == r->f_value) {
                        struct tv one = rust_eval(r);
                        if (v.kind == TV_UNKNOWN && (one.kind != TV_UNKNOWN || one.taint))
                            v = one;
                    }
                }
            }
        }
    }
    r->scrutinee = before;
    return v;
}

void rust_type_item(struct rust *r)
{
    struct span name;
    struct tv type = name_and_type(r, &name);
    if (name.n && type.kind == TV_OBJECT) {
        type.kind = TV_PATH;
        typed_set(&r->t, name.s, name.n, SCOPE_FILE, type);
    }
}

void rust_module(struct rust *r)
{
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        struct span s = typed_span(&r->t);
        if (typed_field(&r->t) == r->f_name)
            typed_set(&r->t, s.s, s.n, SCOPE_FILE, tv_unknown(0));
        else if (typed_field(&r->t) == r->f_body)
            (void)rust_eval(r);
    }
}

/* What a macro of the program expands to is read once, where it is defined. */
void rust_macro_definition(struct rust *r)
{
    for (bool rule = typed_down(&r->t); rule; rule = typed_next(&r->t)) {
        if (!ts_node_is_named(typed_here(&r->t)))
            continue;
        for (bool part = typed_down(&r->t); part; part = typed_next(&r->t))
            if (typed_field(&r->t) == r->f_right)
                rust_tokens(r);
    }
}
