/* JavaScript's calls: what is called in the end, and what comes out of it. */
#include "scan/ir_node.h"

static void tell_call(struct eval *e, const struct call *k, const char *name, bool is_computed)
{
    struct fact f = { .kind = FACT_CALL, .name = name, .has_dynamic_name = is_computed, .byte = k->byte };
    eval_fact(e, &f, k->args, k->n);
}

static void shift(struct call *k)
{
    if (!k->n)
        return;
    k->n--;
    memmove(k->args, k->args + 1, k->n * sizeof k->args[0]);
    memmove(k->nodes, k->nodes + 1, k->n * sizeof k->nodes[0]);
}

static void spread(struct eval *e, struct call *k) /* apply(this, [a, b]) */
{
    struct tv list = node_argument(k, 0);
    if (list.kind != TV_LIST) {
        k->n = MIN_OF(k->n, 1u);
        return;
    }
    k->n = 0;
    for (uint32_t i = 0, at = list.head; i < list.count && k->n < EVAL_MAX_ARGS; i++, at = e->pool[at].next) {
        k->nodes[k->n] = 0;
        k->args[k->n++] = e->pool[at].value;
    }
}

static bool ends_with(struct eval *e, struct tv *v, const char *tail)
{
    size_t n = strlen(tail), size = v->kind == TV_PATH ? strlen(v->text) : 0;
    if (size <= n || !str_eq(v->text + size - n, tail))
        return false;
    v->text = arena_copy_bytes(e->c->arena, v->text, size - n);
    return true;
}

/* f.call(this, a), f.apply(this, [a]), Reflect.apply(f, this, [a]) and f.bind(this, a)() are all calls of f. True: a
 * function is bound, and not called. */
static bool see_through(struct eval *e, struct call *k)
{
    for (int i = 0; i < 4; i++) {
        bool is_reflected = tv_says(k->value, "Reflect.apply"), is_made = tv_says(k->value, "Reflect.construct"),
             is_called = tv_says(k->value, "Function.prototype.call.call");
        if (is_reflected || is_made || is_called || tv_says(k->value, "Function.prototype.apply.call")) {
            k->value = node_argument(k, 0);
            shift(k);
            if (!is_made)
                shift(k);
            if (!is_called)
                spread(e, k);
        } else if (ends_with(e, &k->value, ".call")) {
            shift(k);
        } else if (ends_with(e, &k->value, ".apply")) {
            shift(k);
            spread(e, k);
        } else {
            return ends_with(e, &k->value, ".bind");
        }
    }
    return false;
}

/* `return process`, `process`, `this.process`: what a text stands for that is evaluated and is only a name. */
static struct tv evaluated(struct eval *e, struct tv text, bool is_function_body)
{
    if (text.kind != TV_TEXT || (is_function_body && (!str_starts(text.text, "return ") || !text.text[7])))
        return tv_unknown(0);
    const char *s = text.text + (is_function_body ? 7 : 0);
    s += strspn(s, " (");
    size_t n = strlen(s);
    while (n && strchr("; )", s[n - 1]))
        n--;
    if (n > 5 && memcmp(s, "this.", 5) == 0)
        s += 5, n -= 5;
    if (!n || n > 60)
        return tv_unknown(0);
    for (size_t i = 0; i < n; i++)
        if (!((s[i] | 0x20) >= 'a' && (s[i] | 0x20) <= 'z') && s[i] != '.' && s[i] != '_')
            return tv_unknown(0);
    if (n == 4 && memcmp(s, "this", 4) == 0)
        return tv_name("globalThis");
    return tv_name(arena_copy_bytes(e->c->arena, s, n));
}

/* require(TEXT), import(TEXT), and the statements import and export. */
static struct tv load(struct eval *e, const struct call *k)
{
    struct tv first = node_argument(k, 0);
    const uint8_t op = k->n && k->nodes[0] ? ir_at(e, k->nodes[0])->op : IR_NONE;
    const char *name = first.kind == TV_TEXT ? first.text : "";
    bool is_literal = op == IR_TEXT || (op == IR_TEMPLATE && !first.is_partial);
    struct fact f = { .kind = FACT_IMPORT, .name = str_starts(name, "node:") ? name + 5 : name, .byte = k->byte };
    f.has_dynamic_name = !is_literal && *f.name != '.' && *f.name != '{';
    eval_fact(e, &f, NULL, 0);
    return first.kind == TV_TEXT ? node_module(e, name) : tv_unknown(0);
}

/* Names whose result is one of their parts, or a known thing. */
static bool known_result(struct eval *e, struct call *k, struct tv *ret)
{
    struct tv f = k->value, first = node_argument(k, 0), second = node_argument(k, 1);
    if (node_is_loader(k)) {
        *ret = load(e, k);
        node_look_into_import(e, k);
    } else if (tv_says(f, "module.createRequire")) {
        *ret = tv_name("require");
    } else if (tv_says(f, "util.promisify") || tv_says(f, "promisify") || tv_says(f, "Object.assign") ||
               tv_says(f, "util.callbackify") || tv_says(f, "Object.getPrototypeOf") ||
               tv_says(f, "Reflect.getPrototypeOf")) {
        *ret = first;
    } else if (tv_says(f, "Reflect.get") && second.kind == TV_TEXT) {
        *ret = node_of(e, first, (struct span){ second.text, strlen(second.text) });
    } else if (f.kind == TV_PATH && str_starts(f.text, "=>")) {
        *ret = f;
        ret->text += 2;
    } else {
        return false;
    }
    return true;
}

static bool is_host_object(struct tv v)
{
    static const char *const names[] = {
        "globalThis",    "global", "window", "process", "module", "require", "fs",
        "child_process", "vm",     "net",    "os",      "http",   "https",   "Reflect"
    };
    for (size_t i = 0; v.kind == TV_PATH && i < ARRAY_LEN(names); i++)
        if (str_eq(v.text, names[i]))
            return true;
    return false;
}

/* The name that is told; NULL: not known. */
static const char *callee_name(struct eval *e, const struct call *k)
{
    if (k->value.kind == TV_PATH)
        return k->value.text;
    if (!k->is_method || !k->name.s || k->recv.kind == TV_TEXT || k->recv.kind == TV_LIST)
        return NULL; /* else .listen: a method of what is not known */
    return arena_printf(e->c->arena, ".%.*s", (int)MIN_OF(k->name.n, (size_t)60), k->name.s);
}

/* ["id"].forEach(execSync), promise.then(eval): a dangerous function handed on is called by whom it is handed to. */
static void handed_on(struct eval *e, const struct call *k)
{
    for (unsigned i = 0; i < k->n; i++) {
        struct tv v = k->args[i];
        bool is_process = v.kind == TV_PATH && str_starts(v.text, "child_process.") && v.text[14] &&
                          !strchr(v.text, '(');
        if (!is_process && !(v.kind == TV_PATH && str_eq(v.text, "eval")))
            continue;
        struct call inner = { .node = k->node, .byte = k->byte, .value = v, .n = 1, .args = { k->recv } };
        node_look_up(&inner);
        tell_call(e, &inner, v.text, false);
        (void)node_judge(e, &inner);
    }
}

/* walk(os.homedir()): what the program's own function does with it is not followed, but that something lists
 * directories is seen. */
static void note_listing(struct eval *e, const struct call *k, const char *name)
{
    static const char *const roots[] = { "~", "/", "/home", "/root", "/etc", "/Users", "C:\\" };
    struct tv first = node_argument(k, 0);
    node_own(e)->has_listed |= node_does(k, EF_WALK);
    for (size_t i = 0; !name && first.kind == TV_TEXT && i < ARRAY_LEN(roots); i++)
        if (str_eq(first.text, roots[i]) && !node_own(e)->outside)
            node_own(e)->outside = k->byte + 1;
}

/* parts.push(x): the list that a variable stands for has one more. */
static void push(struct eval *e, const struct call *k)
{
    struct tv list = k->recv;
    if (!k->is_method || !span_is(k->name, "push") || !k->variable.n || !k->n)
        return;
    for (unsigned i = 0; i < k->n; i++) {
        if (list.kind == TV_LIST)
            tv_append(e, &list, k->args[i]);
        list.taint |= k->args[i].taint;
    }
    list.taint &= (uint32_t)~TAINT_PIPE; /* a report of what commands print */
    uint32_t name = ir_at(e, ir_part(e, k->node, ROLE_OF))->first;
    eval_bind(e, name, list, false, 0);
}

struct tv node_call(struct eval *e, struct call *k)
{
    struct tv ret = tv_unknown(0);
    if (see_through(e, k))
        return k->value;
    node_look_up(k);
    if (known_result(e, k, &ret))
        return ret;
    handed_on(e, k);
    const char *name = callee_name(e, k);
    if (name) {
        tell_call(e, k, name, k->is_computed);
    } else if (k->is_computed && is_host_object(k->recv)) {
        tell_call(e, k, arena_printf(e->c->arena, "%s.?", k->recv.text), true);
        eval_emit(e, FACT_FLOW, "computed-call", &k->recv, 1, k->byte);
    }
    note_listing(e, k, name);
    uint32_t taint = node_judge(e, k);
    push(e, k);
    if (node_fold(e, k, &ret)) {
        ret.taint |= taint;
        if (ret.taint & TAINT_DECODED)
            eval_string(e, ret, k->byte);
        return ret;
    }
    if (tv_says(k->value, "eval") && k->n)
        ret = evaluated(e, k->args[0], false);
    if (tv_says(k->value, "Function") && k->n) {
        ret = evaluated(e, k->args[k->n - 1], true);
        if (ret.kind == TV_PATH)
            ret = tv_name(arena_printf(e->c->arena, "=>%s", ret.text));
    }
    if (ret.kind == TV_UNKNOWN && k->value.kind == TV_PATH && strlen(k->value.text) < NODE_MAX_NAME - 2)
        ret = tv_name(arena_printf(e->c->arena, "%s()", k->value.text));
    ret.taint |= taint;
    return ret;
}
