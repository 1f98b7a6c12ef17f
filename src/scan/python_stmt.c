/* Statements, in the order in which they would run. */
#include "scan/python.h"

#define MAX_TURNS 512u

struct tv py_group(struct py *p, uint32_t node)
{
    uint32_t taint = 0;
    PARTS(c, p->e, node)
    taint |= py_eval(p, c).taint;
    return tv_unknown(taint & T_ORIGIN);
}

/* Conditions run, the rest perhaps. */
static void branch(struct py *p, uint32_t node)
{
    PARTS(c, p->e, node)
    {
        bool is_sure = py_at(p, c)->role == ROLE_CONDITION || py_at(p, c)->op == IR_BRANCH;
        p->branches += !is_sure;
        (void)py_eval(p, c);
        p->branches -= !is_sure;
    }
}

/* --- assignment -----------------------------------------------------------------------------------------------------
 */

static void assign_parts(struct py *p, uint32_t target, struct tv v)
{
    uint32_t at = 0;
    PARTS(c, p->e, target)
    {
        struct tv part;
        if (v.kind == TV_LIST && at < v.list->count)
            part = v.list->items[at];
        else if (v.kind == TV_OBJECT) /* `reader, writer = await asyncio.open_connection()` */
            part = v;
        else
            part = py_element(v);
        if (v.kind == TV_UNKNOWN)
            part.taint &= ~(uint32_t)T_LOOP | v.taint;
        py_assign(p, c, part);
        at++;
    }
}

void py_set_member(struct py *p, struct tv o, const char *name, struct tv v)
{
    if (o.kind != TV_INSTANCE && o.kind != TV_CLASS)
        return;
    if (o.number >= p->class_count)
        return;
    uint32_t scope = p->classes[o.number].scope;
    struct tv old = py_get_in(p, scope, name, NULL);
    if ((v.kind == TV_NONE || v.kind == TV_UNKNOWN) && old.kind != TV_UNKNOWN && old.kind != TV_NONE)
        return; /* a process that gave it a value first: methods run in no particular order */
    py_set(p, scope, name, v);
}

/* self.__dict__["run"] = v */
static bool assign_in_dict(struct py *p, uint32_t value, struct tv key, struct tv v)
{
    if (py_at(p, value)->op != IR_MEMBER || !span_is(ir_name(p->e, value), "__dict__") || key.kind != TV_TEXT)
        return false;
    py_set_member(p, py_eval_part(p, py_at(p, value)->first), py_intern(p, key.text, key.size), v);
    return true;
}

static void assign_item(struct py *p, uint32_t target, struct tv v)
{
    uint32_t value = py_at(p, target)->first, sub = value ? py_at(p, value)->next : 0;
    struct tv o = py_eval_part(p, value), key = sub ? py_eval(p, sub) : tv_unknown(0);
    if (value && assign_in_dict(p, value, key, v))
        return;
    if (o.kind == TV_RECORD && key.kind == TV_TEXT && o.list->count + 2 < PY_MAX_ITEMS) {
        if (py_list_add(p, o, key))
            (void)py_list_add(p, o, v);
    } else if (o.kind == TV_LIST && key.kind == TV_NUMBER && key.number >= 0 && key.number < (int64_t)o.list->count &&
               !p->vague) {
        o.list->items[key.number] = v;
    } else if (o.kind == TV_LIST) {
        o.list->is_open = true;
    } else if (o.kind == TV_PATH && str_eq(o.name, "os.environ") && key.kind == TV_TEXT) {
        const char *id = py_intern(p, key.text, key.size);
        py_flow(p, target, "environ-write", id ? id : "", py_show(p, v));
    }
}

void py_assign(struct py *p, uint32_t target, struct tv v)
{
    if (!target || p->e->depth >= SCAN_MAX_DEPTH)
        return;
    p->e->depth++;
    switch (py_at(p, target)->op) {
    case IR_NAME:
        py_bind(p, py_intern_node(p, target), v);
        break;
    case IR_LIST:
        assign_parts(p, target, v);
        break;
    case IR_MEMBER:
        py_set_member(p, py_eval_part(p, py_at(p, target)->first), py_intern_name(p, target), v);
        break;
    case IR_INDEX:
        assign_item(p, target, v);
        break;
    case IR_SPREAD:
        py_assign(p, py_at(p, target)->first, v);
        break;
    default:
        break;
    }
    p->e->depth--;
}

static struct tv augmented(struct py *p, uint32_t node, uint32_t left, uint32_t right)
{
    struct tv old = py_eval_part(p, left), v = py_eval(p, right);
    bool is_text = old.kind == TV_TEXT || v.kind == TV_TEXT;
    if (is_text && p->endless && (v.size > 1024 || v.taint & (T_HUGE | T_LARGE)))
        py_flow(p, node, "endless-alloc", NULL, NULL);
    if (p->vague && old.kind == TV_NUMBER)
        v = tv_unknown((old.taint | v.taint) & T_ORIGIN); /* a counter */
    else
        v = py_binary(p, py_at(p, node)->sign, old, v);
    if (is_text) {
        p->effects++;
        if (p->vague && v.kind == TV_TEXT)
            v.taint |= T_HARDLY;
    }
    return v;
}

static struct tv assignment(struct py *p, uint32_t node)
{
    const char sign = py_at(p, node)->sign;
    uint32_t right = ir_part(p->e, node, ROLE_RIGHT), left = ir_part(p->e, node, ROLE_LEFT);
    struct tv v;
    if (!right) { /* `x: socket.socket` */
        v = py_eval_part(p, ir_part(p->e, node, ROLE_TYPE));
        if (v.kind == TV_PATH && strchr(v.name, '.'))
            py_assign(p, left, py_object(v.name, 0));
        return tv_unknown(0);
    }
    if (sign == 'n' || sign == 'w')
        v = py_eval(p, right);
    else if (sign)
        v = augmented(p, node, left, right);
    else
        v = py_eval_part(p, right);
    if (sign == 'w' && v.kind == TV_OBJECT && v.name && str_eq(v.name, "tempfile.TemporaryDirectory"))
        v = py_const("/tmp/{}", T_OWN | T_HARDLY);
    py_assign(p, left, v);
    return v;
}

/* --- imports --------------------------------------------------------------------------------------------------------
 */

struct tv py_module(struct py *p, uint32_t node, const char *name, bool is_dynamic)
{
    py_fact(p, FACT_IMPORT, node, name, is_dynamic);
    return py_named(py_usual_name(name), is_dynamic ? T_COMPUTED : 0);
}

/* import text as name, or what text begins with. */
static void import(struct py *p, uint32_t node)
{
    const struct ir_node *i = py_at(p, node);
    const char *name = py_intern_name(p, node);
    if (!i->text)
        return;
    struct tv module = py_module(p, node, i->text, false);
    py_bind(p, name, i->sign == 'a' ? module : py_named(py_usual_name(name ? name : ""), 0));
}

static void import_from(struct py *p, uint32_t node)
{
    const char *module = py_at(p, node)->text;
    if (module) {
        py_fact(p, FACT_IMPORT, node, module, false);
        module = py_usual_name(module);
    }
    PARTS(c, p->e, node)
    {
        const struct ir_node *i = py_at(p, c);
        struct tv v = tv_unknown(0);
        if (i->sign == '*' && module && p->star_count < ARRAY_LEN(p->stars))
            p->stars[p->star_count++] = module;
        if (module && i->text)
            v = py_attribute(p, c, py_named(module, 0), i->text, 0);
        py_bind(p, py_intern_name(p, c), v);
    }
}

/* --- loops ----------------------------------------------------------------------------------------------------------
 */

/* Does the loop's body leave it? Nested loops and functions are not told apart: a doubt in the program's favour. */
static bool can_leave(struct py *p, uint32_t body)
{
    uint32_t n = py_nodes_in(p, body);
    for (uint32_t i = body; i < body + n; i++)
        switch (py_at(p, i)->op) {
        case IR_BREAK:
        case IR_RETURN:
            return true;
        case IR_NAME:
            if (py_text_is(p, i, "exit") || py_text_is(p, i, "quit"))
                return true;
            break;
        default:
            break;
        }
    return false;
}

/* The name by which a call calls; 0: none. */
static struct span called(struct py *p, uint32_t call)
{
    uint32_t of = ir_part(p->e, call, ROLE_OF);
    return !of ? (struct span){ "", 0 } : py_at(p, of)->op == IR_MEMBER ? ir_name(p->e, of) : ir_span(p->e, of);
}

static bool is_any(struct span s, const char *const *list)
{
    while (*list && !span_is(s, *list))
        list++;
    return *list != NULL;
}

/* No call but such as compute, no yield: it can only burn time. */
static bool only_spins(struct py *p, uint32_t body)
{
    static const char *const computing[] = { "range",  "len",     "str",        "int",  "float",     "sum",
                                             "pow",    "abs",     "max",        "min",  "bytes",     "print",
                                             "sha256", "sha512",  "sha1",       "md5",  "hexdigest", "digest",
                                             "encode", "update",  "startswith", "sqrt", "sin",       "cos",
                                             "random", "randint", "format",     "hex",  NULL };
    uint32_t n = py_nodes_in(p, body), computes = 0, prints = 0;
    for (uint32_t i = body; i < body + n; i++) {
        if (py_at(p, i)->op == IR_WAIT)
            return false;
        if (py_at(p, i)->op != IR_CALL)
            continue;
        struct span name = called(p, i);
        if (!is_any(name, computing))
            return false;
        computes++;
        prints += span_is(name, "print");
    }
    return !computes || computes > prints;
}

/* Is appending all that it does? Then nothing in it waits or ends. */
static bool only_grows(struct py *p, uint32_t body)
{
    static const char *const growing[] = { "append", "extend", "insert", "add", NULL };
    static const char *const harmless[] = { "bytearray", "bytes", "range", "list", "str", "object", "len", NULL };
    uint32_t n = py_nodes_in(p, body), grows = 0;
    for (uint32_t i = body; i < body + n; i++) {
        const struct ir_node *at = py_at(p, i);
        if (at->op == IR_WAIT)
            return false;
        if (at->op == IR_ASSIGN && at->sign && at->sign != 'n' && at->sign != 'w') {
            const struct ir_node *right = py_at(p, ir_part(p->e, i, ROLE_RIGHT));
            grows += right->op == IR_TEXT || right->op == IR_TEMPLATE || (right->op == IR_LIST && right->sign == '[');
        }
        if (at->op != IR_CALL)
            continue;
        bool is_growing = is_any(called(p, i), growing);
        if (!is_growing && !is_any(called(p, i), harmless))
            return false;
        grows += is_growing;
    }
    return grows > 0;
}

static void while_loop(struct py *p, uint32_t node)
{
    uint32_t body = ir_part(p->e, node, ROLE_BODY), condition = ir_part(p->e, node, ROLE_CONDITION);
    struct tv v = py_eval(p, condition);
    bool is_literal = condition && py_at(p, condition)->op == IR_NUMBER;
    bool is_endless = is_literal && v.number && body && !can_leave(p, body);
    p->loops++;
    p->vague++;
    p->endless += is_endless;
    (void)py_eval(p, body);
    if (is_endless && only_grows(p, body))
        py_flow(p, node, "endless-alloc", NULL, NULL);
    else if (is_endless && only_spins(p, body))
        py_flow(p, node, "endless-loop", NULL, NULL);
    p->endless -= is_endless;
    p->vague--;
    p->loops--;
    (void)py_eval(p, ir_part(p->e, node, ROLE_ELSE));
}

static void for_loop(struct py *p, uint32_t node)
{
    uint32_t body = ir_part(p->e, node, ROLE_BODY), left = ir_part(p->e, node, ROLE_LEFT);
    struct tv over = py_eval(p, ir_part(p->e, node, ROLE_RIGHT));
    uint32_t turns = py_turns(over, MAX_TURNS), before = p->effects;
    p->loops++;
    p->vague += !turns;
    py_assign(p, left, turns ? py_turn(over, 0) : py_element(over));
    (void)py_eval(p, body);
    /* once more only where other values may show something else */
    if (turns > 1 && p->effects != before && body && py_may_repeat(p, body, turns)) {
        for (uint32_t i = 1; i < turns && !scan_stop(p->e->c); i++) {
            py_assign(p, left, py_turn(over, i));
            (void)py_eval(p, body);
        }
    }
    p->vague -= !turns;
    p->loops--;
    (void)py_eval(p, ir_part(p->e, node, ROLE_ELSE));
}

/* --- definitions ----------------------------------------------------------------------------------------------------
 */

static void define_function(struct py *p, uint32_t node)
{
    struct tv v;
    const char *name = py_intern_name(p, node);
    const struct py_scope *s = &p->scopes[p->scope];
    py_function_new(p, node, name, s->function < 0 ? s->class : -1, &v);
    py_bind(p, name, v);
}

static void define_class(struct py *p, uint32_t node)
{
    const char *name = py_intern_name(p, node);
    uint32_t supers = ir_part(p->e, node, ROLE_ARGS), outer = p->scope;
    struct tv base = tv_unknown(0);
    PARTS(c, p->e, supers)
    {
        struct tv v = py_eval_part(p, c);
        if (base.kind == TV_UNKNOWN && (v.kind == TV_CLASS || (v.kind == TV_PATH && !str_eq(v.name, "object"))))
            base = v;
    }
    uint32_t index = p->class_count, scope = py_scope_new(p, outer, -1, (int32_t)index);
    if (!scope || !py_room(p, &p->classes, index, &p->class_cap, sizeof *p->classes, 16384))
        return;
    p->classes[p->class_count++] = (struct py_class){ .scope = scope, .base = base };
    py_bind(p, name, (struct tv){ .kind = TV_CLASS, .number = index });
    p->scope = scope;
    (void)py_eval(p, ir_part(p->e, node, ROLE_BODY));
    p->scope = outer;
}

/* --- the rest -------------------------------------------------------------------------------------------------------
 */

static void returns(struct py *p, uint32_t node)
{
    uint32_t what = py_at(p, node)->first;
    struct tv v = what ? py_eval(p, what) : (struct tv){ .kind = TV_NONE };
    int32_t function = p->scopes[p->scope].function;
    if (function >= 0) {
        const char *name = p->functions[function].name;
        if (name && str_starts(name, "__reduce") && v.kind == TV_LIST && v.list->count &&
            v.list->items[0].kind == TV_PATH)
            py_flow(p, node, "pickle-gadget", v.list->items[0].name, NULL);
    }
    if (!p->result)
        return;
    if (p->result->kind == TV_UNKNOWN || p->result->kind == TV_NONE) {
        uint32_t taint = p->result->taint;
        *p->result = v;
        p->result->taint |= taint & T_ORIGIN;
    } else {
        p->result->taint |= v.taint & T_ORIGIN;
    }
}

static void declare_global(struct py *p, uint32_t node)
{
    PARTS(c, p->e, node)
    if (p->scope != 1)
        py_set(p, p->scope, py_intern_node(p, c), (struct tv){ .kind = TV_PARTIAL });
}

struct tv py_statement(struct py *p, uint32_t node)
{
    switch (py_at(p, node)->op) {
    case IR_ASSIGN:
        return assignment(p, node);
    case IR_IMPORT:
        py_at(p, node)->sign == 'f' ? import_from(p, node) : import(p, node);
        break;
    case IR_DECLARE:
        declare_global(p, node);
        break;
    case IR_BRANCH:
        branch(p, node);
        break;
    case IR_LOOP:
        while_loop(p, node);
        break;
    case IR_EACH:
        for_loop(p, node);
        break;
    case IR_FUNCTION:
        define_function(p, node);
        break;
    case IR_TYPEDEF:
        define_class(p, node);
        break;
    case IR_RETURN:
        returns(p, node);
        break;
    default:
        return py_group(p, node);
    }
    return tv_unknown(0);
}
