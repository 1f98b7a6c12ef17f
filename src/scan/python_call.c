/* Calls: who is called, with what; functions of the program itself are entered. */
#include "scan/python.h"

/* Functions that are not in rules/python.effects are facts and nothing more. */
static bool known_call(struct py *p, struct py_call *c, struct tv *ret)
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

static const struct tv absent = { .kind = TV_UNKNOWN };

const struct tv *py_arg(const struct py_call *c, int position, const char *keyword)
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

static void add_arg(struct py_call *c, struct tv v, const char *key)
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
    PARTS(n, p->e, args)
    {
        struct tv v = py_eval(p, n);
        const struct ir_node *i = py_at(p, n);
        if (i->op == IR_PAIR) {
            const char *key = py_intern_name(p, n);
            add_arg(c, v, key ? key : "");
        } else if (i->op != IR_SPREAD) {
            add_arg(c, v, NULL);
        } else if (!i->sign && v.kind == TV_LIST) {
            for (uint32_t k = 0; k < v.list->count && k < PY_MAX_ARGS; k++)
                add_arg(c, v.list->items[k], NULL);
        } else if (i->sign && v.kind == TV_RECORD) {
            for (uint32_t k = 0; k + 1 < v.list->count && k < PY_MAX_ARGS * 2; k += 2) {
                struct tv key = v.list->items[k];
                const char *id = key.kind == TV_TEXT ? py_intern(p, key.text, key.size) : NULL;
                add_arg(c, v.list->items[k + 1], id ? id : "**");
            }
        } else {
            add_arg(c, v, i->sign ? "**" : "*");
        }
    }
}

/* --- functions of the program ---------------------------------------------------------------------------------------
 */

void py_function_new(struct py *p, uint32_t node, const char *name, int32_t class, struct tv *ret)
{
    *ret = tv_unknown(0);
    if (!py_room(p, &p->functions, p->function_count, &p->function_cap, sizeof *p->functions, 65536))
        return;
    p->functions[p->function_count] =
        (struct py_function){ .node = node, .scope = p->scope, .name = name, .class = class };
    *ret = (struct tv){ .kind = TV_FUNCTION, .number = p->function_count++ };
}

/* What a parameter is when nothing was given: its default, or an object of the class it is annotated with. */
static struct tv param_value(struct py *p, uint32_t param)
{
    uint32_t value = ir_part(p->e, param, ROLE_RIGHT), type = ir_part(p->e, param, ROLE_TYPE);
    struct tv v = tv_unknown(T_INPUT);
    if (value)
        v = py_eval(p, value);
    if ((v.kind == TV_UNKNOWN || v.kind == TV_NONE) && type) {
        struct tv t = py_eval_part(p, type);
        if (t.kind == TV_PATH && strchr(t.name, '.'))
            v = py_object(t.name, T_INPUT);
        else if (t.kind == TV_CLASS)
            v = (struct tv){ .kind = TV_INSTANCE, .number = t.number };
    }
    return v;
}

static uint32_t param_name(struct py *p, uint32_t param)
{
    uint32_t name = ir_part(p->e, param, ROLE_LEFT);
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

static void bind_params(struct py *p, const struct py_function *f, struct tv self, const struct py_call *c)
{
    int at = 0;
    bool is_first = true;
    PARTS(n, p->e, f->node)
    {
        const uint8_t op = py_at(p, n)->op;
        if (py_at(p, n)->role != ROLE_PARAMS || (op != IR_NAME && op != IR_PARAM && op != IR_SPREAD))
            continue;
        uint32_t name = param_name(p, n);
        bool is_splat = py_at(p, name)->op == IR_SPREAD, is_list = op == IR_SPREAD && !py_at(p, n)->sign;
        if (is_splat) /* typed */
            name = py_at(p, name)->first;
        is_splat |= op == IR_SPREAD;
        const char *id = py_intern_node(p, name);
        if (is_splat) {
            struct tv rest = py_list_new(p);
            for (; c && rest.kind == TV_LIST && is_list && at < (int)c->positional; at++)
                (void)py_list_add(p, rest, *py_arg(c, at, NULL));
            if (rest.kind == TV_LIST && !c)
                rest.list->is_open = true;
            py_set(p, p->scope, id, is_list ? rest : tv_unknown(c ? c->taint & T_ORIGIN : 0));
        } else if (is_first && self.kind != TV_UNKNOWN) {
            py_set(p, p->scope, id, self);
        } else {
            const struct tv *given = c ? py_arg(c, at++, id) : &absent;
            struct tv v = given != &absent ? *given : param_value(p, n);
            if (!c && v.kind == TV_UNKNOWN && (is_request(id) || is_handler(f->name)))
                v.taint |= T_REQUEST;
            py_set(p, p->scope, id, v);
        }
        is_first = false;
    }
}

static struct tv run_function(struct py *p, uint32_t index, struct tv self, struct py_call *c)
{
    struct py_function f = p->functions[index];
    uint32_t outer = p->scope, scope = py_scope_new(p, f.scope, (int32_t)index, f.class);
    unsigned loops = p->loops, endless = p->endless, vague = p->vague, branches = p->branches;
    struct tv result = tv_unknown(0), *outer_result = p->result;
    uint32_t before = p->effects, body = ir_part(p->e, f.node, ROLE_BODY);
    if (!scope || !body)
        return result;
    p->functions[index].is_running = true;
    p->functions[index].runs++;
    p->scope = scope;
    p->result = &result;
    p->branches = 0;
    p->calls++;
    bind_params(p, &f, self, c);
    struct tv last = py_eval(p, body);
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
                                    (result.kind != TV_UNKNOWN && result.kind != TV_NUMBER && result.kind != TV_NONE);
    p->functions[index].result = result;
    return result;
}

static bool has_known_argument(const struct py_call *c)
{
    for (unsigned i = 0; c && i < c->count; i++)
        if (c->args[i].kind != TV_UNKNOWN || c->args[i].taint)
            return true;
    return false;
}

struct tv py_enter(struct py *p, uint32_t index, struct tv self, struct py_call *c)
{
    const struct py_function *f = &p->functions[index];
    if (f->is_running || p->calls >= MAX_CALLS || p->e->depth > SCAN_MAX_DEPTH / 2)
        return tv_unknown(c ? c->taint & T_ORIGIN : 0);
    if (f->runs && !(f->is_worth && has_known_argument(c) && f->runs < 100 && py_may_repeat(p, f->node, 1))) {
        struct tv v = f->result;
        v.taint |= c ? c->taint & T_ORIGIN : 0;
        return v;
    }
    return run_function(p, index, self, c);
}

void py_body_of(struct py *p, uint32_t index)
{
    struct tv self = tv_unknown(0);
    if (p->functions[index].class >= 0)
        self = (struct tv){ .kind = TV_INSTANCE, .number = p->functions[index].class };
    if (!p->functions[index].runs)
        (void)run_function(p, index, self, NULL);
}

/* --- calls ----------------------------------------------------------------------------------------------------------
 */

static struct tv construct(struct py *p, struct py_call *c)
{
    struct tv self = { .kind = TV_INSTANCE, .number = c->callee.number };
    struct tv init = py_attribute(p, c->node, self, "__init__", 0);
    if (init.kind == TV_PARTIAL && init.list->count == 2 && init.list->items[0].kind == TV_FUNCTION)
        (void)py_enter(p, (uint32_t)init.list->items[0].number, self, c);
    return self;
}

static struct tv apply_partial(struct py *p, struct py_call *c)
{
    const struct py_list *l = c->callee.list;
    if (!l || !l->count)
        return tv_unknown(c->taint);
    struct tv first = l->items[0];
    if (first.kind == TV_FUNCTION && l->count == 2 && p->functions[first.number].class >= 0)
        return py_enter(p, (uint32_t)first.number, l->items[1], c);
    struct py_call inner = { .node = c->node, .args_node = c->args_node, .callee = first };
    for (uint32_t i = 1; i < l->count; i++)
        add_arg(&inner, l->items[i], NULL);
    for (unsigned i = 0; i < c->count; i++)
        add_arg(&inner, c->args[i], c->keys[i]);
    if (p->e->depth >= SCAN_MAX_DEPTH)
        return tv_unknown(0);
    p->e->depth++;
    struct tv v = py_apply(p, &inner);
    p->e->depth--;
    return v;
}

struct tv py_apply(struct py *p, struct py_call *c)
{
    struct tv v = tv_unknown(c->taint & T_ORIGIN);
    switch (c->callee.kind) {
    case TV_FUNCTION:
        return py_enter(p, (uint32_t)c->callee.number, tv_unknown(0), c);
    case TV_CLASS:
        return construct(p, c);
    case TV_PARTIAL:
        return apply_partial(p, c);
    case TV_PATH:
        break;
    case TV_OBJECT:
        if (c->callee.name && str_eq(c->callee.name, "graph")) {
            py_fact(p, FACT_CALL, c->node, "object-graph", true);
            return c->callee;
        }
        return tv_unknown((c->callee.taint | c->taint) & T_ORIGIN);
    default:
        return tv_unknown((c->callee.taint | c->taint) & T_ORIGIN);
    }
    c->name = c->callee.name;
    if (known_call(p, c, &v))
        return v;
    py_fact_call(p, c);
    py_read_by_name(p, c, c->name);
    return py_thing(c->name, py_text(c->callee), (c->taint | c->callee.taint) & T_ORIGIN);
}

/* A method of something that no process knows: «?.connect», for rules about telling names. */
static void unknown_method(struct py *p, struct py_call *c, const char *method)
{
    char name[PY_MAX_NAME + 4] = "?.";
    size_t n = strlen(method);
    memcpy(name + 2, method, n + 1);
    c->name = py_intern(p, name, (uint32_t)(n + 2));
    py_fact_call(p, c);
    py_read_by_name(p, c, method);
}

struct tv py_call(struct py *p, uint32_t node)
{
    uint32_t function = ir_part(p->e, node, ROLE_OF), args = ir_part(p->e, node, ROLE_ARGS);
    struct py_call c = { .node = node, .args_node = args };
    struct tv object = tv_unknown(0), v;
    const char *method = NULL;
    bool is_known = false;
    if (!function)
        return tv_unknown(0);
    if (py_at(p, function)->op == IR_MEMBER) {
        method = py_intern_name(p, function);
        object = py_eval_part(p, py_at(p, function)->first);
    } else {
        c.callee = py_eval_part(p, function);
    }
    if (args)
        eval_args(p, &c, args);
    if (method && object.kind == TV_TEXT) {
        v = py_str_method(p, object, method, &c, &is_known);
        if (is_known)
            return v;
    } else if (method && (object.kind == TV_LIST || object.kind == TV_RECORD)) {
        v = py_list_method(p, object, method, &c, &is_known);
        if (is_known)
            return v;
    }
    if (method)
        c.callee = py_attribute(p, function, object, method, 0);
    if (method && c.callee.kind == TV_UNKNOWN) {
        unknown_method(p, &c, method);
        bool is_own_text = str_eq(method, "decode") || str_eq(method, "encode") || str_eq(method, "strip");
        return is_own_text ? tv_unknown(object.taint) : tv_unknown((object.taint | c.taint) & T_ORIGIN);
    }
    if (c.callee.kind == TV_PATH && c.callee.taint & T_HARDLY && strstr(c.callee.name, ".?"))
        py_flow(p, node, "computed-call", c.callee.name, NULL);
    return py_apply(p, &c);
}
