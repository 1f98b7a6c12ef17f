/* Values, variables and names. */
#include <stdio.h>
#include "scan/python.h"

/* --- interned names -------------------------------------------------------------------------------------------------
 */

static uint32_t hash_bytes(const char *s, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h;
}

static bool grow_names(struct py *p)
{
    uint32_t size = p->name_table_size ? p->name_table_size * 2 : 256;
    uint32_t *table = fold_take(&p->mem, size * sizeof *table);
    const char **names = fold_take(&p->mem, size / 2 * sizeof *names);
    if (!table || !names)
        return false;
    if (p->name_count)
        memcpy(names, p->names, p->name_count * sizeof *names);
    p->names = names;
    p->name_cap = size / 2;
    p->name_count = MAX_OF(p->name_count, 1u); /* 0: no name */
    for (uint32_t i = 1; i < p->name_count; i++) {
        uint32_t h = hash_bytes(names[i], strlen(names[i])) & (size - 1);
        while (table[h])
            h = (h + 1) & (size - 1);
        table[h] = i;
    }
    p->name_table = table;
    p->name_table_size = size;
    return true;
}

uint32_t py_intern(struct py *p, const char *s, uint32_t size)
{
    if (size > PY_MAX_NAME || memchr(s, 0, size) || (p->name_count >= p->name_cap && !grow_names(p)))
        return 0;
    uint32_t h = hash_bytes(s, size) & (p->name_table_size - 1);
    for (; p->name_table[h]; h = (h + 1) & (p->name_table_size - 1)) {
        const char *known = p->names[p->name_table[h]];
        if (strncmp(known, s, size) == 0 && !known[size])
            return p->name_table[h];
    }
    struct fold_text t;
    if (!fold_copy(&p->mem, s, size, &t))
        return 0;
    p->names[p->name_count] = t.data;
    p->name_table[h] = p->name_count;
    return p->name_count++;
}

static uint32_t intern_span(struct py *p, struct span s)
{
    return s.n ? py_intern(p, s.s, (uint32_t)s.n) : 0;
}

uint32_t py_intern_node(struct py *p, uint32_t node)
{
    return intern_span(p, ir_span(&p->e, node));
}

uint32_t py_intern_name(struct py *p, uint32_t node)
{
    return intern_span(p, ir_name(&p->e, node));
}

const char *py_name_of(const struct py *p, uint32_t name)
{
    return name && name < p->name_count ? p->names[name] : "";
}

/* --- variables ------------------------------------------------------------------------------------------------------
 */

uint32_t py_scope_new(struct py *p, uint32_t parent, int32_t function, int32_t class)
{
    if (p->scope_count >= p->scope_cap) {
        uint32_t cap = p->scope_cap ? p->scope_cap * 2 : 32;
        struct py_scope *more = cap > 65536 ? NULL : fold_take(&p->mem, cap * sizeof *more);
        if (!more)
            return 0;
        if (p->scope_count)
            memcpy(more, p->scopes, p->scope_count * sizeof *more);
        p->scopes = more;
        p->scope_cap = cap;
        p->scope_count = MAX_OF(p->scope_count, 1u);
    }
    p->scopes[p->scope_count] = (struct py_scope){ parent, function, class };
    return p->scope_count++;
}

static uint32_t var_slot(const struct py *p, const struct py_var *vars, uint32_t size, uint32_t scope, uint32_t name)
{
    (void)p;
    uint32_t h = (scope * 2654435761u ^ name * 40503u) & (size - 1);
    while (vars[h].is_used && (vars[h].scope != scope || vars[h].name != name))
        h = (h + 1) & (size - 1);
    return h;
}

static bool grow_vars(struct py *p)
{
    uint32_t size = p->var_size ? p->var_size * 2 : 256;
    struct py_var *more = fold_take(&p->mem, size * sizeof *more);
    if (!more)
        return false;
    for (uint32_t i = 0; i < p->var_size; i++)
        if (p->vars[i].is_used)
            more[var_slot(p, more, size, p->vars[i].scope, p->vars[i].name)] = p->vars[i];
    p->vars = more;
    p->var_size = size;
    return true;
}

void py_set(struct py *p, uint32_t scope, uint32_t name, struct py_value v)
{
    if (!name || !scope || (p->var_count * 2 >= p->var_size && !grow_vars(p)))
        return;
    uint32_t at = var_slot(p, p->vars, p->var_size, scope, name);
    p->var_count += !p->vars[at].is_used;
    p->vars[at] = (struct py_var){ scope, name, v, true };
}

const struct py_value *py_get_in(const struct py *p, uint32_t scope, uint32_t name)
{
    if (!p->var_size || !name || !scope)
        return NULL;
    uint32_t at = var_slot(p, p->vars, p->var_size, scope, name);
    return p->vars[at].is_used ? &p->vars[at].value : NULL;
}

void py_bind(struct py *p, uint32_t name, struct py_value v)
{
    uint32_t scope = p->scope;
    const struct py_value *old = py_get_in(p, scope, name);
    if (old && old->kind == V_PARTIAL && !old->list) { /* declared `global` */
        scope = 1;
        old = py_get_in(p, scope, name);
    }
    /* what a branch may or may not do does not make us forget: `except ImportError: requests = None` */
    if (old && p->branches && (v.kind == V_NONE || v.kind == V_UNKNOWN) && old->kind != V_UNKNOWN &&
        old->kind != V_NONE && old->kind != V_INT) {
        struct py_value both = *old;
        both.taint |= v.taint & T_ORIGIN;
        v = both;
    }
    py_set(p, scope, name, v);
}

/* What `from M import *` brings, of the names that matter. */
static const char *from_stars(struct py *p, const char *name)
{
    char full[2 * PY_MAX_NAME + 2];
    for (unsigned i = 0; i < p->star_count; i++) {
        int n = snprintf(full, sizeof full, "%s.%s", p->stars[i], name);
        if (n > 0 && (size_t)n < sizeof full && effect_find(LANG_PYTHON, full, (size_t)n))
            return py_dotted(p, p->stars[i], name);
    }
    return NULL;
}

struct py_value py_lookup(struct py *p, uint32_t name)
{
    bool is_own = true;
    for (uint32_t s = p->scope; s; s = p->scopes[s].parent) {
        /* a class body's names are not seen from within its functions */
        if (is_own || p->scopes[s].class < 0 || p->scopes[s].function >= 0) {
            const struct py_value *v = py_get_in(p, s, name);
            if (v && !(v->kind == V_PARTIAL && !v->list))
                return *v;
        }
        is_own = false;
    }
    const char *s = py_name_of(p, name);
    const char *star = p->star_count ? from_stars(p, s) : NULL;
    if (star)
        return py_named(p, star, 0);
    const struct known *k = strchr(s, '.') ? NULL : effect_find(LANG_PYTHON, s, strlen(s));
    if (k && (k->effects[0] != EF_SAME || str_eq(k->returns, "builtins"))) {
        if (str_eq(s, "__file__"))
            return py_const("{}.py", T_MYSELF | T_HARDLY);
        return py_named(p, k->returns ? k->returns : s, 0);
    }
    return py_unknown(0);
}

/* --- values ---------------------------------------------------------------------------------------------------------
 */

struct py_value py_unknown(uint32_t taint)
{
    return (struct py_value){ .kind = V_UNKNOWN, .taint = taint };
}

struct py_value py_str(struct fold_text t, uint32_t taint)
{
    return (struct py_value){ .kind = V_STR, .text = t.data, .size = t.size, .taint = taint };
}

struct py_value py_const(const char *s, uint32_t taint)
{
    return py_str(fold_of(s), taint);
}

struct py_value py_int(int64_t v)
{
    return (struct py_value){ .kind = V_INT, .num = v };
}

struct py_value py_named(struct py *p, const char *name, uint32_t taint)
{
    (void)p;
    return name ? (struct py_value){ .kind = V_NAME, .name = name, .taint = taint } : py_unknown(taint);
}

struct py_value py_object(const char *name, uint32_t taint)
{
    return (struct py_value){ .kind = V_OBJ, .name = name, .taint = taint };
}

struct py_value py_list_new(struct py *p)
{
    struct py_list *l = fold_take(&p->mem, sizeof *l);
    return l ? (struct py_value){ .kind = V_LIST, .list = l } : py_unknown(0);
}

bool py_list_add(struct py *p, struct py_value list, struct py_value item)
{
    struct py_list *l = list.list;
    if (l->count >= PY_MAX_ITEMS) {
        l->is_open = true;
        return false;
    }
    if (l->count >= l->cap) {
        uint32_t cap = l->cap ? l->cap * 2 : 4;
        struct py_value *more = fold_take(&p->mem, cap * sizeof *more);
        if (!more) {
            l->is_open = true;
            return false;
        }
        if (l->count)
            memcpy(more, l->items, l->count * sizeof *more);
        l->items = more;
        l->cap = cap;
    }
    l->items[l->count++] = item;
    return true;
}

void py_list_add_all(struct py *p, struct py_value list, struct py_value from)
{
    const struct py_list l = *from.list; /* which may be the same */
    for (uint32_t i = 0; i < l.count; i++)
        (void)py_list_add(p, list, l.items[i]);
    list.list->is_open |= l.is_open;
}

struct py_value py_pair(struct py *p, struct py_value a, struct py_value b)
{
    struct py_value l = py_list_new(p);
    return l.kind == V_LIST && py_list_add(p, l, a) && py_list_add(p, l, b) ? l : py_unknown(0);
}

struct py_value py_partial(struct py *p, struct py_value function, struct py_value first)
{
    struct py_value l = py_pair(p, function, first);
    l.kind = l.kind == V_LIST ? V_PARTIAL : l.kind;
    return l;
}

struct py_value py_reversed(struct py *p, struct py_value list)
{
    struct py_value l = py_list_new(p);
    for (uint32_t i = list.list->count; l.kind == V_LIST && i > 0; i--)
        (void)py_list_add(p, l, list.list->items[i - 1]);
    return l;
}

uint32_t py_turns(struct py_value v, uint32_t most)
{
    uint32_t n = v.kind == V_LIST && !v.list->is_open ? v.list->count : py_is_str(v) ? v.size : 0;
    return n <= most ? n : 0;
}

struct py_value py_turn(struct py_value v, uint32_t i)
{
    if (v.kind == V_LIST)
        return v.list->items[i];
    return v.is_bytes ? py_int((unsigned char)v.text[i])
                      : py_str((struct fold_text){ v.text + i, 1 }, v.taint & T_ORIGIN);
}

struct py_value py_iter_of(struct py *p, struct py_value item)
{
    struct py_value v = py_list_new(p);
    if (v.kind != V_LIST || !py_list_add(p, v, item))
        return py_unknown(item.taint);
    v.kind = V_ITER;
    v.taint = item.taint & T_ORIGIN;
    return v;
}

struct fold_text py_text(struct py_value v)
{
    return (struct fold_text){ v.text, v.size };
}

bool py_is_str(struct py_value v)
{
    return v.kind == V_STR && !(v.taint & T_HARDLY);
}

/* --- dotted names ---------------------------------------------------------------------------------------------------
 */

/* Modules that other modules drag along: `subprocess.os.system` is os.system. */
static const char *const inner_modules[] = { "__builtins__", "_os",    "_sys",   "builtins",   "importlib", "os",
                                             "pty",          "shutil", "socket", "subprocess", "sys",       NULL };

const char *py_usual_name(const char *name)
{
    const struct known *k = effect_find(LANG_PYTHON, name, strlen(name));
    return k && k->effects[0] == EF_SAME ? k->returns : name;
}

const char *py_dotted(struct py *p, const char *a, const char *b)
{
    if (str_is_one_of(b, inner_modules) && !str_eq(a, b))
        return str_eq(b, "__builtins__") ? "builtins" : b[0] == '_' ? b + 1 : b;
    if (str_eq(a, "builtins"))
        return py_usual_name(b);
    size_t na = strlen(a), nb = strlen(b);
    if (na + nb + 1 > PY_MAX_NAME)
        return NULL;
    char s[PY_MAX_NAME + 2];
    memcpy(s, a, na);
    s[na] = '.';
    memcpy(s + na + 1, b, nb);
    s[na + 1 + nb] = '\0';
    const char *usual = py_usual_name(s);
    if (usual != s)
        return usual;
    uint32_t id = py_intern(p, s, (uint32_t)(na + nb + 1));
    return id ? py_name_of(p, id) : NULL;
}

bool py_is_dangerous_module(const char *name)
{
    static const char *const modules[] = { "builtins", "ctypes", "importlib", "marshal",    "os",  "pickle",
                                           "pty",      "shutil", "socket",    "subprocess", "sys", NULL };
    return str_is_one_of(name, modules);
}
