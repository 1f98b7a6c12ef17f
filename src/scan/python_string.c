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

static bool int_power(int64_t a, int64_t b, int64_t *ret)
{
    int64_t v = 1;
    if (b < 0)
        return false;
    if (a >= -1 && a <= 1)
        b = a == -1 ? b % 2 : MIN_OF(b, 1);
    for (; b > 0; b--)
        if (__builtin_mul_overflow(v, a, &v)) {
            v = INT64_MAX; /* more than enough for a process that asks how large it is */
            break;
        }
    *ret = v;
    return true;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b != 0 && (a % b < 0) != (b < 0) ? q - 1 : q;
}

static bool int_op(char op, int64_t a, int64_t b, int64_t *ret)
{
    switch (op) {
    case '+':
        return !__builtin_add_overflow(a, b, ret);
    case '-':
        return !__builtin_sub_overflow(a, b, ret);
    case 'p':
        return int_power(a, b, ret);
    case '*':
        if (__builtin_mul_overflow(a, b, ret))
            *ret = INT64_MAX;
        return true;
    case '^':
        *ret = a ^ b;
        return true;
    case '&':
        *ret = a & b;
        return true;
    case '|':
        *ret = a | b;
        return true;
    case '<':
        if (b < 0)
            return false;
        *ret = b > 61 || (a >> (62 - b)) != 0 ? INT64_MAX : (int64_t)((uint64_t)a << b);
        return a >= 0;
    case '>':
        if (b < 0)
            return false;
        *ret = a >> MIN_OF(b, 63);
        return true;
    case '/':
    case 'd':
    case '%': {
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
        int64_t q = floor_div(a, b);
        *ret = op == '%' ? a - q * b : q;
        return op != '/' || a % b == 0;
    }
    default:
        return false;
    }
}

/* "/a" / "b": an absolute right side wins. */
static struct tv path_join(struct py *p, struct tv a, struct tv b, uint32_t taint)
{
    struct tv x = py_as_text(p, a), y = py_as_text(p, b);
    struct fold_out o = { .mem = &p->mem };
    if (!y.size || y.text[0] != '/') {
        fold_add(&o, x.text, x.size);
        if (x.size && x.text[x.size - 1] != '/')
            fold_addc(&o, '/');
    }
    fold_add(&o, y.text, y.size);
    struct fold_text t;
    struct tv v = py_object("pathlib.Path", taint | (a.taint & (T_OWN | T_FAR)) | ((x.taint | y.taint) & T_HARDLY));
    if (fold_end(&o, &t)) {
        v.text = t.data;
        v.size = t.size;
    }
    return v;
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
        return int_op(op, a.number, b.number, &v) ? with_taint(tv_number(v), taint) : tv_unknown(taint);
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
    uint32_t at = 0, taint = (format.taint | args.taint) & (T_ORIGIN | T_HARDLY | T_OWN);
    for (uint32_t i = 0; i < t.size; i++) {
        if (t.data[i] != '%' || i + 1 >= t.size) {
            fold_addc(&o, t.data[i]);
            continue;
        }
        if (t.data[++i] == '%') {
            fold_addc(&o, '%');
            continue;
        }
        if (t.data[i] == '(') /* %(name)s */
            while (i + 1 < t.size && t.data[i] != ')')
                i++;
        while (i + 1 < t.size && memchr("(-+ #0123456789.)", t.data[i], 17))
            i++;
        struct tv v = tv_unknown(0);
        if (args.kind == TV_LIST)
            v = at < args.list->count ? args.list->items[at] : v;
        else if (!at)
            v = args;
        at++;
        if (t.data[i] == 'c' && v.kind == TV_NUMBER) {
            fold_add_utf8(&o, (uint32_t)v.number);
            continue;
        }
        v = py_as_text(p, v);
        fold_add(&o, v.text, v.size);
        taint |= v.taint;
    }
    return fold_end(&o, &t) ? py_str(t, taint | T_COMPUTED) : tv_unknown(taint);
}

struct tv py_format(struct py *p, struct tv format, const struct py_call *c)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t = py_text(format);
    uint32_t taint = (format.taint | c->taint) & (T_ORIGIN | T_HARDLY | T_OWN);
    int next = 0;
    for (uint32_t i = 0; i < t.size; i++) {
        char ch = t.data[i];
        if ((ch == '{' || ch == '}') && i + 1 < t.size && t.data[i + 1] == ch) {
            fold_addc(&o, ch);
            i++;
            continue;
        }
        if (ch != '{') {
            fold_addc(&o, ch);
            continue;
        }
        char key[32];
        unsigned n = 0;
        uint32_t end = i + 1;
        for (; end < t.size && t.data[end] != '}'; end++)
            if (n + 1 < sizeof key && !memchr(t.data + i, ':', end - i + 1) && !memchr(t.data + i, '!', end - i + 1))
                key[n++] = t.data[end];
        key[n] = '\0';
        int64_t index;
        const struct tv *v = NULL;
        if (!n)
            v = py_arg(c, next++, NULL);
        else if (fold_int((struct fold_text){ key, n }, 10, &index))
            v = py_arg(c, index >= 0 && index < (int64_t)PY_MAX_ARGS ? (int)index : -1, NULL);
        else
            v = py_arg(c, -1, key);
        struct tv s = py_as_text(p, *v);
        fold_add(&o, s.text, s.size);
        taint |= s.taint;
        i = end;
    }
    return fold_end(&o, &t) ? py_str(t, taint | T_COMPUTED) : tv_unknown(taint);
}

/* --- methods of str and bytes ---------------------------------------------------------------------------------------
 */

enum str_how {
    S_CAPITALIZE,
    S_DECODE,
    S_ENCODE,
    S_FORMAT,
    S_HEX,
    S_JOIN,
    S_LOWER,
    S_LSTRIP,
    S_REPLACE,
    S_RSTRIP,
    S_SAME,
    S_SPLIT,
    S_SPLITLINES,
    S_STRIP,
    S_SWAPCASE,
    S_TRANSLATE,
    S_UPPER
};
static const struct {
    const char *name;
    enum str_how how;
} str_methods[] = {
    { "capitalize", S_CAPITALIZE },
    { "casefold", S_LOWER },
    { "decode", S_DECODE },
    { "encode", S_ENCODE },
    { "expandtabs", S_SAME },
    { "format", S_FORMAT },
    { "hex", S_HEX },
    { "join", S_JOIN },
    { "lower", S_LOWER },
    { "lstrip", S_LSTRIP },
    { "replace", S_REPLACE },
    { "rsplit", S_SPLIT },
    { "rstrip", S_RSTRIP },
    { "split", S_SPLIT },
    { "splitlines", S_SPLITLINES },
    { "strip", S_STRIP },
    { "swapcase", S_SWAPCASE },
    { "translate", S_TRANSLATE },
    { "upper", S_UPPER },
};

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
    struct fold_text t;
    return fold_end(&o, &t) ? py_str(t, taint | T_COMPUTED) : tv_unknown(taint);
}

/* "...".decode(CODEC): Python 2 had hex, base64 and rot13 there. */
static struct tv codec(struct py *p, struct tv s, struct tv how, uint32_t taint)
{
    struct fold_text t = py_text(s), r;
    if (how.kind == TV_TEXT) {
        struct fold_text name = py_text(how);
        bool is_hex = fold_is(name, "hex") || fold_is(name, "hex_codec");
        bool is_64 = fold_is(name, "base64") || fold_is(name, "base64_codec");
        bool is_13 = fold_is(name, "rot13") || fold_is(name, "rot_13");
        bool is_zip = fold_is(name, "zlib") || fold_is(name, "zip") || fold_is(name, "bz2");
        if (is_zip)
            return tv_unknown(taint | T_DECODED);
        if ((is_hex && fold_hex(&p->mem, t, &r)) || (is_64 && fold_base64(&p->mem, t, &r)) ||
            (is_13 && fold_rot13(&p->mem, t, &r)) ||
            (fold_is(name, "unicode_escape") && fold_unhex_escapes(&p->mem, t, &r)))
            return py_str(r, taint | T_DECODED | T_COMPUTED);
    }
    return with_taint(s, taint);
}

static bool case_of(struct py *p, enum str_how how, struct fold_text t, struct fold_text *ret)
{
    if (how == S_LOWER)
        return fold_lower(&p->mem, t, ret);
    if (how == S_UPPER)
        return fold_upper(&p->mem, t, ret);
    struct fold_text lower, upper, first;
    if (!fold_lower(&p->mem, t, &lower) || !fold_upper(&p->mem, t, &upper))
        return false;
    if (how == S_CAPITALIZE && t.size) {
        first = (struct fold_text){ upper.data, 1 };
        return fold_concat(&p->mem, first, (struct fold_text){ lower.data + 1, t.size - 1 }, ret);
    }
    struct fold_out o = { .mem = &p->mem };
    for (uint32_t i = 0; i < t.size; i++)
        fold_addc(&o, t.data[i] == lower.data[i] ? upper.data[i] : lower.data[i]);
    return fold_end(&o, ret);
}

struct tv py_str_method(struct py *p, struct tv s, const char *method, struct py_call *c, bool *ret_known)
{
    uint32_t taint = (s.taint | c->taint) & (T_ORIGIN | T_COMPUTED | T_HARDLY | T_OWN);
    struct tv a = *py_arg(c, 0, NULL), b = *py_arg(c, 1, NULL);
    struct fold_text t = py_text(s), r;
    size_t i = 0;
    while (i < ARRAY_LEN(str_methods) && !str_eq(str_methods[i].name, method))
        i++;
    *ret_known = i < ARRAY_LEN(str_methods);
    if (!*ret_known)
        return tv_unknown(taint & ~T_HARDLY);
    enum str_how how = str_methods[i].how;
    switch (how) {
    case S_JOIN:
        return join(p, s, a);
    case S_FORMAT:
        return py_format(p, s, c);
    case S_ENCODE:
    case S_DECODE: {
        struct tv v = codec(p, s, a, taint);
        if (v.kind == TV_TEXT)
            v.is_bytes = how == S_ENCODE;
        return v;
    }
    case S_SAME:
        return with_taint(s, taint);
    case S_STRIP:
    case S_LSTRIP:
    case S_RSTRIP:
        r = fold_strip(t, a.kind == TV_TEXT ? py_text(a) : (struct fold_text){ " \t\r\n", 4 }, how != S_RSTRIP,
                       how != S_LSTRIP);
        return py_str(r, taint);
    case S_REPLACE:
        if (a.kind == TV_TEXT && b.kind == TV_TEXT && fold_replace(&p->mem, t, py_text(a), py_text(b), &r))
            return py_str(r, taint | T_COMPUTED);
        return with_taint(s, taint | T_HARDLY);
    case S_SPLIT:
    case S_SPLITLINES:
        if (s.taint & T_HARDLY)
            return py_iter_of(p, tv_unknown(taint & ~T_HARDLY));
        return split(p, s,
                     how == S_SPLITLINES ? fold_of("\n")
                     : a.kind == TV_TEXT ? py_text(a)
                                         : (struct fold_text){ "", 0 },
                     taint | T_COMPUTED);
    case S_LOWER:
    case S_UPPER:
    case S_CAPITALIZE:
    case S_SWAPCASE:
        return case_of(p, how, t, &r) ? py_str(r, taint | T_COMPUTED) : tv_unknown(taint);
    case S_HEX:
    case S_TRANSLATE:
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
                if (!is_values && !is_keys) {
                    pair = py_list_new(p);
                    if (pair.kind == TV_LIST) {
                        (void)py_list_add(p, pair, l.list->items[i]);
                        (void)py_list_add(p, pair, l.list->items[i + 1]);
                    }
                }
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
