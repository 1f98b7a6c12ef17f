/* Statements and declarations of Go. */
#include "scan/go_eval.h"

static unsigned list_here(struct go *g, struct tv values[static NAMES])
{
    unsigned n = 0;
    if (typed_here_kind(&g->t) != N_EXPRESSIONS) {
        values[0] = go_eval(g);
        return 1;
    }
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        if (!ts_node_is_named(typed_here(&g->t)))
            continue;
        struct tv v = go_eval(g);
        if (n < NAMES)
            values[n++] = v;
    }
    return n;
}

struct target {
    struct span name;
    const char *type; /* of the object whose field it is */
    bool is_field, is_plain;
};

static void target_here(struct go *g, struct target *ret)
{
    *ret = (struct target){ 0 };
    if (typed_here_kind(&g->t) == N_IDENTIFIER) {
        ret->name = typed_span(&g->t);
        ret->is_plain = true;
    } else if (typed_here_kind(&g->t) == N_SELECTOR) {
        struct tv recv;
        (void)go_selector(g, true, &recv, &ret->name);
        ret->type = recv.kind == TV_OBJECT ? recv.text : NULL;
        ret->is_field = true;
    } else {
        (void)go_eval(g);
    }
}

static unsigned targets_here(struct go *g, struct target targets[static NAMES])
{
    unsigned n = 0;
    if (typed_here_kind(&g->t) != N_EXPRESSIONS) {
        target_here(g, &targets[0]);
        return 1;
    }
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        struct target one;
        if (!ts_node_is_named(typed_here(&g->t)))
            continue;
        target_here(g, &one);
        if (n < NAMES)
            targets[n++] = one;
    }
    return n;
}

/* Assignments, declarations, range clauses: names on the left get what is on the right. */
static void assign(struct go *g, bool is_range)
{
    struct target targets[NAMES];
    struct tv values[NAMES];
    unsigned target_count = 0, value_count = 0;
    uint32_t byte = typed_byte(&g->t);
    bool is_adding = false;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        TSFieldId field = typed_field(&g->t);
        if (field == g->f_left)
            target_count = targets_here(g, targets);
        else if (field == g->f_right)
            value_count = list_here(g, values);
        else if (field == g->f_operator)
            is_adding = span_is(typed_span(&g->t), "+=");
    }
    if (is_range && value_count) { /* key or index, then the element; over a map or directory the key may be the path */
        struct tv of = values[0];
        values[0] = tv_unknown(of.taint);
        values[1] = of.kind == TV_LIST ? go_pick(g, of) : tv_unknown(of.taint);
        value_count = 2;
    }
    for (unsigned i = 0; i < target_count; i++) {
        struct tv v = i < value_count ? values[i] : tv_unknown(value_count ? values[0].taint : 0);
        struct span name = targets[i].name;
        if (is_adding && targets[i].is_plain)
            v = tv_concat(&g->t, typed_lookup(&g->t, name.s, name.n, NULL), v);
        if (targets[i].is_plain)
            typed_set(&g->t, name.s, name.n, g->t.scope, v);
        else if (targets[i].is_field)
            go_set_field(g, targets[i].type, name, v, byte);
    }
}

/* const, var: name, type, value. */
static void spec(struct go *g)
{
    struct span names[NAMES];
    struct tv values[NAMES], type = tv_unknown(0);
    unsigned name_count = 0, value_count = 0;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        TSFieldId field = typed_field(&g->t);
        if (field == g->f_name && typed_here_kind(&g->t) == N_IDENTIFIER && name_count < NAMES)
            names[name_count++] = typed_span(&g->t);
        else if (field == g->f_type)
            type = go_eval(g);
        else if (field == g->f_value)
            value_count = list_here(g, values);
    }
    for (unsigned i = 0; i < name_count; i++) {
        struct tv v = i < value_count ? values[i] : type;
        typed_set(&g->t, names[i].s, names[i].n, g->t.scope, v);
    }
}

/* Parameters and fields: names of a type. */
static void typed_names(struct go *g, uint32_t scope, uint32_t *position)
{
    struct span names[NAMES];
    struct tv type = tv_unknown(0);
    bool is_string = false;
    unsigned n = 0;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        TSFieldId field = typed_field(&g->t);
        if (field == g->f_name && n < NAMES) {
            names[n++] = typed_span(&g->t);
        } else if (field == g->f_type) {
            is_string = span_is(typed_span(&g->t), "string");
            type = go_eval(g);
        }
    }
    for (unsigned i = 0; i < n; i++) {
        struct tv v = type;
        if (scope != SCOPE_FIELD && v.kind == TV_UNKNOWN && g->function && position)
            v = typed_get(&g->t, g->function, g->function_size, SCOPE_PARAM + (*position)++, NULL);
        else if (position)
            (*position)++;
        if (is_string)
            v.taint |= g->callback_taint;
        if (scope != SCOPE_FIELD || v.kind != TV_UNKNOWN)
            typed_set(&g->t, names[i].s, names[i].n, scope, v);
    }
    if (n == 0 && position)
        (*position)++;
}

static void parameters(struct go *g)
{
    uint32_t position = 0;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        uint8_t kind = typed_here_kind(&g->t);
        if (kind == N_PARAMETER || kind == N_VARIADIC_PARAMETER)
            typed_names(g, g->t.scope, &position);
    }
}

static void function(struct go *g, bool is_literal)
{
    struct typed_loop *loop = g->t.loop;
    const char *name = g->function;
    size_t name_size = g->function_size;
    uint32_t scope = g->t.scope;
    g->t.loop = NULL;
    g->function = NULL;
    if (!is_literal)
        g->t.scope = typed_byte(&g->t) + 64; /* past the special scopes */
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        TSFieldId field = typed_field(&g->t);
        if (field == g->f_name) {
            struct span s = typed_span(&g->t);
            g->function = s.s;
            g->function_size = s.n;
        } else if (field == g->f_parameters) {
            parameters(g);
            g->callback_taint = 0;
        } else if (typed_here_kind(&g->t)) {
            (void)go_eval(g);
        } else if (field == g->f_body) {
            (void)go_eval(g);
        } else if (ts_node_is_named(typed_here(&g->t))) { /* the receiver */
            parameters(g);
        }
    }
    g->t.loop = loop;
    g->function = name;
    g->function_size = name_size;
    g->t.scope = scope;
}

static void loop(struct go *g)
{
    struct typed_loop mine = { .is_endless = true }, *outer = g->t.loop;
    uint32_t byte = typed_byte(&g->t);
    g->t.loop = &mine;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        TSNode n = typed_here(&g->t);
        uint8_t kind = typed_kind(&g->t, n);
        if (!ts_node_is_named(n) || kind == N_COMMENT)
            continue;
        if (kind == N_FOR_CLAUSE) {
            mine.is_endless = ts_node_is_null(ts_node_child_by_field_id(n, g->f_condition));
        } else if (typed_field(&g->t) != g->f_body) {
            mine.is_endless = span_is(typed_span(&g->t), "true");
        }
        (void)go_eval(g);
    }
    g->t.loop = outer;
    typed_loop_end(&g->t, &mine, byte);
    if (outer) { /* what an inner loop starts the outer one starts, too; its waiting counts for both */
        outer->has_wait |= mine.has_wait;
        outer->has_call |= mine.has_call;
        outer->has_spawn |= mine.has_spawn;
        outer->has_asked |= mine.has_asked;
        outer->has_fork |= mine.has_fork;
        outer->has_thread |= mine.has_thread;
    }
}

static void type_spec(struct go *g)
{
    struct span name = { 0 };
    struct tv type = tv_unknown(0);
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        if (typed_field(&g->t) == g->f_name)
            name = typed_span(&g->t);
        else if (typed_field(&g->t) == g->f_type)
            type = go_eval(g);
    }
    if (name.n && type.kind == TV_OBJECT) {
        type.kind = TV_PATH;
        typed_set(&g->t, name.s, name.n, SCOPE_FILE, type);
    }
}

static struct tv qualified(struct go *g)
{
    struct tv package = tv_unknown(0);
    struct span name = { 0 };
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        struct span s = typed_span(&g->t);
        if (typed_field(&g->t) == g->f_name)
            name = s;
        else if (ts_node_is_named(typed_here(&g->t)))
            package = typed_get(&g->t, s.s, s.n, SCOPE_FILE, NULL);
    }
    if (package.kind != TV_PATH)
        return tv_unknown(0);
    package = tv_path(&g->t, package.text, ".", name.s, name.n);
    if (package.kind == TV_PATH && (str_eq(package.text, "strings.Builder") || str_eq(package.text, "bytes.Buffer")))
        return tv_list(); /* what is written to it, in order */
    const struct known *k = package.kind == TV_PATH ? typed_known(&g->t, package.text) : NULL;
    bool is_stream = k && k->effects[0] == EF_CONNECT; /* net.Conn: a type that is a connection */
    return package.kind == TV_PATH ? tv_object(package.text, is_stream ? TAINT_SOCKET | TAINT_NET : 0) : package;
}

static void return_value(struct go *g)
{
    struct tv values[NAMES];
    unsigned n = 0;
    if (g->t.loop)
        g->t.loop->has_exit = true;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t))
        if (ts_node_is_named(typed_here(&g->t)))
            n = list_here(g, values);
    if (!n || !g->function || (values[0].kind == TV_UNKNOWN && !values[0].taint))
        return;
    struct tv before = typed_get(&g->t, g->function, g->function_size, SCOPE_RESULT, NULL);
    if (before.kind == TV_UNKNOWN) {
        values[0].taint |= before.taint;
        typed_set(&g->t, g->function, g->function_size, SCOPE_RESULT, values[0]);
    }
}

static void comment(struct go *g)
{
    struct span s = typed_span(&g->t);
    static const char linkname[] = "//go:linkname", cgo[] = "//go:cgo_";
    if ((s.n > sizeof linkname && memcmp(s.s, linkname, sizeof linkname - 1) == 0) ||
        (s.n > sizeof cgo && memcmp(s.s, cgo, sizeof cgo - 1) == 0))
        typed_flow(&g->t, "compiler-directive", typed_byte(&g->t));
}

static struct tv children(struct go *g)
{
    struct tv only = tv_unknown(0);
    unsigned n = 0;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        if (!ts_node_is_named(typed_here(&g->t)))
            continue;
        struct tv v = go_eval(g);
        only = n++ == 0 ? v : tv_unknown(0); /* parentheses, pointers and the like are what is in them */
    }
    return only;
}

static struct tv conversion(struct go *g)
{
    struct tv v = tv_unknown(0), type = v;
    for (bool more = typed_down(&g->t); more; more = typed_next(&g->t)) {
        if (typed_field(&g->t) == g->f_operand)
            v = go_eval(g);
        else if (typed_field(&g->t) == g->f_type)
            type = go_eval(g);
    }
    if (type.kind == TV_OBJECT) {
        type.taint |= v.taint;
        return type;
    }
    return v.kind == TV_LIST ? tv_from_bytes(&g->t, v) : v;
}

static void mark_loop(struct go *g, uint8_t kind)
{
    struct typed_loop *l = g->t.loop;
    if (!l)
        return;
    l->has_thread |= kind == N_GO;
    l->has_wait |= kind == N_SELECT || kind == N_SEND || kind == N_RECEIVE;
    l->has_exit |= kind == N_BREAK || kind == N_GOTO;
}

static struct tv eval_kind(struct go *g, uint8_t kind)
{
    struct tv none = tv_unknown(0);
    switch ((enum node)kind) {
    case N_COMMENT:
        comment(g);
        return none;
    case N_IMPORT:
        go_import(g);
        return none;
    case N_PACKAGE:
        return none;
    case N_CALL:
        return go_call(g);
    case N_SELECTOR:
        return go_selector(g, false, NULL, NULL);
    case N_IDENTIFIER:
        return go_name(g);
    case N_STRING:
    case N_RAW: {
        struct tv v = go_string(g);
        typed_string(&g->t, v, typed_byte(&g->t));
        return v;
    }
    case N_RUNE:
        return go_rune(g);
    case N_INT: {
        struct span s = typed_span(&g->t);
        return tv_number(tv_parse_int(s.s, s.n));
    }
    case N_BINARY:
        return go_binary(g);
    case N_UNARY:
        return go_unary(g);
    case N_INDEX:
        return go_index(g);
    case N_SLICE:
        return go_slice(g);
    case N_COMPOSITE:
        return go_composite(g);
    case N_CONVERSION:
    case N_ASSERTION:
        return conversion(g);
    case N_QUALIFIED:
        return qualified(g);
    case N_TYPE: {
        struct tv v = go_name(g);
        return v.kind == TV_PATH ? tv_object(v.text, 0) : none;
    }
    case N_ASSIGNMENT:
    case N_SHORT_VAR:
        assign(g, false);
        return none;
    case N_RANGE:
        assign(g, true);
        return none;
    case N_RECEIVE:
        mark_loop(g, kind);
        assign(g, false);
        return none;
    case N_CONST:
    case N_VAR:
        spec(g);
        return none;
    case N_FIELD:
        typed_names(g, SCOPE_FIELD, NULL);
        return none;
    case N_PARAMETER:
    case N_VARIADIC_PARAMETER:
        typed_names(g, g->t.scope, NULL);
        return none;
    case N_TYPE_SPEC:
    case N_ALIAS:
        type_spec(g);
        return none;
    case N_FUNCTION:
    case N_METHOD:
        function(g, false);
        return none;
    case N_FUNC_LITERAL:
        function(g, true);
        return none;
    case N_FOR:
        loop(g);
        return none;
    case N_RETURN:
        return_value(g);
        return none;
    case N_GO:
    case N_SELECT:
    case N_SEND:
    case N_BREAK:
    case N_GOTO:
        mark_loop(g, kind);
        return children(g);
    default:
        return children(g);
    }
}

struct tv go_eval(struct go *g)
{
    if (g->t.is_stopped)
        return tv_unknown(0);
    if (g->t.depth >= SCAN_MAX_DEPTH) {
        g->t.c->is_cut = true;
        return tv_unknown(0);
    }
    if (scan_stop(g->t.c)) {
        g->t.is_stopped = true;
        return tv_unknown(0);
    }
    g->t.depth++;
    struct tv v = eval_kind(g, typed_here_kind(&g->t));
    g->t.depth--;
    return v;
}
