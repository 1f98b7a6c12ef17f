/* Literals, str's methods and formatting. What is not known inside a text that otherwise is becomes «{}». */
#include "scan/python.h"

static const struct fold_text unknown_text = { "{}", 2 };

struct tv py_as_text(struct py *p, struct tv v)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t;
    uint32_t taint = v.taint & (T_ORIGIN | T_COMPUTED | T_OWN | T_HARDLY);
    if (v.kind == TV_TEXT || ((v.kind == TV_OBJECT || v.kind == TV_PATH) && v.text)) {
        struct tv s = py_str(py_text(v), taint);
        return s;
    }
    if (v.kind == TV_NUMBER) {
        fold_add_int(&o, v.number);
        if (fold_end(&o, &t))
            return py_str(t, taint);
    }
    return py_str(unknown_text, taint | T_HARDLY);
}

/* A text as it stands there, or its pieces. */
static void add_pieces(struct py *p, struct fold_out *o, uint32_t node, struct tv *ret)
{
    const struct ir_node *i = py_at(p, node);
    if (p->e->depth >= SCAN_MAX_DEPTH)
        return;
    if (i->op == IR_TEXT) {
        struct fold_text t = py_inside(p, node), plain;
        bool has_escapes = i->sign == 'T' || i->sign == 'B';
        if (has_escapes && fold_unhex_escapes(&p->mem, t, &plain))
            t = plain;
        ret->is_literal &= !has_escapes;
        ret->is_bytes |= (i->sign | 0x20) == 'b';
        fold_add(o, t.data, t.size);
        return;
    }
    p->e->depth++;
    PARTS(c, p->e, node)
    {
        if (py_at(p, c)->role != ROLE_START) {
            py_at(p, c)->role == ROLE_END ? (void)py_eval(p, c) : add_pieces(p, o, c, ret);
            continue;
        }
        struct tv v = py_as_text(p, py_eval(p, c));
        fold_add(o, v.text, v.size);
        ret->taint |= v.taint | T_COMPUTED;
        ret->is_literal = false;
    }
    p->e->depth--;
}

struct tv py_eval_string(struct py *p, uint32_t node)
{
    const struct ir_node *i = py_at(p, node);
    struct fold_text t;
    struct tv v = { .kind = TV_TEXT, .is_literal = true, .is_bytes = i->sign == 'b' };
    if (i->op == IR_TEXT && i->sign >= 'a') { /* the common case: it is borrowed from the source */
        t = py_inside(p, node);
    } else {
        struct fold_out o = { .mem = &p->mem };
        add_pieces(p, &o, node, &v);
        if (!fold_end(&o, &t))
            return tv_unknown(v.taint);
    }
    v.text = t.data;
    v.size = t.size;
    if (v.size > 3)
        py_fact_string(p, node, t);
    return v;
}

/* --- operators ------------------------------------------------------------------------------------------------------
 */

static struct tv with_taint(struct tv v, uint32_t taint)
{
    v.taint |= taint;
    v.is_literal = false;
    return v;
}

static struct tv plus(struct py *p, struct tv a, struct tv b, uint32_t taint)
{
    struct fold_text t;
    if (a.kind == TV_TEXT || b.kind == TV_TEXT) {
        struct tv x = py_as_text(p, a), y = py_as_text(p, b);
        if (!fold_concat(&p->mem, py_text(x), py_text(y), &t))
            return tv_unknown(taint);
        struct tv v = py_str(t, taint | T_COMPUTED | ((x.taint | y.taint) & T_HARDLY));
        v.is_bytes = a.is_bytes || b.is_bytes;
        return v;
    }
    if ((a.kind == TV_LIST || b.kind == TV_LIST) && (a.kind == TV_LIST || a.kind == TV_UNKNOWN) &&
        (b.kind == TV_LIST || b.kind == TV_UNKNOWN)) {
        struct tv l = py_list_new(p);
        for (int side = 0; l.kind == TV_LIST && side < 2; side++) {
            struct tv from = side ? b : a;
            if (from.kind != TV_LIST) {
                (void)py_list_add(p, l, tv_unknown(from.taint));
                continue;
            }
            py_list_add_all(p, l, from);
        }
        return with_taint(l, taint);
    }
    return tv_unknown(taint);
}

static struct tv times(struct py *p, struct tv a, struct tv b, uint32_t taint)
{
    struct fold_text t;
    if (b.kind == TV_TEXT || b.kind == TV_LIST) {
        struct tv swap = a;
        a = b;
        b = swap;
    }
    if (b.kind != TV_NUMBER)
        return tv_unknown(taint);
    if (a.kind == TV_TEXT) {
        if (fold_repeat(&p->mem, py_text(a), b.number, &t))
            return py_str(t, taint | T_COMPUTED | (a.taint & T_HARDLY));
        return tv_unknown(taint | T_LARGE | ((uint64_t)b.number >= GIB / MAX_OF(a.size, 1u) ? T_HUGE : 0));
    }
    if (a.kind == TV_LIST) {
        uint64_t most = GIB / 4 / MAX_OF(a.list->count, 1u), size = b.number > 0 ? (uint64_t)b.number : 0;
        if (size >= most)
            return tv_unknown(taint | T_HUGE | T_LARGE);
        size *= a.list->count;
        struct tv l = py_list_new(p);
        for (int64_t n = 0; l.kind == TV_LIST && n < b.number && l.list->count < 256; n++)
            py_list_add_all(p, l, a);
        if (l.kind == TV_LIST && l.list->count < size)
            l.list->is_open = true;
        return with_taint(l, taint);
    }
    return tv_unknown(taint);
}

void py_add_path(struct fold_out *o, struct fold_text part)
{
    if (part.size && part.data[0] == '/')
        o->size = 0;
    else if (o->size && o->data[o->size - 1] != '/')
        fold_addc(o, '/');
    fold_add(o, part.data, part.size);
}

/* "/a" / "b": an absolute right side wins. */
static struct tv path_join(struct py *p, struct tv a, struct tv b, uint32_t taint)
{
    struct tv x = py_as_text(p, a), y = py_as_text(p, b);
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t = { 0 };
    py_add_path(&o, py_text(x));
    py_add_path(&o, py_text(y));
    (void)fold_end(&o, &t);
    return py_path(t, taint | (a.taint & (T_OWN | T_FAR)) | ((x.taint | y.taint) & T_HARDLY));
}

static bool is_path(struct tv v)
{
    return v.kind == TV_OBJECT && v.name && str_eq(v.name, "pathlib.Path");
}

struct tv py_binary(struct py *p, char op, struct tv a, struct tv b)
{
    uint32_t taint = (a.taint | b.taint) & (T_ORIGIN | T_HUGE | T_OWN);
    if (op == '/' && (is_path(a) || is_path(b)))
        return path_join(p, a, b, taint);
    if (a.kind == TV_NUMBER && b.kind == TV_NUMBER) {
        int64_t v;
        return tv_int_op(op, a.number, b.number, &v) ? with_taint(tv_number(v), taint) : tv_unknown(taint);
    }
    if (op == '^')
        return tv_unknown(taint | T_DECODED); /* xor of what is not known: data in disguise, most often */
    if (op == '+')
        return plus(p, a, b, taint);
    if (op == '*')
        return times(p, a, b, taint);
    if (op == '%' && a.kind == TV_TEXT)
        return py_percent(p, a, b);
    if (op == '|' && a.kind == TV_RECORD)
        return a;
    return tv_unknown(taint);
}

struct tv py_percent(struct py *p, struct tv format, struct tv args)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t = py_text(format);
    uint32_t i = 0, taint = (format.taint | args.taint) & (T_ORIGIN | T_HARDLY | T_OWN);
    char verb;
    for (uint32_t at = 0; (verb = fold_to_percent(&o, t, &i)); at++) {
        struct tv v = tv_unknown(0);
        if (args.kind == TV_LIST)
            v = at < args.list->count ? args.list->items[at] : v;
        else if (!at)
            v = args;
        if (verb == 'c' && v.kind == TV_NUMBER) {
            fold_add_utf8(&o, (uint32_t)v.number);
            continue;
        }
        v = py_as_text(p, v);
        fold_add(&o, v.text, v.size);
        taint |= v.taint;
    }
    return py_made(&o, taint | T_COMPUTED, taint);
}

struct tv py_format(struct py *p, struct tv format, const struct py_call *c)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t = py_text(format), field;
    uint32_t i = 0, taint = (format.taint | c->taint) & (T_ORIGIN | T_HARDLY | T_OWN);
    int next = 0;
    while (fold_to_brace(&o, t, &i, &field)) {
        char key[32];
        uint32_t n = 0;
        int64_t index;
        const struct tv *v = NULL;
        for (; n < MIN_OF(field.size, (uint32_t)sizeof key - 1) && field.data[n] != ':' && field.data[n] != '!'; n++)
            key[n] = field.data[n];
        key[n] = '\0';
        if (!n)
            v = py_arg(c, next++, NULL);
        else if (fold_int((struct fold_text){ key, n }, 10, &index))
            v = py_arg(c, index >= 0 && index < (int64_t)PY_MAX_ARGS ? (int)index : -1, NULL);
        else
            v = py_arg(c, -1, key);
        struct tv s = py_as_text(p, *v);
        fold_add(&o, s.text, s.size);
        taint |= s.taint;
    }
    return py_made(&o, taint | T_COMPUTED, taint);
}

/* --- methods of str and bytes ---------------------------------------------------------------------------------------
 */

static struct tv split(struct py *p, struct tv s, struct fold_text by, uint32_t taint)
{
    struct tv l = py_list_new(p);
    struct fold_text t = py_text(s);
    bool is_space = !by.size;
    while (l.kind == TV_LIST) {
        if (is_space)
            t = fold_strip(t, (struct fold_text){ " \t\r\n", 4 }, true, false);
        if (is_space && !t.size)
            break;
        uint32_t n = 0;
        while (n < t.size && (is_space ? !memchr(" \t\r\n", t.data[n], 4)
                                       : by.size > t.size - n || memcmp(t.data + n, by.data, by.size) != 0))
            n++;
        if (!py_list_add(p, l, py_str((struct fold_text){ t.data, n }, taint)) || n == t.size)
            break;
        uint32_t skip = n + (is_space ? 1 : by.size);
        t.data += skip;
        t.size -= skip;
    }
    return l;
}

static struct tv join(struct py *p, struct tv s, struct tv parts)
{
    struct fold_out o = { .mem = &p->mem };
    uint32_t taint = (s.taint | parts.taint) & (T_ORIGIN | T_HARDLY);
    if (parts.kind == TV_TEXT) { /* "".join(reversed(...)) gives text already */
        for (uint32_t i = 0; i < parts.size; i++) {
            if (i)
                fold_add(&o, s.text, s.size);
            fold_addc(&o, parts.text[i]);
        }
    } else if (parts.kind == TV_LIST) {
        for (uint32_t i = 0; i < parts.list->count && !o.failed; i++) {
            struct tv v = py_as_text(p, parts.list->items[i]);
            if (i)
                fold_add(&o, s.text, s.size);
            fold_add(&o, v.text, v.size);
            taint |= v.taint;
        }
        taint |= parts.list->is_open ? T_HARDLY : 0;
    } else if (parts.kind == TV_ITER) {
        return tv_unknown(taint | parts.list->items[0].taint);
    } else {
        return tv_unknown(taint);
    }
    return py_made(&o, taint | T_COMPUTED, taint);
}

/* "...".decode(CODEC): Python 2 had hex, base64 and rot13 there. */
static struct tv codec(struct py *p, struct tv s, struct tv how, uint32_t taint)
{
    struct tv v = how.kind == TV_TEXT ? py_codec(p, s, how, taint) : s;
    bool is_packed = how.kind == TV_TEXT && memchr(how.text, 'z', how.size); /* zlib, bz2: more is not known */
    return with_taint(v.kind == TV_TEXT || is_packed ? v : s, taint);
}

static struct tv case_of(struct py *p, enum effect how, struct fold_text t, uint32_t taint)
{
    struct fold_out o = { .mem = &p->mem };
    for (uint32_t i = 0; i < t.size; i++) {
        char lower = fold_lower_of(t.data[i]), upper = fold_upper_of(t.data[i]);
        bool is_upper = how == EF_UPPER || (how == EF_CAPITALIZE && !i) || (how == EF_SWAPCASE && t.data[i] == lower);
        fold_addc(&o, is_upper ? upper : lower);
    }
    return py_made(&o, taint | T_COMPUTED, taint);
}

struct tv py_str_method(struct py *p, struct tv s, const char *method, struct py_call *c, bool *ret_known)
{
    uint32_t taint = (s.taint | c->taint) & (T_ORIGIN | T_COMPUTED | T_HARDLY | T_OWN);
    struct tv a = *py_arg(c, 0, NULL), b = *py_arg(c, 1, NULL);
    struct fold_text t = py_text(s), r;
    char name[24] = "str.";
    const size_t n = strlen(method);
    memcpy(name + 4, method, MIN_OF(n, sizeof name - 4));
    const struct known *known = n < sizeof name - 4 ? effect_find(LANG_PYTHON, name, 4 + n) : NULL;
    *ret_known = known;
    if (!known)
        return tv_unknown(taint & ~T_HARDLY);
    enum effect how = known->effects[0];
    switch (how) {
    case EF_JOIN:
        return join(p, s, a);
    case EF_BRACES:
        return py_format(p, s, c);
    case EF_TEXT_CODEC:
        s = codec(p, s, a, taint);
        s.is_bytes = s.kind == TV_TEXT && str_eq(method, "encode");
        return s;
    case EF_TEXT_SAME:
        return with_taint(s, taint);
    case EF_STRIP:
    case EF_STRIP_LEFT:
    case EF_STRIP_RIGHT:
        r = fold_strip(t, a.kind == TV_TEXT ? py_text(a) : (struct fold_text){ " \t\r\n", 4 }, how != EF_STRIP_RIGHT,
                       how != EF_STRIP_LEFT);
        return py_str(r, taint);
    case EF_REPLACE:
        if (a.kind == TV_TEXT && b.kind == TV_TEXT && fold_replace(&p->mem, t, py_text(a), py_text(b), &r))
            return py_str(r, taint | T_COMPUTED);
        return with_taint(s, taint | T_HARDLY);
    case EF_SPLIT:
    case EF_SPLIT_LINES:
        if (s.taint & T_HARDLY)
            return py_iter_of(p, tv_unknown(taint & ~T_HARDLY));
        return split(p, s,
                     how == EF_SPLIT_LINES ? fold_of("\n")
                     : a.kind == TV_TEXT   ? py_text(a)
                                           : (struct fold_text){ "", 0 },
                     taint | T_COMPUTED);
    case EF_LOWER:
    case EF_UPPER:
    case EF_CAPITALIZE:
    case EF_SWAPCASE:
        return case_of(p, how, t, taint);
    default:
        return tv_unknown(taint & ~T_HARDLY);
    }
}

/* --- methods of list and dict ---------------------------------------------------------------------------------------
 */

struct tv py_list_method(struct py *p, struct tv l, const char *method, struct py_call *c, bool *ret_known)
{
    struct tv a = *py_arg(c, 0, NULL), none = { .kind = TV_NONE };
    *ret_known = true;
    if (l.kind == TV_RECORD) {
        if (str_eq(method, "get") || str_eq(method, "pop") || str_eq(method, "setdefault") ||
            str_eq(method, "__getitem__"))
            return py_item(p, c->node, l, a);
        bool is_values = str_eq(method, "values"), is_keys = str_eq(method, "keys");
        if (is_values || is_keys || str_eq(method, "items")) {
            struct tv r = py_list_new(p);
            for (uint32_t i = 0; r.kind == TV_LIST && i + 1 < l.list->count; i += 2) {
                struct tv pair = is_values ? l.list->items[i + 1] : l.list->items[i];
                if (!is_values && !is_keys)
                    pair = py_pair(p, l.list->items[i], l.list->items[i + 1]);
                (void)py_list_add(p, r, pair);
            }
            if (r.kind == TV_LIST)
                r.list->is_open = l.list->is_open;
            return r;
        }
        *ret_known = false;
        return tv_unknown(l.taint & T_ORIGIN);
    }
    if (str_eq(method, "append") || str_eq(method, "add")) {
        if (p->vague)
            l.list->is_open = true;
        if (p->endless &&
            (a.taint & T_LARGE || (a.kind == TV_TEXT && a.size > 4096) || (a.kind == TV_LIST && a.list->count > 200)))
            py_flow(p, c->node, "endless-alloc", NULL, NULL);
        (void)py_list_add(p, l, a);
        return none;
    }
    if (str_eq(method, "extend")) {
        if (a.kind != TV_LIST)
            l.list->is_open = true;
        else if (a.list != l.list)
            py_list_add_all(p, l, a);
        return none;
    }
    if (str_eq(method, "reverse")) {
        for (uint32_t i = 0; i < l.list->count / 2; i++) {
            struct tv swap = l.list->items[i];
            l.list->items[i] = l.list->items[l.list->count - 1 - i];
            l.list->items[l.list->count - 1 - i] = swap;
        }
        return none;
    }
    if (str_eq(method, "pop") && l.list->count)
        return l.list->items[l.list->count - 1];
    if (str_eq(method, "copy") || str_eq(method, "__iter__"))
        return l;
    *ret_known = false;
    return tv_unknown(l.taint & T_ORIGIN);
}
