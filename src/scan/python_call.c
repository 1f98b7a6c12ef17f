/* Calls: who is called, with what; functions of the program itself are entered. */
#include "scan/python.h"

/* Functions that are not in rules/python.effects are facts and nothing more. */
static bool known_call(struct py *p, struct py_call *c, struct py_value *ret)
{
    static const struct {
        uint8_t end; /* of a group of enum effect */
        py_handler *handler;
    } groups[] = { { EF_FOLDS_END, py_do_fold },        { EF_DECODES_END, py_do_decode },
                   { EF_PATHS_END, py_do_path },        { EF_ENVS_END, py_do_env },
                   { EF_REFLECTS_END, py_do_reflect },  { EF_FILES_END, py_do_file },
                   { EF_PROCESSES_END, py_do_process }, { EF_CODES_END, py_do_code },
                   { EF_NETS_END, py_do_net } };
    const struct known *k = effect_find(LANG_PYTHON, c->name, strlen(c->name));
    for (size_t i = 0; k && i < ARRAY_LEN(groups); i++)
        if (k->effects[0] < groups[i].end) {
            *ret = groups[i].handler(p, c, k->effects[0]);
            return true;
        }
    return false;
}

#define MAX_CALLS 24u /* functions entered from functions; each costs a few levels of `depth`, too */

static const struct py_value absent = { .kind = V_UNKNOWN };

const struct py_value *py_arg(const struct py_call *c, int position, const char *keyword)
{
    if (keyword)
        for (unsigned i = 0; i < c->count; i++)
            if (c->keys[i] && str_eq(c->keys[i], keyword))
                return &c->args[i];
    for (unsigned i = 0, at = 0; position >= 0 && i < c->count; i++)
        if (!c->keys[i] && (int)at++ == position)
            return &c->args[i];
    return &absent;
}

static void add_arg(struct py_call *c, struct py_value v, const char *key)
{
    c->taint |= v.taint;
    if (c->count >= PY_MAX_ARGS)
        return;
    c->args[c->count] = v;
    c->keys[c->count++] = key;
    c->positional += !key;
}

static void eval_args(struct py *p, struct py_call *c, uint32_t args)
{
    if (py_at(p, args)->op != IR_ARGS) { /* f(x for x in y) */
        add_arg(c, py_eval(p, args), NULL);
        return;
    }
    PARTS(n, &p->e, args)
    {
        struct py_value v = py_eval(p, n);
        const struct ir_node *i = py_at(p, n);
        if (i->op == IR_PAIR) {
            add_arg(c, v, py_name_of(p, py_intern_name(p, n)));
        } else if (i->op != IR_SPREAD) {
            add_arg(c, v, NULL);
        } else if (!i->sign && v.kind == V_LIST) {
            for (uint32_t k = 0; k < v.list->count && k < PY_MAX_ARGS; k++)
                add_arg(c, v.list->items[k], NULL);
        } else if (i->sign && v.kind == V_DICT) {
            for (uint32_t k = 0; k + 1 < v.list->count && k < PY_MAX_ARGS * 2; k += 2) {
                struct py_value key = v.list->items[k];
                uint32_t id = key.kind == V_STR ? py_intern(p, key.text, key.size) : 0;
                add_arg(c, v.list->items[k + 1], id ? py_name_of(p, id) : "**");
            }
        } else {
            add_arg(c, v, i->sign ? "**" : "*");
        }
    }
}

/* --- functions of the program ---------------------------------------------------------------------------------------
 */

void py_function_new(struct py *p, uint32_t node, uint32_t name, int32_t class, struct py_value *ret)
{
    *ret = py_unknown(0);
    if (p->function_count >= p->function_cap) {
        uint32_t cap = p->function_cap ? p->function_cap * 2 : 16;
        struct py_function *more = cap > 65536 ? NULL : fold_take(&p->mem, cap * sizeof *more);
        if (!more)
            return;
        if (p->function_count)
            memcpy(more, p->functions, p->function_count * sizeof *more);
        p->functions = more;
        p->function_cap = cap;
    }
    p->functions[p->function_count] =
        (struct py_function){ .node = node, .scope = p->scope, .name = name, .class = class };
    *ret = (struct py_value){ .kind = V_FUNC, .num = p->function_count++ };
}

/* What a parameter is when nothing was given: its default, or an object of the class it is annotated with. */
static struct py_value param_value(struct py *p, uint32_t param)
{
    uint32_t value = ir_part(&p->e, param, ROLE_RIGHT), type = ir_part(&p->e, param, ROLE_TYPE);
    struct py_value v = py_unknown(T_INPUT);
    if (value)
        v = py_eval(p, value);
    if ((v.kind == V_UNKNOWN || v.kind == V_NONE) && type) {
        struct py_value t = py_eval_part(p, type);
        if (t.kind == V_NAME && strchr(t.name, '.'))
            v = py_object(t.name, T_INPUT);
        else if (t.kind == V_CLASS)
            v = (struct py_value){ .kind = V_INST, .num = t.num };
    }
    return v;
}

static uint32_t param_name(struct py *p, uint32_t param)
{
    uint32_t name = ir_part(&p->e, param, ROLE_LEFT);
    return py_at(p, param)->op == IR_NAME ? param : name ? name : py_at(p, param)->first;
}

/* A parameter that a web framework fills: def view(request), async def hook(req: Request). */
static bool is_request(const char *name)
{
    return name && (str_eq(name, "request") || str_eq(name, "req"));
}

/* A function that a library calls with what somebody else sent: on_message(client, userdata, message). */
static bool is_handler(const char *name)
{
    static const char *const handlers[] = { "on_message",       "on_msg",        "handle_message",
                                            "message_handler",  "data_received", "message_received",
                                            "dataReceived",     "lineReceived",  "datagram_received",
                                            "received_message", "on_data",       "handle_command",
                                            "on_command",       "handle_msg",    NULL };
    return name && str_is_one_of(name, handlers);
}

static void bind_params(struct py *p, const struct py_function *f, struct py_value self, const struct py_call *c)
{
    int at = 0;
    bool is_first = true;
    PARTS(n, &p->e, f->node)
    {
        const uint8_t op = py_at(p, n)->op;
        if (py_at(p, n)->role != ROLE_PARAMS || (op != IR_NAME && op != IR_PARAM && op != IR_SPREAD))
            continue;
        uint32_t name = param_name(p, n);
        bool is_splat = py_at(p, name)->op == IR_SPREAD, is_list = op == IR_SPREAD && !py_at(p, n)->sign;
        if (is_splat) /* typed */
            name = py_at(p, name)->first;
        is_splat |= op == IR_SPREAD;
        uint32_t id = py_intern_node(p, name);
        if (is_splat) {
            struct py_value rest = py_list_new(p);
            for (; c && rest.kind == V_LIST && is_list && at < (int)c->positional; at++)
                (void)py_list_add(p, rest, *py_arg(c, at, NULL));
            if (rest.kind == V_LIST && !c)
                rest.list->is_open = true;
            py_set(p, p->scope, id, is_list ? rest : py_unknown(c ? c->taint & T_ORIGIN : 0));
        } else if (is_first && self.kind != V_UNKNOWN) {
            py_set(p, p->scope, id, self);
        } else {
            const struct py_value *given = c ? py_arg(c, at++, py_name_of(p, id)) : &absent;
            struct py_value v = given != &absent ? *given : param_value(p, n);
            if (!c && v.kind == V_UNKNOWN &&
                (is_request(py_name_of(p, id)) || is_handler(f->name ? py_name_of(p, f->name) : NULL)))
                v.taint |= T_REQUEST;
            py_set(p, p->scope, id, v);
        }
        is_first = false;
    }
}

static struct py_value run_function(struct py *p, uint32_t index, struct py_value self, struct py_call *c)
{
    struct py_function f = p->functions[index];
    uint32_t outer = p->scope, scope = py_scope_new(p, f.scope, (int32_t)index, f.class);
    unsigned loops = p->loops, endless = p->endless, vague = p->vague, branches = p->branches;
    struct py_value result = py_unknown(0), *outer_result = p->result;
    uint32_t before = p->effects, body = ir_part(&p->e, f.node, ROLE_BODY);
    if (!scope || !body)
        return result;
    p->functions[index].is_running = true;
    p->functions[index].runs++;
    p->scope = scope;
    p->result = &result;
    p->branches = 0;
    p->calls++;
    bind_params(p, &f, self, c);
    struct py_value last = py_eval(p, body);
    if (py_at(p, f.node)->op == IR_CLOSURE)
        result = last;
    p->calls--;
    p->loops = loops;
    p->endless = endless;
    p->vague = vague;
    p->branches = branches;
    p->result = outer_result;
    p->scope = outer;
    p->functions[index].is_running = false;
    p->functions[index].is_worth |= p->effects != before ||
                                    (result.kind != V_UNKNOWN && result.kind != V_INT && result.kind != V_NONE);
    p->functions[index].result = result;
    return result;
}

static bool has_known_argument(const struct py_call *c)
{
    for (unsigned i = 0; c && i < c->count; i++)
        if (c->args[i].kind != V_UNKNOWN || c->args[i].taint)
            return true;
    return false;
}

struct py_value py_enter(struct py *p, uint32_t index, struct py_value self, struct py_call *c)
{
    const struct py_function *f = &p->functions[index];
    if (f->is_running || p->calls >= MAX_CALLS || p->depth > SCAN_MAX_DEPTH / 2)
        return py_unknown(c ? c->taint & T_ORIGIN : 0);
    if (f->runs && !(f->is_worth && has_known_argument(c) && f->runs < 100 && py_may_repeat(p, f->node, 1))) {
        struct py_value v = f->result;
        v.taint |= c ? c->taint & T_ORIGIN : 0;
        return v;
    }
    return run_function(p, index, self, c);
}

void py_body_of(struct py *p, uint32_t index)
{
    struct py_value self = py_unknown(0);
    if (p->functions[index].class >= 0)
        self = (struct py_value){ .kind = V_INST, .num = p->functions[index].class };
    if (!p->functions[index].runs)
        (void)run_function(p, index, self, NULL);
}

/* --- calls ----------------------------------------------------------------------------------------------------------
 */

static struct py_value construct(struct py *p, struct py_call *c)
{
    struct py_value self = { .kind = V_INST, .num = c->callee.num };
    uint32_t node = c->node;
    struct py_value init = py_attribute(p, node, self, "__init__", 0);
    if (init.kind == V_PARTIAL && init.list->count == 2 && init.list->items[0].kind == V_FUNC)
        (void)py_enter(p, (uint32_t)init.list->items[0].num, self, c);
    return self;
}

static struct py_value apply_partial(struct py *p, struct py_call *c)
{
    const struct py_list *l = c->callee.list;
    if (!l || !l->count)
        return py_unknown(c->taint);
    struct py_value first = l->items[0];
    if (first.kind == V_FUNC && l->count == 2 && p->functions[first.num].class >= 0)
        return py_enter(p, (uint32_t)first.num, l->items[1], c);
    struct py_call inner = { .node = c->node, .args_node = c->args_node, .callee = first };
    for (uint32_t i = 1; i < l->count; i++)
        add_arg(&inner, l->items[i], NULL);
    for (unsigned i = 0; i < c->count; i++)
        add_arg(&inner, c->args[i], c->keys[i]);
    if (p->depth >= SCAN_MAX_DEPTH)
        return py_unknown(0);
    p->depth++;
    struct py_value v = py_apply(p, &inner);
    p->depth--;
    return v;
}

struct py_value py_apply(struct py *p, struct py_call *c)
{
    struct py_value v = py_unknown(c->taint & T_ORIGIN);
    switch (c->callee.kind) {
    case V_FUNC:
        v = py_enter(p, (uint32_t)c->callee.num, py_unknown(0), c);
        return v;
    case V_CLASS:
        return construct(p, c);
    case V_PARTIAL:
        return apply_partial(p, c);
    case V_NAME:
        break;
    case V_OBJ:
        if (c->callee.name && str_eq(c->callee.name, "graph")) {
            py_fact(p, FACT_CALL, c->node, "object-graph", true);
            return c->callee;
        }
        return py_unknown((c->callee.taint | c->taint) & T_ORIGIN);
    default:
        return py_unknown((c->callee.taint | c->taint) & T_ORIGIN);
    }
    c->name = c->callee.name;
    if (known_call(p, c, &v))
        return v;
    py_fact_call(p, c);
    py_read_by_name(p, c, c->name);
    v = py_object(c->name, (c->taint | c->callee.taint) & T_ORIGIN);
    if (c->callee.text) {
        v.text = c->callee.text;
        v.size = c->callee.size;
    }
    return v;
}

/* A method of something that no process knows: «?.connect», for rules about telling names. */
static void unknown_method(struct py *p, struct py_call *c, const char *method)
{
    char name[PY_MAX_NAME + 4] = "?.";
    size_t n = strlen(method);
    memcpy(name + 2, method, n + 1);
    uint32_t id = py_intern(p, name, (uint32_t)(n + 2));
    c->name = py_name_of(p, id);
    py_fact_call(p, c);
    py_read_by_name(p, c, method);
}

struct py_value py_call(struct py *p, uint32_t node)
{
    uint32_t function = ir_part(&p->e, node, ROLE_OF), args = ir_part(&p->e, node, ROLE_ARGS);
    struct py_call c = { .node = node, .args_node = args };
    struct py_value object = py_unknown(0), v;
    const char *method = NULL;
    bool is_known = false;
    if (!function)
        return py_unknown(0);
    if (py_at(p, function)->op == IR_MEMBER) {
        uint32_t id = py_intern_name(p, function);
        method = id ? py_name_of(p, id) : NULL;
        object = py_eval_part(p, py_at(p, function)->first);
    } else {
        c.callee = py_eval_part(p, function);
    }
    if (args)
        eval_args(p, &c, args);
    if (method && object.kind == V_STR) {
        v = py_str_method(p, object, method, &c, &is_known);
        if (is_known)
            return v;
    } else if (method && (object.kind == V_LIST || object.kind == V_DICT)) {
        v = py_list_method(p, object, method, &c, &is_known);
        if (is_known)
            return v;
    }
    if (method)
        c.callee = py_attribute(p, function, object, method, 0);
    if (method && c.callee.kind == V_UNKNOWN) {
        unknown_method(p, &c, method);
        bool is_own_text = str_eq(method, "decode") || str_eq(method, "encode") || str_eq(method, "strip");
        return is_own_text ? py_unknown(object.taint) : py_unknown((object.taint | c.taint) & T_ORIGIN);
    }
    if (c.callee.kind == V_NAME && c.callee.taint & T_HARDLY && strstr(c.callee.name, ".?"))
        py_flow(p, node, "computed-call", c.callee.name, NULL);
    return py_apply(p, &c);
}
