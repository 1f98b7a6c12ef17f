/* Values, variables and names. */
#include <stdio.h>
#include "scan/python.h"

/* Room for one more in the array that a pointer to its items leads to; false: no memory, or too many. */
bool py_room(struct py *p, void *items, uint32_t count, uint32_t *cap, size_t size, uint32_t most)
{
    uint32_t bigger = *cap ? *cap * 2 : 4;
    if (count < *cap)
        return true;
    void *more = bigger > most ? NULL : fold_take(&p->mem, bigger * size), *before;
    if (!more)
        return false;
    memcpy(&before, items, sizeof before);
    if (before)
        memcpy(more, before, count * size);
    memcpy(items, &more, sizeof more);
    *cap = bigger;
    return true;
}

/* --- names and variables --------------------------------------------------------------------------------------------
 */

#define SCOPE_WORDS UINT32_MAX /* names, each once */

const char *py_intern(struct py *p, const char *s, uint32_t size)
{
    bool is_found;
    struct fold_text t;
    if (size > PY_MAX_NAME || memchr(s, 0, size))
        return NULL;
    struct tv word = eval_get(p->e, s, size, SCOPE_WORDS, &is_found);
    if (is_found)
        return word.text;
    if (!fold_copy(&p->mem, s, size, &t))
        return NULL;
    word.text = t.data;
    eval_set(p->e, t.data, size, SCOPE_WORDS, word);
    return t.data;
}

static const char *intern_span(struct py *p, struct span s)
{
    return s.n ? py_intern(p, s.s, (uint32_t)s.n) : NULL;
}

const char *py_intern_node(struct py *p, uint32_t node)
{
    return intern_span(p, ir_span(p->e, node));
}

const char *py_intern_name(struct py *p, uint32_t node)
{
    return intern_span(p, ir_name(p->e, node));
}

uint32_t py_scope_new(struct py *p, uint32_t parent, int32_t function, int32_t class)
{
    if (!py_room(p, &p->scopes, p->scope_count, &p->scope_cap, sizeof *p->scopes, 65536))
        return 0;
    p->scopes[p->scope_count] = (struct py_scope){ parent, function, class };
    return p->scope_count++;
}

void py_set(struct py *p, uint32_t scope, const char *name, struct tv v)
{
    if (name && scope)
        eval_set(p->e, name, strlen(name), scope, v);
}

struct tv py_get_in(struct py *p, uint32_t scope, const char *name, bool *ret_found)
{
    if (name && scope)
        return eval_get(p->e, name, strlen(name), scope, ret_found);
    if (ret_found)
        *ret_found = false;
    return tv_unknown(0);
}

static bool is_declared_global(struct tv v)
{
    return v.kind == TV_PARTIAL && !v.list;
}

void py_bind(struct py *p, const char *name, struct tv v)
{
    uint32_t scope = p->scope;
    struct tv old = py_get_in(p, scope, name, NULL);
    if (is_declared_global(old))
        old = py_get_in(p, scope = 1, name, NULL);
    /* what a branch may or may not do does not make us forget: `except ImportError: requests = None` */
    if (p->branches && (v.kind == TV_NONE || v.kind == TV_UNKNOWN) && old.kind != TV_UNKNOWN && old.kind != TV_NONE &&
        old.kind != TV_NUMBER) {
        old.taint |= v.taint & T_ORIGIN;
        v = old;
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

struct tv py_lookup(struct py *p, const char *name)
{
    for (uint32_t s = p->scope; s; s = p->scopes[s].parent) {
        bool is_found;
        /* a class body's names are not seen from within its functions */
        if (s != p->scope && p->scopes[s].class >= 0 && p->scopes[s].function < 0)
            continue;
        struct tv v = py_get_in(p, s, name, &is_found);
        if (is_found && !is_declared_global(v))
            return v;
    }
    const char *s = name ? name : "";
    const char *star = p->star_count ? from_stars(p, s) : NULL;
    if (star)
        return py_named(star, 0);
    const struct known *k = strchr(s, '.') ? NULL : effect_find(LANG_PYTHON, s, strlen(s));
    if (k && (k->effects[0] != EF_SAME || str_eq(k->returns, "builtins"))) {
        if (str_eq(s, "__file__"))
            return py_const("{}.py", T_MYSELF | T_HARDLY);
        return py_named(k->returns ? k->returns : s, 0);
    }
    return tv_unknown(0);
}

/* --- values ---------------------------------------------------------------------------------------------------------
 */

struct tv py_str(struct fold_text t, uint32_t taint)
{
    return (struct tv){ .kind = TV_TEXT, .text = t.data, .size = t.size, .taint = taint };
}

struct tv py_made(struct fold_out *o, uint32_t taint, uint32_t otherwise)
{
    struct fold_text t;
    return fold_end(o, &t) ? py_str(t, taint) : tv_unknown(otherwise);
}

struct tv py_const(const char *s, uint32_t taint)
{
    return py_str(fold_of(s), taint);
}

struct tv py_named(const char *name, uint32_t taint)
{
    return name ? (struct tv){ .kind = TV_PATH, .name = name, .taint = taint } : tv_unknown(taint);
}

struct tv py_object(const char *name, uint32_t taint)
{
    return (struct tv){ .kind = TV_OBJECT, .name = name, .taint = taint };
}

struct tv py_thing(const char *name, struct fold_text of, uint32_t taint)
{
    return (struct tv){ .kind = TV_OBJECT, .name = name, .text = of.data, .size = of.size, .taint = taint };
}

struct tv py_path(struct fold_text path, uint32_t taint)
{
    return py_thing("pathlib.Path", path, taint);
}

struct tv py_list_new(struct py *p)
{
    struct py_list *l = fold_take(&p->mem, sizeof *l);
    return l ? (struct tv){ .kind = TV_LIST, .list = l } : tv_unknown(0);
}

bool py_list_add(struct py *p, struct tv list, struct tv item)
{
    struct py_list *l = list.list;
    if (!py_room(p, &l->items, l->count, &l->cap, sizeof *l->items, PY_MAX_ITEMS)) {
        l->is_open = true;
        return false;
    }
    l->items[l->count++] = item;
    return true;
}

void py_list_add_all(struct py *p, struct tv list, struct tv from)
{
    const struct py_list l = *from.list; /* which may be the same */
    for (uint32_t i = 0; i < l.count; i++)
        (void)py_list_add(p, list, l.items[i]);
    list.list->is_open |= l.is_open;
}

struct tv py_pair(struct py *p, struct tv a, struct tv b)
{
    struct tv l = py_list_new(p);
    return l.kind == TV_LIST && py_list_add(p, l, a) && py_list_add(p, l, b) ? l : tv_unknown(0);
}

struct tv py_partial(struct py *p, struct tv function, struct tv first)
{
    struct tv l = py_pair(p, function, first);
    l.kind = l.kind == TV_LIST ? TV_PARTIAL : l.kind;
    return l;
}

struct tv py_reversed(struct py *p, struct tv list)
{
    struct tv l = py_list_new(p);
    for (uint32_t i = list.list->count; l.kind == TV_LIST && i > 0; i--)
        (void)py_list_add(p, l, list.list->items[i - 1]);
    return l;
}

uint32_t py_turns(struct tv v, uint32_t most)
{
    uint32_t n = v.kind == TV_LIST && !v.list->is_open ? v.list->count : py_is_str(v) ? v.size : 0;
    return n <= most ? n : 0;
}

struct tv py_turn(struct tv v, uint32_t i)
{
    if (v.kind == TV_LIST)
        return v.list->items[i];
    return v.is_bytes ? tv_number((unsigned char)v.text[i])
                      : py_str((struct fold_text){ v.text + i, 1 }, v.taint & T_ORIGIN);
}

struct tv py_iter_of(struct py *p, struct tv item)
{
    struct tv v = py_list_new(p);
    if (v.kind != TV_LIST || !py_list_add(p, v, item))
        return tv_unknown(item.taint);
    v.kind = TV_ITER;
    v.taint = item.taint & T_ORIGIN;
    return v;
}

struct fold_text py_text(struct tv v)
{
    return (struct fold_text){ v.text, v.size };
}

bool py_is_str(struct tv v)
{
    return v.kind == TV_TEXT && !(v.taint & T_HARDLY);
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
    return py_intern(p, s, (uint32_t)(na + nb + 1));
}

bool py_is_dangerous_module(const char *name)
{
    static const char *const modules[] = { "builtins", "ctypes", "importlib", "marshal",    "os",  "pickle",
                                           "pty",      "shutil", "socket",    "subprocess", "sys", NULL };
    return str_is_one_of(name, modules);
}
