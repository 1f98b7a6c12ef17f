/* Statements, in the order in which they would run. */
#include "scan/python.h"

#define MAX_TURNS 512u

static void children(struct py *p, uint32_t node)
{
    for (uint32_t c = p->nodes[node].first; c && !scan_stop(p->ctx); c = p->nodes[c].next)
        if (p->nodes[c].kind != K_operator)
            py_statement(p, c);
}

void py_block(struct py *p, uint32_t node)
{
    if (node)
        children(p, node);
}

static void branch(struct py *p, uint32_t node)
{
    p->branches++;
    py_block(p, node);
    p->branches--;
}

/* --- assignment -----------------------------------------------------------------------------------------------------
 */

static void assign_parts(struct py *p, uint32_t target, struct py_value v)
{
    uint32_t at = 0;
    for (uint32_t c = p->nodes[target].first; c; c = p->nodes[c].next, at++) {
        struct py_value part;
        if (v.kind == V_LIST && at < v.list->count)
            part = v.list->items[at];
        else if (v.kind == V_OBJ) /* `reader, writer = await asyncio.open_connection()` */
            part = v;
        else
            part = py_element(p, v);
        if (v.kind == V_UNKNOWN)
            part.taint &= ~(uint32_t)T_LOOP | v.taint;
        py_assign(p, c, part);
    }
}

void py_set_member(struct py *p, struct py_value o, uint32_t name, struct py_value v)
{
    if (o.kind != V_INST && o.kind != V_CLASS)
        return;
    if (o.num >= p->class_count)
        return;
    uint32_t scope = p->classes[o.num].scope;
    const struct py_value *old = py_get_in(p, scope, name);
    if (old && (v.kind == V_NONE || v.kind == V_UNKNOWN) && old->kind != V_UNKNOWN && old->kind != V_NONE)
        return; /* a process that gave it a value first: methods run in no particular order */
    py_set(p, scope, name, v);
}

static void assign_attribute(struct py *p, uint32_t target, struct py_value v)
{
    struct py_value o = py_eval_part(p, py_child(p, target, FIELD_object));
    py_set_member(p, o, py_intern_node(p, py_child(p, target, FIELD_attribute)), v);
}

/* self.__dict__["run"] = v */
static bool assign_in_dict(struct py *p, uint32_t value, struct py_value key, struct py_value v)
{
    uint32_t name = p->nodes[value].kind == K_attribute ? py_child(p, value, FIELD_attribute) : 0;
    if (!name || !py_text_is(p, name, "__dict__") || key.kind != V_STR)
        return false;
    py_set_member(p, py_eval_part(p, py_child(p, value, FIELD_object)), py_intern(p, key.text, key.size), v);
    return true;
}

static void assign_item(struct py *p, uint32_t target, struct py_value v)
{
    uint32_t value = py_child(p, target, FIELD_value), sub = py_child(p, target, FIELD_subscript);
    struct py_value o = py_eval_part(p, value), key = sub ? py_eval(p, sub) : py_unknown(0);
    if (value && assign_in_dict(p, value, key, v))
        return;
    if (o.kind == V_DICT && key.kind == V_STR && o.list->count + 2 < PY_MAX_ITEMS) {
        if (py_list_add(p, o, key))
            (void)py_list_add(p, o, v);
    } else if (o.kind == V_LIST && key.kind == V_INT && key.num >= 0 && key.num < (int64_t)o.list->count && !p->vague) {
        o.list->items[key.num] = v;
    } else if (o.kind == V_LIST) {
        o.list->is_open = true;
    } else if (o.kind == V_NAME && str_eq(o.name, "os.environ") && key.kind == V_STR) {
        uint32_t id = py_intern(p, key.text, key.size);
        py_flow(p, target, "environ-write", py_name_of(p, id), py_show(p, v));
    }
}

void py_assign(struct py *p, uint32_t target, struct py_value v)
{
    if (!target || p->depth >= SCAN_MAX_DEPTH)
        return;
    p->depth++;
    switch (p->nodes[target].kind) {
    case K_identifier:
        py_bind(p, py_intern_node(p, target), v);
        break;
    case K_pattern_list:
    case K_tuple_pattern:
    case K_list_pattern:
    case K_tuple:
    case K_list:
    case K_expression_list:
        assign_parts(p, target, v);
        break;
    case K_attribute:
        assign_attribute(p, target, v);
        break;
    case K_subscript:
        assign_item(p, target, v);
        break;
    case K_parenthesized_expression:
    case K_list_splat_pattern:
    case K_as_pattern_target:
    case K_list_splat:
        py_assign(p, p->nodes[target].first, v);
        break;
    default:
        break;
    }
    p->depth--;
}

static struct py_value assignment(struct py *p, uint32_t node)
{
    uint32_t right = py_child(p, node, FIELD_right), left = py_child(p, node, FIELD_left),
             type = py_child(p, node, FIELD_type);
    if (!right) { /* `x: socket.socket` */
        struct py_value t = type && p->nodes[type].first ? py_eval_part(p, p->nodes[type].first) : py_unknown(0);
        if (t.kind == V_NAME && strchr(t.name, '.'))
            py_assign(p, left, py_object(t.name, 0));
        return py_unknown(0);
    }
    struct py_value v;
    if (p->nodes[right].kind == K_assignment && p->depth < SCAN_MAX_DEPTH) {
        p->depth++;
        v = assignment(p, right);
        p->depth--;
    } else {
        v = py_eval_part(p, right);
    }
    py_assign(p, left, v);
    return v;
}

static void augmented(struct py *p, uint32_t node)
{
    uint32_t left = py_child(p, node, FIELD_left), op = py_child(p, node, FIELD_operator);
    struct py_value old = py_eval_part(p, left), v = py_eval(p, py_child(p, node, FIELD_right)), r;
    if (!op)
        return;
    bool is_double = p->nodes[op].end - p->nodes[op].start == 3;
    bool is_text = old.kind == V_STR || v.kind == V_STR;
    if (is_text && p->endless && (v.size > 1024 || v.taint & (T_HUGE | T_LARGE)))
        py_flow(p, node, "endless-alloc", NULL, NULL);
    if (p->vague && old.kind == V_INT)
        r = py_unknown((old.taint | v.taint) & T_ORIGIN); /* a counter */
    else
        r = py_binary(p, p->text[p->nodes[op].start], is_double, old, v);
    if (is_text) {
        p->effects++;
        if (p->vague && r.kind == V_STR)
            r.taint |= T_HARDLY;
    }
    py_assign(p, left, r);
}

/* --- imports --------------------------------------------------------------------------------------------------------
 */

struct py_value py_module(struct py *p, uint32_t node, const char *name, bool is_dynamic)
{
    py_fact(p, FACT_IMPORT, node, name, is_dynamic);
    return py_named(p, py_usual_name(name), is_dynamic ? T_COMPUTED : 0);
}

/* "a . b" as "a.b" */
static const char *module_name(struct py *p, uint32_t node)
{
    struct fold_out o = { .mem = &p->mem };
    for (uint32_t c = p->nodes[node].first; c; c = p->nodes[c].next) {
        if (o.size)
            fold_addc(&o, '.');
        fold_add(&o, p->text + p->nodes[c].start, p->nodes[c].end - p->nodes[c].start);
    }
    struct fold_text t;
    uint32_t id = fold_end(&o, &t) ? py_intern(p, t.data, t.size) : 0;
    return id ? py_name_of(p, id) : NULL;
}

static void import_one(struct py *p, uint32_t node)
{
    bool is_alias = p->nodes[node].kind == K_aliased_import;
    uint32_t dotted = is_alias ? py_child(p, node, FIELD_name) : node;
    const char *name = dotted ? module_name(p, dotted) : NULL;
    if (!name)
        return;
    struct py_value module = py_module(p, node, name, false);
    if (is_alias) {
        py_bind(p, py_intern_node(p, py_child(p, node, FIELD_alias)), module);
        return;
    }
    uint32_t root = py_intern_node(p, p->nodes[dotted].first);
    py_bind(p, root, py_named(p, py_usual_name(py_name_of(p, root)), 0));
}

static void import_from(struct py *p, uint32_t node)
{
    uint32_t from = py_child(p, node, FIELD_module_name);
    const char *module = from && p->nodes[from].kind == K_dotted_name ? module_name(p, from) : NULL;
    if (module) {
        py_fact(p, FACT_IMPORT, from, module, false);
        module = py_usual_name(module);
    }
    for (uint32_t c = p->nodes[node].first; c; c = p->nodes[c].next) {
        if (p->nodes[c].kind == K_wildcard_import && module && p->star_count < ARRAY_LEN(p->stars))
            p->stars[p->star_count++] = module;
        if (p->nodes[c].field != FIELD_name)
            continue;
        bool is_alias = p->nodes[c].kind == K_aliased_import;
        uint32_t dotted = is_alias ? py_child(p, c, FIELD_name) : c;
        uint32_t as = is_alias ? py_child(p, c, FIELD_alias) : p->nodes[c].first;
        const char *name = dotted ? module_name(p, dotted) : NULL;
        struct py_value v = py_unknown(0);
        if (module && name)
            v = py_attribute(p, c, py_named(p, module, 0), name, 0);
        py_bind(p, py_intern_node(p, as), v);
    }
}

/* --- loops ----------------------------------------------------------------------------------------------------------
 */

/* Does the loop's body leave it? Nested loops and functions are not told apart: a doubt in the program's favour. */
static bool can_leave(const struct py *p, uint32_t body)
{
    uint32_t n = py_nodes_in(p, body);
    for (uint32_t i = body; i < body + n; i++)
        switch (p->nodes[i].kind) {
        case K_break_statement:
        case K_return_statement:
        case K_raise_statement:
            return true;
        case K_identifier:
            if (py_text_is(p, i, "exit") || py_text_is(p, i, "quit"))
                return true;
            break;
        default:
            break;
        }
    return false;
}

/* No call but such as compute, no yield: it can only burn time. */
static bool only_spins(const struct py *p, uint32_t body)
{
    static const char *const computing[] = { "range",  "len",     "str",        "int",  "float",     "sum",
                                             "pow",    "abs",     "max",        "min",  "bytes",     "print",
                                             "sha256", "sha512",  "sha1",       "md5",  "hexdigest", "digest",
                                             "encode", "update",  "startswith", "sqrt", "sin",       "cos",
                                             "random", "randint", "format",     "hex",  NULL };
    uint32_t n = py_nodes_in(p, body), computes = 0, prints = 0;
    for (uint32_t i = body; i < body + n; i++) {
        if (p->nodes[i].kind == K_yield || p->nodes[i].kind == K_await)
            return false;
        if (p->nodes[i].kind != K_call)
            continue;
        uint32_t f = py_child(p, i, FIELD_function),
                 name = f && p->nodes[f].kind == K_attribute ? py_child(p, f, FIELD_attribute) : f;
        bool is_computing = false;
        for (size_t k = 0; name && computing[k]; k++)
            is_computing |= py_text_is(p, name, computing[k]);
        if (!is_computing)
            return false;
        computes++;
        prints += py_text_is(p, name, "print");
    }
    return !computes || computes > prints;
}

/* Is appending all that it does? Then nothing in it waits or ends. */
static bool only_grows(const struct py *p, uint32_t body)
{
    static const char *const growing[] = { "append", "extend", "insert", "add", NULL };
    static const char *const harmless[] = { "bytearray", "bytes", "range", "list", "str", "object", "len", NULL };
    uint32_t n = py_nodes_in(p, body), grows = 0;
    for (uint32_t i = body; i < body + n; i++) {
        if (p->nodes[i].kind == K_yield || p->nodes[i].kind == K_await)
            return false;
        if (p->nodes[i].kind == K_augmented_assignment) {
            uint32_t right = py_child(p, i, FIELD_right);
            grows += right && (p->nodes[right].kind == K_list || p->nodes[right].kind == K_string);
        }
        if (p->nodes[i].kind != K_call)
            continue;
        uint32_t f = py_child(p, i, FIELD_function),
                 name = f && p->nodes[f].kind == K_attribute ? py_child(p, f, FIELD_attribute) : f;
        bool is_growing = false, is_harmless = false;
        for (size_t k = 0; name && growing[k]; k++)
            is_growing |= py_text_is(p, name, growing[k]);
        for (size_t k = 0; name && harmless[k]; k++)
            is_harmless |= py_text_is(p, name, harmless[k]);
        if (!is_growing && !is_harmless)
            return false;
        grows += is_growing;
    }
    return grows > 0;
}

static void while_loop(struct py *p, uint32_t node)
{
    uint32_t body = py_child(p, node, FIELD_body);
    struct py_value v = py_eval(p, py_child(p, node, FIELD_condition));
    uint32_t condition = py_child(p, node, FIELD_condition);
    while (condition && p->nodes[condition].kind == K_parenthesized_expression)
        condition = p->nodes[condition].first;
    bool is_literal = condition && (p->nodes[condition].kind == K_true || p->nodes[condition].kind == K_integer);
    bool is_endless = is_literal && v.kind == V_INT && v.num && body && !can_leave(p, body);
    p->loops++;
    p->vague++;
    p->endless += is_endless;
    py_block(p, body);
    if (is_endless && only_grows(p, body))
        py_flow(p, node, "endless-alloc", NULL, NULL);
    else if (is_endless && only_spins(p, body))
        py_flow(p, node, "endless-loop", NULL, NULL);
    p->endless -= is_endless;
    p->vague--;
    p->loops--;
    py_block(p, py_child(p, node, FIELD_alternative));
}

static uint32_t turns_in(struct py_value v)
{
    uint32_t n = v.kind == V_LIST && !v.list->is_open ? v.list->count : py_is_str(v) ? v.size : 0;
    return n <= MAX_TURNS ? n : 0;
}

static struct py_value turn_of(struct py_value v, uint32_t i)
{
    struct py_value r = v;
    if (v.kind == V_LIST)
        r = v.list->items[i];
    else if (v.is_bytes)
        return py_int((unsigned char)v.text[i]);
    else
        r = py_str((struct fold_text){ v.text + i, 1 }, v.taint & T_ORIGIN);
    return r;
}

static void for_loop(struct py *p, uint32_t node)
{
    uint32_t body = py_child(p, node, FIELD_body), left = py_child(p, node, FIELD_left);
    struct py_value over = py_eval(p, py_child(p, node, FIELD_right));
    uint32_t turns = turns_in(over), before = p->effects;
    p->loops++;
    p->vague += !turns;
    py_assign(p, left, turns ? turn_of(over, 0) : py_element(p, over));
    py_block(p, body);
    /* once more only where other values may show something else */
    if (turns > 1 && p->effects != before && body && py_may_repeat(p, body, turns)) {
        for (uint32_t i = 1; i < turns && !scan_stop(p->ctx); i++) {
            py_assign(p, left, turn_of(over, i));
            py_block(p, body);
        }
    }
    p->vague -= !turns;
    p->loops--;
    py_block(p, py_child(p, node, FIELD_alternative));
}

/* --- definitions ----------------------------------------------------------------------------------------------------
 */

static void define_function(struct py *p, uint32_t node)
{
    struct py_value v;
    uint32_t name = py_intern_node(p, py_child(p, node, FIELD_name));
    const struct py_scope *s = &p->scopes[p->scope];
    py_function_new(p, node, name, s->function < 0 ? s->class : -1, &v);
    py_bind(p, name, v);
}

static void define_class(struct py *p, uint32_t node)
{
    uint32_t name = py_intern_node(p, py_child(p, node, FIELD_name)), supers = py_child(p, node, FIELD_superclasses);
    uint32_t outer = p->scope;
    struct py_value base = py_unknown(0);
    for (uint32_t c = supers ? p->nodes[supers].first : 0; c; c = p->nodes[c].next) {
        struct py_value v = py_eval_part(p, c);
        if (base.kind == V_UNKNOWN && (v.kind == V_CLASS || (v.kind == V_NAME && !str_eq(v.name, "object"))))
            base = v;
    }
    if (p->class_count >= p->class_cap) {
        uint32_t cap = p->class_cap ? p->class_cap * 2 : 8;
        struct py_class *more = cap > 16384 ? NULL : fold_take(&p->mem, cap * sizeof *more);
        if (!more)
            return;
        if (p->class_count)
            memcpy(more, p->classes, p->class_count * sizeof *more);
        p->classes = more;
        p->class_cap = cap;
    }
    uint32_t index = p->class_count, scope = py_scope_new(p, outer, -1, (int32_t)index);
    if (!scope)
        return;
    p->classes[p->class_count++] = (struct py_class){ .scope = scope, .name = name, .base = base };
    py_bind(p, name, (struct py_value){ .kind = V_CLASS, .num = index });
    p->scope = scope;
    py_block(p, py_child(p, node, FIELD_body));
    p->scope = outer;
}

static void decorated(struct py *p, uint32_t node)
{
    uint32_t definition = py_child(p, node, FIELD_definition);
    for (uint32_t c = p->nodes[node].first; c; c = p->nodes[c].next)
        if (c != definition)
            (void)py_eval(p, p->nodes[c].first);
    if (definition)
        py_statement(p, definition);
}

/* --- the rest -------------------------------------------------------------------------------------------------------
 */

static void with_items(struct py *p, uint32_t clause)
{
    for (uint32_t item = p->nodes[clause].first; item; item = p->nodes[item].next) {
        uint32_t value = py_child(p, item, FIELD_value);
        if (!value)
            continue;
        if (p->nodes[value].kind != K_as_pattern) {
            (void)py_eval(p, value);
            continue;
        }
        uint32_t what = p->nodes[value].first, as = py_child(p, value, FIELD_alias);
        struct py_value v = what ? py_eval(p, what) : py_unknown(0);
        if (v.kind == V_OBJ && v.name && str_eq(v.name, "tempfile.TemporaryDirectory"))
            v = py_const("/tmp/{}", T_OWN | T_HARDLY);
        py_assign(p, as, v);
    }
}

static void returns(struct py *p, uint32_t node)
{
    uint32_t what = p->nodes[node].first;
    struct py_value v = what ? py_eval(p, what) : (struct py_value){ .kind = V_NONE };
    int32_t function = p->scopes[p->scope].function;
    if (function >= 0) {
        const char *name = py_name_of(p, p->functions[function].name);
        if (str_starts(name, "__reduce") && v.kind == V_LIST && v.list->count && v.list->items[0].kind == V_NAME)
            py_flow(p, node, "pickle-gadget", v.list->items[0].name, NULL);
    }
    if (!p->result)
        return;
    if (p->result->kind == V_UNKNOWN || p->result->kind == V_NONE) {
        uint32_t taint = p->result->taint;
        *p->result = v;
        p->result->taint |= taint & T_ORIGIN;
    } else {
        p->result->taint |= v.taint & T_ORIGIN;
    }
}

static void try_block(struct py *p, uint32_t node)
{
    for (uint32_t c = p->nodes[node].first; c; c = p->nodes[c].next) {
        uint8_t kind = p->nodes[c].kind;
        if (kind == K_except_clause || kind == K_except_group_clause)
            branch(p, c);
        else
            py_statement(p, c);
    }
}

static void if_block(struct py *p, uint32_t node)
{
    for (uint32_t c = p->nodes[node].first; c; c = p->nodes[c].next) {
        if (p->nodes[c].field == FIELD_condition)
            (void)py_eval(p, c);
        else if (p->nodes[c].kind == K_elif_clause && p->depth < SCAN_MAX_DEPTH)
            if_block(p, c);
        else
            branch(p, c);
    }
}

static void exec_statement(struct py *p, uint32_t node)
{
    struct py_call c = { .node = node, .callee = py_named(p, "exec", 0), .count = 1, .positional = 1 };
    uint32_t code = py_child(p, node, FIELD_code);
    c.args[0] = py_eval(p, code ? code : p->nodes[node].first);
    c.taint = c.args[0].taint;
    (void)py_apply(p, &c);
}

static void declare_global(struct py *p, uint32_t node)
{
    for (uint32_t c = p->nodes[node].first; c; c = p->nodes[c].next)
        if (p->scope != 1)
            py_set(p, p->scope, py_intern_node(p, c), (struct py_value){ .kind = V_PARTIAL });
}

static void statement(struct py *p, uint32_t node)
{
    uint32_t first = p->nodes[node].first;
    switch (p->nodes[node].kind) {
    case K_expression_statement:
        if (first && (p->nodes[first].kind == K_string || p->nodes[first].kind == K_concatenated_string) &&
            !p->nodes[first].next)
            break; /* a docstring or a comment in quotes */
        children(p, node);
        break;
    case K_assignment:
        (void)assignment(p, node);
        break;
    case K_augmented_assignment:
        augmented(p, node);
        break;
    case K_import_statement:
        for (uint32_t c = first; c; c = p->nodes[c].next)
            import_one(p, c);
        break;
    case K_import_from_statement:
        import_from(p, node);
        break;
    case K_future_import_statement:
    case K_nonlocal_statement:
    case K_wildcard_import:
        break;
    case K_global_statement:
        declare_global(p, node);
        break;
    case K_if_statement:
        if_block(p, node);
        break;
    case K_while_statement:
        while_loop(p, node);
        break;
    case K_for_statement:
        for_loop(p, node);
        break;
    case K_try_statement:
        try_block(p, node);
        break;
    case K_with_statement:
        for (uint32_t c = first; c; c = p->nodes[c].next)
            p->nodes[c].kind == K_with_clause ? with_items(p, c) : py_block(p, c);
        break;
    case K_function_definition:
        define_function(p, node);
        break;
    case K_class_definition:
        define_class(p, node);
        break;
    case K_decorated_definition:
        decorated(p, node);
        break;
    case K_return_statement:
        returns(p, node);
        break;
    case K_exec_statement:
        exec_statement(p, node);
        break;
    case K_ERROR:
    case K_module:
    case K_block:
    case K_else_clause:
    case K_elif_clause:
    case K_finally_clause:
    case K_except_clause:
    case K_except_group_clause:
    case K_match_statement:
    case K_case_clause:
    case K_print_statement:
    case K_chevron:
    case K_assert_statement:
    case K_raise_statement:
    case K_other:
        children(p, node);
        break;
    case K_delete_statement:
        break;
    default:
        (void)py_eval(p, node);
        break;
    }
}

void py_statement(struct py *p, uint32_t node)
{
    if (p->depth >= SCAN_MAX_DEPTH || scan_stop(p->ctx)) {
        p->is_cut = true;
        return;
    }
    p->depth++;
    statement(p, node);
    p->depth--;
}
