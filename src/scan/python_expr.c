/* Expressions become values. */
#include "scan/carrier.h"
#include "scan/python.h"

uint32_t py_nodes_in(struct py *p, uint32_t node)
{
    uint32_t n = 1;
    /* nodes lie in the order of the text, parents first */
    while (node + n < p->e->ir.count && py_at(p, node + n)->start < py_at(p, node)->end)
        n++;
    return n;
}

bool py_may_repeat(struct py *p, uint32_t node, uint32_t times)
{
    uint64_t cost = (uint64_t)py_nodes_in(p, node) * times;
    if (cost > p->again)
        return false;
    p->again -= (uint32_t)cost;
    return true;
}

/* `"HOME" in os.environ` takes nothing out of it. */
static struct tv comparison(struct py *p, uint32_t node)
{
    PARTS(c, p->e, node)
    (void)py_eval_part(p, c);
    return tv_unknown(0);
}

/* --- displays -------------------------------------------------------------------------------------------------------
 */

static struct tv list_of(struct py *p, uint32_t node)
{
    struct tv l = py_list_new(p);
    if (l.kind != TV_LIST)
        return l;
    PARTS(c, p->e, node)
    {
        struct tv v = py_eval(p, c);
        if (py_at(p, c)->op == IR_SPREAD && !py_at(p, c)->sign && v.kind == TV_LIST) {
            py_list_add_all(p, l, v);
        } else {
            (void)py_list_add(p, l, v);
        }
        l.taint |= v.taint & T_ORIGIN;
    }
    return l;
}

static struct tv dict_of(struct py *p, uint32_t node)
{
    struct tv d = py_list_new(p);
    if (d.kind != TV_LIST)
        return py_group(p, node);
    d.kind = TV_RECORD;
    PARTS(c, p->e, node)
    {
        if (py_at(p, c)->op != IR_PAIR) {
            d.taint |= py_eval(p, c).taint & T_ORIGIN;
            d.list->is_open = true;
            continue;
        }
        struct tv k = py_eval(p, ir_part(p->e, c, ROLE_START));
        struct tv v = py_eval(p, ir_part(p->e, c, ROLE_RIGHT));
        if (py_list_add(p, d, k))
            (void)py_list_add(p, d, v);
        d.taint |= v.taint & T_ORIGIN;
        uint8_t language = k.kind == TV_TEXT && v.kind == TV_TEXT ? carrier_language(k.text, k.size, v.text, v.size)
                                                                  : EMBEDDED_LANGUAGES;
        if (language != EMBEDDED_LANGUAGES) /* {"cmd": "..."}: whichever function gets it */
            embedded_perhaps(p->e->c, language, "value", v.text, v.size, py_at(p, c)->start);
    }
    if (d.list->count % 2)
        d.list->count--;
    return d;
}

/* --- comprehensions -------------------------------------------------------------------------------------------------
 */

static struct tv comprehension(struct py *p, uint32_t node)
{
    uint32_t body = ir_part(p->e, node, ROLE_BODY), clauses = 0, outer = p->scope;
    struct tv over = tv_unknown(0), r;
    uint32_t turns = 0;
    uint32_t scope = py_scope_new(p, p->scope, -1, -1);
    uint32_t target = 0;
    PARTS(c, p->e, node)
    {
        if (py_at(p, c)->op != IR_EACH)
            continue;
        clauses++;
        over = py_eval(p, ir_part(p->e, c, ROLE_RIGHT));
        p->scope = scope ? scope : outer;
        target = ir_part(p->e, c, ROLE_LEFT);
        turns = py_turns(over, 2048);
        if (clauses == 1 && turns && py_may_repeat(p, node, turns))
            continue;
        turns = 0;
        py_assign(p, target, py_element(over));
    }
    if (clauses == 1 && turns) {
        r = py_list_new(p);
        for (uint32_t i = 0; i < turns && r.kind == TV_LIST && !scan_stop(p->e->c); i++) {
            py_assign(p, target, py_turn(over, i));
            struct tv v = py_eval(p, body);
            (void)py_list_add(p, r, v);
            r.taint |= v.taint & T_ORIGIN;
        }
    } else {
        p->loops++;
        p->vague++;
        if (clauses > 1 && turns) /* only the last clause was given no element */
            py_assign(p, target, py_element(over));
        r = py_iter_of(p, py_eval(p, body));
        p->vague--;
        p->loops--;
    }
    PARTS(c, p->e, node)
    if (c != body && py_at(p, c)->op != IR_EACH)
        r.taint |= py_eval(p, c).taint & T_ORIGIN;
    p->scope = outer;
    return py_at(p, node)->sign == '{' ? tv_unknown(r.taint & T_ORIGIN) : r;
}

struct tv py_element(struct tv v)
{
    if (v.kind == TV_ITER) {
        struct tv e = v.list->items[0];
        e.taint |= v.taint & T_ORIGIN;
        return e;
    }
    if (v.kind == TV_PATH && str_eq(v.name, "os.environ"))
        return tv_unknown(T_ENV);
    if (v.kind == TV_OBJECT && v.name && str_starts(v.name, "psutil.process_iter"))
        return py_object("psutil.Process", T_PID);
    if (v.kind == TV_OBJECT && v.name &&
        (str_starts(v.name, "asyncio.open_conn") || str_starts(v.name, "websockets.") || str_starts(v.name, "kafka.")))
        v.taint |= T_NET;
    uint32_t taint = v.taint & T_ORIGIN;
    if (v.kind == TV_LIST && v.list->count) { /* too many to run through: one stands for all, when they are alike */
        struct tv e = v.list->items[0];
        if (e.kind == TV_TEXT || e.kind == TV_OBJECT) {
            e.taint |= T_HARDLY | T_LOOP | taint;
            return e;
        }
    }
    return tv_unknown(taint | T_LOOP);
}

/* --- subscripts -----------------------------------------------------------------------------------------------------
 */

static bool same_key(struct tv a, struct tv b)
{
    if (a.kind != b.kind)
        return false;
    if (a.kind == TV_TEXT)
        return a.size == b.size && memcmp(a.text, b.text, a.size) == 0;
    return a.kind == TV_NUMBER && a.number == b.number;
}

static struct tv name_in(struct py *p, uint32_t node, const char *module, struct tv key)
{
    if (key.kind == TV_TEXT && !(key.taint & T_HARDLY)) {
        const char *id = py_intern(p, key.text, key.size);
        return id ? py_attribute(p, node, py_named(module, T_COMPUTED), id, key.taint) : tv_unknown(0);
    }
    if (py_is_dangerous_module(module))
        return py_named(py_dotted(p, module, "?"), T_COMPUTED | T_HARDLY);
    return tv_unknown(0);
}

static struct tv in_globals(struct py *p, uint32_t node, struct tv key)
{
    if (!py_is_str(key))
        return tv_unknown(0);
    const char *s = py_intern(p, key.text, key.size);
    bool is_found;
    struct tv v = py_get_in(p, 1, s, &is_found);
    if (is_found || !s)
        return is_found ? v : tv_unknown(T_COMPUTED);
    if (str_eq(s, "__builtins__") || str_eq(s, "__builtin__"))
        return py_named("builtins", T_COMPUTED);
    if (py_is_dangerous_module(s))
        return py_module(p, node, s, true);
    v = py_lookup(p, s);
    v.taint |= T_COMPUTED;
    return v;
}

struct tv py_item(struct py *p, uint32_t node, struct tv o, struct tv key)
{
    uint32_t taint = (o.taint | key.taint) & (T_ORIGIN | T_OWN);
    if (o.kind == TV_LIST && key.kind == TV_NUMBER) {
        int64_t i = key.number < 0 ? key.number + o.list->count : key.number;
        return i >= 0 && i < (int64_t)o.list->count && !(o.list->is_open && key.number < 0) ? o.list->items[i]
                                                                                            : tv_unknown(taint);
    }
    if (py_is_str(o) && key.kind == TV_NUMBER) {
        int64_t i = key.number < 0 ? key.number + o.size : key.number;
        if (i < 0 || i >= (int64_t)o.size)
            return tv_unknown(taint);
        return o.is_bytes ? tv_number((unsigned char)o.text[i])
                          : py_str((struct fold_text){ o.text + i, 1 }, taint | T_COMPUTED);
    }
    if (o.kind == TV_RECORD) {
        for (uint32_t i = 0; i + 1 < o.list->count; i += 2)
            if (same_key(o.list->items[i], key))
                return o.list->items[i + 1];
        /* COMMANDS[what somebody asks]: one of ours */
        return tv_unknown(o.list->is_open ? taint : taint & ~(uint32_t)(T_REQUEST | T_NET | T_INPUT));
    }
    if (o.kind == TV_ITER)
        return py_element(o);
    if (o.kind == TV_OBJECT && o.name) {
        if (str_eq(o.name, "vars"))
            return name_in(p, node, o.text, key);
        if (str_eq(o.name, "globals"))
            return in_globals(p, node, key);
        if (str_eq(o.name, "graph"))
            return o;
        return tv_unknown(taint);
    }
    if (o.kind == TV_PATH) {
        if (str_eq(o.name, "sys.modules") && key.kind == TV_TEXT) {
            const char *id = py_intern(p, key.text, key.size);
            return id ? py_module(p, node, id, true) : tv_unknown(0);
        }
        if (str_eq(o.name, "os.environ") || str_eq(o.name, "os.environb"))
            return py_environ(p, node, key);
        if (str_eq(o.name, "builtins"))
            return name_in(p, node, o.name, key);
        if (str_eq(o.name, "sys.argv"))
            return key.kind == TV_NUMBER && key.number == 0 ? py_const("{}.py", T_MYSELF | T_HARDLY)
                                                            : tv_unknown(T_INPUT);
    }
    return tv_unknown(taint);
}

static struct tv slice_of(struct py *p, struct tv o, uint32_t slice)
{
    struct tv part[3];
    bool is_there[3] = { false, false, false }, is_known = true;
    PARTS(c, p->e, slice)
    {
        const uint8_t role = py_at(p, c)->role;
        unsigned at = role == ROLE_START ? 0 : role == ROLE_END ? 1 : 2;
        part[at] = py_eval(p, c);
        is_there[at] = part[at].kind != TV_NONE;
        is_known &= part[at].kind == TV_NUMBER || part[at].kind == TV_NONE;
    }
    uint32_t taint = o.taint & (T_ORIGIN | T_HARDLY | T_OWN);
    int64_t step = is_there[2] && is_known ? part[2].number : 1;
    if (o.kind == TV_TEXT && is_known && !((o.taint & T_HARDLY) && step != -1)) {
        struct fold_text t;
        if (fold_slice(&p->mem, py_text(o), is_there[0] ? &part[0].number : NULL, is_there[1] ? &part[1].number : NULL,
                       step, &t)) {
            struct tv v = py_str(t, taint | T_COMPUTED);
            v.is_bytes = o.is_bytes;
            return v;
        }
    }
    if (o.kind == TV_LIST && is_known && !is_there[0] && !is_there[1] && step == -1)
        return py_reversed(p, o);
    if (o.kind == TV_LIST && is_known && step == 1) {
        int64_t n = o.list->count, a = is_there[0] ? part[0].number : 0, b = is_there[1] ? part[1].number : n;
        a = a < 0 ? MAX_OF(a + n, 0) : MIN_OF(a, n);
        b = b < 0 ? MAX_OF(b + n, 0) : MIN_OF(b, n);
        struct tv l = py_list_new(p);
        for (int64_t i = a; l.kind == TV_LIST && i < b; i++)
            (void)py_list_add(p, l, o.list->items[i]);
        return l;
    }
    if (o.kind == TV_ITER || (o.kind == TV_OBJECT && o.name && str_eq(o.name, "graph")))
        return o;
    return tv_unknown(taint & ~T_HARDLY);
}

static struct tv subscript(struct py *p, uint32_t node)
{
    uint32_t value = py_at(p, node)->first;
    struct tv o = py_eval_part(p, value), r = tv_unknown(o.taint & T_ORIGIN);
    unsigned n = 0;
    PARTS(c, p->e, node)
    {
        if (c == value)
            continue;
        r = py_at(p, c)->op == IR_SLICE ? slice_of(p, o, c) : py_item(p, node, o, py_eval(p, c));
        n++;
    }
    return n == 1 ? r : tv_unknown(o.taint & T_ORIGIN);
}

/* --- the rest -------------------------------------------------------------------------------------------------------
 */

static struct tv binary(struct py *p, uint32_t node)
{
    if (py_at(p, node)->sign == 'c')
        return comparison(p, node);
    struct tv a = py_eval(p, ir_part(p->e, node, ROLE_LEFT)), b = py_eval(p, ir_part(p->e, node, ROLE_RIGHT));
    struct tv v = py_binary(p, py_at(p, node)->sign, a, b);
    if (v.taint & T_HUGE && v.kind == TV_UNKNOWN && !((a.taint | b.taint) & T_HUGE))
        py_flow(p, node, "endless-alloc", NULL, NULL);
    return v;
}

static struct tv unary(struct py *p, uint32_t node)
{
    struct tv v = py_eval(p, py_at(p, node)->first);
    const char op = py_at(p, node)->sign;
    if (v.kind != TV_NUMBER || v.number == INT64_MIN)
        return tv_unknown(v.taint & T_ORIGIN);
    v.number = op == '-' ? -v.number : op == '~' ? ~v.number : v.number;
    return v;
}

static bool is_known(struct tv v)
{
    return v.kind != TV_UNKNOWN && v.kind != TV_NONE;
}

/* `a or b`, `a if c else b`: whichever is known, remembering where the other came from. */
static struct tv either(struct tv a, struct tv b)
{
    struct tv v = is_known(a) ? a : b;
    v.taint |= (a.taint | b.taint) & T_ORIGIN;
    return v;
}

static struct tv choice(struct py *p, uint32_t node)
{
    struct tv part[3] = { 0 };
    unsigned n = 0;
    PARTS(c, p->e, node)
    {
        struct tv v = py_eval(p, c);
        if (n < ARRAY_LEN(part))
            part[n++] = v;
    }
    const char sign = py_at(p, node)->sign;
    return sign == '&' ? either(part[1], part[0]) : either(part[0], part[sign == '?' ? 2 : 1]);
}

static struct tv attribute(struct py *p, uint32_t node)
{
    const char *name = py_intern_name(p, node);
    struct tv o = py_eval_part(p, py_at(p, node)->first);
    return name ? py_attribute(p, node, o, name, 0) : tv_unknown(o.taint & T_ORIGIN);
}

struct tv py_own(struct eval *e, uint32_t node)
{
    struct py *p = e->own;
    struct tv v;
    switch (py_at(p, node)->op) {
    case IR_NAME:
        return py_lookup(p, py_intern_node(p, node));
    case IR_TEXT:
    case IR_TEMPLATE:
        return py_eval_string(p, node);
    case IR_NUMBER:
        return tv_number(py_at(p, node)->number);
    case IR_NONE:
        return (struct tv){ .kind = TV_NONE };
    case IR_LIST:
        return list_of(p, node);
    case IR_RECORD:
        return dict_of(p, node);
    case IR_BINARY:
        return binary(p, node);
    case IR_UNARY:
        return unary(p, node);
    case IR_EITHER:
        return choice(p, node);
    case IR_MEMBER:
        return attribute(p, node);
    case IR_INDEX:
        return subscript(p, node);
    case IR_CALL:
        return py_call(p, node);
    case IR_COMPREHENSION:
        return comprehension(p, node);
    case IR_WAIT:
        return py_at(p, node)->sign ? py_group(p, node) : py_eval(p, py_at(p, node)->first);
    case IR_SPREAD:
        return py_eval(p, py_at(p, node)->first);
    case IR_PAIR: /* of a comprehension, or an argument with its name */
        (void)py_eval(p, ir_part(p->e, node, ROLE_START));
        return py_eval(p, ir_part(p->e, node, ROLE_RIGHT));
    case IR_CLOSURE:
        py_function_new(p, node, NULL, -1, &v);
        return v;
    default:
        return py_statement(p, node);
    }
}

struct tv py_eval_part(struct py *p, uint32_t node)
{
    return node ? eval_node(p->e, node) : tv_unknown(0);
}

struct tv py_eval(struct py *p, uint32_t node)
{
    struct tv v = py_eval_part(p, node);
    const uint8_t op = py_at(p, node)->op;
    if (v.kind == TV_PATH && (op == IR_MEMBER || op == IR_NAME || op == IR_INDEX))
        py_fact(p, FACT_NAME, node, v.name, v.taint & T_COMPUTED);
    return v;
}
