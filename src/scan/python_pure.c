/* Known functions without effects: they are computed, or at least it is remembered that they decode. */
#include "scan/inflate.h"
#include "scan/python.h"

static struct py_value decoded(bool is_ok, struct fold_text t, uint32_t taint, bool is_bytes)
{
    struct py_value v = is_ok ? py_str(t, taint | T_DECODED | T_COMPUTED) : py_unknown(taint | T_DECODED);
    v.is_bytes = is_bytes;
    return v;
}

static bool is_codec(struct py_value v, const char *a, const char *b, const char *c)
{
    return v.kind == V_STR && (fold_is(py_text(v), a) || fold_is(py_text(v), b) || fold_is(py_text(v), c));
}

static struct py_value codecs(struct py *p, struct py_value s, struct py_value how, uint32_t taint)
{
    struct fold_text t = py_text(s), r = { 0 };
    bool is_text = py_is_str(s);
    if (is_codec(how, "rot13", "rot_13", "rot-13"))
        return decoded(is_text && fold_rot13(&p->mem, t, &r), r, taint, false);
    if (is_codec(how, "hex", "hex_codec", "hex-codec"))
        return decoded(is_text && fold_hex(&p->mem, t, &r), r, taint, true);
    if (is_codec(how, "base64", "base64_codec", "base-64"))
        return decoded(is_text && fold_base64(&p->mem, t, &r), r, taint, true);
    if (is_codec(how, "unicode_escape", "unicode-escape", "string_escape"))
        return decoded(is_text && fold_unhex_escapes(&p->mem, t, &r), r, taint, false);
    if (is_codec(how, "zlib", "zip", "zlib_codec"))
        return decoded(is_text && fold_inflate(&p->mem, t, &r), r, taint, true);
    if (is_codec(how, "bz2", "bz2_codec", "bz2-codec"))
        return py_unknown(taint | T_DECODED);
    return is_text ? s : py_unknown(taint);
}

struct py_value py_do_decode(struct py *p, struct py_call *c, enum effect how)
{
    struct py_value a = *py_arg(c, 0, "s");
    struct fold_text t = py_text(a), r = { 0 };
    uint32_t taint = c->taint & T_ORIGIN;
    bool is_text = py_is_str(a), is_ok = false;
    p->effects++;
    switch (how) {
    case EF_BASE64:
        is_ok = is_text && fold_base64(&p->mem, t, &r);
        break;
    case EF_BASE32:
        is_ok = is_text && fold_base32(&p->mem, t, &r);
        break;
    case EF_HEX:
        is_ok = is_text && fold_hex(&p->mem, t, &r);
        break;
    case EF_INFLATE:
        is_ok = is_text && fold_inflate(&p->mem, t, &r);
        break;
    case EF_CODEC:
        return codecs(p, a, *py_arg(c, 1, "encoding"), taint);
    default:
        break;
    }
    if (is_ok && r.size > 3)
        py_fact_string(p, c->node, r);
    return decoded(is_ok, r, taint, true);
}

/* bytes([..]), bytearray([..]), "".join-like lists of numbers */
static struct py_value bytes_of(struct py *p, struct py_value v, uint32_t taint)
{
    if (v.kind == V_STR) {
        v.is_bytes = true;
        v.is_literal = false;
        return v;
    }
    if (v.kind == V_INT && v.num > 65536)
        return py_unknown(T_LARGE | (v.num >= (int64_t)GIB ? T_HUGE : 0));
    if (v.kind != V_LIST || v.list->is_open)
        return py_unknown(taint | (v.kind == V_LIST || v.kind == V_ITER ? v.taint & T_ORIGIN : 0));
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t;
    for (uint32_t i = 0; i < v.list->count; i++) {
        if (v.list->items[i].kind != V_INT)
            return py_unknown(taint);
        fold_addc(&o, (char)(v.list->items[i].num & 0xff));
    }
    if (!fold_end(&o, &t))
        return py_unknown(taint);
    struct py_value r = py_str(t, taint | T_COMPUTED | (t.size ? T_DECODED : 0));
    r.is_bytes = true;
    return r;
}

/* A text as a list of its characters. */
static struct py_value listed(struct py *p, struct py_value v)
{
    if (v.kind == V_DICT) {
        struct py_call none = { 0 };
        bool is_known;
        return py_list_method(p, v, "keys", &none, &is_known);
    }
    if (v.kind != V_STR || v.taint & T_HARDLY || v.size > 2048)
        return v;
    struct py_value l = py_list_new(p);
    for (uint32_t i = 0; l.kind == V_LIST && i < v.size; i++)
        (void)py_list_add(p, l, py_turn(v, i));
    return l;
}

static struct py_value reversed(struct py *p, struct py_value v)
{
    struct fold_text t;
    if (v.kind == V_STR && fold_reverse(&p->mem, py_text(v), &t))
        return py_str(t, v.taint | T_COMPUTED);
    return v.kind == V_LIST ? py_reversed(p, v) : v;
}

static struct py_value range(struct py *p, struct py_call *c)
{
    struct py_value a = *py_arg(c, 0, NULL), b = *py_arg(c, 1, NULL), step = *py_arg(c, 2, NULL);
    int64_t from = 0, to = a.num, by = step.kind == V_INT ? step.num : 1;
    bool is_known = a.kind == V_INT && (c->positional < 2 || b.kind == V_INT) &&
                    (c->positional < 3 || step.kind == V_INT) && by;
    if (c->positional > 1) {
        from = a.num;
        to = b.num;
    }
    if (!is_known || from < -100000 || from > 100000 || to < -100000 || to > 100000 || (to - from) / by > 32)
        return py_iter_of(p, py_unknown(T_LOOP));
    struct py_value l = py_list_new(p);
    for (int64_t i = from; l.kind == V_LIST && (by > 0 ? i < to : i > to); i += by)
        (void)py_list_add(p, l, py_int(i));
    return l;
}

static struct py_value zipped(struct py *p, struct py_call *c, bool is_enumerate)
{
    struct py_value a = listed(p, *py_arg(c, 0, NULL)), b = listed(p, *py_arg(c, 1, NULL)), r;
    if (is_enumerate) {
        b = a;
        a = py_unknown(T_LOOP);
    }
    bool is_known = b.kind == V_LIST && !b.list->is_open && (is_enumerate || (a.kind == V_LIST && !a.list->is_open));
    uint32_t n = is_known ? MIN_OF(b.list->count, is_enumerate ? b.list->count : a.list->count) : 1;
    r = py_list_new(p);
    for (uint32_t i = 0; i < n && r.kind == V_LIST; i++) {
        struct py_value pair = py_pair(p,
                                       is_enumerate ? is_known ? py_int(i) : a
                                       : is_known   ? a.list->items[i]
                                                    : py_element(p, a),
                                       is_known ? b.list->items[i] : py_element(p, b));
        if (pair.kind != V_LIST)
            return py_unknown(c->taint & T_ORIGIN);
        if (!is_known)
            return py_iter_of(p, pair);
        (void)py_list_add(p, r, pair);
    }
    return r;
}

static struct py_value to_int(struct py *p, struct py_call *c)
{
    struct py_value a = *py_arg(c, 0, NULL), base = *py_arg(c, 1, "base");
    int64_t v;
    (void)p;
    if (a.kind == V_INT)
        return a;
    if (py_is_str(a) &&
        fold_int(py_text(a), base.kind == V_INT && base.num >= 0 && base.num <= 36 ? (unsigned)base.num : 10, &v))
        return py_int(v);
    return py_unknown((a.taint & (T_ORIGIN | T_PID | T_SELF)));
}

static struct py_value percent_decoded(struct py *p, struct py_value a)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t, one;
    for (uint32_t i = 0; i < a.size; i++) {
        if (a.text[i] == '%' && i + 2 < a.size && fold_hex(&p->mem, (struct fold_text){ a.text + i + 1, 2 }, &one)) {
            fold_add(&o, one.data, one.size);
            i += 2;
        } else {
            fold_addc(&o, a.text[i]);
        }
    }
    return fold_end(&o, &t) ? py_str(t, a.taint | T_COMPUTED) : py_unknown(a.taint & T_ORIGIN);
}

struct py_value py_do_fold(struct py *p, struct py_call *c, enum effect how)
{
    struct py_value a = *py_arg(c, 0, NULL), v;
    uint32_t taint = c->taint & (T_ORIGIN | T_OWN);
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t;
    switch (how) {
    case EF_CHR:
        p->effects++;
        if (a.kind != V_INT || a.num < 0)
            return py_unknown(taint | T_COMPUTED);
        fold_add_utf8(&o, (uint32_t)MIN_OF(a.num, 0x110000));
        return fold_end(&o, &t) ? py_str(t, taint | T_COMPUTED) : py_unknown(taint);
    case EF_ORD:
        return py_is_str(a) && a.size == 1 ? py_int((unsigned char)a.text[0]) : py_unknown(taint);
    case EF_STR:
        if (!c->count)
            return py_const("", 0);
        v = py_as_text(p, a);
        if (a.kind == V_UNKNOWN || (a.kind == V_OBJ && !a.text) || a.kind == V_LIST || a.kind == V_DICT ||
            a.kind == V_NAME)
            return py_unknown(taint);
        return v;
    case EF_BYTES:
        v = bytes_of(p, a, taint);
        if (v.taint & T_HUGE)
            py_flow(p, c->node, "endless-alloc", NULL, NULL);
        return v;
    case EF_LEN:
        if (py_is_str(a))
            return py_int(a.size);
        return a.kind == V_LIST && !a.list->is_open && !p->vague ? py_int(a.list->count) : py_unknown(0);
    case EF_INT:
        return to_int(p, c);
    case EF_LIST:
        return c->count ? listed(p, a) : py_list_new(p);
    case EF_REVERSE:
        return reversed(p, a);
    case EF_RANGE:
        return range(p, c);
    case EF_ZIP:
        return zipped(p, c, false);
    case EF_ENUMERATE:
        return zipped(p, c, true);
    case EF_NEXT:
        return a.kind == V_LIST && a.list->count ? a.list->items[0] : py_element(p, a);
    case EF_PASS:
        return a;
    case EF_UNQUOTE:
        return py_is_str(a) ? percent_decoded(p, a) : py_unknown(taint);
    case EF_DICT:
        if (a.kind == V_UNKNOWN && !c->count) {
            v = py_list_new(p);
            v.kind = v.kind == V_LIST ? V_DICT : v.kind;
            return v;
        }
        return a.kind == V_DICT ? a : py_unknown(taint | (a.kind == V_NAME ? a.taint : 0));
    case EF_DEDENT:
        return a.kind == V_STR ? py_dedent(p, a) : a;
    case EF_JSON:
        v = py_is_str(a) ? py_json(p, py_text(a)) : py_unknown(0);
        v.taint |= taint;
        return v;
    case EF_JSON_TEXT:
        return py_json_text(p, a);
    case EF_QUOTE:
        return a.kind == V_STR ? py_quoted(p, a) : py_unknown(taint);
    case EF_WORDS:
        return a.kind == V_STR ? py_words(p, py_text(a)) : py_unknown(taint);
    case EF_TEMPLATE:
        v = py_object(c->name, taint);
        v.text = a.kind == V_STR ? a.text : NULL;
        v.size = a.kind == V_STR ? a.size : 0;
        return v;
    case EF_SUBSTITUTE:
        return c->callee.text ? py_substitute(p, c->callee, c) : py_unknown(taint);
    default:
        return py_unknown(taint);
    }
}

/* mkstemp(suffix=".py"): the name's end may say what it is. */
static struct py_value temporary(struct py *p, const struct py_call *c, int position)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t;
    struct py_value suffix = *py_arg(c, position, "suffix");
    fold_add(&o, "/tmp/{}", 7);
    if (suffix.kind == V_STR)
        fold_add(&o, suffix.text, suffix.size);
    return fold_end(&o, &t) ? py_str(t, T_OWN | T_HARDLY) : py_const("/tmp/{}", T_OWN | T_HARDLY);
}

/* --- paths ----------------------------------------------------------------------------------------------------------
 */

static struct py_value joined(struct py *p, struct py_call *c)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t;
    uint32_t taint = c->taint & (T_ORIGIN | T_OWN);
    for (unsigned i = 0; i < c->count; i++) {
        struct py_value v = py_as_text(p, c->args[i]);
        taint |= v.taint & (T_HARDLY | T_COMPUTED);
        if (v.size && v.text[0] == '/')
            o.size = 0;
        else if (o.size && o.data[o.size - 1] != '/')
            fold_addc(&o, '/');
        fold_add(&o, v.text, v.size);
    }
    return fold_end(&o, &t) ? py_str(t, taint) : py_unknown(taint);
}

static struct py_value as_path(struct py_value v, uint32_t taint)
{
    struct py_value r = py_object("pathlib.Path", taint);
    r.text = v.text;
    r.size = v.size;
    return r;
}

static struct py_value dirname(struct py_value a, bool is_base)
{
    struct fold_text t = py_text(a);
    uint32_t cut = t.size;
    while (cut && t.data[cut - 1] != '/')
        cut--;
    uint32_t taint = a.taint & (T_ORIGIN | T_OWN | T_HARDLY);
    if (is_base)
        return py_str((struct fold_text){ t.data + cut, t.size - cut }, taint);
    return py_str((struct fold_text){ t.data, cut > 1 ? cut - 1 : cut }, taint & ~(uint32_t)T_MYSELF);
}

struct py_value py_do_path(struct py *p, struct py_call *c, enum effect how)
{
    struct py_value a = *py_arg(c, 0, NULL), v;
    uint32_t taint = c->taint & (T_ORIGIN | T_OWN);
    switch (how) {
    case EF_PATH_JOIN:
        if (c->callee.text && c->name && str_starts(c->name, "pathlib."))
            return py_binary(p, '/', as_path(c->callee, c->callee.taint), a);
        return joined(p, c);
    case EF_HOME:
        return py_const("~", 0);
    case EF_HOME_PATH:
        return as_path(py_const("~", 0), 0);
    case EF_CWD:
        return py_const(".", 0);
    case EF_CWD_PATH:
        return as_path(py_const(".", 0), 0);
    case EF_TEMP:
        return py_const("/tmp", 0);
    case EF_MKTEMP:
        return py_const("/tmp/{}", T_OWN | T_HARDLY);
    case EF_TEMP_FILE:
        v = temporary(p, c, -1);
        v.kind = V_OBJ;
        v.name = c->name;
        return v;
    case EF_MKSTEMP: { /* os.fdopen() makes a file of the first */
        struct py_value path = temporary(p, c, 0), fd = path;
        fd.kind = V_OBJ;
        fd.name = "fd";
        return py_pair(p, fd, path);
    }
    case EF_PATH_SAME: /* expanduser, abspath, resolve ...: as good as the path itself */
        if (c->callee.text && str_starts(c->name, "pathlib."))
            return as_path(c->callee, c->callee.taint & (T_ORIGIN | T_OWN | T_HARDLY));
        if (a.kind == V_OBJ && a.text)
            return py_str((struct fold_text){ a.text, a.size }, a.taint & (T_ORIGIN | T_OWN | T_HARDLY));
        return a.kind == V_STR ? a : py_unknown(taint);
    case EF_PATH:
        v = c->count ? joined(p, c) : py_const(".", 0);
        return as_path(v, v.taint);
    case EF_DIRNAME:
    case EF_BASENAME:
        v = py_as_text(p, a);
        return dirname(v, how == EF_BASENAME);
    default:
        return py_unknown(taint);
    }
}

/* --- the environment ------------------------------------------------------------------------------------------------
 */

struct py_value py_do_env(struct py *p, struct py_call *c, enum effect how)
{
    if (how == EF_ENVIRON) {
        struct py_value v = py_object("environ", T_ENV);
        return v;
    }
    struct py_value v = py_environ(p, c->node, *py_arg(c, 0, "key")), other = *py_arg(c, 1, "default");
    if (v.kind == V_UNKNOWN && other.kind != V_UNKNOWN && other.kind != V_NONE) {
        other.taint |= v.taint & T_ORIGIN;
        return other;
    }
    return v;
}
