/* Go: names are import path, dot, name: os/exec.Command, net/http.Get, syscall.Dup2, C.system. Methods of known types are
 * «type.method»: os/exec.Cmd.Run, net.Conn.Write, net/http.Client.Do; methods of package variables keep the variable:
 * net/http.DefaultClient.Do. A composite literal of a known type is a CALL of the type: syscall.SysProcAttr.
 * A command is told once, with all its arguments. Flows: see typed.h, and compiler-directive (//go:linkname).
 */
#include "scan/go_names.h"

static const char *const node_names[] = {
    "argument_list", "assignment_statement", "binary_expression", "break_statement", "call_expression", "comment",
    "composite_literal", "const_spec", "expression_list", "field_declaration", "for_clause", "for_statement",
    "func_literal", "function_declaration", "go_statement", "goto_statement", "identifier", "import_spec",
    "index_expression", "int_literal", "interpreted_string_literal", "keyed_element", "method_declaration",
    "package_clause", "parameter_declaration", "qualified_type", "range_clause", "raw_string_literal",
    "receive_statement", "return_statement", "rune_literal", "select_statement", "selector_expression",
    "send_statement", "short_var_declaration", "slice_expression", "type_alias", "type_assertion_expression",
    "type_conversion_expression", "type_identifier", "type_spec", "unary_expression", "var_spec", "variadic_argument",
    "variadic_parameter_declaration",
};
enum node {
    N_OTHER, N_ARGUMENTS, N_ASSIGNMENT, N_BINARY, N_BREAK, N_CALL, N_COMMENT, N_COMPOSITE, N_CONST, N_EXPRESSIONS,
    N_FIELD, N_FOR_CLAUSE, N_FOR, N_FUNC_LITERAL, N_FUNCTION, N_GO, N_GOTO, N_IDENTIFIER, N_IMPORT, N_INDEX, N_INT,
    N_STRING, N_KEYED, N_METHOD, N_PACKAGE, N_PARAMETER, N_QUALIFIED, N_RANGE, N_RAW, N_RECEIVE, N_RETURN, N_RUNE,
    N_SELECT, N_SELECTOR, N_SEND, N_SHORT_VAR, N_SLICE, N_ALIAS, N_ASSERTION, N_CONVERSION, N_TYPE, N_TYPE_SPEC, N_UNARY,
    N_VAR, N_VARIADIC, N_VARIADIC_PARAMETER, N_COUNT
};
static_assert(ARRAY_LEN(node_names) + 1 == N_COUNT, "one kind for each name");

#define GO_SYMBOLS 512u
#define DOT_IMPORTS 4u
#define NAMES 8u

struct span {
    const char *s;
    size_t n;
};

struct go {
    struct typed t; /* first: helpers take it */
    uint8_t kinds[GO_SYMBOLS];
    TSFieldId f_function, f_arguments, f_operand, f_field, f_name, f_path, f_type, f_value, f_left, f_right, f_body,
        f_operator, f_index, f_start, f_end, f_condition, f_key, f_alias, f_parameters;
    const char *dots[DOT_IMPORTS];
    uint32_t dot_count;
    const char *function; /* the name of the function we are in, for its results */
    size_t function_size;
    uint16_t callback_taint; /* what parameters of function literals get */
    struct span last_name; /* the last variable that was read */
    uint32_t concat;      /* inside a + whose whole will be told */
};

static struct tv eval(struct go *g);

static TSNode here(struct go *g)
{
    return ts_tree_cursor_current_node(&g->t.cursor);
}
static uint8_t kind_here(struct go *g)
{
    return typed_kind(&g->t, here(g));
}
static uint32_t byte_here(struct go *g)
{
    return ts_node_start_byte(here(g));
}
static TSFieldId field_here(struct go *g)
{
    return ts_tree_cursor_current_field_id(&g->t.cursor);
}
static bool down(struct go *g)
{
    return ts_tree_cursor_goto_first_child(&g->t.cursor);
}
/* The next sibling; after the last one, back at the parent. */
static bool next(struct go *g)
{
    if (!g->t.is_stopped && ts_tree_cursor_goto_next_sibling(&g->t.cursor))
        return true;
    (void)ts_tree_cursor_goto_parent(&g->t.cursor);
    return false;
}

static struct span text_here(struct go *g)
{
    TSNode n = here(g);
    uint32_t from = ts_node_start_byte(n), to = ts_node_end_byte(n);
    return (struct span){ g->t.c->text + from, to - from };
}

static bool is_word(struct span s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.s, word, s.n) == 0;
}

static struct tv string_here(struct go *g)
{
    struct span s = text_here(g);
    if (s.n < 2)
        return tv_text(&g->t, "", 0);
    s.s++, s.n -= 2;
    bool is_plain = kind_here(g) == N_RAW || !memchr(s.s, '\\', s.n);
    return is_plain ? tv_text(&g->t, s.s, s.n) : tv_escaped(&g->t, s.s, s.n);
}

static struct tv rune_here(struct go *g)
{
    struct span s = text_here(g);
    if (s.n < 3)
        return tv_unknown(0);
    if (s.s[1] != '\\')
        return tv_number((unsigned char)s.s[1]);
    struct tv v = tv_escaped(&g->t, s.s + 1, s.n - 2);
    return v.kind == TV_TEXT ? tv_number((unsigned char)v.text[0]) : v;
}

/* --- imports --- */

/* The name a package has without an alias: the last element, without /v2 and .v3. */
static struct span package_name(struct span path)
{
    for (int round = 0; round < 2; round++) {
        const char *slash = memrchr(path.s, '/', path.n);
        struct span last = slash ? (struct span){ slash + 1, path.n - (size_t)(slash + 1 - path.s) } : path;
        if (round == 0 && slash && last.n >= 2 && last.s[0] == 'v' && last.s[1] >= '0' && last.s[1] <= '9') {
            path.n = (size_t)(slash - path.s);
            continue;
        }
        const char *dot = memchr(last.s, '.', last.n);
        if (dot)
            last.n = (size_t)(dot - last.s);
        return last;
    }
    return path;
}

static void import_spec(struct go *g)
{
    struct span path = { 0 }, alias = { 0 };
    uint32_t byte = byte_here(g);
    for (bool more = down(g); more; more = next(g)) {
        if (field_here(g) == g->f_path)
            path = text_here(g);
        else if (field_here(g) == g->f_name)
            alias = text_here(g);
    }
    if (path.n < 3)
        return;
    path.s++, path.n -= 2;
    struct tv v = tv_text(&g->t, path.s, path.n);
    if (v.kind != TV_TEXT)
        return;
    v.kind = TV_PATH;
    typed_emit(&g->t, FACT_IMPORT, v.text, NULL, 0, byte);
    if (is_word(alias, ".")) {
        if (g->t.is_quiet && g->dot_count < DOT_IMPORTS)
            g->dots[g->dot_count++] = v.text;
        return;
    }
    if (!alias.n)
        alias = package_name(path);
    typed_set(&g->t, alias.s, alias.n, SCOPE_FILE, v);
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

static struct tv name_here(struct go *g)
{
    bool found;
    struct span s = text_here(g);
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

static struct tv selector(struct go *g, bool is_called, struct tv *ret_recv, struct span *ret_name)
{
    struct tv operand = tv_unknown(0);
    struct span name = { 0 };
    uint32_t byte = byte_here(g);
    for (bool more = down(g); more; more = next(g)) {
        if (field_here(g) == g->f_operand)
            operand = eval(g);
        else if (field_here(g) == g->f_field)
            name = text_here(g);
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
    if (k && k->effect == EF_HOME)
        return tv_text(&g->t, "~", 1);
    if (operand.kind == TV_OBJECT) /* a field: what is in the table, or what came from there */
        return k && k->returns ? tv_object(k->returns, operand.taint) : tv_unknown(operand.taint);
    typed_emit(&g->t, FACT_NAME, v.text, NULL, 0, byte);
    v.taint |= k && k->effect == EF_ENVIRON ? TAINT_SECRET : 0;
    return v;
}

/* --- calls --- */

struct callee {
    struct tv value, recv;
    struct span name, variable; /* variable: what a method is called on, when that has a name */
};

static void callee_here(struct go *g, struct callee *ret)
{
    uint8_t kind = kind_here(g);
    if (kind == N_SELECTOR) {
        g->last_name = (struct span){ 0 };
        ret->value = selector(g, true, &ret->recv, &ret->name);
        ret->variable = g->last_name;
    } else if (kind == N_IDENTIFIER) {
        ret->name = text_here(g);
        ret->value = name_here(g);
    } else {
        ret->value = eval(g);
    }
}

static unsigned arguments_here(struct go *g, struct tv args[static FACT_MAX_ARGS], struct span *ret_function)
{
    unsigned n = 0;
    uint32_t concat = g->concat;
    g->concat = 0;
    for (bool more = down(g); more; more = next(g)) {
        TSNode node = here(g);
        if (!ts_node_is_named(node))
            continue;
        uint8_t kind = typed_kind(&g->t, node);
        if (kind == N_IDENTIFIER)
            *ret_function = text_here(g);
        struct tv v = eval(g);
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
    if (is_word(name, "string")) {
        *ret = tv_from_bytes(&g->t, first);
    } else if (is_word(name, "append")) {
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
    } else if (is_word(name, "make")) {
        if (g->t.loop)
            g->t.loop->has_alloc = true;
    } else if (is_word(name, "panic")) {
        if (g->t.loop)
            g->t.loop->has_exit = true;
    } else if (is_word(name, "byte") || is_word(name, "rune") || is_word(name, "int") || is_word(name, "uintptr") ||
               is_word(name, "int32") || is_word(name, "uint8")) {
        *ret = first;
    } else {
        return is_word(name, "len") || is_word(name, "cap") || is_word(name, "copy") || is_word(name, "delete") ||
               is_word(name, "new") || is_word(name, "close") || is_word(name, "print") || is_word(name, "println") ||
               is_word(name, "float64") || is_word(name, "int64") || is_word(name, "min") || is_word(name, "max");
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
    if (is_word(f->name, "String") || is_word(f->name, "Bytes")) {
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

static struct tv call(struct go *g)
{
    struct callee f = { 0 };
    struct tv args[FACT_MAX_ARGS], v;
    unsigned n = 0;
    struct span function = { 0 };
    uint32_t byte = byte_here(g);
    uint16_t outer = g->callback_taint;
    const struct known *k = NULL;
    for (bool more = down(g); more; more = next(g)) {
        TSFieldId field = field_here(g);
        if (field == g->f_function) {
            callee_here(g, &f);
            if (f.value.kind == TV_PATH)
                k = typed_known(&g->t, f.value.text);
            g->callback_taint = k && k->effect == EF_WALK ? TAINT_WALK : 0;
        } else if (field == g->f_arguments) {
            n = arguments_here(g, args, &function);
        }
    }
    g->callback_taint = outer;
    if (k && k->effect == EF_WALK && function.n)
        typed_set(&g->t, function.s, function.n, SCOPE_PARAM, tv_unknown(TAINT_WALK));
    if (k && k->effect == EF_RECEIVE && function.n) /* conn.Read(buf) */
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

static struct tv binary(struct go *g)
{
    struct tv a = tv_unknown(0), b = a, v;
    char op = 0;
    uint32_t byte = byte_here(g);
    g->concat++;
    for (bool more = down(g); more; more = next(g)) {
        TSFieldId field = field_here(g);
        if (field == g->f_left) {
            a = eval(g);
        } else if (field == g->f_right) {
            b = eval(g);
        } else if (field == g->f_operator) {
            struct span s = text_here(g);
            op = s.n == 1 ? *s.s : 0;
        }
    }
    g->concat--;
    if (op == '+' && (a.kind == TV_TEXT || b.kind == TV_TEXT)) {
        v = tv_concat(&g->t, a, b);
        if (!g->concat)
            typed_string(&g->t, v, byte);
        return v;
    }
    if (op == '|' && a.kind == TV_PATH && b.kind == TV_PATH)
        return tv_path(&g->t, a.text, "|", b.text, strlen(b.text));
    if (op)
        return tv_arith(op, a, b);
    return tv_unknown(0);
}

static struct tv unary(struct go *g)
{
    struct tv v = tv_unknown(0);
    char op = 0;
    for (bool more = down(g); more; more = next(g)) {
        if (field_here(g) == g->f_operand)
            v = eval(g);
        else if (!op)
            op = *text_here(g).s;
    }
    if (op == '<') {
        if (g->t.loop)
            g->t.loop->has_wait = true;
        return tv_unknown(v.taint);
    }
    return op == '&' || op == '*' ? v : v.kind == TV_NUMBER && op == '-' ? tv_number(-v.number) : tv_unknown(v.taint);
}

/* Of several texts the one that rules would most care for: a loop over paths reads all of them. */
static struct tv pick(struct go *g, struct tv list)
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

static struct tv index_of(struct go *g)
{
    struct tv of = tv_unknown(0), at = of;
    for (bool more = down(g); more; more = next(g)) {
        if (field_here(g) == g->f_operand)
            of = eval(g);
        else if (field_here(g) == g->f_index)
            at = eval(g);
    }
    if (of.kind == TV_PATH && str_eq(of.text, "os.Args") && at.kind == TV_NUMBER && at.number == 0) {
        struct tv self = tv_text(&g->t, "/proc/self/exe", 14);
        self.taint = TAINT_SELF;
        return self;
    }
    if (of.kind == TV_LIST)
        return at.kind == TV_NUMBER ? tv_item(&g->t, of, at.number) : pick(g, of);
    if (of.kind == TV_TEXT && at.kind == TV_NUMBER && at.number >= 0 && (uint64_t)at.number < strlen(of.text))
        return tv_number((unsigned char)of.text[at.number]);
    return tv_unknown(of.taint);
}

static struct tv slice(struct go *g)
{
    struct tv of = tv_unknown(0), from = tv_number(0), to = tv_number(INT64_MAX);
    for (bool more = down(g); more; more = next(g)) {
        TSFieldId field = field_here(g);
        if (field == g->f_operand)
            of = eval(g);
        else if (field == g->f_start)
            from = eval(g);
        else if (field == g->f_end)
            to = eval(g);
    }
    if (of.kind != TV_TEXT || from.kind != TV_NUMBER || to.kind != TV_NUMBER)
        return tv_unknown(of.taint);
    int64_t size = (int64_t)strlen(of.text);
    int64_t a = MIN_OF(MAX_OF(from.number, 0), size), b = MIN_OF(MAX_OF(to.number, a), size);
    return tv_text(&g->t, of.text + a, (size_t)(b - a));
}

/* A key that names a field: what is in it is remembered, and standard streams of commands are looked at. */
static void set_field(struct go *g, const char *type, struct span key, struct tv v, uint32_t byte)
{
    if (type) {
        struct tv name = tv_path(&g->t, type, ".", key.s, key.n);
        const struct known *k = name.kind == TV_PATH ? typed_known(&g->t, name.text) : NULL;
        if (k && k->effect == EF_COMMAND_IO && (v.taint & TAINT_SOCKET))
            typed_flow(&g->t, "socket-to-process", byte);
    }
    if (v.kind != TV_UNKNOWN || v.taint)
        typed_set(&g->t, key.s, key.n, SCOPE_FIELD, v);
}

static void composite_body(struct go *g, const char *type, struct tv *list)
{
    for (bool more = down(g); more; more = next(g)) {
        uint8_t kind = kind_here(g);
        if (!ts_node_is_named(here(g)) || kind == N_COMMENT)
            continue;
        if (kind != N_KEYED) {
            tv_append(&g->t, list, eval(g));
            continue;
        }
        struct span key = { 0 };
        uint32_t byte = byte_here(g);
        for (bool inner = down(g); inner; inner = next(g)) {
            if (!ts_node_is_named(here(g)))
                continue;
            if (field_here(g) == g->f_key) {
                key = text_here(g);
                continue; /* keys of maps are not evaluated: no list of ours is asked by key */
            }
            struct tv v = eval(g);
            set_field(g, type, key, v, byte);
            tv_append(&g->t, list, v);
        }
    }
}

static struct tv composite(struct go *g)
{
    struct tv type = tv_unknown(0), list = tv_list();
    uint32_t byte = byte_here(g);
    for (bool more = down(g); more; more = next(g)) {
        if (field_here(g) == g->f_type)
            type = eval(g);
        else if (field_here(g) == g->f_body)
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

/* --- statements --- */

static unsigned list_here(struct go *g, struct tv values[static NAMES])
{
    unsigned n = 0;
    if (kind_here(g) != N_EXPRESSIONS) {
        values[0] = eval(g);
        return 1;
    }
    for (bool more = down(g); more; more = next(g)) {
        if (!ts_node_is_named(here(g)))
            continue;
        struct tv v = eval(g);
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
    if (kind_here(g) == N_IDENTIFIER) {
        ret->name = text_here(g);
        ret->is_plain = true;
    } else if (kind_here(g) == N_SELECTOR) {
        struct tv recv;
        (void)selector(g, true, &recv, &ret->name);
        ret->type = recv.kind == TV_OBJECT ? recv.text : NULL;
        ret->is_field = true;
    } else {
        (void)eval(g);
    }
}

static unsigned targets_here(struct go *g, struct target targets[static NAMES])
{
    unsigned n = 0;
    if (kind_here(g) != N_EXPRESSIONS) {
        target_here(g, &targets[0]);
        return 1;
    }
    for (bool more = down(g); more; more = next(g)) {
        struct target one;
        if (!ts_node_is_named(here(g)))
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
    uint32_t byte = byte_here(g);
    bool is_adding = false;
    for (bool more = down(g); more; more = next(g)) {
        TSFieldId field = field_here(g);
        if (field == g->f_left)
            target_count = targets_here(g, targets);
        else if (field == g->f_right)
            value_count = list_here(g, values);
        else if (field == g->f_operator)
            is_adding = is_word(text_here(g), "+=");
    }
    if (is_range && value_count) { /* key or index, then the element; over a map or directory the key may be the path */
        struct tv of = values[0];
        values[0] = tv_unknown(of.taint);
        values[1] = of.kind == TV_LIST ? pick(g, of) : tv_unknown(of.taint);
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
            set_field(g, targets[i].type, name, v, byte);
    }
}

/* const, var: name, type, value. */
static void spec(struct go *g)
{
    struct span names[NAMES];
    struct tv values[NAMES], type = tv_unknown(0);
    unsigned name_count = 0, value_count = 0;
    for (bool more = down(g); more; more = next(g)) {
        TSFieldId field = field_here(g);
        if (field == g->f_name && kind_here(g) == N_IDENTIFIER && name_count < NAMES)
            names[name_count++] = text_here(g);
        else if (field == g->f_type)
            type = eval(g);
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
    for (bool more = down(g); more; more = next(g)) {
        TSFieldId field = field_here(g);
        if (field == g->f_name && n < NAMES) {
            names[n++] = text_here(g);
        } else if (field == g->f_type) {
            is_string = is_word(text_here(g), "string");
            type = eval(g);
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
    for (bool more = down(g); more; more = next(g)) {
        uint8_t kind = kind_here(g);
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
        g->t.scope = byte_here(g) + 64; /* past the special scopes */
    for (bool more = down(g); more; more = next(g)) {
        TSFieldId field = field_here(g);
        if (field == g->f_name) {
            struct span s = text_here(g);
            g->function = s.s;
            g->function_size = s.n;
        } else if (field == g->f_parameters) {
            parameters(g);
            g->callback_taint = 0;
        } else if (kind_here(g)) {
            (void)eval(g);
        } else if (field == g->f_body) {
            (void)eval(g);
        } else if (ts_node_is_named(here(g))) { /* the receiver */
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
    uint32_t byte = byte_here(g);
    g->t.loop = &mine;
    for (bool more = down(g); more; more = next(g)) {
        TSNode n = here(g);
        uint8_t kind = typed_kind(&g->t, n);
        if (!ts_node_is_named(n) || kind == N_COMMENT)
            continue;
        if (kind == N_FOR_CLAUSE) {
            mine.is_endless = ts_node_is_null(ts_node_child_by_field_id(n, g->f_condition));
        } else if (field_here(g) != g->f_body) {
            mine.is_endless = is_word(text_here(g), "true");
        }
        (void)eval(g);
    }
    g->t.loop = outer;
    typed_loop_end(&g->t, &mine, byte);
    if (outer) { /* what an inner loop starts the outer one starts, too; its waiting counts for both */
        outer->has_wait |= mine.has_wait;
        outer->has_call |= mine.has_call;
        outer->has_spawn |= mine.has_spawn;
        outer->has_fork |= mine.has_fork;
        outer->has_thread |= mine.has_thread;
    }
}

static void type_spec(struct go *g)
{
    struct span name = { 0 };
    struct tv type = tv_unknown(0);
    for (bool more = down(g); more; more = next(g)) {
        if (field_here(g) == g->f_name)
            name = text_here(g);
        else if (field_here(g) == g->f_type)
            type = eval(g);
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
    for (bool more = down(g); more; more = next(g)) {
        struct span s = text_here(g);
        if (field_here(g) == g->f_name)
            name = s;
        else if (ts_node_is_named(here(g)))
            package = typed_get(&g->t, s.s, s.n, SCOPE_FILE, NULL);
    }
    if (package.kind != TV_PATH)
        return tv_unknown(0);
    package = tv_path(&g->t, package.text, ".", name.s, name.n);
    if (package.kind == TV_PATH && (str_eq(package.text, "strings.Builder") || str_eq(package.text, "bytes.Buffer")))
        return tv_list(); /* what is written to it, in order */
    const struct known *k = package.kind == TV_PATH ? typed_known(&g->t, package.text) : NULL;
    bool is_stream = k && k->effect == EF_CONNECT; /* net.Conn: a type that is a connection */
    return package.kind == TV_PATH ? tv_object(package.text, is_stream ? TAINT_SOCKET | TAINT_NET : 0) : package;
}

static void return_value(struct go *g)
{
    struct tv values[NAMES];
    unsigned n = 0;
    if (g->t.loop)
        g->t.loop->has_exit = true;
    for (bool more = down(g); more; more = next(g))
        if (ts_node_is_named(here(g)))
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
    struct span s = text_here(g);
    static const char linkname[] = "//go:linkname", cgo[] = "//go:cgo_";
    if ((s.n > sizeof linkname && memcmp(s.s, linkname, sizeof linkname - 1) == 0) ||
        (s.n > sizeof cgo && memcmp(s.s, cgo, sizeof cgo - 1) == 0))
        typed_flow(&g->t, "compiler-directive", byte_here(g));
}

static struct tv children(struct go *g)
{
    struct tv only = tv_unknown(0);
    unsigned n = 0;
    for (bool more = down(g); more; more = next(g)) {
        if (!ts_node_is_named(here(g)))
            continue;
        struct tv v = eval(g);
        only = n++ == 0 ? v : tv_unknown(0); /* parentheses, pointers and the like are what is in them */
    }
    return only;
}

static struct tv conversion(struct go *g)
{
    struct tv v = tv_unknown(0), type = v;
    for (bool more = down(g); more; more = next(g)) {
        if (field_here(g) == g->f_operand)
            v = eval(g);
        else if (field_here(g) == g->f_type)
            type = eval(g);
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
    case N_COMMENT: comment(g); return none;
    case N_IMPORT: import_spec(g); return none;
    case N_PACKAGE: return none;
    case N_CALL: return call(g);
    case N_SELECTOR: return selector(g, false, NULL, NULL);
    case N_IDENTIFIER: return name_here(g);
    case N_STRING:
    case N_RAW: {
        struct tv v = string_here(g);
        typed_string(&g->t, v, byte_here(g));
        return v;
    }
    case N_RUNE: return rune_here(g);
    case N_INT: {
        struct span s = text_here(g);
        return tv_number(tv_parse_int(s.s, s.n));
    }
    case N_BINARY: return binary(g);
    case N_UNARY: return unary(g);
    case N_INDEX: return index_of(g);
    case N_SLICE: return slice(g);
    case N_COMPOSITE: return composite(g);
    case N_CONVERSION:
    case N_ASSERTION: return conversion(g);
    case N_QUALIFIED: return qualified(g);
    case N_TYPE: {
        struct tv v = name_here(g);
        return v.kind == TV_PATH ? tv_object(v.text, 0) : none;
    }
    case N_ASSIGNMENT:
    case N_SHORT_VAR: assign(g, false); return none;
    case N_RANGE: assign(g, true); return none;
    case N_RECEIVE:
        mark_loop(g, kind);
        assign(g, false);
        return none;
    case N_CONST:
    case N_VAR: spec(g); return none;
    case N_FIELD: typed_names(g, SCOPE_FIELD, NULL); return none;
    case N_PARAMETER:
    case N_VARIADIC_PARAMETER: typed_names(g, g->t.scope, NULL); return none;
    case N_TYPE_SPEC:
    case N_ALIAS: type_spec(g); return none;
    case N_FUNCTION:
    case N_METHOD: function(g, false); return none;
    case N_FUNC_LITERAL: function(g, true); return none;
    case N_FOR: loop(g); return none;
    case N_RETURN: return_value(g); return none;
    case N_GO:
    case N_SELECT:
    case N_SEND:
    case N_BREAK:
    case N_GOTO: mark_loop(g, kind); return children(g);
    default: return children(g);
    }
}

static struct tv eval(struct go *g)
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
    struct tv v = eval_kind(g, kind_here(g));
    g->t.depth--;
    return v;
}

static void fields(struct go *g, const TSLanguage *l)
{
    const struct {
        const char *name;
        TSFieldId *ret;
    } all[] = {
        { "function", &g->f_function }, { "arguments", &g->f_arguments }, { "operand", &g->f_operand },
        { "field", &g->f_field }, { "name", &g->f_name }, { "path", &g->f_path }, { "type", &g->f_type },
        { "value", &g->f_value }, { "left", &g->f_left }, { "right", &g->f_right }, { "body", &g->f_body },
        { "operator", &g->f_operator }, { "index", &g->f_index }, { "start", &g->f_start }, { "end", &g->f_end },
        { "condition", &g->f_condition }, { "key", &g->f_key }, { "alias", &g->f_alias },
        { "parameters", &g->f_parameters },
    };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        *all[i].ret = ts_language_field_id_for_name(l, all[i].name, (uint32_t)strlen(all[i].name));
}

void resolve_go(struct scan_ctx *c, TSNode root)
{
    const TSLanguage *l = ts_tree_language(root.tree);
    struct go g = { 0 };
    size_t known_count;
    const struct known *known = go_known(&known_count);
    if (typed_init(&g.t, c, root, known, known_count, ".") < 0) {
        c->is_cut = true;
        return;
    }
    g.t.kind_count = typed_map_kinds(l, node_names, ARRAY_LEN(node_names), g.kinds, GO_SYMBOLS);
    g.t.kinds = g.kinds;
    fields(&g, l);
    for (int pass = 0; pass < 2; pass++) {
        typed_begin(&g.t, root, pass == 0);
        (void)eval(&g);
    }
    typed_finish(&g.t);
    typed_done(&g.t);
}

