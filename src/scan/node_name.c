/* JavaScript's names: what is bound to them, in which function, and the one name for what has several. */
#include "scan/node.h"

/* --- names --------------------------------------------------------------------------------------- */

static uint32_t bucket(const char *name, uint32_t len)
{
    uint32_t h = 2166136261u;
    for (uint32_t i = 0; i < len; i++)
        h = (h ^ (uint8_t)name[i]) * 16777619u;
    return h % JS_BUCKETS;
}

static struct js_binding *find(struct js *j, const char *name, uint32_t len, uint32_t node, bool is_exact)
{
    uint32_t limit = 256; /* a hostile program may bind one name in thousands of scopes */
    for (uint32_t i = j->buckets[bucket(name, len)]; i && limit-- > 0; i = j->bindings[i - 1].next) {
        struct js_binding *b = &j->bindings[i - 1];
        bool is_here = is_exact ? b->scope == node : b->scope <= node && node < j->flat.nodes[b->scope].after;
        if (is_here && b->len == len && memcmp(b->name, name, len) == 0)
            return b;
    }
    return NULL;
}

struct js_value *js_lookup(struct js *j, const char *name, uint32_t len, uint32_t node)
{
    struct js_binding *b = find(j, name, len, node, false);
    return b ? &b->value : NULL;
}

void js_bind(struct js *j, const char *name, uint32_t len, uint32_t scope, struct js_value v)
{
    struct js_binding *b = find(j, name, len, scope, true);
    if (b) {
        if (v.kind != JS_UNKNOWN || v.flags) /* cp = null in a catch does not make us forget what it was */
            b->value = v;
        return;
    }
    if (j->binding_count == j->binding_cap) {
        uint32_t cap = j->binding_cap ? j->binding_cap * 2 : 64;
        struct js_binding *grown = cap > JS_MAX_BINDINGS ? NULL : realloc(j->bindings, cap * sizeof *grown);
        if (!grown) {
            j->c->is_cut = true;
            return;
        }
        j->bindings = grown;
        j->binding_cap = cap;
    }
    uint32_t *head = &j->buckets[bucket(name, len)];
    j->bindings[j->binding_count++] = (struct js_binding){
        .name = name, .len = len, .scope = scope, .next = *head, .value = v
    };
    *head = j->binding_count;
}

static void js_assign(struct js *j, const char *name, uint32_t len, uint32_t node, struct js_value v)
{
    struct js_binding *b = find(j, name, len, node, false);
    js_bind(j, name, len, b ? b->scope : 0, v);
}

/* A property's name as written: identifier, string or [computed]. */
struct js_value js_key(struct js *j, uint32_t node)
{
    if (j->flat.nodes[node].kind == N_PROPERTY || j->flat.nodes[node].kind == N_SHORTHAND_PATTERN ||
        j->flat.nodes[node].kind == N_IDENTIFIER)
        return (struct js_value){ .kind = JS_STRING, .text = js_source(j, node), .len = js_width(j, node) };
    return j->values[node];
}

/* `const {exec: e, ...rest} = value`: every name in the pattern. Patterns within patterns are few: depth 8. */
void js_bind_pattern(struct js *j, uint32_t node, struct js_value v, uint32_t scope, bool is_assignment, int depth)
{
    const struct flat *f = &j->flat;
    uint32_t position = 0;
    switch (depth > 8 ? N_OTHER : f->nodes[node].kind) {
    case N_IDENTIFIER:
    case N_SHORTHAND_PATTERN:
        if (is_assignment)
            js_assign(j, js_source(j, node), js_width(j, node), node, v);
        else
            js_bind(j, js_source(j, node), js_width(j, node), scope, v);
        break;
    case N_MEMBER:
    case N_SUBSCRIPT: /* this.cp = require(...): bound by its text */
        if (js_width(j, node) <= 48)
            js_bind(j, js_source(j, node), js_width(j, node), 0, v);
        break;
    case N_ASSIGN_PATTERN:
    case N_OBJECT_ASSIGN: {
        uint32_t left = flat_field(f, node, F_LEFT), right = flat_field(f, node, F_RIGHT);
        if (v.kind == JS_UNKNOWN && !v.flags && right != FLAT_NONE)
            v = j->values[right];
        if (left != FLAT_NONE)
            js_bind_pattern(j, left, v, scope, is_assignment, depth + 1);
        break;
    }
    case N_OBJECT_PATTERN:
        FLAT_CHILDREN(c, f, node)
        {
            uint32_t key = c, target = c;
            if (f->nodes[c].kind == N_PAIR_PATTERN) {
                key = flat_field(f, c, F_KEY);
                target = flat_field(f, c, F_VALUE);
            } else if (f->nodes[c].kind == N_OBJECT_ASSIGN) {
                key = flat_field(f, c, F_LEFT);
            } else if (f->nodes[c].kind == N_REST) {
                continue;
            }
            if (!f->nodes[c].is_named || key == FLAT_NONE || target == FLAT_NONE)
                continue;
            struct js_value k = js_key(j, key), part = { .flags = v.flags };
            if (k.kind == JS_STRING)
                part = js_member(j, &v, k.text, k.len);
            js_tell_name(j, c, &part);
            js_bind_pattern(j, target, part, scope, is_assignment, depth + 1);
        }
        break;
    case N_ARRAY_PATTERN:
        FLAT_CHILDREN(c, f, node)
        {
            struct js_value part = { .flags = v.flags };
            if (!f->nodes[c].is_named)
                continue;
            (void)js_element(&v, position++, &part);
            js_bind_pattern(j, c, part, scope, is_assignment, depth + 1);
        }
        break;
    default:
        break;
    }
}

/* --- what names stand for ------------------------------------------------------------------------ */

struct js_value js_module(struct js *j, const char *name, size_t len)
{
    static const char *const same[][2] = { { "fs/promises", "fs" },        { "fs-extra", "fs" },
                                           { "graceful-fs", "fs" },        { "original-fs", "fs" },
                                           { "dns/promises", "dns" },      { "path/posix", "path" },
                                           { "follow-redirects", "http" }, { "cross-spawn", "child_process.spawn" },
                                           { "shelljs", "shelljs" },       { "sys", "util" },
                                           { "process", "process" },       { "buffer", "buffer" } };
    if (len > 5 && memcmp(name, "node:", 5) == 0)
        name += 5, len -= 5;
    for (size_t i = 0; i < ARRAY_LEN(same); i++)
        if (len == strlen(same[i][0]) && memcmp(name, same[i][0], len) == 0)
            return js_constant(JS_NAME, same[i][1], 0);
    return js_text(j, JS_NAME, name, MIN_OF(len, JS_MAX_NAME), 0);
}

/* The one name for what has several: globalThis.eval, process.mainModule.require ... */
static const char *canonical(const char *name)
{
    static const char *const global[] = { "globalThis.", "global.", "window.", "self.", "buffer.Buffer" };
    static const char *const same[][2] = { { "fs.promises", "fs" },
                                           { "module.require", "require" },
                                           { "module._load", "require" },
                                           { "module.constructor", "module" },
                                           { "module.Module", "module" },
                                           { "process.mainModule", "module" },
                                           { "require.main", "module" },
                                           { "Module._load", "require" },
                                           { "module.prototype.require", "require" },
                                           { "Function.prototype.constructor", "Function" },
                                           { "Function.constructor", "Function" },
                                           { "eval.constructor", "Function" },
                                           { "require.constructor", "Function" },
                                           { "constructor.constructor", "Function" },
                                           { "path.posix", "path" },
                                           { "path.win32", "path" } };
    for (size_t i = 0; i < ARRAY_LEN(global); i++)
        if (str_starts(name, global[i]))
            return i == ARRAY_LEN(global) - 1 ? name + 7 : name + strlen(global[i]);
    for (size_t i = 0; i < ARRAY_LEN(same); i++)
        if (str_eq(name, same[i][0]))
            return same[i][1];
    size_t len = strlen(name); /* (0).constructor.constructor, Object.constructor.constructor ... */
    if (len > 24 && str_eq(name + len - 24, ".constructor.constructor"))
        return "Function";
    return name;
}

static struct js_value object_member(struct js *j, const struct js_value *base, const char *name, uint32_t len)
{
    const struct flat *f = &j->flat;
    uint32_t limit = 256;
    FLAT_CHILDREN(c, f, base->node)
    {
        uint32_t key = f->nodes[c].kind == N_PAIR ? flat_field(f, c, F_KEY) : FLAT_NONE;
        if (f->nodes[c].kind == N_SHORTHAND && js_width(j, c) == len && memcmp(js_source(j, c), name, len) == 0)
            return j->values[c];
        if (key == FLAT_NONE || limit-- == 0)
            continue;
        struct js_value k = js_key(j, key);
        uint32_t value = flat_field(f, c, F_VALUE);
        if (k.kind == JS_STRING && k.len == len && memcmp(k.text, name, len) == 0 && value != FLAT_NONE)
            return j->values[value];
    }
    return (struct js_value){ .flags = base->flags & (JS_SOCKET | JS_NETWORK | JS_SECRET) };
}

static bool is_credential(const char *s, size_t n)
{
    static const char *const words[] = { "SECRET",      "TOKEN",      "PASSW",      "API_KEY", "APIKEY",
                                         "PRIVATE_KEY", "CREDENTIAL", "AWS_ACCESS", "AUTH_KEY" };
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (memmem(s, n, words[i], strlen(words[i])))
            return true;
    return false;
}

struct js_value js_member(struct js *j, const struct js_value *base, const char *name, uint32_t len)
{
    uint32_t flags = base->flags;
    if (len == 11 && memcmp(name, "constructor", 11) == 0) {
        if (base->kind == JS_FUNCTION)
            return js_constant(JS_NAME, "Function", 0);
        if (base->kind != JS_NAME)
            return js_constant(JS_NAME, "constructor", 0);
    }
    if (base->kind == JS_OBJECT)
        return object_member(j, base, name, len);
    if (base->kind != JS_NAME || base->len + len > JS_MAX_NAME)
        return (struct js_value){ .flags = (uint16_t)flags };
    if (len == 7 && memcmp(name, "default", 7) == 0)
        return *base;
    if (js_is(base, "process.env")) {
        flags &= (uint32_t)~JS_ENV;
        if (is_credential(name, len))
            flags |= JS_CREDENTIAL;
    }
    if (js_is(base, "globalThis") || js_is(base, "global") || js_is(base, "window")) {
        struct js_value *v = js_lookup(j, name, len, 0);
        if (v && v->kind != JS_UNKNOWN)
            return *v;
    }
    char joined[2 * JS_MAX_NAME];
    memcpy(joined, base->text, base->len);
    joined[base->len] = '.';
    memcpy(joined + base->len + 1, name, len);
    joined[base->len + 1 + len] = 0;
    const char *said = canonical(joined);
    if (str_eq(said, "process.env"))
        flags |= JS_ENV;
    else if (str_eq(said, "__filename") || str_eq(said, "process.argv"))
        flags |= JS_SCRIPT;
    return js_text(j, JS_NAME, said, strlen(said), (uint16_t)flags);
}

struct js_value js_identifier(struct js *j, uint32_t node)
{
    const char *s = js_source(j, node);
    uint32_t n = js_width(j, node);
    struct js_value *v = js_lookup(j, s, n, node);
    if (v)
        return *v;
    if (js_says(j, node, "__dirname"))
        return js_constant(JS_STRING, ".", 0);
    if (js_says(j, node, "__filename"))
        return js_constant(JS_STRING, "./program.js", JS_SCRIPT);
    return n <= JS_MAX_NAME ? (struct js_value){ .kind = JS_NAME, .text = s, .len = n } : (struct js_value){ 0 };
}
