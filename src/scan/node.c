/* node.c - JavaScript: one walk in source order, values on the way out (node.h).
 *
 * What is seen through: require and import in all their forms, aliases by assignment and destructuring, members by
 * constant brackets, bind/call/apply, Reflect, promisify, strings in pieces or in codes. Scopes are functions; a name
 * that nothing binds is a global and stands for itself. Facts of this language beside calls, imports and names:
 *
 *   decode-then-exec     code or a command that came out of base64, hex, character codes
 *   download-then-exec   ... or out of the network; or a file that was written from there and is run
 *   reverse-shell        a connection and a child process that feed each other
 *   secret-then-send     secrets, the environment or a command's output go to a send; profile-then-send: what the host
 *                        says of itself; credential-then-send: one variable with the name of a secret
 *   env-dump             the whole environment is listed, copied or printed
 *   computed-call        a computed member of the global object, of process or of a module is called
 *   timer-code           a text is handed to a timer
 *   fork-loop, spawn-in-loop, self-spawn, endless-loop, endless-alloc, huge-alloc
 *   delete-tree, delete-outside, delete-many, delete-computed, encrypt-files, self-modify
 */
#include "scan/carrier.h"
#include "scan/node.h"

static const char *const kind_names[] = { "",
#define X(kind, name) name,
                                          JS_KINDS(X)
#undef X
};
static const char *const field_names[] = { "",
#define X(field, name) name,
                                           JS_FIELDS(X)
#undef X
};
static struct flat_grammar grammar = { .kinds = kind_names,
                                       .fields = field_names,
                                       .kind_count = N_KINDS,
                                       .field_count = F_FIELDS,
                                       .whole = { N_STRING, N_REGEX, N_COMMENT } };

/* --- facts ---------------------------------------------------------------------------------------- */

static const char *keep(struct js *j, const char *s, uint32_t n)
{
    char copy[1025];
    n = MIN_OF(n, (uint32_t)sizeof copy - 1);
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++)
        if (s[i])
            copy[used++] = s[i] == JS_SEPARATOR ? ' ' : s[i];
    copy[used] = 0;
    return arena_copy(j->c->arena, copy);
}

/* {recursive: true, host: "x"} as «recursive=true,host=x», so that rules can ask for an option. */
static const char *keep_object(struct js *j, uint32_t node)
{
    char out[512];
    size_t used = 0;
    FLAT_CHILDREN(c, &j->flat, node)
    {
        uint32_t key = j->flat.nodes[c].kind == N_PAIR ? flat_field(&j->flat, c, F_KEY) : FLAT_NONE;
        uint32_t value = j->flat.nodes[c].kind == N_PAIR ? flat_field(&j->flat, c, F_VALUE) : FLAT_NONE;
        if (key == FLAT_NONE || value == FLAT_NONE)
            continue;
        struct js_value k = js_key(j, key), v = j->values[value];
        bool is_true = j->flat.nodes[value].kind == N_TRUE;
        if (k.kind != JS_STRING || !(is_true || v.kind == JS_STRING || v.kind == JS_NUMBER) ||
            k.len + v.len + 8 > sizeof out - used)
            continue;
        if (used)
            out[used++] = ',';
        memcpy(out + used, k.text, k.len);
        used += k.len;
        out[used++] = '=';
        memcpy(out + used, is_true ? "true" : v.text, is_true ? 4 : v.len);
        used += is_true ? 4 : v.len;
    }
    return keep(j, out, (uint32_t)used);
}

static const char *argument_text(struct js *j, const struct js_value *v)
{
    if (v->kind == JS_STRING || v->kind == JS_NUMBER)
        return keep(j, v->text, v->len);
    if (v->kind == JS_ARRAY && v->text)
        return keep(j, v->text, v->len ? v->len - 1 : 0);
    if (v->kind == JS_OBJECT)
        return keep_object(j, v->node);
    if (v->kind == JS_NAME && (js_is(v, "process.env.HOME") || js_is(v, "process.env.USERPROFILE")))
        return "~";
    return NULL;
}

static void tell(struct js *j, uint32_t node, struct fact *f)
{
    f->byte = j->flat.nodes[node].start;
    (void)fact_emit(j->c, f); /* when the bound is reached, scan_stop() says so, too */
}

void js_flow(struct js *j, uint32_t node, const char *name, const struct js_value *about)
{
    struct fact f = { .kind = FACT_FLOW, .name = name, .arg_count = about != NULL };
    if (about)
        f.args[0] = argument_text(j, about);
    tell(j, node, &f);
}

void js_tell_name(struct js *j, uint32_t node, const struct js_value *v)
{
    if (v->kind != JS_NAME || !memchr(v->text, '.', v->len))
        return;
    struct fact f = { .kind = FACT_NAME, .name = keep(j, v->text, v->len) };
    const char *last = strrchr(f.name, '.');
    f.arg_count = 1;
    f.args[0] = last + 1;
    tell(j, node, &f);
}

static void tell_string(struct js *j, uint32_t node, const struct js_value *v)
{
    uint8_t above = j->flat.nodes[node].parent != FLAT_NONE ? j->flat.nodes[j->flat.nodes[node].parent].kind : N_OTHER;
    if (v->kind != JS_STRING || v->len < 4 || above == N_BINARY)
        return;
    struct fact f = { .kind = FACT_STRING, .name = "", .arg_count = 1, .args = { keep(j, v->text, v->len) } };
    tell(j, node, &f);
}

static void tell_import(struct js *j, uint32_t node, const struct js_value *v, bool is_computed)
{
    struct fact f = { .kind = FACT_IMPORT, .name = "" };
    if (v->kind == JS_STRING) {
        bool has_scheme = v->len > 5 && memcmp(v->text, "node:", 5) == 0;
        f.name = keep(j, v->text + (has_scheme ? 5 : 0), v->len - (has_scheme ? 5 : 0));
    }
    bool is_local = f.name[0] == '.' || f.name[0] == '{';
    f.has_dynamic_name = is_computed && !is_local;
    tell(j, node, &f);
}

static void tell_call(struct js *j, const struct js_call *k, const char *name, bool is_computed)
{
    struct fact f = { .kind = FACT_CALL,
                      .name = name,
                      .has_dynamic_name = is_computed,
                      .arg_count = (uint8_t)MIN_OF(k->count, FACT_MAX_ARGS) };
    for (uint32_t i = 0; i < f.arg_count; i++) {
        f.args[i] = argument_text(j, &k->args[i]);
        f.has_dynamic_args |= !f.args[i] || k->args[i].flags & JS_PARTIAL;
    }
    tell(j, k->node, &f);
}

/* --- calls ---------------------------------------------------------------------------------------- */

static void shift(struct js_call *k)
{
    if (!k->count)
        return;
    memmove(k->args, k->args + 1, (k->count - 1) * sizeof k->args[0]);
    memmove(k->arg_nodes, k->arg_nodes + 1, (k->count - 1) * sizeof k->arg_nodes[0]);
    k->count--;
}

static void spread(struct js *j, struct js_call *k) /* apply(this, [a, b]) */
{
    struct js_value list = k->count ? k->args[0] : (struct js_value){ 0 };
    uint32_t node = k->count ? k->arg_nodes[0] : 0;
    k->count = 0;
    if (list.kind == JS_ARRAY && list.node && j->flat.nodes[list.node].kind == N_ARRAY) {
        FLAT_CHILDREN(c, &j->flat, list.node)
        if (j->flat.nodes[c].is_named && k->count < JS_MAX_ARGS) {
            k->arg_nodes[k->count] = c;
            k->args[k->count++] = j->values[c];
        }
    } else {
        k->arg_nodes[0] = node;
        k->args[k->count++] = list;
    }
}

static bool ends_with(struct js_value *v, const char *tail)
{
    size_t n = strlen(tail);
    if (v->kind != JS_NAME || v->len <= n || memcmp(v->text + v->len - n, tail, n) != 0)
        return false;
    v->len -= (uint32_t)n;
    return true;
}

/* f.call(this, a), f.apply(this, [a]), Reflect.apply(f, this, [a]) and f.bind(this, a)() are all calls of f. */
static void see_through(struct js *j, struct js_call *k, bool *ret_is_bind)
{
    *ret_is_bind = false;
    for (int i = 0; i < 4; i++) {
        if (js_is(&k->callee, "Reflect.apply") || js_is(&k->callee, "Reflect.construct") ||
            js_is(&k->callee, "Function.prototype.call.call") || js_is(&k->callee, "Function.prototype.apply.call")) {
            bool has_list = !js_is(&k->callee, "Function.prototype.call.call");
            bool has_this = !js_is(&k->callee, "Reflect.construct");
            k->callee = k->count ? k->args[0] : (struct js_value){ 0 };
            shift(k);
            if (has_this)
                shift(k);
            if (has_list)
                spread(j, k);
        } else if (ends_with(&k->callee, ".call")) {
            shift(k);
        } else if (ends_with(&k->callee, ".apply")) {
            shift(k);
            spread(j, k);
        } else if (ends_with(&k->callee, ".bind")) {
            *ret_is_bind = true;
            return;
        } else {
            return;
        }
    }
}

static bool make_call(struct js *j, uint32_t node, struct js_call *k)
{
    const struct flat *f = &j->flat;
    uint32_t callee = flat_field(f, node, F_FUNCTION), args = flat_field(f, node, F_ARGUMENTS);
    if (callee == FLAT_NONE)
        callee = flat_field(f, node, F_CONSTRUCTOR);
    if (callee == FLAT_NONE)
        return false;
    *k = (struct js_call){ .node = node, .callee = j->values[callee] };
    for (uint32_t guard = 0; f->nodes[callee].kind == N_PARENTHESES && guard < 4; guard++) {
        uint32_t inner = flat_named(f, callee, 0);
        if (inner == FLAT_NONE)
            break;
        callee = inner;
    }
    if (f->nodes[callee].kind == N_IMPORT)
        k->callee = js_constant(JS_NAME, "import", 0);
    if (f->nodes[callee].kind == N_MEMBER || f->nodes[callee].kind == N_SUBSCRIPT) {
        uint32_t object = flat_field(f, callee, F_OBJECT),
                 name = flat_field(f, callee, f->nodes[callee].kind == N_MEMBER ? F_PROPERTY : F_INDEX);
        if (object != FLAT_NONE)
            k->base = j->values[object];
        struct js_value key = name != FLAT_NONE ? js_key(j, name) : (struct js_value){ 0 };
        if (f->nodes[callee].kind == N_SUBSCRIPT && name != FLAT_NONE)
            key = j->values[name];
        if (key.kind == JS_STRING) {
            k->method = key.text;
            k->method_len = key.len;
        }
    }
    js_look_up(k);
    if (args == FLAT_NONE)
        return true;
    if (f->nodes[args].kind == N_TEMPLATE) { /* tag`text` */
        k->arg_nodes[0] = args;
        k->args[k->count++] = j->values[args];
        return true;
    }
    FLAT_CHILDREN(c, f, args)
    {
        if (!f->nodes[c].is_named || f->nodes[c].kind == N_COMMENT || k->count == JS_MAX_ARGS)
            continue;
        k->arg_nodes[k->count] = c;
        k->args[k->count++] = j->values[c];
    }
    return true;
}

/* `return process`, `process`, `this.process`: what a text stands for that is evaluated and is only a name. */
static struct js_value evaluated(struct js *j, const struct js_value *text, bool is_function_body)
{
    const char *s = text->text;
    uint32_t n = text->len;
    if (text->kind != JS_STRING)
        return (struct js_value){ 0 };
    if (is_function_body) {
        if (n < 8 || memcmp(s, "return ", 7) != 0)
            return (struct js_value){ 0 };
        s += 7, n -= 7;
    }
    while (n && (s[n - 1] == ';' || s[n - 1] == ' ' || s[n - 1] == ')'))
        n--;
    while (n && (s[0] == ' ' || s[0] == '('))
        s++, n--;
    if (n > 5 && memcmp(s, "this.", 5) == 0)
        s += 5, n -= 5;
    if (!n || n > 60)
        return (struct js_value){ 0 };
    for (uint32_t i = 0; i < n; i++)
        if (!((s[i] | 0x20) >= 'a' && (s[i] | 0x20) <= 'z') && s[i] != '.' && s[i] != '_')
            return (struct js_value){ 0 };
    if (n == 4 && memcmp(s, "this", 4) == 0)
        return js_constant(JS_NAME, "globalThis", 0);
    return js_text(j, JS_NAME, s, n, 0);
}

/* Names whose result is one of their parts, or a known thing. */
static bool known_result(struct js *j, struct js_call *k, struct js_value *ret)
{
    const struct js_value *f = &k->callee, none = { 0 }, *first = k->count ? &k->args[0] : &none;
    if (js_is(f, "require") || js_is(f, "import")) {
        uint8_t kind = k->count ? j->flat.nodes[k->arg_nodes[0]].kind : N_OTHER;
        tell_import(j, k->node, first, kind != N_STRING && !(kind == N_TEMPLATE && !(first->flags & JS_PARTIAL)));
        js_import(j, k);
        *ret = first->kind == JS_STRING ? js_module(j, first->text, first->len) : (struct js_value){ 0 };
    } else if (js_is(f, "module.createRequire")) {
        *ret = js_constant(JS_NAME, "require", 0);
    } else if (js_is(f, "util.promisify") || js_is(f, "promisify") || js_is(f, "Object.assign") ||
               js_is(f, "util.callbackify")) {
        *ret = *first;
    } else if (js_is(f, "Object.getPrototypeOf") || js_is(f, "Reflect.getPrototypeOf")) {
        *ret = *first;
    } else if (js_is(f, "Reflect.get") && k->count > 1 && k->args[1].kind == JS_STRING) {
        *ret = js_member(j, first, k->args[1].text, k->args[1].len);
    } else if (f->kind == JS_NAME && f->len > 2 && memcmp(f->text, "=>", 2) == 0) {
        *ret = *f;
        ret->text += 2, ret->len -= 2;
    } else {
        return false;
    }
    return true;
}

static const char *callee_name(struct js *j, const struct js_call *k)
{
    if (k->callee.kind == JS_NAME)
        return keep(j, k->callee.text, k->callee.len);
    if (k->method && k->base.kind != JS_STRING && k->base.kind != JS_ARRAY) /* .listen: a method of what is not known */
        return arena_printf(j->c->arena, ".%.*s", (int)MIN_OF(k->method_len, 60u), k->method);
    return NULL;
}

static bool is_host_object(const struct js_value *v)
{
    static const char *const names[] = {
        "globalThis",    "global", "window", "process", "module", "require", "fs",
        "child_process", "vm",     "net",    "os",      "http",   "https",   "Reflect"
    };
    for (size_t i = 0; v->kind == JS_NAME && i < ARRAY_LEN(names); i++)
        if (js_is(v, names[i]))
            return true;
    return false;
}

static void computed_call(struct js *j, struct js_call *k)
{
    uint32_t callee = flat_field(&j->flat, k->node, F_FUNCTION);
    if (callee == FLAT_NONE || j->flat.nodes[callee].kind != N_SUBSCRIPT || !is_host_object(&k->base))
        return;
    tell_call(j, k, arena_printf(j->c->arena, "%.*s.?", (int)k->base.len, k->base.text), true);
    js_flow(j, k->node, "computed-call", &k->base);
}

static bool is_computed(const struct js *j, uint32_t node)
{
    uint32_t callee = flat_field(&j->flat, node, F_FUNCTION);
    uint32_t index = callee != FLAT_NONE && j->flat.nodes[callee].kind == N_SUBSCRIPT
                         ? flat_field(&j->flat, callee, F_INDEX)
                         : FLAT_NONE;
    return index != FLAT_NONE && j->flat.nodes[index].kind != N_STRING;
}

/* ["id"].forEach(execSync), promise.then(eval): a dangerous function handed on is called by whom it is handed to. */
static void handed_on(struct js *j, const struct js_call *k)
{
    for (uint32_t i = 0; i < k->count; i++) {
        const struct js_value *v = &k->args[i];
        bool is_process = v->kind == JS_NAME && v->len > 14 && memcmp(v->text, "child_process.", 14) == 0 &&
                          !memchr(v->text, '(', v->len);
        if (!is_process && !js_is(v, "eval"))
            continue;
        struct js_call inner = { .node = k->node, .callee = *v, .count = 1, .args = { k->base } };
        inner.arg_nodes[0] = k->node;
        js_look_up(&inner);
        tell_call(j, &inner, keep(j, v->text, v->len), false);
        (void)js_judge(j, &inner);
    }
}

/* walk(os.homedir()): what the program's own function does with it is not followed, but that something lists
 * directories is seen. */
static void note_listing(struct js *j, const struct js_call *k, const char *name)
{
    static const char *const roots[] = { "~", "/", "/home", "/root", "/etc", "/Users", "C:\\" };
    j->has_listed |= js_does(k, EF_WALK);
    for (size_t i = 0; !name && k->count && k->args[0].kind == JS_STRING && i < ARRAY_LEN(roots); i++)
        if (k->args[0].len == strlen(roots[i]) && memcmp(k->args[0].text, roots[i], k->args[0].len) == 0 &&
            j->given_outside == FLAT_NONE)
            j->given_outside = k->node;
}

/* parts.push(x): the list that a variable stands for has one more. */
static void push(struct js *j, const struct js_call *k)
{
    uint32_t callee = flat_field(&j->flat, k->node, F_FUNCTION);
    uint32_t object = callee != FLAT_NONE ? flat_field(&j->flat, callee, F_OBJECT) : FLAT_NONE;
    if (!k->method || k->method_len != 4 || memcmp(k->method, "push", 4) != 0 || object == FLAT_NONE ||
        j->flat.nodes[object].kind != N_IDENTIFIER || !k->count)
        return;
    struct js_value list = js_append(j, &k->base, k->args, k->count);
    list.flags &= (uint16_t) ~(JS_CHILD | JS_SHELL); /* a report of what commands print */
    js_bind_pattern(j, object, list, j->scope, true, 0);
}

static struct js_value call(struct js *j, uint32_t node)
{
    struct js_call k;
    struct js_value ret = { 0 };
    bool is_bind;
    if (!make_call(j, node, &k))
        return ret;
    see_through(j, &k, &is_bind);
    if (is_bind)
        return k.callee;
    js_look_up(&k);
    if (known_result(j, &k, &ret))
        return ret;
    handed_on(j, &k);
    const char *name = callee_name(j, &k);
    if (name)
        tell_call(j, &k, name, is_computed(j, node));
    else
        computed_call(j, &k);
    note_listing(j, &k, name);
    uint16_t flags = js_judge(j, &k);
    push(j, &k);
    if (js_fold_call(j, &k, &ret)) {
        ret.flags |= flags;
        if (ret.flags & JS_DECODED)
            tell_string(j, node, &ret);
        return ret;
    }
    if (js_is(&k.callee, "eval") && k.count)
        ret = evaluated(j, &k.args[0], false);
    if (js_is(&k.callee, "Function") && k.count) {
        ret = evaluated(j, &k.args[k.count - 1], true);
        if (ret.kind == JS_NAME) {
            const char *thunk = arena_printf(j->c->arena, "=>%.*s", (int)ret.len, ret.text);
            ret = js_constant(JS_NAME, thunk, 0);
        }
    }
    if (ret.kind == JS_UNKNOWN && k.callee.kind == JS_NAME && k.callee.len < JS_MAX_NAME - 2)
        ret = js_constant(JS_NAME, arena_printf(j->c->arena, "%.*s()", (int)k.callee.len, k.callee.text), 0);
    ret.flags |= flags;
    return ret;
}

/* --- the walk -------------------------------------------------------------------------------------- */

static struct js_value index_value(struct js *j, uint32_t node)
{
    uint32_t object = flat_field(&j->flat, node, F_OBJECT), index = flat_field(&j->flat, node, F_INDEX);
    struct js_value none = { 0 }, ret;
    if (object == FLAT_NONE || index == FLAT_NONE)
        return none;
    const struct js_value *o = &j->values[object], *i = &j->values[index];
    if (i->kind == JS_NUMBER && i->len < 4) {
        uint32_t n = 0;
        for (uint32_t at = 0; at < i->len; at++)
            n = n * 10 + (uint32_t)(i->text[at] - '0');
        if (o->kind == JS_ARRAY && o->node && j->flat.nodes[o->node].kind == N_ARRAY) {
            uint32_t child = flat_named(&j->flat, o->node, n);
            if (child != FLAT_NONE)
                return j->values[child];
        }
        if (js_element(o, n, &ret))
            return ret;
        if (o->kind == JS_STRING && n < o->len)
            return (struct js_value){ .kind = JS_STRING, .flags = o->flags, .text = o->text + n, .len = 1 };
        if (js_is(o, "process.argv") && n == 1)
            return js_constant(JS_UNKNOWN, "", JS_SCRIPT);
    }
    if (i->kind == JS_STRING && !(i->flags & JS_PARTIAL))
        return js_member(j, o, i->text, i->len);
    none.flags = o->flags & (uint16_t)~JS_SCRIPT;
    return none;
}

static struct js_value member_value(struct js *j, uint32_t node)
{
    uint32_t object = flat_field(&j->flat, node, F_OBJECT), property = flat_field(&j->flat, node, F_PROPERTY);
    struct js_value v = { 0 };
    if (j->flat.nodes[node].kind == N_SUBSCRIPT)
        v = index_value(j, node);
    else if (object != FLAT_NONE && property != FLAT_NONE)
        v = js_member(j, &j->values[object], js_source(j, property), js_width(j, property));
    if (v.kind == JS_UNKNOWN && js_width(j, node) <= 48) {
        struct js_value *bound = js_lookup(j, js_source(j, node), js_width(j, node), 0);
        if (bound && bound->kind != JS_UNKNOWN)
            v = *bound;
        else if (bound)
            v.flags |= bound->flags;
    }
    uint32_t parent = j->flat.nodes[node].parent;
    bool is_part = j->flat.nodes[node].field == F_OBJECT || j->flat.nodes[node].field == F_FUNCTION ||
                   j->flat.nodes[node].field == F_CONSTRUCTOR;
    if (parent == FLAT_NONE || !is_part)
        js_tell_name(j, node, &v);
    return v;
}

static struct js_value number(struct js *j, uint32_t node)
{
    const char *s = js_source(j, node);
    uint32_t n = js_width(j, node);
    uint64_t v = 0;
    if (!n || n > 18)
        return (struct js_value){ .kind = JS_NUMBER, .text = s, .len = n };
    bool is_hex = n > 2 && s[0] == '0' && (s[1] | 0x20) == 'x';
    uint32_t i = is_hex ? 2 : 0;
    for (; i < n; i++) {
        char c = s[i];
        if (c == '_')
            continue;
        if (c >= '0' && c <= '9')
            v = v * (is_hex ? 16 : 10) + (uint64_t)(c - '0');
        else if (is_hex && (c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            v = v * 16 + (uint64_t)((c | 0x20) - 'a' + 10);
        else
            break;
    }
    if (i < n && (s[i] | 0x20) == 'e' && n - i <= 3) {
        int power = 0;
        for (i++; i < n && s[i] >= '0' && s[i] <= '9'; i++)
            power = power * 10 + (s[i] - '0');
        while (power-- > 0 && v < UINT64_C(1000000000000))
            v *= 10;
    }
    if (i < n)
        return (struct js_value){ .kind = JS_NUMBER, .text = s, .len = n };
    if (!is_hex && s[0] != '0' && !memchr(s, '_', n) && !memchr(s, 'e', n) && !memchr(s, 'E', n))
        return (struct js_value){ .kind = JS_NUMBER, .text = s, .len = n };
    return js_constant(JS_NUMBER, arena_printf(j->c->arena, "%llu", (unsigned long long)v), 0);
}

static struct js_value last_child(struct js *j, uint32_t node)
{
    struct js_value v = { 0 };
    FLAT_CHILDREN(c, &j->flat, node)
    if (j->flat.nodes[c].is_named && j->flat.nodes[c].kind != N_COMMENT)
        v = j->values[c];
    return v;
}

static struct js_value union_of(struct js *j, uint32_t node, uint8_t kind)
{
    struct js_value v = { .kind = kind, .node = node };
    FLAT_CHILDREN(c, &j->flat, node)
    {
        v.flags |= j->values[c].flags;
        if (kind == JS_OBJECT && j->flat.nodes[c].kind == N_SPREAD && j->values[c].flags & JS_ENV)
            js_flow(j, node, "env-dump", NULL);
    }
    return v;
}

/* { cmd: "..." }: whichever function gets it. */
static void look_at_pair(struct js *j, uint32_t node)
{
    uint32_t key = flat_field(&j->flat, node, F_KEY), value = flat_field(&j->flat, node, F_VALUE);
    if (key == FLAT_NONE || value == FLAT_NONE || j->values[value].kind != JS_STRING)
        return;
    struct js_value k = js_key(j, key), v = j->values[value];
    uint8_t language = k.kind == JS_STRING ? carrier_language(k.text, k.len, v.text, v.len) : EMBEDDED_LANGUAGES;
    if (language != EMBEDDED_LANGUAGES)
        embedded_perhaps(j->c, language, "value", v.text, v.len, j->flat.nodes[node].start);
}

static void import_statement(struct js *j, uint32_t node)
{
    const struct flat *f = &j->flat;
    uint32_t from = flat_field(f, node, F_SOURCE), end = f->nodes[node].after;
    if (from == FLAT_NONE)
        return;
    tell_import(j, node, &j->values[from], false);
    struct js_value module = js_module(j, j->values[from].text ? j->values[from].text : "", j->values[from].len);
    if (f->nodes[node].kind == N_EXPORT)
        return;
    for (uint32_t i = node + 1; i < end; i++) {
        uint8_t above = f->nodes[f->nodes[i].parent].kind;
        if (f->nodes[i].kind == N_IDENTIFIER && (above == N_IMPORT_CLAUSE || above == N_NAMESPACE_IMPORT))
            js_bind(j, js_source(j, i), js_width(j, i), 0, module);
        if (f->nodes[i].kind != N_IMPORT_SPECIFIER)
            continue;
        uint32_t name = flat_field(f, i, F_NAME), alias = flat_field(f, i, F_ALIAS);
        if (name == FLAT_NONE)
            continue;
        struct js_value v = js_member(j, &module, js_source(j, name), js_width(j, name));
        name = alias != FLAT_NONE ? alias : name;
        js_bind(j, js_source(j, name), js_width(j, name), 0, v);
    }
}

/* The parameters of a function that is called where it stands: (function (r) { ... })(require). */
static struct js_value own_argument(struct js *j, uint32_t function, uint32_t n)
{
    uint32_t at = function, call_node = j->flat.nodes[at].parent;
    if (call_node != FLAT_NONE && j->flat.nodes[call_node].kind == N_PARENTHESES)
        at = call_node, call_node = j->flat.nodes[at].parent;
    if (call_node == FLAT_NONE || j->flat.nodes[call_node].kind != N_CALL || j->flat.nodes[at].field != F_FUNCTION)
        return (struct js_value){ 0 };
    uint32_t args = flat_field(&j->flat, call_node, F_ARGUMENTS),
             arg = args != FLAT_NONE ? flat_named(&j->flat, args, n) : FLAT_NONE;
    if (arg == FLAT_NONE)
        return (struct js_value){ 0 };
    return j->flat.nodes[arg].kind == N_IDENTIFIER ? js_identifier(j, arg)
           : j->flat.nodes[arg].kind == N_STRING   ? js_literal(j, arg)
                                                   : (struct js_value){ 0 };
}

static void enter_function(struct js *j, uint32_t node)
{
    const struct flat *f = &j->flat;
    uint32_t list = flat_field(f, node, F_PARAMETERS), one = flat_field(f, node, F_PARAMETER), n = 0;
    uint32_t parent = f->nodes[node].parent;
    struct js_call k = { 0 };
    bool is_callback = parent != FLAT_NONE && f->nodes[parent].kind == N_ARGUMENTS &&
                       make_call(j, f->nodes[parent].parent, &k);
    j->scope = node;
    if (one != FLAT_NONE)
        js_bind_pattern(j, one, is_callback ? js_callback_parameter(j, &k, 0) : own_argument(j, node, 0), node, false,
                        0);
    if (list == FLAT_NONE)
        return;
    FLAT_CHILDREN(c, f, list)
    {
        if (!f->nodes[c].is_named || f->nodes[c].kind == N_COMMENT)
            continue;
        js_bind_pattern(j, c, is_callback ? js_callback_parameter(j, &k, n) : own_argument(j, node, n), node, false, 0);
        n++;
    }
}

/* for (const x of [...]): x is the element that matters most, a place of secrets if there is one. */
static void enter_for_in(struct js *j, uint32_t loop)
{
    uint32_t left = flat_field(&j->flat, loop, F_LEFT), right = flat_field(&j->flat, loop, F_RIGHT);
    if (left == FLAT_NONE || right == FLAT_NONE)
        return;
    struct js_call each = { .base = j->values[right], .method = "forEach", .method_len = 7 };
    js_bind_pattern(j, left, js_callback_parameter(j, &each, 0), j->scope, false, 0);
}

static void enter(struct js *j, uint32_t node)
{
    const struct flat_node *n = &j->flat.nodes[node];
    if (js_is_function(n->kind))
        enter_function(j, node);
    else if (n->field == F_BODY && n->parent != FLAT_NONE && j->flat.nodes[n->parent].kind == N_FOR_IN)
        enter_for_in(j, n->parent);
}

static void leave_assignment(struct js *j, uint32_t node, bool is_declaration)
{
    const struct flat *f = &j->flat;
    uint32_t left = flat_field(f, node, is_declaration ? F_NAME : F_LEFT),
             right = flat_field(f, node, is_declaration ? F_VALUE : F_RIGHT);
    if (left == FLAT_NONE)
        return;
    struct js_value v = right != FLAT_NONE ? j->values[right] : (struct js_value){ 0 };
    if (f->nodes[node].kind == N_AUGMENTED) {
        struct js_value joined = js_binary(j, node); /* s += "x"; another operator's value is not known */
        v = joined.kind == JS_STRING ? joined : (struct js_value){ .flags = v.flags | j->values[left].flags };
    }
    js_bind_pattern(j, left, v, j->scope, !is_declaration, 0);
    j->values[node] = v;
}

static void leave_function(struct js *j, uint32_t node)
{
    uint32_t at = j->flat.nodes[node].parent;
    while (at != FLAT_NONE && !js_is_function(j->flat.nodes[at].kind))
        at = j->flat.nodes[at].parent;
    j->scope = at == FLAT_NONE ? 0 : at;
    j->values[node] = (struct js_value){ .kind = JS_FUNCTION, .node = node };
}

static struct js_value value_of(struct js *j, uint32_t node)
{
    struct js_value v = { 0 };
    switch (j->flat.nodes[node].kind) {
    case N_STRING:
        return js_literal(j, node);
    case N_TEMPLATE:
        return js_template(j, node);
    case N_NUMBER:
        return number(j, node);
    case N_IDENTIFIER:
    case N_SHORTHAND:
        return js_identifier(j, node);
    case N_MEMBER:
    case N_SUBSCRIPT:
        return member_value(j, node);
    case N_BINARY:
        return js_binary(j, node);
    case N_CALL:
    case N_NEW:
        return call(j, node);
    case N_ARRAY:
        return js_array(j, node);
    case N_OBJECT:
        return union_of(j, node, JS_OBJECT);
    case N_PAIR:
        look_at_pair(j, node);
        return union_of(j, node, JS_UNKNOWN);
    case N_PARENTHESES:
    case N_SEQUENCE:
    case N_AWAIT:
    case N_COMPUTED:
    case N_SUBSTITUTION:
        return last_child(j, node);
    case N_SPREAD:
        v = last_child(j, node);
        if (v.kind == JS_STRING) { /* [..."abc"] */
            struct js_call k = {
                .base = v, .method = "split", .method_len = 5, .count = 1, .args = { { .kind = JS_STRING, .text = "" } }
            };
            (void)js_fold_call(j, &k, &v);
        }
        return v;
    case N_TERNARY: {
        uint32_t a = flat_field(&j->flat, node, F_CONSEQUENCE), b = flat_field(&j->flat, node, F_ALTERNATIVE);
        v = a != FLAT_NONE ? j->values[a] : v;
        if (b != FLAT_NONE) {
            uint16_t flags = v.flags | j->values[b].flags;
            v = v.kind == JS_UNKNOWN ? j->values[b] : v;
            v.flags = flags;
        }
        return v;
    }
    default:
        return v;
    }
}

static void leave(struct js *j, uint32_t node)
{
    uint8_t kind = j->flat.nodes[node].kind;
    if (js_is_function(kind))
        leave_function(j, node);
    else if (kind == N_DECLARATOR || kind == N_ASSIGN || kind == N_AUGMENTED)
        leave_assignment(j, node, kind == N_DECLARATOR);
    else if (kind == N_IMPORT_STATEMENT || kind == N_EXPORT)
        import_statement(j, node);
    else if (kind == N_WHILE || kind == N_DO || kind == N_FOR)
        js_judge_loop(j, node);
    else if (kind != N_OTHER)
        j->values[node] = value_of(j, node);
    if (kind == N_STRING || kind == N_TEMPLATE || kind == N_BINARY)
        tell_string(j, node, &j->values[node]);
}

/* Function declarations are known before they are reached, or a local exec() would be taken for a global. */
static void hoist(struct js *j)
{
    for (uint32_t i = 0; i < j->flat.count; i++) {
        uint8_t kind = j->flat.nodes[i].kind;
        if (kind != N_FUNCTION_DECLARATION && kind != N_GENERATOR_DECLARATION && kind != N_CLASS_DECLARATION)
            continue;
        uint32_t name = flat_field(&j->flat, i, F_NAME), at = j->flat.nodes[i].parent;
        while (at != FLAT_NONE && !js_is_function(j->flat.nodes[at].kind))
            at = j->flat.nodes[at].parent;
        if (name != FLAT_NONE)
            js_bind(j, js_source(j, name), js_width(j, name), at == FLAT_NONE ? 0 : at,
                    (struct js_value){ .kind = JS_FUNCTION, .node = i });
    }
}

static void walk(struct js *j)
{
    uint32_t open[SCAN_MAX_DEPTH + 2], depth = 0;
    for (uint32_t i = 0; i < j->flat.count && !scan_stop(j->c);) {
        while (depth && i >= j->flat.nodes[open[depth - 1]].after)
            leave(j, open[--depth]);
        enter(j, i);
        uint8_t kind = j->flat.nodes[i].kind;
        bool is_whole = kind == N_STRING || kind == N_REGEX || kind == N_COMMENT || j->flat.nodes[i].after == i + 1;
        if (is_whole) {
            leave(j, i);
            i = j->flat.nodes[i].after;
        } else {
            open[depth++] = i++;
        }
    }
    while (depth && !scan_stop(j->c))
        leave(j, open[--depth]);
}

void resolve_node(struct scan_ctx *c, TSNode root)
{
    struct js j = { .c = c, .given_outside = FLAT_NONE, .budget = 65536 + 8 * MIN_OF(c->size, 131072u) };
    if (!flat_build(c, root, &grammar, &j.flat))
        return;
    j.values = calloc(j.flat.count, sizeof *j.values);
    if (j.values) {
        hoist(&j);
        walk(&j);
        if (j.has_listed && j.given_outside != FLAT_NONE)
            js_flow(&j, j.given_outside, "walk-outside", NULL);
    } else {
        c->is_cut = true;
    }
    free(j.values);
    free(j.bindings);
    flat_done(&j.flat);
}
