/* Functions that lead to other functions: getattr, __import__, map, partial, Thread(target=...) and their kin. */
#include "scan/python.h"

static struct tv apply1(struct py *p, struct py_call *from, struct tv f, const struct tv *args, unsigned n)
{
    struct py_call c = { .node = from->node, .args_node = from->args_node, .callee = f };
    for (unsigned i = 0; i < n && i < PY_MAX_ARGS; i++) {
        c.args[i] = args[i];
        c.keys[i] = NULL;
        c.taint |= args[i].taint;
    }
    c.count = c.positional = MIN_OF(n, PY_MAX_ARGS);
    if (p->e->depth >= SCAN_MAX_DEPTH)
        return tv_unknown(c.taint & T_ORIGIN);
    p->e->depth++;
    struct tv v = py_apply(p, &c);
    p->e->depth--;
    return v;
}

static struct tv get_attribute(struct py *p, struct py_call *c, struct tv o, struct tv name)
{
    if (py_is_str(name)) {
        const char *id = py_intern(p, name.text, name.size);
        struct tv v = id ? py_attribute(p, c->node, o, id, T_COMPUTED) : tv_unknown(0);
        if (v.kind == TV_PATH && (o.kind == TV_PATH || o.kind == TV_OBJECT))
            v.taint |= T_COMPUTED;
        return v;
    }
    if (o.kind == TV_PATH && py_is_dangerous_module(o.name))
        return py_named(py_dotted(p, o.name, "?"), T_COMPUTED | T_HARDLY);
    return tv_unknown(c->taint & T_ORIGIN);
}

/* f"plugins.{name}": some module of a package that is known, and that is none of those whose parts matter. NULL: it is
 * not. */
static const char *package_of(struct py *p, struct tv name)
{
    static const char *const of_interest[] = { "urllib", "http",     "multiprocessing", "asyncio",   "concurrent",
                                               "xmlrpc", "requests", "encodings",       "distutils", NULL };
    uint32_t n = 0;
    while (name.kind == TV_TEXT && n < name.size && (name.text[n] == '_' || (name.text[n] | 0x20) >= 'a') &&
           (name.text[n] | 0x20) <= 'z')
        n++;
    const char *package = n > 1 && n < name.size && name.text[n] == '.' ? py_intern(p, name.text, n) : NULL;
    return package && !py_is_dangerous_module(package) && !str_is_one_of(package, of_interest) ? package : NULL;
}

static struct tv imported(struct py *p, struct py_call *c, bool is_dunder)
{
    struct tv name = *py_arg(c, 0, "name");
    c->name = is_dunder ? "__import__" : "importlib.import_module";
    py_fact_call(p, c);
    if (!py_is_str(name)) {
        const char *package = package_of(p, name);
        py_fact(p, FACT_IMPORT, c->node, package ? package : "", !package);
        return tv_unknown(name.taint & T_ORIGIN);
    }
    uint32_t size = name.size;
    const char *dot = is_dunder && py_arg(c, -1, "fromlist")->kind == TV_UNKNOWN && c->positional < 4
                          ? memchr(name.text, '.', size)
                          : NULL;
    const char *whole = py_intern(p, name.text, size);
    const char *root = dot ? py_intern(p, name.text, (uint32_t)(dot - name.text)) : whole;
    if (!whole || !root || name.text[0] == '.')
        return tv_unknown(0);
    struct tv v = py_module(p, c->node, whole, !name.is_literal);
    if (root != whole)
        v = py_named(py_usual_name(root), 0);
    v.taint |= is_dunder || !name.is_literal ? T_COMPUTED : 0;
    return v;
}

/* map(f, xs): for each of them when they are few and known, else once. */
static struct tv mapped(struct py *p, struct py_call *c)
{
    struct tv f = *py_arg(c, 0, NULL), xs = *py_arg(c, 1, NULL);
    uint32_t n = py_turns(xs, 2048);
    bool is_empty = xs.kind == TV_LIST && !xs.list->is_open && !xs.list->count;
    if (!is_empty && (!n || !py_may_repeat(p, c->node, n))) {
        struct tv e = py_element(xs);
        return py_iter_of(p, apply1(p, c, f, &e, 1));
    }
    struct tv r = py_list_new(p);
    for (uint32_t i = 0; r.kind == TV_LIST && i < n && !scan_stop(p->e->c); i++) {
        struct tv e = py_turn(xs, i);
        (void)py_list_add(p, r, apply1(p, c, f, &e, 1));
    }
    return r;
}

static struct tv reduced(struct py *p, struct py_call *c)
{
    struct tv f = *py_arg(c, 0, NULL), xs = *py_arg(c, 1, NULL);
    if (xs.kind != TV_LIST || !xs.list->count || xs.list->count > 512 || !py_may_repeat(p, c->node, xs.list->count))
        return tv_unknown(c->taint & T_ORIGIN);
    struct tv pair[2] = { xs.list->items[0] };
    for (uint32_t i = 1; i < xs.list->count && !scan_stop(p->e->c); i++) {
        pair[1] = xs.list->items[i];
        pair[0] = apply1(p, c, f, pair, 2);
    }
    return pair[0];
}

static struct tv partial(struct py *p, const struct py_call *c, const char *first)
{
    struct tv l = py_list_new(p);
    if (l.kind != TV_LIST)
        return l;
    if (first)
        (void)py_list_add(p, l, py_named(first, 0));
    for (unsigned i = 0; i < c->count; i++)
        if (!c->keys[i])
            (void)py_list_add(p, l, c->args[i]);
    l.kind = TV_PARTIAL;
    return l;
}

/* Thread(target=f, args=(...)): f runs. */
static struct tv started(struct py *p, struct py_call *c, const char *made)
{
    struct tv f = *py_arg(c, -1, "target"), args = *py_arg(c, -1, "args");
    if (f.kind == TV_UNKNOWN)
        f = *py_arg(c, 1, "function");
    if (args.kind == TV_UNKNOWN)
        args = *py_arg(c, 2, "args");
    if (f.kind == TV_FUNCTION && p->functions[f.number].is_running && p->loops)
        py_flow(p, c->node, "fork-loop", made, NULL);
    if (f.kind != TV_UNKNOWN && f.kind != TV_NONE) {
        if (args.kind == TV_LIST)
            (void)apply1(p, c, f, args.list->items, args.list->count);
        else
            (void)apply1(p, c, f, NULL, 0);
    }
    c->name = made;
    py_fact_call(p, c);
    return py_object(made, 0);
}

/* pool.submit(f, x), loop.run_in_executor(None, f, x), atexit.register(f) ... : the first function among the arguments
 */
static struct tv submitted(struct py *p, struct py_call *c)
{
    py_fact_call(p, c);
    for (unsigned i = 0; i < c->count; i++) {
        uint8_t kind = c->args[i].kind;
        if (kind == TV_FUNCTION || kind == TV_PARTIAL || kind == TV_PATH) {
            struct tv rest[PY_MAX_ARGS];
            unsigned n = 0;
            for (unsigned k = i + 1; k < c->count; k++)
                if (!c->keys[k])
                    rest[n++] = c->args[k];
            if (strstr(c->name, ".map") && n)
                rest[0] = py_element(rest[0]);
            (void)apply1(p, c, c->args[i], rest, n);
            break;
        }
    }
    return py_object(c->name, c->taint & T_ORIGIN);
}

struct tv py_do_reflect(struct py *p, struct py_call *c, enum effect how)
{
    struct tv a = *py_arg(c, 0, NULL), b = *py_arg(c, 1, NULL), v;
    switch (how) {
    case EF_GETATTR:
    case EF_OBJECT_GETATTR:
        return get_attribute(p, c, a, b);
    case EF_SETATTR:
        py_fact_call(p, c);
        if (py_is_str(b))
            py_set_member(p, a, py_intern(p, b.text, b.size), *py_arg(c, 2, NULL));
        return tv_unknown(0);
    case EF_IMPORT:
        return imported(p, c, true);
    case EF_IMPORT_MODULE:
        return imported(p, c, false);
    case EF_GLOBALS:
        return py_object("globals", T_COMPUTED);
    case EF_VARS:
        if (!c->count)
            return py_object("globals", T_COMPUTED);
        if (a.kind != TV_PATH)
            return tv_unknown(0);
        return py_thing("vars", fold_of(a.name), T_COMPUTED);
    case EF_TYPE:
        if (c->positional == 1 &&
            (a.kind == TV_TEXT || a.kind == TV_LIST || a.kind == TV_NUMBER || a.kind == TV_RECORD || a.kind == TV_NONE))
            return py_object("graph", T_COMPUTED);
        return tv_unknown(0);
    case EF_MAP:
        return mapped(p, c);
    case EF_REDUCE:
        return reduced(p, c);
    case EF_PARTIAL:
        return partial(p, c, NULL);
    case EF_ATTRGETTER:
        return partial(p, c, "operator.attrgetter()");
    case EF_METHODCALLER:
        return partial(p, c, "operator.methodcaller()");
    case EF_GETITEM:
        return py_item(p, c->node, a, b);
    case EF_APPLY: /* attrgetter(name)(object), methodcaller(name, args...)(object) */
        if (str_eq(c->name, "operator.attrgetter()"))
            return get_attribute(p, c, b, a);
        if (!c->positional || !py_is_str(a))
            return tv_unknown(0);
        v = get_attribute(p, c, *py_arg(c, (int)c->positional - 1, NULL), a);
        return apply1(p, c, v, c->args + 1, c->count > 2 ? c->count - 2 : 0);
    case EF_THREAD:
        return started(p, c, "threading.Thread");
    case EF_PROCESS:
        if (p->endless)
            py_flow(p, c->node, "fork-loop", c->name, NULL);
        return started(p, c, "multiprocessing.Process");
    case EF_SUBMIT:
        return submitted(p, c);
    case EF_SUPER: {
        int32_t class = p->scopes[p->scope].class;
        if (class >= 0 && p->classes[class].base.kind == TV_PATH)
            return py_named(p->classes[class].base.name, 0);
        return tv_unknown(0);
    }
    default:
        return tv_unknown(c->taint & T_ORIGIN);
    }
}
