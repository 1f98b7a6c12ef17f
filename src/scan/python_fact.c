/* What is told to the matcher; each thing once, however often its line was run. */
#include "scan/python.h"

#define MAX_SHOWN  1024u
#define MAX_STRING 4096u

/* Copies into the scan's arena; NULs, which bytes may hold, become spaces, so that nothing hides behind one. */
static const char *keep(struct py *p, const char *s, size_t n)
{
    char small[256], *to = n < sizeof small ? small : fold_take(&p->mem, n + 1);
    if (!to)
        return NULL;
    for (size_t i = 0; i < n; i++)
        to[i] = s[i] ? s[i] : ' ';
    to[n] = '\0';
    return arena_copy(p->e->c->arena, to);
}

static uint64_t mix(uint64_t h, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * UINT64_C(1099511628211);
    return (h ^ 0xff) * UINT64_C(1099511628211);
}

static bool grow_emitted(struct py *p)
{
    uint32_t size = p->emitted_size ? p->emitted_size * 2 : 256;
    uint64_t *more = fold_take(&p->mem, size * sizeof *more);
    if (!more)
        return false;
    for (uint32_t i = 0; i < p->emitted_size; i++) {
        uint64_t h = p->emitted[i];
        uint32_t at = (uint32_t)h & (size - 1);
        while (h && more[at])
            at = (at + 1) & (size - 1);
        if (h)
            more[at] = h;
    }
    p->emitted = more;
    p->emitted_size = size;
    return true;
}

static bool is_new(struct py *p, const struct fact *f)
{
    uint64_t h = mix(UINT64_C(14695981039346656037) ^ f->kind ^ (uint64_t)f->byte << 8, f->name, strlen(f->name));
    for (unsigned i = 0; i < f->arg_count; i++)
        h = f->args[i] ? mix(h, f->args[i], strlen(f->args[i])) : h * 31;
    h += h == 0;
    if (p->emitted_count * 2 >= p->emitted_size && !grow_emitted(p))
        return true;
    uint32_t at = (uint32_t)h & (p->emitted_size - 1);
    for (; p->emitted[at]; at = (at + 1) & (p->emitted_size - 1))
        if (p->emitted[at] == h)
            return false;
    p->emitted[at] = h;
    p->emitted_count++;
    return true;
}

static void tell(struct py *p, struct fact *f, uint32_t node)
{
    f->byte = py_at(p, node)->start;
    if (!is_new(p, f))
        return;
    for (unsigned i = 0; i < f->arg_count; i++)
        if (f->args[i])
            f->args[i] = keep(p, f->args[i], strlen(f->args[i]));
    f->name = arena_copy(p->e->c->arena, f->name);
    (void)fact_emit(p->e->c, f); /* a matcher that has enough says so through scan_stop() */
}

void py_fact(struct py *p, enum fact_kind kind, uint32_t node, const char *name, bool is_dynamic)
{
    struct fact f = { .kind = (uint8_t)kind, .name = name, .has_dynamic_name = is_dynamic };
    tell(p, &f, node);
}

void py_fact_string(struct py *p, uint32_t node, struct fold_text t)
{
    const char *s = keep(p, t.data, MIN_OF(t.size, MAX_STRING));
    struct fact f = { .kind = FACT_STRING, .name = "", .arg_count = 1, .args = { s }, .byte = py_at(p, node)->start };
    if (s && is_new(p, &f))
        (void)fact_emit(p->e->c, &f);
}

static void add_shown(struct py *p, struct fold_out *o, struct tv v, unsigned depth)
{
    switch (v.kind) {
    case TV_TEXT:
        fold_add(o, v.text, MIN_OF(v.size, MAX_SHOWN));
        break;
    case TV_NUMBER:
        fold_add_int(o, v.number);
        break;
    case TV_NONE:
        fold_add(o, "None", 4);
        break;
    case TV_LIST:
        for (uint32_t i = 0; i < v.list->count && i < 32 && depth < 3; i++) {
            if (i)
                fold_addc(o, ' ');
            add_shown(p, o, v.list->items[i], depth + 1);
        }
        break;
    case TV_PATH:
    case TV_OBJECT:
        if (v.text)
            fold_add(o, v.text, v.size);
        else if (v.kind == TV_PATH)
            fold_add(o, v.name, strlen(v.name));
        else
            fold_add(o, "{}", 2);
        break;
    default:
        fold_add(o, "{}", 2);
        break;
    }
}

const char *py_show(struct py *p, struct tv v)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t;
    if (v.kind == TV_UNKNOWN || v.kind >= TV_FUNCTION || (v.kind == TV_OBJECT && !v.text))
        return NULL;
    if (v.kind == TV_RECORD) { /* its values: {"data": x} and the like */
        v.kind = TV_LIST;
    }
    add_shown(p, &o, v, 0);
    return fold_end(&o, &t) ? t.data : NULL;
}

void py_fact_call(struct py *p, const struct py_call *c)
{
    struct fact f = { .kind = FACT_CALL,
                      .name = c->name ? c->name : "",
                      .has_dynamic_name = c->callee.taint & T_COMPUTED };
    for (unsigned i = 0; i < c->count && f.arg_count < FACT_MAX_ARGS; i++) {
        const char *s = py_show(p, c->args[i]);
        if (c->keys[i] && s) {
            struct fold_out o = { .mem = &p->mem };
            struct fold_text t;
            fold_add(&o, c->keys[i], strlen(c->keys[i]));
            fold_addc(&o, '=');
            fold_add(&o, s, strlen(s));
            s = fold_end(&o, &t) ? t.data : NULL;
        }
        f.has_dynamic_args |= !s || c->args[i].taint & T_HARDLY;
        if (s || !c->keys[i])
            f.args[f.arg_count++] = s;
    }
    tell(p, &f, c->node);
}

void py_flow(struct py *p, uint32_t node, const char *name, const char *a, const char *b)
{
    struct fact f = { .kind = FACT_FLOW, .name = name, .args = { a, b }, .arg_count = b ? 2 : a ? 1 : 0 };
    p->effects++;
    tell(p, &f, node);
}
