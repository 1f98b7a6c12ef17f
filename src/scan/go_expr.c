/* Expressions of Go: names, calls, literals. */
#include "scan/go_eval.h"

struct tv go_string(struct go *g)
{
    struct span s = typed_span(&g->t);
    if (s.n < 2)
        return tv_text(&g->t, "", 0);
    s.s++, s.n -= 2;
    bool is_plain = typed_here_kind(&g->t) == N_RAW || !memchr(s.s, '\\', s.n);
    return is_plain ? tv_text(&g->t, s.s, s.n) : tv_escaped(&g->t, s.s, s.n);
}

struct tv go_rune(struct go *g)
{
    struct span s = typed_span(&g->t);
    if (s.n < 3)
        return tv_unknown(0);
    if (s.s[1] != '\\')
        return tv_number((unsigned char)s.s[1]);
    struct tv v = tv_escaped(&g->t, s.s + 1, s.n - 2);
    return v.kind == TV_TEXT ? tv_number((unsigned char)v.text[0]) : v;
}

/* --- names --- */

static struct tv dot_imported(struct go *g, struct span name)
{
    for (uint32_t i = 0; i < g->dot_count && name.n > 0 && name.s[0] >= 'A' && name.s[0] <= 'Z'; i++) {
        struct tv v = tv_path(&g->t, g->dots[i], ".", name.s, name.n);
        if (v.kind == TV_PATH && (g->dot_count == 1 || typed_known(&g->t, v.text)))
            return v;
    }
    return tv_unknown(0);
}

struct tv go_name(struct go *g)
{
    bool found;
    struct span s = typed_span(&g->t);
    g->last_name = s;
    struct tv v = typed_lookup(&g->t, s.s, s.n, &found);
    return found ? v : dot_imported(g, s);
}

/* A field or method of a value: its full name where the value is known. */
static struct tv member(struct go *g, struct tv of, struct span name)
{
    if (of.kind == TV_PATH || of.kind == TV_OBJECT)
        return tv_path(&g->t, of.text, ".", name.s, name.n);
    return tv_unknown(of.taint);
}

struct tv go_selector(struct go *g, bool is_called, struct tv *ret_recv, struct span *ret_name)
{
    struct tv operand = tv_unknown(0);
    struct span name = { 0 };
    uint32_t byte = typed_byte(&g->t);
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        if (typed_field(&g->t) == g->f_operand)
            operand = go_eval(g);
        else if (typed_field(&g->t) == g->f_field)
            name = typed_span(&g->t);
    }
    struct tv v = member(g, operand, name);
    if (ret_recv)
        *ret_recv = operand;
    if (ret_name)
        *ret_name = name;
    if (is_called || v.kind != TV_PATH) {
        if (!is_called && operand.kind == TV_UNKNOWN && name.n) {
            bool found;
            struct tv field = typed_get(&g->t, name.s, name.n, SCOPE_FIELD, &found);
            if (found) {
                field.taint |= operand.taint;
                return field;
            }
        }
        return v;
    }
    const struct known *k = typed_known(&g->t, v.text);
    if (k && k->effects[0] == EF_HOME)
        return tv_text(&g->t, "~", 1);
    if (operand.kind == TV_OBJECT) /* a field: what is in the table, or what came from there */
        return k && k->returns ? tv_object(k->returns, operand.taint) : tv_unknown(operand.taint);
    typed_emit(&g->t, FACT_NAME, v.text, NULL, 0, byte);
    v.taint |= k && k->effects[0] == EF_ENVIRON ? TAINT_SECRET : 0;
    return v;
}

/* --- calls --- */

struct callee {
    struct tv value, recv;
    struct span name, variable; /* variable: what a method is called on, when that has a name */
};

static void callee_here(struct go *g, struct callee *ret)
{
    uint8_t kind = typed_here_kind(&g->t);
    if (kind == N_SELECTOR) {
        g->last_name = (struct span){ 0 };
        ret->value = go_selector(g, true, &ret->recv, &ret->name);
        ret->variable = g->last_name;
    } else if (kind == N_IDENTIFIER) {
        ret->name = typed_span(&g->t);
        ret->value = go_name(g);
    } else {
        ret->value = go_eval(g);
    }
}

static unsigned arguments_here(struct go *g, struct tv args[static FACT_MAX_ARGS], struct span *ret_function)
{
    unsigned n = 0;
    uint32_t concat = g->concat;
    g->concat = 0;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        TSNode node = typed_here(&g->t);
        if (!ts_node_is_named(node))
            continue;
        uint8_t kind = typed_kind(&g->t, node);
        if (kind == N_IDENTIFIER)
            *ret_function = typed_span(&g->t);
        struct tv v = go_eval(g);
        if (kind == N_COMMENT)
            continue;
        if (kind == N_VARIADIC && v.kind == TV_LIST) {
            for (uint32_t i = 0; i < v.count && i < FACT_MAX_ARGS && n < FACT_MAX_ARGS; i++)
                args[n++] = tv_item(&g->t, v, i);
            continue;
        }
        if (n < FACT_MAX_ARGS)
            args[n++] = v;
    }
    g->concat = concat;
    return n;
}

static bool builtin(struct go *g, struct span name, struct tv *args, unsigned n, struct tv *ret)
{
    struct tv first = n > 0 ? args[0] : tv_unknown(0);
    *ret = tv_unknown(first.taint);
    if (span_is(name, "string")) {
        *ret = tv_from_bytes(&g->t, first);
    } else if (span_is(name, "append")) {
        if (g->t.loop)
            g->t.loop->has_alloc = true;
        for (unsigned i = 1; i < n; i++)
            first.taint |= args[i].taint;
        if (first.kind == TV_LIST || (first.kind == TV_UNKNOWN && first.taint == 0)) {
            if (first.kind != TV_LIST)
                first = tv_list();
            for (unsigned i = 1; i < n; i++)
                tv_append(&g->t, &first, args[i]);
            *ret = first;
        } else {
            *ret = tv_unknown(first.taint);
        }
    } else if (span_is(name, "make")) {
        if (g->t.loop)
            g->t.loop->has_alloc = true;
    } else if (span_is(name, "panic")) {
        if (g->t.loop)
            g->t.loop->has_exit = true;
    } else if (span_is(name, "byte") || span_is(name, "rune") || span_is(name, "int") || span_is(name, "uintptr") ||
               span_is(name, "int32") || span_is(name, "uint8")) {
        *ret = first;
    } else {
        return span_is(name, "len") || span_is(name, "cap") || span_is(name, "copy") || span_is(name, "delete") ||
               span_is(name, "new") || span_is(name, "close") || span_is(name, "print") || span_is(name, "println") ||
               span_is(name, "float64") || span_is(name, "int64") || span_is(name, "min") || span_is(name, "max");
    }
    return true;
}

/* A function of the program: its parameters learn, its result is what a return said. */
static struct tv call_local(struct go *g, struct span name, struct tv recv, const struct tv *args, unsigned n)
{
    uint16_t taint = recv.taint;
    for (unsigned i = 0; i < n; i++) {
        taint |= args[i].taint;
        if (!name.n || (args[i].kind == TV_UNKNOWN && !args[i].taint))
            continue;
        typed_set(&g->t, name.s, name.n, SCOPE_PARAM + i, args[i]);
    }
    if (g->t.loop)
        g->t.loop->has_call = true;
    bool found = false;
    struct tv v = tv_unknown(0);
    if (name.n)
        v = typed_get(&g->t, name.s, name.n, SCOPE_RESULT, &found);
    if (!found)
        return tv_unknown(taint);
    v.taint |= v.kind == TV_UNKNOWN ? taint : 0;
    return v;
}

/* Methods of strings.Builder and bytes.Buffer: a list of what was written. */
static bool builder(struct go *g, const struct callee *f, const struct tv *args, unsigned n, struct tv *ret)
{
    if (f->recv.kind != TV_LIST)
        return false;
    if (span_is(f->name, "String") || span_is(f->name, "Bytes")) {
        *ret = tv_from_bytes(&g->t, f->recv);
        return true;
    }
    if (n != 1 || f->name.n < 5 || memcmp(f->name.s, "Write", 5) != 0)
        return false;
    struct tv list = f->recv;
    tv_append(&g->t, &list, args[0]);
    if (f->variable.n)
        typed_set(&g->t, f->variable.s, f->variable.n, g->t.scope, list);
    *ret = tv_unknown(0);
    return true;
}

struct tv go_call(struct go *g)
{
    struct callee f = { 0 };
    struct tv args[FACT_MAX_ARGS], v;
    unsigned n = 0;
    struct span function = { 0 };
    uint32_t byte = typed_byte(&g->t);
    uint16_t outer = g->callback_taint;
    const struct known *k = NULL;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        TSFieldId field = typed_field(&g->t);
        if (field == g->f_function) {
            callee_here(g, &f);
            if (f.value.kind == TV_PATH)
                k = typed_known(&g->t, f.value.text);
            g->callback_taint = k && k->effects[0] == EF_WALK ? TAINT_WALK : 0;
        } else if (field == g->f_arguments) {
            n = arguments_here(g, args, &function);
        }
    }
    g->callback_taint = outer;
    if (k && k->effects[0] == EF_WALK && function.n)
        typed_set(&g->t, function.s, function.n, SCOPE_PARAM, tv_unknown(TAINT_WALK));
    if (k && k->effects[0] == EF_RECEIVE && function.n) /* conn.Read(buf) */
        typed_set(&g->t, function.s, function.n, g->t.scope, tv_unknown(TAINT_NET));
    if (f.value.kind == TV_PATH) {
        bool is_method = f.recv.kind == TV_OBJECT;
        return typed_call(&g->t, f.value.text, is_method ? f.recv : tv_unknown(f.recv.taint), args, n, byte);
    }
    if (builder(g, &f, args, n, &v))
        return v;
    if (f.recv.kind == TV_UNKNOWN && builtin(g, f.name, args, n, &v))
        return v;
    if (f.value.kind == TV_OBJECT && n == 1) { /* a conversion */
        f.value.taint |= args[0].taint;
        return f.value;
    }
    return call_local(g, f.name, f.recv, args, n);
}

/* --- expressions --- */

struct tv go_binary(struct go *g)
{
    struct tv a = tv_unknown(0), b = a;
    char op = 0;
    uint32_t byte = typed_byte(&g->t);
    g->concat++;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        TSFieldId field = typed_field(&g->t);
        if (field == g->f_left) {
            a = go_eval(g);
        } else if (field == g->f_right) {
            b = go_eval(g);
        } else if (field == g->f_operator) {
            struct span s = typed_span(&g->t);
            op = s.n == 1 ? *s.s : 0;
        }
    }
    g->concat--;
    return typed_binary(&g->t, op, a, b, !g->concat, byte);
}

struct tv go_unary(struct go *g)
{
    struct tv v = tv_unknown(0);
    char op = 0;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        if (typed_field(&g->t) == g->f_operand)
            v = go_eval(g);
        else if (!op)
            op = *typed_span(&g->t).s;
    }
    if (op == '<') {
        if (g->t.loop)
            g->t.loop->has_wait = true;
        return tv_unknown(v.taint);
    }
    return op == '&' || op == '*' ? v : v.kind == TV_NUMBER && op == '-' ? tv_number(-v.number) : tv_unknown(v.taint);
}

/* Of several texts the one that rules would most care for: a loop over paths reads all of them. */
struct tv go_pick(struct go *g, struct tv list)
{
    struct tv best = tv_unknown(list.taint);
    if (list.kind != TV_LIST)
        return best;
    for (uint32_t i = 0, at = list.head; i < list.count && i < 64; i++, at = g->t.pool[at].next) {
        struct tv v = g->t.pool[at].value;
        if (v.kind == TV_PATH && best.kind == TV_UNKNOWN)
            best = v; /* a table of functions: the first stands for all */
        if (v.kind != TV_TEXT)
            continue;
        if (typed_is_secret_path(v.text))
            return v;
        if (best.kind != TV_TEXT || (v.text[0] == '/' && best.text[0] != '/'))
            best = v;
    }
    if (best.kind == TV_UNKNOWN) /* characters: what the loop makes of them, all in all */
        return tv_from_bytes(&g->t, list);
    return best;
}

struct tv go_index(struct go *g)
{
    struct tv of = tv_unknown(0), at = of;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        if (typed_field(&g->t) == g->f_operand)
            of = go_eval(g);
        else if (typed_field(&g->t) == g->f_index)
            at = go_eval(g);
    }
    if (of.kind == TV_PATH && str_eq(of.text, "os.Args") && at.kind == TV_NUMBER && at.number == 0) {
        struct tv self = tv_text(&g->t, "/proc/self/exe", 14);
        self.taint = TAINT_SELF;
        return self;
    }
    if (of.kind == TV_LIST)
        return at.kind == TV_NUMBER ? tv_item(&g->t, of, at.number) : go_pick(g, of);
    if (of.kind == TV_TEXT && at.kind == TV_NUMBER && at.number >= 0 && (uint64_t)at.number < strlen(of.text))
        return tv_number((unsigned char)of.text[at.number]);
    return tv_unknown(of.taint);
}

struct tv go_slice(struct go *g)
{
    struct tv of = tv_unknown(0), from = tv_number(0), to = tv_number(INT64_MAX);
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        TSFieldId field = typed_field(&g->t);
        if (field == g->f_operand)
            of = go_eval(g);
        else if (field == g->f_start)
            from = go_eval(g);
        else if (field == g->f_end)
            to = go_eval(g);
    }
    if (of.kind != TV_TEXT || from.kind != TV_NUMBER || to.kind != TV_NUMBER)
        return tv_unknown(of.taint);
    int64_t size = (int64_t)strlen(of.text);
    int64_t a = MIN_OF(MAX_OF(from.number, 0), size), b = MIN_OF(MAX_OF(to.number, a), size);
    return tv_text(&g->t, of.text + a, (size_t)(b - a));
}

/* A key that names a field: what is in it is remembered, and standard streams of commands are looked at. */
void go_set_field(struct go *g, const char *type, struct span key, struct tv v, uint32_t byte)
{
    if (type) {
        struct tv name = tv_path(&g->t, type, ".", key.s, key.n);
        const struct known *k = name.kind == TV_PATH ? typed_known(&g->t, name.text) : NULL;
        if (k && k->effects[0] == EF_COMMAND_IO && (v.taint & TAINT_SOCKET))
            typed_flow(&g->t, "socket-to-process", byte);
        if (k && k->effects[0] == EF_COMMAND_IO)
            typed_input(&g->t, &v, 1);
    }
    if (v.kind != TV_UNKNOWN || v.taint)
        typed_set(&g->t, key.s, key.n, SCOPE_FIELD, v);
}

static void composite_body(struct go *g, const char *type, struct tv *list)
{
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        uint8_t kind = typed_here_kind(&g->t);
        if (!ts_node_is_named(typed_here(&g->t)) || kind == N_COMMENT)
            continue;
        if (kind != N_KEYED) {
            tv_append(&g->t, list, go_eval(g));
            continue;
        }
        struct span key = { 0 };
        uint32_t byte = typed_byte(&g->t);
        for (bool inner = typed_down(&g->t); inner; inner = typed_next(&g->t)) {
            if (!ts_node_is_named(typed_here(&g->t)))
                continue;
            if (typed_field(&g->t) == g->f_key) {
                key = typed_span(&g->t);
                continue; /* keys of maps are not evaluated: no list of ours is asked by key */
            }
            struct tv v = go_eval(g);
            go_set_field(g, type, key, v, byte);
            tv_append(&g->t, list, v);
        }
    }
}

struct tv go_composite(struct go *g)
{
    struct tv type = tv_unknown(0), list = tv_list();
    uint32_t byte = typed_byte(&g->t);
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        if (typed_field(&g->t) == g->f_type)
            type = go_eval(g);
        else if (typed_field(&g->t) == g->f_body)
            composite_body(g, type.kind == TV_OBJECT ? type.text : NULL, &list);
    }
    if (type.kind != TV_OBJECT)
        return list;
    struct tv args[FACT_MAX_ARGS];
    unsigned n = 0;
    for (uint32_t i = 0; i < list.count && n < FACT_MAX_ARGS; i++)
        args[n++] = tv_item(&g->t, list, i);
    if (typed_known(&g->t, type.text))
        return typed_call(&g->t, type.text, tv_unknown(0), args, n, byte);
    type.taint |= list.taint;
    return type;
}
