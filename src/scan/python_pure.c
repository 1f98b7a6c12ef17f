/* Known functions without effects: they are computed, or at least it is remembered that they decode. */
#include "scan/inflate.h"
#include "scan/python.h"

static struct tv decoded(bool is_ok, struct fold_text t, uint32_t taint, bool is_bytes)
{
    struct tv v = is_ok ? py_str(t, taint | T_DECODED | T_COMPUTED) : tv_unknown(taint | T_DECODED);
    v.is_bytes = is_bytes;
    return v;
}

static bool is_codec(struct tv v, const char *a, const char *b, const char *c)
{
    return v.kind == TV_TEXT && (fold_is(py_text(v), a) || fold_is(py_text(v), b) || fold_is(py_text(v), c));
}

struct tv py_codec(struct py *p, struct tv s, struct tv how, uint32_t taint)
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
        return tv_unknown(taint | T_DECODED);
    return is_text ? s : tv_unknown(taint);
}

struct tv py_do_decode(struct py *p, struct py_call *c, enum effect how)
{
    struct tv a = *py_arg(c, 0, "s");
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
        return py_codec(p, a, *py_arg(c, 1, "encoding"), taint);
    default:
        break;
    }
    if (is_ok && r.size > 3)
        py_fact_string(p, c->node, r);
    return decoded(is_ok, r, taint, true);
}

/* bytes([..]), bytearray([..]), "".join-like lists of numbers */
static struct tv bytes_of(struct py *p, struct tv v, uint32_t taint)
{
    if (v.kind == TV_TEXT) {
        v.is_bytes = true;
        v.is_literal = false;
        return v;
    }
    if (v.kind == TV_NUMBER && v.number > 65536)
        return tv_unknown(T_LARGE | (v.number >= (int64_t)GIB ? T_HUGE : 0));
    if (v.kind != TV_LIST || v.list->is_open)
        return tv_unknown(taint | (v.kind == TV_LIST || v.kind == TV_ITER ? v.taint & T_ORIGIN : 0));
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t;
    for (uint32_t i = 0; i < v.list->count; i++) {
        if (v.list->items[i].kind != TV_NUMBER)
            return tv_unknown(taint);
        fold_addc(&o, (char)(v.list->items[i].number & 0xff));
    }
    if (!fold_end(&o, &t))
        return tv_unknown(taint);
    struct tv r = py_str(t, taint | T_COMPUTED | (t.size ? T_DECODED : 0));
    r.is_bytes = true;
    return r;
}

/* A text as a list of its characters. */
static struct tv listed(struct py *p, struct tv v)
{
    if (v.kind == TV_RECORD) {
        struct py_call none = { 0 };
        bool is_known;
        return py_list_method(p, v, "keys", &none, &is_known);
    }
    if (v.kind != TV_TEXT || v.taint & T_HARDLY || v.size > 2048)
        return v;
    struct tv l = py_list_new(p);
    for (uint32_t i = 0; l.kind == TV_LIST && i < v.size; i++)
        (void)py_list_add(p, l, py_turn(v, i));
    return l;
}

static struct tv reversed(struct py *p, struct tv v)
{
    struct fold_text t;
    if (v.kind == TV_TEXT && fold_reverse(&p->mem, py_text(v), &t))
        return py_str(t, v.taint | T_COMPUTED);
    return v.kind == TV_LIST ? py_reversed(p, v) : v;
}

static struct tv range(struct py *p, struct py_call *c)
{
    struct tv a = *py_arg(c, 0, NULL), b = *py_arg(c, 1, NULL), step = *py_arg(c, 2, NULL);
    int64_t from = 0, to = a.number, by = step.kind == TV_NUMBER ? step.number : 1;
    bool is_known = a.kind == TV_NUMBER && (c->positional < 2 || b.kind == TV_NUMBER) &&
                    (c->positional < 3 || step.kind == TV_NUMBER) && by;
    if (c->positional > 1) {
        from = a.number;
        to = b.number;
    }
    if (!is_known || from < -100000 || from > 100000 || to < -100000 || to > 100000 || (to - from) / by > 32)
        return py_iter_of(p, tv_unknown(T_LOOP));
    struct tv l = py_list_new(p);
    for (int64_t i = from; l.kind == TV_LIST && (by > 0 ? i < to : i > to); i += by)
        (void)py_list_add(p, l, tv_number(i));
    return l;
}

static struct tv zipped(struct py *p, struct py_call *c, bool is_enumerate)
{
    struct tv a = listed(p, *py_arg(c, 0, NULL)), b = listed(p, *py_arg(c, 1, NULL)), r;
    if (is_enumerate) {
        b = a;
        a = tv_unknown(T_LOOP);
    }
    bool is_known = b.kind == TV_LIST && !b.list->is_open && (is_enumerate || (a.kind == TV_LIST && !a.list->is_open));
    uint32_t n = is_known ? MIN_OF(b.list->count, is_enumerate ? b.list->count : a.list->count) : 1;
    r = py_list_new(p);
    for (uint32_t i = 0; i < n && r.kind == TV_LIST; i++) {
        struct tv pair = py_pair(p,
                                 is_enumerate ? is_known ? tv_number(i) : a
                                 : is_known   ? a.list->items[i]
                                              : py_element(a),
                                 is_known ? b.list->items[i] : py_element(b));
        if (pair.kind != TV_LIST)
            return tv_unknown(c->taint & T_ORIGIN);
        if (!is_known)
            return py_iter_of(p, pair);
        (void)py_list_add(p, r, pair);
    }
    return r;
}

static struct tv to_int(struct py_call *c)
{
    struct tv a = *py_arg(c, 0, NULL), base = *py_arg(c, 1, "base");
    int64_t v;
    if (a.kind == TV_NUMBER)
        return a;
    if (py_is_str(a) &&
        fold_int(py_text(a),
                 base.kind == TV_NUMBER && base.number >= 0 && base.number <= 36 ? (unsigned)base.number : 10, &v))
        return tv_number(v);
    return tv_unknown((a.taint & (T_ORIGIN | T_PID | T_SELF)));
}

static struct tv percent_decoded(struct py *p, struct tv a)
{
    struct fold_out o = { .mem = &p->mem };
    fold_add_unquoted(&o, py_text(a));
    return py_made(&o, a.taint | T_COMPUTED, a.taint & T_ORIGIN);
}

struct tv py_do_fold(struct py *p, struct py_call *c, enum effect how)
{
    struct tv a = *py_arg(c, 0, NULL), v;
    uint32_t taint = c->taint & (T_ORIGIN | T_OWN);
    struct fold_out o = { .mem = &p->mem };
    switch (how) {
    case EF_CHR:
        p->effects++;
        if (a.kind != TV_NUMBER || a.number < 0)
            return tv_unknown(taint | T_COMPUTED);
        fold_add_utf8(&o, (uint32_t)MIN_OF(a.number, 0x110000));
        return py_made(&o, taint | T_COMPUTED, taint);
    case EF_ORD:
        return py_is_str(a) && a.size == 1 ? tv_number((unsigned char)a.text[0]) : tv_unknown(taint);
    case EF_STR:
        if (!c->count)
            return py_const("", 0);
        v = py_as_text(p, a);
        if (a.kind == TV_UNKNOWN || (a.kind == TV_OBJECT && !a.text) || a.kind == TV_LIST || a.kind == TV_RECORD ||
            a.kind == TV_PATH)
            return tv_unknown(taint);
        return v;
    case EF_BYTES:
        v = bytes_of(p, a, taint);
        if (v.taint & T_HUGE)
            py_flow(p, c->node, "endless-alloc", NULL, NULL);
        return v;
    case EF_LEN:
        if (py_is_str(a))
            return tv_number(a.size);
        return a.kind == TV_LIST && !a.list->is_open && !p->vague ? tv_number(a.list->count) : tv_unknown(0);
    case EF_INT:
        return to_int(c);
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
        return a.kind == TV_LIST && a.list->count ? a.list->items[0] : py_element(a);
    case EF_PASS:
        return a;
    case EF_UNQUOTE:
        return py_is_str(a) ? percent_decoded(p, a) : tv_unknown(taint);
    case EF_DICT:
        if (a.kind == TV_UNKNOWN && !c->count) {
            v = py_list_new(p);
            v.kind = v.kind == TV_LIST ? TV_RECORD : v.kind;
            return v;
        }
        return a.kind == TV_RECORD ? a : tv_unknown(taint | (a.kind == TV_PATH ? a.taint : 0));
    case EF_DEDENT:
        return a.kind == TV_TEXT ? py_dedent(p, a) : a;
    case EF_JSON:
        v = py_is_str(a) ? py_json(p, py_text(a)) : tv_unknown(0);
        v.taint |= taint;
        return v;
    case EF_JSON_TEXT:
        return py_json_text(p, a);
    case EF_QUOTE:
        return a.kind == TV_TEXT ? py_quoted(p, a) : tv_unknown(taint);
    case EF_WORDS:
        return a.kind == TV_TEXT ? py_words(p, py_text(a)) : tv_unknown(taint);
    case EF_TEMPLATE:
        return a.kind == TV_TEXT ? py_thing(c->name, py_text(a), taint) : py_object(c->name, taint);
    case EF_SUBSTITUTE:
        return c->callee.text ? py_substitute(p, c->callee, c) : tv_unknown(taint);
    default:
        return tv_unknown(taint);
    }
}

/* mkstemp(suffix=".py"): the name's end may say what it is. */
static struct tv temporary(struct py *p, const struct py_call *c, int position)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t;
    struct tv suffix = *py_arg(c, position, "suffix");
    fold_add(&o, "/tmp/{}", 7);
    if (suffix.kind == TV_TEXT)
        fold_add(&o, suffix.text, suffix.size);
    return fold_end(&o, &t) ? py_str(t, T_OWN | T_HARDLY) : py_const("/tmp/{}", T_OWN | T_HARDLY);
}

/* --- paths ----------------------------------------------------------------------------------------------------------
 */

static struct tv joined(struct py *p, struct py_call *c)
{
    struct fold_out o = { .mem = &p->mem };
    uint32_t taint = c->taint & (T_ORIGIN | T_OWN);
    for (unsigned i = 0; i < c->count; i++) {
        struct tv v = py_as_text(p, c->args[i]);
        taint |= v.taint & (T_HARDLY | T_COMPUTED);
        py_add_path(&o, py_text(v));
    }
    return py_made(&o, taint, taint);
}

static struct tv dirname(struct tv a, bool is_base)
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

struct tv py_do_path(struct py *p, struct py_call *c, enum effect how)
{
    struct tv a = *py_arg(c, 0, NULL), v;
    uint32_t taint = c->taint & (T_ORIGIN | T_OWN);
    switch (how) {
    case EF_PATH_JOIN:
        if (c->callee.text && c->name && str_starts(c->name, "pathlib."))
            return py_binary(p, '/', py_path(py_text(c->callee), c->callee.taint), a);
        return joined(p, c);
    case EF_HOME:
        return py_const("~", 0);
    case EF_HOME_PATH:
        return py_path(fold_of("~"), 0);
    case EF_CWD:
        return py_const(".", 0);
    case EF_CWD_PATH:
        return py_path(fold_of("."), 0);
    case EF_TEMP:
        return py_const("/tmp", 0);
    case EF_MKTEMP:
        return py_const("/tmp/{}", T_OWN | T_HARDLY);
    case EF_TEMP_FILE:
        v = temporary(p, c, -1);
        v.kind = TV_OBJECT;
        v.name = c->name;
        return v;
    case EF_MKSTEMP: { /* os.fdopen() makes a file of the first */
        struct tv path = temporary(p, c, 0), fd = path;
        fd.kind = TV_OBJECT;
        fd.name = "fd";
        return py_pair(p, fd, path);
    }
    case EF_PATH_SAME: /* expanduser, abspath, resolve ...: as good as the path itself */
        if (c->callee.text && str_starts(c->name, "pathlib."))
            return py_path(py_text(c->callee), c->callee.taint & (T_ORIGIN | T_OWN | T_HARDLY));
        if (a.kind == TV_OBJECT && a.text)
            return py_str((struct fold_text){ a.text, a.size }, a.taint & (T_ORIGIN | T_OWN | T_HARDLY));
        return a.kind == TV_TEXT ? a : tv_unknown(taint);
    case EF_PATH:
        v = c->count ? joined(p, c) : py_const(".", 0);
        return py_path(py_text(v), v.taint);
    case EF_DIRNAME:
    case EF_BASENAME:
        v = py_as_text(p, a);
        return dirname(v, how == EF_BASENAME);
    default:
        return tv_unknown(taint);
    }
}

/* --- the environment ------------------------------------------------------------------------------------------------
 */

struct tv py_do_env(struct py *p, struct py_call *c, enum effect how)
{
    if (how == EF_ENVIRON) {
        return py_object("environ", T_ENV);
    }
    struct tv v = py_environ(p, c->node, *py_arg(c, 0, "key")), other = *py_arg(c, 1, "default");
    if (v.kind == TV_UNKNOWN && other.kind != TV_UNKNOWN && other.kind != TV_NONE) {
        other.taint |= v.taint & T_ORIGIN;
        return other;
    }
    return v;
}
